// SPDX-License-Identifier: GPL-3.0-or-later
#include "subjects/subject_tree.h"

#include "subjects/mix.h"
#include "subjects/subject.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace jetglass::subjects {

namespace {

std::uint64_t childHash(const TreeNode* parent, std::string_view token)
{
    return mix(token, std::bit_cast<std::uintptr_t>(parent));
}

std::string_view takeToken(std::string_view& rest, bool& last)
{
    const auto* dot = static_cast<const char*>(
        rest.empty() ? nullptr : std::memchr(rest.data(), '.', rest.size()));
    if (dot == nullptr) {
        last = true;
        return rest;
    }
    last = false;
    const auto length = static_cast<std::size_t>(dot - rest.data());
    const auto token = rest.substr(0, length);
    rest.remove_prefix(length + 1);
    return token;
}

/// The part of a subject under which its result may be cached: all of it, or the prefix (with its
/// dot) of subjects that are used once. Empty tokens match nothing, so a subject that has one
/// behind the prefix has no short key.
std::string_view cacheKey(std::string_view subject)
{
    std::size_t end = std::string_view::npos;
    if (subject.starts_with("$JS.ACK.")) {
        const auto stream = subject.find('.', 8);
        if (stream != std::string_view::npos)
            end = subject.find('.', stream + 1);
    } else if (subject.starts_with("_INBOX.")) {
        end = subject.rfind('.');
        if (end < 7)
            end = std::string_view::npos;
    }
    if (end == std::string_view::npos || subject.find("..", end) != std::string_view::npos)
        return subject;
    return subject.substr(0, end + 1);
}

} // namespace

void SubjectTree::Match::clear()
{
    m_count = 0;
    m_more.clear();
}

void SubjectTree::Match::add(TreeNode* node)
{
    if (m_count < kInline)
        m_inline[m_count] = node;
    else
        m_more.push_back(node);
    ++m_count;
}

SubjectTree::SubjectTree()
    : m_root(std::make_unique<TreeNode>())
    , m_table(64)
{
}

SubjectTree::~SubjectTree()
{
    for (const Cell& cell : m_table)
        delete cell.node;
}

TreeNode* SubjectTree::child(
    const TreeNode* parent, std::string_view token, std::uint64_t hash) const
{
    const std::size_t mask = m_table.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
        const Cell& cell = m_table[i];
        if (cell.node == nullptr)
            return nullptr;
        if (cell.hash == hash && cell.node->parent == parent && cell.node->token == token)
            return cell.node;
    }
}

void SubjectTree::tableInsert(Cell cell)
{
    const std::size_t mask = m_table.size() - 1;
    std::size_t i = cell.hash & mask;
    while (m_table[i].node != nullptr)
        i = (i + 1) & mask;
    m_table[i] = cell;
}

void SubjectTree::grow()
{
    std::vector<Cell> old(m_table.size() * 2);
    old.swap(m_table);
    for (const Cell& cell : old) {
        if (cell.node != nullptr)
            tableInsert(cell);
    }
}

void SubjectTree::tableErase(const TreeNode* node)
{
    const std::size_t mask = m_table.size() - 1;
    std::size_t hole = node->hash & mask;
    while (m_table[hole].node != node)
        hole = (hole + 1) & mask;
    // Close the gap: what was pushed past the hole moves back, so that probing may end at the first
    // empty place.
    for (std::size_t i = (hole + 1) & mask; m_table[i].node != nullptr; i = (i + 1) & mask) {
        const std::size_t home = m_table[i].hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            m_table[hole] = m_table[i];
            hole = i;
        }
    }
    m_table[hole] = {};
}

