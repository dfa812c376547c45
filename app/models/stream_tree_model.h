// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/live_view.h"

#include <QAbstractItemModel>

namespace jetglass::models {

/// The explorer: sections (streams, key-value buckets, object stores, clients), their streams,
/// their consumers. Rows follow the newest overview, numbers the fold. Texts are built when asked
/// for.
class StreamTreeModel final : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum class Section
    {
        Streams,
        KeyValue,
        Objects,
        Clients
    };
    enum class NodeKind
    {
        Section,
        Stream,
        Consumer,
        Client
    };
    enum Role
    {
        KindRole = Qt::UserRole + 1, ///< NodeKind as int
        StreamRole, ///< StreamId as quint32
        ConsumerRole, ///< ConsumerId as quint32
        ClientRole, ///< ClientId as quint32
        NameRole, ///< the name that the API knows, also for KV buckets
        FactRole, ///< short number at the right end
        BadgeRole, ///< one word of trouble, "STALLED"; empty = fine
        HintRole ///< muted word behind the name: "pull", "work queue"
    };

    explicit StreamTreeModel(LiveView& live, QObject* parent = nullptr);

    [[nodiscard]] QModelIndex index(
        int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(
        const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    [[nodiscard]] QModelIndex indexOf(StreamId stream) const;
    [[nodiscard]] QModelIndex indexOf(StreamId stream, ConsumerId consumer) const;
    void setClients(const ClientsAnswer& clients);
    /// The words change with the language.
    void retranslate();

private:
    struct Node
    {
        NodeKind kind = NodeKind::Section;
        Section section = Section::Streams;
        StreamId stream{};
        ConsumerId consumer{};
        ClientId client{};
        QString name;
        QString hint;
        Node* parent = nullptr;
        std::vector<std::unique_ptr<Node>> children;
        [[nodiscard]] bool sameAs(const Node& other) const;
    };

    void refresh();
    void syncChildren(Node& node, std::vector<std::unique_ptr<Node>> wanted);
    [[nodiscard]] Node* nodeOf(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOfNode(const Node& node) const;
    [[nodiscard]] int rowOf(const Node& node) const;
    [[nodiscard]] QVariant sectionData(const Node& node, int role) const;
    [[nodiscard]] QString fact(const Node& node) const;
    [[nodiscard]] QString badge(const Node& node) const;
    [[nodiscard]] QString toolTip(const Node& node) const;
    void countsChanged(StreamId stream);
    std::vector<std::unique_ptr<Node>> streamNodes(Section section) const;
    std::vector<std::unique_ptr<Node>> clientNodes() const;

    LiveView& m_live;
    Node m_root;
    std::vector<ClientRow> m_clients;
};

} // namespace jetglass::models
