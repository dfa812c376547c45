// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/stream_tree_model.h"

#include "models/client_directory.h"
#include "text/lane_text.h"
#include "text/quantity.h"
#include "text/state_text.h"

#include <QFont>

#include <algorithm>

namespace jetglass::models {

namespace {

using Section = StreamTreeModel::Section;

Section sectionOf(const std::string& stream)
{
    if (stream.starts_with("KV_"))
        return Section::KeyValue;
    return stream.starts_with("OBJ_") ? Section::Objects : Section::Streams;
}

QString shownName(Section section, const QString& name)
{
    if (section == Section::KeyValue)
        return name.mid(3);
    return section == Section::Objects ? name.mid(4) : name;
}

} // namespace

bool StreamTreeModel::Node::sameAs(const Node& other) const
{
    return kind == other.kind && section == other.section && stream == other.stream
        && consumer == other.consumer && client == other.client;
}

StreamTreeModel::StreamTreeModel(LiveView& live, QObject* parent)
    : QAbstractItemModel(parent)
    , m_live(live)
{
    for (const Section section :
        {Section::Streams, Section::KeyValue, Section::Objects, Section::Clients}) {
        auto node = std::make_unique<Node>();
        node->section = section;
        node->parent = &m_root;
        m_root.children.push_back(std::move(node));
    }
    connect(&live, &LiveView::structureChanged, this, &StreamTreeModel::refresh);
    connect(&live, &LiveView::countsChanged, this, &StreamTreeModel::countsChanged);
    connect(&live.source(), &sources::FlowSource::overviewChanged, this, &StreamTreeModel::refresh);
    refresh();
}

QModelIndex StreamTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    const Node* node = parent.isValid() ? nodeOf(parent) : &m_root;
    if (column != 0 || row < 0 || row >= static_cast<int>(node->children.size()))
        return {};
    return createIndex(row, column, node->children[static_cast<std::size_t>(row)].get());
}

QModelIndex StreamTreeModel::parent(const QModelIndex& child) const
{
    const Node* node = child.isValid() ? nodeOf(child) : nullptr;
    if (!node || !node->parent || node->parent == &m_root)
        return {};
    return createIndex(rowOf(*node->parent), 0, node->parent);
}

int StreamTreeModel::rowCount(const QModelIndex& parent) const
{
    if (parent.column() > 0)
        return 0;
    const Node* node = parent.isValid() ? nodeOf(parent) : &m_root;
    return static_cast<int>(node->children.size());
}

int StreamTreeModel::columnCount(const QModelIndex&) const
{
    return 1;
}

Qt::ItemFlags StreamTreeModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    if (nodeOf(index)->kind == NodeKind::Section)
        return Qt::ItemIsEnabled;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

QVariant StreamTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Node& node = *nodeOf(index);
    if (role == KindRole)
        return static_cast<int>(node.kind);
    if (node.kind == NodeKind::Section)
        return sectionData(node, role);
    switch (role) {
    case Qt::DisplayRole:
        return shownName(
            node.kind == NodeKind::Stream ? node.section : Section::Streams, node.name);
    case NameRole:
        return node.name;
    case StreamRole:
        return static_cast<quint32>(node.stream);
    case ConsumerRole:
        return static_cast<quint32>(node.consumer);
    case ClientRole:
        return static_cast<quint32>(node.client);
    case FactRole:
        return fact(node);
    case BadgeRole:
        return badge(node);
    case HintRole:
        return node.hint;
    case Qt::ToolTipRole:
        return toolTip(node);
    case Qt::AccessibleTextRole:
        return QStringList{node.name, node.hint, fact(node), badge(node)}.join(QLatin1String(", "));
    default:
        return {};
    }
}

QVariant StreamTreeModel::sectionData(const Node& node, int role) const
{
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    switch (node.section) {
    case Section::Streams:
        return tr("Streams");
    case Section::KeyValue:
        return tr("Key-value buckets");
    case Section::Objects:
        return tr("Object stores");
    case Section::Clients:
        return tr("Clients");
    }
    return {};
}

QString StreamTreeModel::fact(const Node& node) const
{
    if (node.kind == NodeKind::Stream) {
        const fold::StreamView* view = m_live.stream(node.stream);
        return view ? text::shortCount(view->counts.messages) : QString();
    }
    if (node.kind == NodeKind::Client) {
        const auto it = std::find_if(m_clients.begin(),
            m_clients.end(),
            [&node](const ClientRow& row) { return row.id == node.client; });
        return it == m_clients.end() ? QString() : QString::fromStdString(it->lang);
    }
    const fold::ConsumerView* view = m_live.consumer(node.consumer);
    if (!view)
        return {};
    if (view->counts.ackPending == 0)
        return text::shortCount(view->counts.pending);
    return QStringLiteral("%1 · %2").arg(
        text::shortCount(view->counts.pending), text::shortCount(view->counts.ackPending));
}

