// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::subjects {

struct TreeNode;
struct TreeGroup;

/// What can be put into a tree: base of the subscriptions. Belongs to whoever made it; must be
/// removed before it dies.
struct TreeEntry
{
    std::string subject; ///< pattern, valid as a subscription
    std::string queue; ///< empty = plain
    bool ended = false; ///< gets nothing more; readers of a match skip it

    TreeNode* node = nullptr; ///< the tree's own
    TreeGroup* group = nullptr;
    std::uint32_t slot = 0;
};

/// The members of one queue group at one node.
struct TreeGroup
{
    std::string name;
    std::vector<TreeEntry*> members;
};

/// One token's place. Children are found through the tree's one hash table, so that a leaf costs no
/// map of its own.
struct TreeNode
{
    TreeNode* parent = nullptr;
    std::string token;
    std::uint64_t hash = 0;
    TreeNode* any = nullptr; ///< child "*"
    TreeNode* rest = nullptr; ///< child ">"
    std::uint32_t literals = 0; ///< literal children
    std::vector<TreeEntry*> plain;
    std::vector<std::unique_ptr<TreeGroup>> groups; ///< sorted by name

    [[nodiscard]] bool isEmpty() const { return plain.empty() && groups.empty(); }
    [[nodiscard]] bool isUnused() const
    {
        return isEmpty() && literals == 0 && any == nullptr && rest == nullptr;
    }
};

/// Which subscriptions match a published subject: a trie by token with a bounded cache of results
/// before it.
///
/// A result names nodes, not subscriptions: so it stays right when a subscription joins or leaves a
/// node that has others, and costs the same for one receiver and for ten thousand. What changes the
/// set of used nodes bumps the generation, and cached results of older generations are dead.
///
/// The cache has a fixed number of slots, one per hash; negative results are kept too, so endless
/// new subjects cost neither memory nor a sweep. Subjects that are unique by nature do not go in at
/// all under their own name: $JS.ACK.<stream>.<consumer>.… and _INBOX.<id>.<n> are cached by their
/// prefix, as long as what follows the prefix makes no difference.
///
/// While a match is being walked the caller holds the tree (hold(), release()); inserts are allowed
/// then, removals must wait.
class SubjectTree
{
public:
    /// Nodes whose subscriptions match. Valid while the tree is held or until it changes.
    class Match
    {
    public:
        [[nodiscard]] bool isEmpty() const { return m_count == 0; }
        [[nodiscard]] std::size_t size() const { return m_count; }
        [[nodiscard]] const TreeNode* operator[](std::size_t i) const
        {
            return i < kInline ? m_inline[i] : m_more[i - kInline];
        }
        void clear();
        void add(TreeNode* node);

    private:
        static constexpr std::size_t kInline = 3;
        std::size_t m_count = 0;
        TreeNode* m_inline[kInline] = {};
        std::vector<TreeNode*> m_more;
    };

    struct Statistics
    {
        std::uint64_t subscriptions = 0;
        std::uint64_t inserts = 0;
        std::uint64_t removes = 0;
        std::uint64_t matches = 0;
        std::uint64_t cacheHits = 0;
    };

    SubjectTree();
    ~SubjectTree();
    SubjectTree(const SubjectTree&) = delete;
    SubjectTree& operator=(const SubjectTree&) = delete;

    void insert(TreeEntry& entry);
    void remove(TreeEntry& entry);
    /// \a subject as published. Reads and fills the cache.
    void match(std::string_view subject, Match& result);
    /// The same without the cache.
    void matchUncached(std::string_view subject, Match& result) const;
    /// The node of exactly this pattern, null without one.
    [[nodiscard]] const TreeNode* find(std::string_view pattern) const;
    void forEach(const std::function<void(const TreeEntry&)>& visit) const;

    void hold() { ++m_held; }
    void release() { --m_held; }
    [[nodiscard]] bool isHeld() const { return m_held > 0; }

    [[nodiscard]] const Statistics& statistics() const { return m_statistics; }
    [[nodiscard]] std::size_t cached() const; ///< live entries of the cache
    /// What the remembered results have in subscriptions, walked when asked.
    struct Fanout
    {
        std::size_t entries = 0;
        std::size_t most = 0;
        std::size_t total = 0;
    };
    [[nodiscard]] Fanout fanout() const;
    [[nodiscard]] std::size_t nodeCount() const { return m_nodes; }

private:
    struct CacheSlot
    {
        std::uint64_t hash = 0;
        std::uint64_t generation = 0; ///< 0 = never used
        std::string subject;
        Match match;
        bool open = false; ///< the prefix does not decide: match by walking
    };
    struct Cell
    {
        std::uint64_t hash = 0;
        TreeNode* node = nullptr;
    };
    static constexpr std::size_t kCacheSlots = 4096;

    [[nodiscard]] TreeNode* child(
        const TreeNode* parent, std::string_view token, std::uint64_t hash) const;
    TreeNode* makeChild(TreeNode* parent, std::string_view token);
    void dropChild(TreeNode* node);
    void tableInsert(Cell cell);
    void tableErase(const TreeNode* node);
    void grow();
    void walk(const TreeNode* node, std::string_view rest, Match& result) const;
    bool walkPrefix(std::string_view prefix, Match& result) const;
    void prune(TreeNode* node);

    std::unique_ptr<TreeNode> m_root;
    std::vector<Cell> m_table; ///< open addressing, linear probing; size a power of two
    std::size_t m_tableUsed = 0;
    std::size_t m_nodes = 0;
    std::uint64_t m_generation = 1;
    std::vector<CacheSlot> m_cache; ///< empty until the first match
    int m_held = 0;
    Statistics m_statistics;
};

} // namespace jetglass::subjects
