// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/config_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace jetglass::forms {

using namespace Qt::StringLiterals;

struct ConfigForm::Row
{
    const ConfigField* field = nullptr;
    QString key;
    QFormLayout* form = nullptr;
    QLabel* label = nullptr;
    QWidget* box = nullptr; ///< editor and the line under it
    QWidget* editor = nullptr;
    QLabel* note = nullptr;
    QString error; ///< the text cannot be read
    QString extra; ///< from setNote()
    Tone extraTone = Tone::Quiet;
    bool locked = false;
};

struct ConfigForm::Group
{
    const FieldGroup* group = nullptr;
    QToolButton* head = nullptr; ///< none for the first group, which is always open
    QWidget* body = nullptr;
};

ConfigForm::ConfigForm(std::span<const FieldGroup> groups, QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    for (const FieldGroup& g : groups)
        buildGroup(g, layout);
    layout->addStretch(1);
    retranslate();
}

ConfigForm::~ConfigForm() = default;

void ConfigForm::buildGroup(const FieldGroup& group, QVBoxLayout* layout)
{
    auto g = std::make_unique<Group>();
    g->group = &group;
    g->body = new QWidget(this);
    auto* form = new QFormLayout(g->body);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    if (!m_groups.empty()) {
        g->head = new QToolButton(this);
        g->head->setCheckable(true);
        g->head->setAutoRaise(true);
        g->head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        g->head->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        g->head->setArrowType(Qt::RightArrow);
        layout->addWidget(g->head);
        QWidget* body = g->body;
        QToolButton* head = g->head;
        body->hide();
        connect(head, &QToolButton::toggled, this, [head, body](bool open) {
            head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
            body->setVisible(open);
        });
        head->setChecked(group.open);
    }
    layout->addWidget(g->body);
    for (const ConfigField& f : group.fields) {
        auto row = std::make_unique<Row>();
        row->field = &f;
        row->key = QLatin1String(f.key);
        row->form = form;
        row->label = new QLabel(this);
        row->label->setTextFormat(Qt::RichText);
        row->label->setAlignment(Qt::AlignLeft | Qt::AlignTop); // beside the editor, not its note
        row->box = new QWidget(this);
        row->box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        auto* stack = new QVBoxLayout(row->box);
        stack->setContentsMargins(0, 0, 0, 0);
        stack->setSpacing(2);
        row->editor = buildEditor(*row);
        row->note = new QLabel(row->box);
        row->note->setWordWrap(true);
        row->note->hide();
        const bool narrow = f.kind == FieldKind::Choice || f.kind == FieldKind::Switch;
        stack->addWidget(row->editor, 0, narrow ? Qt::AlignLeft : Qt::Alignment());
        stack->addWidget(row->note);
        row->label->setBuddy(row->editor);
        form->addRow(row->label, row->box);
        m_rows.push_back(std::move(row));
    }
    m_groups.push_back(std::move(g));
}

QWidget* ConfigForm::buildEditor(Row& row)
{
    Row* r = &row;
    const auto edited = [this, r] { onEdited(*r); };
    switch (row.field->kind) {
    case FieldKind::Switch: {
        auto* box = new QCheckBox(row.box);
        connect(box, &QCheckBox::toggled, this, edited);
        return box;
    }
    case FieldKind::Choice: {
        auto* box = new QComboBox(row.box);
        for (const FieldChoice& c : row.field->choices)
            box->addItem(QString(), QString::fromLatin1(c.value));
        // As wide as its longest choice where there is room, never wider than the form.
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMinimumWidth(box->fontMetrics().averageCharWidth() * 12);
        connect(box, &QComboBox::currentIndexChanged, this, edited);
        return box;
    }
    case FieldKind::Lines:
    case FieldKind::Pairs:
    case FieldKind::Json: {
        auto* edit = new QPlainTextEdit(row.box);
        edit->setTabChangesFocus(true);
        edit->setFixedHeight(edit->fontMetrics().lineSpacing() * 3 + 14);
        connect(edit, &QPlainTextEdit::textChanged, this, edited);
        return edit;
    }
    default: {
        auto* edit = new QLineEdit(row.box);
        connect(edit, &QLineEdit::textChanged, this, edited);
        return edit;
    }
    }
}

QString ConfigForm::editorText(const Row& row)
{
    if (const auto* box = qobject_cast<const QCheckBox*>(row.editor))
        return box->isChecked() ? u"true"_s : QString();
    if (const auto* combo = qobject_cast<const QComboBox*>(row.editor))
        return combo->currentData().toString();
    if (const auto* edit = qobject_cast<const QPlainTextEdit*>(row.editor))
        return edit->toPlainText();
    return qobject_cast<const QLineEdit*>(row.editor)->text();
}

void ConfigForm::setEditorText(const Row& row, const QString& text)
{
    if (auto* box = qobject_cast<QCheckBox*>(row.editor))
        box->setChecked(text == u"true"_s);
    else if (auto* combo = qobject_cast<QComboBox*>(row.editor))
        combo->setCurrentIndex(std::max(0, combo->findData(text)));
    else if (auto* edit = qobject_cast<QPlainTextEdit*>(row.editor))
        edit->setPlainText(text);
    else
        qobject_cast<QLineEdit*>(row.editor)->setText(text);
}

void ConfigForm::setConfig(const QJsonObject& config, bool editing)
{
    m_filling = true;
    m_original = config;
    m_editing = editing;
    for (const auto& row : m_rows) {
        setEditorText(*row, fieldText(*row->field, valueAt(config, row->key)));
        row->error.clear();
    }
    refreshLocks();
    m_filling = false;
    emit changed();
}

