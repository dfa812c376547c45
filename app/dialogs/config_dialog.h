// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/connection.h"
#include "client/request.h"
#include "sources/flow_source.h"

#include <QDialog>
#include <QJsonObject>
#include <QPointer>

class QLabel;
class QPushButton;
class QScrollArea;

namespace jetglass::forms {
class SameAsView;
class StreamForm;
class ConsumerForm;
struct FormFinding;
}

namespace jetglass::dialogs {

/// What the two configuration dialogs share: a form in a scroll area, the finding of the broker's
/// rules, the changes of an edit, the answer of the server and "the same as".
class ConfigDialog : public QDialog
{
    Q_OBJECT
public:
    ConfigDialog(client::Connection* connection, sources::FlowSource* source, QWidget* parent);

    /// Sends the request unless the form forbids it. The dialog closes when the server has taken
    /// it.
    void save();
    [[nodiscard]] QString resultText() const;

signals:
    /// The server took it.
    void saved(const QString& name);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void setForm(QWidget* form);
    void refresh();

    [[nodiscard]] virtual bool isEditing() const = 0;
    [[nodiscard]] virtual const forms::FormFinding& finding() const = 0;
    /// The changes of an edit as rich text.
    [[nodiscard]] virtual QString changes(bool* any) const = 0;
    virtual void updateSameAs(forms::SameAsView* view) = 0;
    virtual void send(client::ApiHandler handler) = 0;
    [[nodiscard]] virtual QString name() const = 0;
    [[nodiscard]] virtual QString title() const = 0;
    /// False while no name is given and the server would make one up: then Return alone creates
    /// nothing, only the button does, and it says so.
    [[nodiscard]] virtual bool isNamed() const { return true; }
    /// The server makes no name up.
    [[nodiscard]] virtual bool needsName() const = 0;

    QPointer<client::Connection> m_connection;
    QPointer<sources::FlowSource> m_source;

private:
    void retranslate();
    void tellFinding();
    /// What is not filled in yet is no error before somebody tried to create it.
    [[nodiscard]] bool lacksOnlyItsName() const;
    void onAnswer(const client::ApiAnswer& answer);

    QScrollArea* m_scroll;
    QLabel* m_finding;
    QLabel* m_changesLabel;
    QLabel* m_changes;
    forms::SameAsView* m_sameAs;
    QPushButton* m_save;
    QPushButton* m_cancel;
    QTimer m_soon;
    bool m_sending = false;
    bool m_tried = false; ///< with Return, while it could not be created
};

/// Create or edit a stream.
class StreamDialog : public ConfigDialog
{
    Q_OBJECT
public:
    /// \a existing: the stream's configuration as the server tells it; empty for a new stream.
    StreamDialog(client::Connection* connection,
        sources::FlowSource* source,
        const QJsonObject& existing,
        QWidget* parent = nullptr);

    [[nodiscard]] forms::StreamForm* form() { return m_form; }

protected:
    bool isEditing() const override;
    const forms::FormFinding& finding() const override;
    QString changes(bool* any) const override;
    void updateSameAs(forms::SameAsView* view) override;
    void send(client::ApiHandler handler) override;
    QString name() const override;
    QString title() const override;
    bool needsName() const override { return true; }

private:
    void refreshOthers();

    forms::StreamForm* m_form;
};

/// Create or edit a consumer of a stream.
class ConsumerDialog : public ConfigDialog
{
    Q_OBJECT
public:
    ConsumerDialog(client::Connection* connection,
        sources::FlowSource* source,
        const QJsonObject& stream,
        const QJsonObject& existing,
        QWidget* parent = nullptr);

    [[nodiscard]] forms::ConsumerForm* form() { return m_form; }

protected:
    bool isEditing() const override;
    const forms::FormFinding& finding() const override;
    QString changes(bool* any) const override;
    void updateSameAs(forms::SameAsView* view) override;
    void send(client::ApiHandler handler) override;
    QString name() const override;
    QString title() const override;
    bool isNamed() const override;
    bool needsName() const override { return false; }

private:
    QString m_stream;
    forms::ConsumerForm* m_form;
};

} // namespace jetglass::dialogs
