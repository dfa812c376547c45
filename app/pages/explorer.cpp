// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/explorer.h"

#include "pages/explorer_delegate.h"
#include "pages/no_match.h"
#include "style/theme.h"

#include <QEvent>
#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>

namespace jetglass::pages {

using models::StreamTreeModel;

void ExplorerFilter::setWords(const QString& words)
{
    m_words = words.trimmed();
    invalidateFilter();
}

bool ExplorerFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex at = sourceModel()->index(row, 0, parent);
    if (!parent.isValid() && sourceModel()->rowCount(at) == 0)
        return false;
    if (m_words.isEmpty()
        || at.data(StreamTreeModel::NameRole).toString().contains(m_words, Qt::CaseInsensitive))
        return true;
    // A consumer stays below a stream that matches, and a stream above a consumer that does.
    if (parent.isValid()
        && parent.data(StreamTreeModel::NameRole).toString().contains(m_words, Qt::CaseInsensitive))
        return true;
    for (int child = 0; child < sourceModel()->rowCount(at); ++child) {
        if (filterAcceptsRow(child, at))
            return true;
    }
    return false;
}

Explorer::Explorer(models::Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_model(session.live)
    , m_words(new QLineEdit(this))
    , m_none(new NoMatch(this))
    , m_tree(new QTreeView(this))
{
    m_filter.setSourceModel(&m_model);
    m_filter.setRecursiveFilteringEnabled(false);
    m_tree->setModel(&m_filter);
    m_tree->setItemDelegate(new ExplorerDelegate(m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setIndentation(14);
    m_tree->setUniformRowHeights(false);
    m_tree->setAnimated(false);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->setObjectName(QStringLiteral("explorerTree"));
    m_words->setClearButtonEnabled(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 0);
    layout->setSpacing(4);
    layout->addWidget(m_words);
    layout->addWidget(m_none);
    layout->addWidget(m_tree, 1);
    connect(m_words, &QLineEdit::textChanged, &m_filter, &ExplorerFilter::setWords);
    connect(m_words, &QLineEdit::textChanged, m_tree, &QTreeView::expandAll);
    connect(m_words, &QLineEdit::returnPressed, this, &Explorer::chooseMatch);
    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_filter, changed, this, &Explorer::showWhetherNothingMatches);
    connect(m_words, &QLineEdit::textChanged, this, &Explorer::showWhetherNothingMatches);
    connect(m_none, &NoMatch::clearWanted, this, [this] {
        m_words->clear();
        m_words->setFocus();
    });
    connect(
        m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &Explorer::choose);
    connect(m_tree, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        choose(index);
        if (index.data(StreamTreeModel::KindRole).toInt()
            <= static_cast<int>(StreamTreeModel::NodeKind::Consumer))
            emit streamChosen();
    });
    connect(m_tree, &QTreeView::customContextMenuRequested, this, &Explorer::openMenu);
    connect(&m_filter, &QAbstractItemModel::rowsInserted, this, &Explorer::expandNew);
    connect(&session.selection, &models::Selection::streamChanged, this, &Explorer::showSelection);
    connect(
        &session.selection, &models::Selection::consumerChanged, this, &Explorer::showSelection);
    connect(&session.clients, &models::ClientDirectory::namesChanged, this, [this] {
        m_model.setClients(m_session.clients.clients());
        m_filter.setWords(m_words->text()); // a section that was empty may show now
    });
    connect(&session.live, &models::LiveView::structureChanged, this, [this] {
        m_filter.setWords(m_words->text());
    });
    m_tree->expandAll();
    applyLook();
    retranslate();
}

void Explorer::focusFilter()
{
    m_words->setFocus();
    m_words->selectAll();
}

void Explorer::showWhetherNothingMatches()
{
    m_none->setWords(m_filter.rowCount() == 0 ? m_words->text().trimmed() : QString());
}

/// Sections and streams with few consumers open by themselves.
void Explorer::expandNew(const QModelIndex& parent, int first, int last)
{
    m_tree->expand(parent);
    for (int row = first; row <= last; ++row) {
        const QModelIndex at = m_filter.index(row, 0, parent);
        if (!parent.isValid() || m_filter.rowCount(at) <= 20)
            m_tree->expandRecursively(at, 1);
    }
}

void Explorer::choose(const QModelIndex& index)
{
    if (m_showing || !index.isValid())
        return;
    const auto stream = static_cast<StreamId>(index.data(StreamTreeModel::StreamRole).toUInt());
    switch (static_cast<StreamTreeModel::NodeKind>(index.data(StreamTreeModel::KindRole).toInt())) {
    case StreamTreeModel::NodeKind::Stream:
        m_session.selection.setConsumer(stream, {});
        break;
    case StreamTreeModel::NodeKind::Consumer:
        m_session.selection.setConsumer(
            stream, static_cast<ConsumerId>(index.data(StreamTreeModel::ConsumerRole).toUInt()));
        break;
    case StreamTreeModel::NodeKind::Client:
        emit clientChosen(static_cast<ClientId>(index.data(StreamTreeModel::ClientRole).toUInt()));
        break;
    case StreamTreeModel::NodeKind::Section:
        break;
    }
}

/// The row of exactly this name, else the first that contains it: streams before their consumers.
void Explorer::chooseMatch()
{
    const QString words = m_words->text().trimmed();
    if (words.isEmpty())
        return;
    QModelIndexList exact;
    QModelIndexList part;
    for (int level = 1; level <= 2; ++level) {
        for (QModelIndex at = m_filter.index(0, 0); at.isValid(); at = m_tree->indexBelow(at)) {
            const int depth = at.parent().isValid() + at.parent().parent().isValid();
            const QString name = at.data(StreamTreeModel::NameRole).toString();
            if (depth == level && name.contains(words, Qt::CaseInsensitive))
                (name.compare(words, Qt::CaseInsensitive) == 0 ? exact : part) << at;
        }
    }
    if (exact.isEmpty() && part.isEmpty())
        return;
    const QModelIndex match = exact.isEmpty() ? part.first() : exact.first();
    m_tree->setCurrentIndex(match);
    choose(match);
    m_tree->setFocus();
    if (match.data(StreamTreeModel::KindRole).toInt()
        <= static_cast<int>(StreamTreeModel::NodeKind::Consumer))
        emit streamChosen();
}

void Explorer::showSelection()
{
    const models::Selection& selection = m_session.selection;
    QModelIndex at = m_model.indexOf(selection.stream());
    if (selection.consumer() != ConsumerId{})
        at = m_model.indexOf(selection.stream(), selection.consumer());
    m_showing = true;
    m_tree->setCurrentIndex(m_filter.mapFromSource(at));
    m_showing = false;
}

void Explorer::openMenu(const QPoint& pos)
{
    const QModelIndex index = m_tree->indexAt(pos);
    emit contextMenuRequested(
        static_cast<StreamId>(index.data(StreamTreeModel::StreamRole).toUInt()),
        static_cast<ConsumerId>(index.data(StreamTreeModel::ConsumerRole).toUInt()),
        m_tree->viewport()->mapToGlobal(pos));
}

void Explorer::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        m_model.retranslate();
    } else if (event->type() == QEvent::PaletteChange) {
        applyLook();
    }
    QWidget::changeEvent(event);
}

/// A pale selection, so that badges and numbers keep their colours on it.
void Explorer::applyLook()
{
    const style::Theme& theme = style::Theme::of(palette());
    QPalette colours = palette();
    colours.setColor(QPalette::Highlight, theme.selection);
    colours.setColor(QPalette::HighlightedText, theme.text);
    m_tree->setPalette(colours);
}

void Explorer::retranslate()
{
    m_words->setPlaceholderText(tr("Filter by name"));
    m_words->setAccessibleName(tr("Filter streams and consumers by name"));
    m_tree->setAccessibleName(tr("Streams, consumers and clients"));
}

} // namespace jetglass::pages