TreeNode* SubjectTree::makeChild(TreeNode* parent, std::string_view token)
{
    const std::uint64_t hash = childHash(parent, token);
    if (TreeNode* node = child(parent, token, hash))
        return node;
    if ((m_tableUsed + 1) * 4 > m_table.size() * 3)
        grow();
    auto node = std::make_unique<TreeNode>();
    node->parent = parent;
    node->token = token;
    node->hash = hash;
    tableInsert({hash, node.get()});
    ++m_tableUsed;
    ++m_nodes;
    if (isAny(token))
        parent->any = node.get();
    else if (isRest(token))
        parent->rest = node.get();
    else
        ++parent->literals;
    return node.release();
}

void SubjectTree::dropChild(TreeNode* node)
{
    TreeNode* parent = node->parent;
    if (parent->any == node)
        parent->any = nullptr;
    else if (parent->rest == node)
        parent->rest = nullptr;
    else
        --parent->literals;
    tableErase(node);
    --m_tableUsed;
    --m_nodes;
    delete node;
}

void SubjectTree::prune(TreeNode* node)
{
    while (node != m_root.get() && node->isUnused()) {
        TreeNode* parent = node->parent;
        dropChild(node);
        node = parent;
    }
}

void SubjectTree::insert(TreeEntry& entry)
{
    TreeNode* node = m_root.get();
    std::string_view rest = entry.subject;
    for (bool last = false; !last;)
        node = makeChild(node, takeToken(rest, last));

    if (node->isEmpty())
        ++m_generation;
    entry.node = node;
    if (entry.queue.empty()) {
        entry.slot = static_cast<std::uint32_t>(node->plain.size());
        node->plain.push_back(&entry);
    } else {
        auto it = std::lower_bound(node->groups.begin(),
            node->groups.end(),
            entry.queue,
            [](const auto& group, const std::string& name) { return group->name < name; });
        if (it == node->groups.end() || (*it)->name != entry.queue) {
            it = node->groups.insert(it, std::make_unique<TreeGroup>());
            (*it)->name = entry.queue;
        }
        entry.group = it->get();
        entry.slot = static_cast<std::uint32_t>((*it)->members.size());
        (*it)->members.push_back(&entry);
    }
    ++m_statistics.inserts;
    ++m_statistics.subscriptions;
}

void SubjectTree::remove(TreeEntry& entry)
{
    TreeNode* node = entry.node;
    auto& list = entry.group != nullptr ? entry.group->members : node->plain;
    list[entry.slot] = list.back();
    list[entry.slot]->slot = entry.slot;
    list.pop_back();
    if (entry.group != nullptr && list.empty()) {
        const auto it = std::lower_bound(node->groups.begin(),
            node->groups.end(),
            entry.queue,
            [](const auto& group, const std::string& name) { return group->name < name; });
        node->groups.erase(it);
    }
    entry.node = nullptr;
    entry.group = nullptr;
    ++m_statistics.removes;
    --m_statistics.subscriptions;
    if (node->isEmpty()) {
        ++m_generation;
        prune(node);
    }
}

void SubjectTree::walk(const TreeNode* node, std::string_view rest, Match& result) const
{
    for (;;) {
        bool last = false;
        const auto token = takeToken(rest, last);
        if (node->rest != nullptr && !node->rest->isEmpty())
            result.add(node->rest);
        TreeNode* next = node->literals != 0 ? child(node, token, childHash(node, token)) : nullptr;
        if (next == node->any || next == node->rest)
            next = nullptr; // a published wildcard is taken by the wildcard itself, once
        if (last) {
            if (node->any != nullptr && !node->any->isEmpty())
                result.add(node->any);
            if (next != nullptr && !next->isEmpty())
                result.add(next);
            return;
        }
        if (node->any != nullptr) {
            if (next == nullptr) {
                node = node->any;
                continue;
            }
            walk(node->any, rest, result);
        }
        if (next == nullptr)
            return;
        node = next;
    }
}

void SubjectTree::matchUncached(std::string_view subject, Match& result) const
{
    result.clear();
    if (subject.empty() || subject.front() == '.' || subject.back() == '.'
        || subject.find("..") != std::string_view::npos)
        return;
    walk(m_root.get(), subject, result);
}