QJsonObject ConfigForm::config() const
{
    QJsonObject config = m_original;
    for (const auto& row : m_rows) {
        QString error;
        QJsonValue v = fieldValue(*row->field, editorText(*row), &error);
        if (!error.isEmpty())
            continue;
        // An empty member of an optional object must not bring that object to life.
        const bool empty = v.isNull() || v == QJsonValue(QString()) || v == QJsonValue(false)
            || v == QJsonValue(0) || (v.isArray() && v.toArray().isEmpty())
            || (v.isObject() && v.toObject().isEmpty());
        setValueAt(config, row->key, empty ? QJsonValue(QJsonValue::Undefined) : v);
    }
    return config;
}

QString ConfigForm::textProblem() const
{
    for (const auto& row : m_rows) {
        if (!row->error.isEmpty())
            return row->error;
    }
    return {};
}

ConfigForm::Row* ConfigForm::find(const QString& key) const
{
    for (const auto& row : m_rows) {
        if (row->key == key)
            return row.get();
    }
    return nullptr;
}

void ConfigForm::setText(const QString& key, const QString& text)
{
    if (Row* row = find(key))
        setEditorText(*row, text);
}

QString ConfigForm::text(const QString& key) const
{
    const Row* row = find(key);
    return row ? editorText(*row) : QString();
}

bool ConfigForm::isLocked(const QString& key) const
{
    const Row* row = find(key);
    return row && row->locked;
}

void ConfigForm::setRowVisible(const QString& key, bool visible)
{
    if (Row* row = find(key)) {
        row->form->setRowVisible(row->box, visible);
    }
}

void ConfigForm::setNote(const QString& key, const QString& note, Tone tone)
{
    if (Row* row = find(key)) {
        row->extra = note;
        row->extraTone = note.isEmpty() ? Tone::Quiet : tone;
        retranslateRow(*row);
    }
}

void ConfigForm::setGroupOpen(int group, bool open)
{
    if (QToolButton* head = m_groups[static_cast<std::size_t>(group)]->head)
        head->setChecked(open);
}

void ConfigForm::focusField(const QString& key)
{
    if (const Row* row = find(key))
        row->editor->setFocus();
}

void ConfigForm::onEdited(Row& row)
{
    row.error.clear();
    (void)fieldValue(*row.field, editorText(row), &row.error);
    retranslateRow(row);
    if (!m_filling)
        emit changed();
}

void ConfigForm::refreshLocks()
{
    for (const auto& row : m_rows) {
        const bool wasOn = valueAt(m_original, row->key).toBool();
        row->locked = m_editing
            && (row->field->lock == FieldLock::Fixed
                || (row->field->lock == FieldLock::OnlyOn && wasOn));
        if (auto* line = qobject_cast<QLineEdit*>(row->editor))
            line->setReadOnly(row->locked);
        else if (auto* edit = qobject_cast<QPlainTextEdit*>(row->editor))
            edit->setReadOnly(row->locked);
        else
            row->editor->setEnabled(!row->locked);
        retranslateRow(*row);
    }
}

void ConfigForm::retranslateRow(Row& row)
{
    const ConfigField& f = *row.field;
    const QString quiet = toneColor(Tone::Quiet, palette()).name();
    // The field's own term stands beside the reader's words, so that what is learned here is found
    // in every manual.
    row.label->setText(u"%1<br><span style=\"color:%2; font-size:small\">%3</span>"_s.arg(
        tr(f.label).toHtmlEscaped(), quiet, row.key.toHtmlEscaped()));
    row.label->setToolTip(tr(f.hint));
    row.editor->setToolTip(tr(f.hint));
    row.editor->setAccessibleName(tr(f.label) + u" ("_s + row.key + u')');
    row.editor->setAccessibleDescription(tr(f.hint));
    if (auto* box = qobject_cast<QComboBox*>(row.editor)) {
        const QSignalBlocker block(box);
        for (std::size_t i = 0; i < f.choices.size(); ++i)
            box->setItemText(static_cast<int>(i), tr(f.choices[i].text));
    }
    if (auto* line = qobject_cast<QLineEdit*>(row.editor)) {
        const bool unlimited = f.kind == FieldKind::Count || f.kind == FieldKind::Size;
        line->setPlaceholderText(f.empty ? tr(f.empty) : unlimited ? tr("no limit") : QString());
    }
    QStringList notes;
    if (f.kind == FieldKind::Switch)
        notes.append(tr(f.hint)); // a word beside a box says too little
    if (row.locked) {
        if (f.lockReason)
            notes.append(tr(f.lockReason));
        else if (f.lock == FieldLock::OnlyOn)
            notes.append(tr("Once it is on it stays on."));
        else
            notes.append(tr("Fixed at creation. To change it, create another one."));
    }
    if (!row.extra.isEmpty())
        notes.append(row.extra);
    if (!row.error.isEmpty())
        notes = QStringList{row.error};
    say(row.note, row.error.isEmpty() ? row.extraTone : Tone::Bad, notes.join(u' '));
    row.note->setVisible(!notes.isEmpty());
}

void ConfigForm::retranslate()
{
    for (const auto& row : m_rows)
        retranslateRow(*row);
    for (const auto& g : m_groups) {
        if (g->head)
            g->head->setText(tr(g->group->title));
    }
    alignLabels();
}

/// The editors of all groups stand in one column.
void ConfigForm::alignLabels()
{
    int widest = 0;
    for (const auto& row : m_rows)
        widest = std::max(widest, row->label->sizeHint().width());
    for (const auto& row : m_rows)
        row->label->setMinimumWidth(widest);
}

void ConfigForm::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace jetglass::forms
