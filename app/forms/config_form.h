// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/config_field.h"
#include "forms/tone.h"

#include <QHash>
#include <QJsonObject>
#include <QWidget>

#include <vector>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace jetglass::forms {

/// A configuration as a form, built from a table of fields: basics first, the rest folded. Holds no
/// rules: whoever owns it checks config() and hands the finding back with showProblem().
class ConfigForm : public QWidget
{
    Q_OBJECT
public:
    explicit ConfigForm(std::span<const FieldGroup> groups, QWidget* parent = nullptr);
    ~ConfigForm() override;

    /// With \a editing the fields that cannot be changed any more are locked, each with its reason.
    void setConfig(const QJsonObject& config, bool editing);
    /// What the fields say. Members that no field shows are kept as they came.
    [[nodiscard]] QJsonObject config() const;
    /// The first field whose text cannot be read, in a sentence; empty if all can.
    [[nodiscard]] QString textProblem() const;

    void setText(const QString& key, const QString& text);
    [[nodiscard]] QString text(const QString& key) const;
    [[nodiscard]] bool isLocked(const QString& key) const;
    /// Shows a row or takes it away (a pull consumer has no deliver subject).
    void setRowVisible(const QString& key, bool visible);
    /// An explanation under a row, for as long as it applies; empty removes it.
    void setNote(const QString& key, const QString& note, Tone tone = Tone::Quiet);
    void setGroupOpen(int group, bool open);
    void focusField(const QString& key);

signals:
    void changed();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row;
    struct Group;

    void buildGroup(const FieldGroup& group, QVBoxLayout* layout);
    QWidget* buildEditor(Row& row);
    void retranslate();
    void retranslateRow(Row& row);
    void alignLabels();
    void onEdited(Row& row);
    void refreshLocks();
    [[nodiscard]] Row* find(const QString& key) const;
    [[nodiscard]] static QString editorText(const Row& row);
    static void setEditorText(const Row& row, const QString& text);

    std::vector<std::unique_ptr<Row>> m_rows;
    std::vector<std::unique_ptr<Group>> m_groups;
    QJsonObject m_original;
    bool m_editing = false;
    bool m_filling = false;
};

} // namespace jetglass::forms
