// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controllers/override_controller.h"
#include "models/session.h"

#include <QDialog>
#include <QTimer>

#include <vector>

class QButtonGroup;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;

namespace jetglass::dialogs {

/// Answers for a message that somebody else holds: says who holds it, what each answer does to it,
/// and carries one out when told so. Follows what happens meanwhile: what is no longer pending
/// cannot be overridden.
class OverrideDialog final : public QDialog
{
    Q_OBJECT
public:
    /// \a preferred is chosen if its delivery is pending.
    OverrideDialog(controllers::OverrideController& controller,
        models::Session& session,
        StreamSeq seq,
        ConsumerId preferred,
        QWidget* parent = nullptr);

    void choose(client::AckKind kind);
    [[nodiscard]] QPushButton& carryOutButton() const { return *m_carryOut; }
    [[nodiscard]] QString command() const; ///< the same for the command line; empty if impossible

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Verb
    {
        client::AckKind kind{};
        QRadioButton* button = nullptr;
        QLabel* effect = nullptr;
    };
    void build();
    void addVerb(client::AckKind kind);
    void ask();
    void take(const RangeAnswer& answer);
    void refresh();
    void refreshState();
    void refreshVerbs();
    void retranslate();
    void carryOut();
    [[nodiscard]] ConsumerId consumer() const;
    [[nodiscard]] const ConsumerOverview* overview() const;
    [[nodiscard]] const DeliveryCell* cell() const;
    [[nodiscard]] client::AckKind kind() const;
    [[nodiscard]] controllers::Override wanted() const;

    controllers::OverrideController& m_controller;
    models::Session& m_session;
    StreamId m_stream;
    StreamSeq m_seq;
    ConsumerId m_preferred;
    RangeAnswer m_answer;
    QTimer m_tick;
    bool m_sent = false;
    std::vector<Verb> m_verbs;
    QButtonGroup* m_group;
    QComboBox* m_consumer;
    QLabel* m_consumerLabel;
    QLabel* m_state;
    QDoubleSpinBox* m_delay;
    QLabel* m_warning;
    QLabel* m_sameLabel;
    QLineEdit* m_same;
    QLabel* m_result;
    QPushButton* m_cancel;
    QPushButton* m_carryOut;
};

} // namespace jetglass::dialogs