QString StreamTreeModel::badge(const Node& node) const
{
    if (node.kind == NodeKind::Stream) {
        const StreamOverview* stream = m_live.source().stream(node.stream);
        if (!stream)
            return {};
        quint64 lag = 0;
        for (const UpstreamStatus& one : stream->upstreams) {
            if (!one.error.empty())
                return tr("no origin");
            lag += one.lag;
        }
        return lag == 0 ? QString() : tr("%1 behind").arg(text::shortCount(lag));
    }
    if (node.kind != NodeKind::Consumer)
        return {};
    const fold::ConsumerView* view = m_live.consumer(node.consumer);
    if (!view)
        return {};
    if (view->counts.paused)
        return tr("paused");
    return view->counts.stalled ? tr("stalled") : QString();
}

QString StreamTreeModel::toolTip(const Node& node) const
{
    if (node.kind == NodeKind::Stream) {
        const fold::StreamView* view = m_live.stream(node.stream);
        if (!view)
            return node.name;
        QString tip =
            tr("%1\n%2 messages (messages), %3 (bytes)\nsequences %4 to %5 (first_seq, last_seq)")
                .arg(node.name,
                    text::count(view->counts.messages),
                    text::bytes(view->counts.bytes),
                    text::count(view->counts.first.value()),
                    text::count(view->counts.last.value()));
        if (const StreamOverview* stream = m_live.source().stream(node.stream)) {
            if (const QString copied = text::upstreams(*stream); !copied.isEmpty())
                tip += QLatin1Char('\n') + copied;
            if (const QString due = text::schedules(*stream, m_live.source().now()); !due.isEmpty())
                tip += QLatin1Char('\n') + due;
        }
        return tip;
    }
    if (node.kind == NodeKind::Consumer) {
        const fold::ConsumerView* view = m_live.consumer(node.consumer);
        if (!view)
            return node.name;
        const ConsumerCounts& c = view->counts;
        return tr(
            "%1\n%2 not delivered yet (num_pending)\n%3 delivered, ack awaited (num_ack_pending)\n"
            "%4 delivered more than once (num_redelivered)\n%5 pull requests waiting (num_waiting)")
            .arg(node.name,
                text::count(c.pending),
                text::count(c.ackPending),
                text::count(c.redelivered),
                text::count(c.waitingPulls));
    }
    return node.name;
}

void StreamTreeModel::refresh()
{
    for (const auto& section : m_root.children) {
        auto wanted =
            section->section == Section::Clients ? clientNodes() : streamNodes(section->section);
        syncChildren(*section, std::move(wanted));
    }
}

std::vector<std::unique_ptr<StreamTreeModel::Node>> StreamTreeModel::streamNodes(
    Section section) const
{
    std::vector<std::unique_ptr<Node>> nodes;
    const auto overview = m_live.source().overview();
    for (const StreamOverview& stream : overview->streams) {
        if (sectionOf(stream.name) != section)
            continue;
        auto node = std::make_unique<Node>();
        node->kind = NodeKind::Stream;
        node->section = section;
        node->stream = stream.id;
        node->name = QString::fromStdString(stream.name);
        if (stream.config.mirror)
            node->hint = tr("mirror");
        else if (stream.config.retention != Retention::Limits)
            node->hint = text::term(stream.config.retention);
        for (const ConsumerOverview& consumer : stream.consumers) {
            auto child = std::make_unique<Node>();
            child->kind = NodeKind::Consumer;
            child->section = section;
            child->stream = stream.id;
            child->consumer = consumer.id;
            child->name = QString::fromStdString(consumer.name);
            child->hint = consumer.config.isPush() ? tr("push") : tr("pull");
            child->parent = node.get();
            node->children.push_back(std::move(child));
        }
        nodes.push_back(std::move(node));
    }
    return nodes;
}

std::vector<std::unique_ptr<StreamTreeModel::Node>> StreamTreeModel::clientNodes() const
{
    std::vector<std::unique_ptr<Node>> nodes;
    for (const ClientRow& row : m_clients) {
        auto node = std::make_unique<Node>();
        node->kind = NodeKind::Client;
        node->section = Section::Clients;
        node->client = row.id;
        node->name = ClientDirectory::shownName(QString::fromStdString(row.name), row.id);
        node->hint = QLatin1Char('#') + QString::number(static_cast<quint32>(row.id));
        nodes.push_back(std::move(node));
    }
    return nodes;
}

