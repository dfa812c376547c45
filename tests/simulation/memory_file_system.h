// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sim_random.h"
#include "store/file_system.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetglass::simulation {

/// What a crash takes away.
enum class Crash : std::uint8_t
{
    Kill, ///< of the process: everything written stays, the write under way perhaps in part
    PowerLoss ///< only what was synced is sure; of what came after it some first part stays
};

/// A file system in memory that can stop in the middle of anything and give back what a new process
/// would find. Names are kept like in a journal: they become durable in order, and syncing a
/// directory or making more of them durable takes all earlier ones along.
class MemoryFileSystem final : public store::FileSystem
{
public:
    /// Writes since the last sync are remembered only if power may be lost: \a keepsUnsynced.
    MemoryFileSystem(Random& random, bool keepsUnsynced)
        : m_random(random)
        , m_keepsUnsynced(keepsUnsynced)
    {
    }

    /// After so many more changes the process is dead: what it does then is not kept.
    void dieAfter(std::uint64_t changes) { m_left = changes; }
    void dieNow();
    /// Power may be lost.
    [[nodiscard]] bool keepsUnsynced() const { return m_keepsUnsynced; }
    [[nodiscard]] bool dead() const { return m_dead; }
    /// Makes what is there what a new process finds.
    void recover(Crash crash);
    [[nodiscard]] std::uint64_t changes() const { return m_changes; }
    [[nodiscard]] std::uint64_t bytesStored() const;

    Result<std::unique_ptr<store::File>> open(const std::string& path, Mode mode) override;
    Result<std::vector<std::string>> list(const std::string& directory) override;
    Result<void> makeDirectories(const std::string& path) override;
    Result<void> remove(const std::string& path) override;
    Result<void> removeTree(const std::string& path) override;
    Result<void> rename(const std::string& from, const std::string& to) override;
    Result<void> syncDirectory(const std::string& path) override;
    bool exists(const std::string& path) override { return m_names.contains(path); }
    Result<std::shared_ptr<void>> lock(const std::string& path) override;
    std::uint64_t freeSpace(const std::string& /*path*/) override
    {
        return std::uint64_t{1} << 40U;
    }

private:
    friend class MemoryFile;
    struct Change
    {
        std::uint64_t offset = 0; ///< of a write, or the new size
        std::string bytes;
        bool truncates = false;
    };
    struct Node
    {
        bool directory = false;
        std::string bytes;
        std::optional<std::string> atDeath; ///< if it has changed since
        std::string durable;
        std::vector<Change> unsynced;
    };
    using NodePtr = std::shared_ptr<Node>;
    using Names = std::map<std::string, NodePtr>;
    /// One entry of the journal of names: a name that goes, comes, or both.
    struct NameChange
    {
        std::string gone;
        std::string made;
        NodePtr node;
    };

    static void apply(std::string& bytes, const Change& change);
    static void apply(Names& names, const NameChange& change);
    /// Counts a change; at the one in which the process dies, \a torn may save a part of it.
    void count(Node* node, const Change* change);
    void changeContent(Node& node, Change change);
    void changeName(NameChange change);
    void recoverContent(Node& node, Crash crash);

    Random& m_random;
    bool m_keepsUnsynced;
    Names m_names;
    Names m_namesAtDeath;
    Names m_durableNames;
    std::vector<NameChange> m_journal; ///< not durable yet
    std::uint64_t m_left = ~std::uint64_t{0};
    std::uint64_t m_changes = 0;
    bool m_dead = false;
};

} // namespace jetglass::simulation