bool SubjectTree::walkPrefix(std::string_view prefix, Match& result) const
{
    // Follows all paths of the prefix; what hangs below their ends decides whether the rest of a
    // subject matters.
    std::vector<const TreeNode*> paths{m_root.get()};
    std::vector<const TreeNode*> next;
    std::string_view rest = prefix.substr(0, prefix.size() - 1);
    for (bool last = false; !last;) {
        const auto token = takeToken(rest, last);
        if (token.empty())
            return false;
        next.clear();
        for (const TreeNode* node : paths) {
            if (node->rest != nullptr && !node->rest->isEmpty())
                result.add(node->rest);
            if (node->any != nullptr)
                next.push_back(node->any);
            const TreeNode* literal = child(node, token, childHash(node, token));
            if (literal != nullptr && literal != node->any && literal != node->rest)
                next.push_back(literal);
        }
        paths.swap(next);
    }
    const bool oneMore = prefix.starts_with("_INBOX.");
    for (const TreeNode* node : paths) {
        if (node->literals != 0 || (node->any != nullptr && !oneMore))
            return false;
        if (node->rest != nullptr && !node->rest->isEmpty())
            result.add(node->rest);
        if (node->any != nullptr && !node->any->isEmpty())
            result.add(node->any);
    }
    return true;
}

void SubjectTree::match(std::string_view subject, Match& result)
{
    ++m_statistics.matches;
    if (subject.empty() || subject.back() == '.') {
        result.clear(); // and keeps such subjects apart from the prefixes, which end so
        return;
    }
    if (m_cache.empty())
        m_cache.resize(kCacheSlots);
    const auto key = cacheKey(subject);
    const std::uint64_t hash = mix(key, 0);
    CacheSlot& slot = m_cache[hash & (kCacheSlots - 1)];
    if (slot.generation != m_generation || slot.hash != hash || slot.subject != key) {
        slot.hash = hash;
        slot.generation = m_generation;
        slot.subject = key;
        slot.match.clear();
        slot.open = false;
        if (key.size() == subject.size())
            matchUncached(subject, slot.match);
        else
            slot.open = !walkPrefix(key, slot.match);
    } else {
        ++m_statistics.cacheHits;
    }
    if (slot.open)
        matchUncached(subject, result);
    else
        result = slot.match;
}

const TreeNode* SubjectTree::find(std::string_view pattern) const
{
    const TreeNode* node = m_root.get();
    for (bool last = false; !last && node != nullptr;) {
        const auto token = takeToken(pattern, last);
        node = child(node, token, childHash(node, token));
    }
    return node;
}

void SubjectTree::forEach(const std::function<void(const TreeEntry&)>& visit) const
{
    for (const Cell& cell : m_table) {
        const TreeNode* node = cell.node;
        if (node == nullptr)
            continue;
        for (const TreeEntry* entry : node->plain)
            visit(*entry);
        for (const auto& group : node->groups) {
            for (const TreeEntry* entry : group->members)
                visit(*entry);
        }
    }
}

std::size_t SubjectTree::cached() const
{
    return static_cast<std::size_t>(std::count_if(m_cache.begin(),
        m_cache.end(),
        [this](const CacheSlot& slot) { return slot.generation == m_generation; }));
}

SubjectTree::Fanout SubjectTree::fanout() const
{
    Fanout fanout;
    for (const CacheSlot& slot : m_cache) {
        if (slot.generation != m_generation)
            continue;
        std::size_t receivers = 0;
        for (std::size_t i = 0; i < slot.match.size(); ++i)
            receivers += slot.match[i]->plain.size() + slot.match[i]->groups.size();
        ++fanout.entries;
        fanout.total += receivers;
        fanout.most = std::max(fanout.most, receivers);
    }
    return fanout;
}

} // namespace jetglass::subjects