/// Brings the children to the wanted list with single removals and insertions, so that selection
/// and expansion stay.
void StreamTreeModel::syncChildren(Node& node, std::vector<std::unique_ptr<Node>> wanted)
{
    const auto find = [](std::vector<std::unique_ptr<Node>>& list, const Node& like) {
        return std::find_if(
            list.begin(), list.end(), [&like](const auto& other) { return other->sameAs(like); });
    };
    for (int row = static_cast<int>(node.children.size()) - 1; row >= 0; --row) {
        const auto at = static_cast<std::size_t>(row);
        if (find(wanted, *node.children[at]) == wanted.end()) {
            beginRemoveRows(indexOfNode(node), row, row);
            node.children.erase(node.children.begin() + row);
            endRemoveRows();
        }
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto there = find(node.children, *wanted[i]);
        const int row = static_cast<int>(i);
        if (there == node.children.end()) {
            beginInsertRows(indexOfNode(node), row, row);
            wanted[i]->parent = &node;
            node.children.insert(node.children.begin() + row, std::move(wanted[i]));
            endInsertRows();
            continue;
        }
        const int from = static_cast<int>(there - node.children.begin());
        if (from != row) {
            beginMoveRows(indexOfNode(node), from, from, indexOfNode(node), row);
            std::rotate(node.children.begin() + row, there, there + 1);
            endMoveRows();
        }
        Node& kept = *node.children[i];
        if (kept.name != wanted[i]->name || kept.hint != wanted[i]->hint) {
            kept.name = wanted[i]->name;
            kept.hint = wanted[i]->hint;
            emit dataChanged(indexOfNode(kept), indexOfNode(kept));
        }
        syncChildren(kept, std::move(wanted[i]->children));
    }
}

void StreamTreeModel::setClients(const ClientsAnswer& clients)
{
    m_clients = clients.rows;
    for (const auto& section : m_root.children) {
        if (section->section == Section::Clients)
            syncChildren(*section, clientNodes());
    }
}

void StreamTreeModel::retranslate()
{
    refresh();
    const auto last = static_cast<int>(m_root.children.size()) - 1;
    emit dataChanged(index(0, 0), index(last, 0));
    for (const auto& section : m_root.children) {
        const QModelIndex at = indexOfNode(*section);
        if (!section->children.empty())
            emit dataChanged(
                index(0, 0, at), index(static_cast<int>(section->children.size()) - 1, 0, at));
    }
}

void StreamTreeModel::countsChanged(StreamId stream)
{
    const QModelIndex at = indexOf(stream);
    if (!at.isValid())
        return;
    emit dataChanged(at, at, {FactRole, BadgeRole, Qt::ToolTipRole});
    if (const int rows = rowCount(at); rows > 0)
        emit dataChanged(
            index(0, 0, at), index(rows - 1, 0, at), {FactRole, BadgeRole, Qt::ToolTipRole});
}

QModelIndex StreamTreeModel::indexOf(StreamId stream) const
{
    for (const auto& section : m_root.children) {
        for (const auto& node : section->children) {
            if (node->kind == NodeKind::Stream && node->stream == stream)
                return indexOfNode(*node);
        }
    }
    return {};
}

QModelIndex StreamTreeModel::indexOf(StreamId stream, ConsumerId consumer) const
{
    const QModelIndex at = indexOf(stream);
    for (int row = 0; row < rowCount(at) && at.isValid(); ++row) {
        const QModelIndex child = index(row, 0, at);
        if (nodeOf(child)->consumer == consumer)
            return child;
    }
    return {};
}

StreamTreeModel::Node* StreamTreeModel::nodeOf(const QModelIndex& index) const
{
    return static_cast<Node*>(index.internalPointer());
}

QModelIndex StreamTreeModel::indexOfNode(const Node& node) const
{
    if (&node == &m_root)
        return {};
    return createIndex(
        rowOf(node), 0, const_cast<Node*>(&node)); // NOLINT: indexes carry plain pointers
}

int StreamTreeModel::rowOf(const Node& node) const
{
    const auto& siblings = node.parent->children;
    const auto it = std::find_if(
        siblings.begin(), siblings.end(), [&node](const auto& n) { return n.get() == &node; });
    return static_cast<int>(it - siblings.begin());
}

} // namespace jetglass::models
