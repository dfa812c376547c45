// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/command_palette.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace jetglass::window {

namespace {

enum Role
{
    CommandRole = Qt::UserRole,
    KeysRole
};

/// The command, and at the right its shortcut.
class CommandDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter,
        const QStyleOptionViewItem& option,
        const QModelIndex& index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const QString keys = index.data(KeysRole).toString();
        const bool chosen = option.state.testFlag(QStyle::State_Selected);
        painter->setFont(option.font);
        painter->setPen(
            option.palette.color(chosen ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->drawText(
            option.rect.adjusted(kInset, 0, -kInset, 0), Qt::AlignRight | Qt::AlignVCenter, keys);
    }
    [[nodiscard]] QSize sizeHint(
        const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QSize size = QStyledItemDelegate::sizeHint(option, index);
        return {size.width(), option.fontMetrics.height() + kInset};
    }

private:
    static constexpr int kInset = 6;
};

} // namespace

CommandPalette::CommandPalette(std::vector<Command> commands, QWidget* parent)
    : QDialog(parent, Qt::Popup)
    , m_commands(std::move(commands))
    , m_words(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    m_words->setPlaceholderText(tr("What do you want to do?"));
    m_words->setAccessibleName(tr("Command"));
    m_words->setClearButtonEnabled(true);
    m_words->installEventFilter(this);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setItemDelegate(new CommandDelegate(m_list));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_words);
    layout->addWidget(m_list);
    resize(520, 380);
    if (parent)
        move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, 60)));
    connect(m_words, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_words, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    filter(QString());
    m_words->setFocus();
}

void CommandPalette::filter(const QString& words)
{
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    m_list->clear();
    for (std::size_t i = 0; i < m_commands.size(); ++i) {
        const Command& command = m_commands[i];
        const bool fits =
            std::all_of(wanted.begin(), wanted.end(), [&command](const QString& word) {
                return command.text.contains(word, Qt::CaseInsensitive);
            });
        if (!fits)
            continue;
        auto* item = new QListWidgetItem(command.text, m_list);
        item->setData(CommandRole, static_cast<int>(i));
        item->setData(KeysRole, command.keys);
    }
    if (m_list->count() == 0) {
        auto* none = new QListWidgetItem(tr("Nothing matches “%1”.").arg(words.trimmed()), m_list);
        none->setFlags(Qt::NoItemFlags);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::runCurrent()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !item->flags().testFlag(Qt::ItemIsEnabled))
        return;
    auto run = m_commands[static_cast<std::size_t>(item->data(CommandRole).toInt())].run;
    close();
    // After the popup has gone, so that a dialog it opens gets the focus.
    QTimer::singleShot(0, QCoreApplication::instance(), std::move(run));
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_words && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const int step = key->key() == Qt::Key_Down ? 1 : key->key() == Qt::Key_Up ? -1 : 0;
        if (step != 0) {
            m_list->setCurrentRow(
                std::clamp(m_list->currentRow() + step, 0, std::max(0, m_list->count() - 1)));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace jetglass::window
