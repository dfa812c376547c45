// SPDX-License-Identifier: GPL-3.0-or-later
// Backups of format 1: the files of a stream in a tar (streams.md 9.5).
#include "api/restore_reader.h"
#include "archive/block_reader.h"
#include "archive/index_file.h"
#include "archive/tar_reader.h"
#include "base/time_text.h"
#include "streams/json_decode.h"

#include <limits>
#include <map>
#include <optional>

namespace jetglass::api {

namespace {

constexpr std::uint64_t kLargestFile = 256U << 20U;
constexpr std::string_view kBlockFolder = "msgs/";
constexpr std::string_view kBlockEnding = ".blk";
constexpr std::string_view kConsumersFolder = "obs/";
constexpr std::string_view kIndex = "msgs/index.db";
constexpr std::string_view kMeta = "meta.inf";

class TarContent final : public BackupContent
{
public:
    explicit TarContent(RestoreTarget& target)
        : m_target(target)
    {
    }
    void feed(std::string_view bytes) override { m_tar.feed(bytes); }
    void finish() override { m_tar.finish(); }
    Step step() override;

private:
    Step beginFile();
    Step takeData();
    Step takeRecord(const archive::BlockRecord& record);
    Step complete();
    Step takeMeta();
    void applyIndex();
    Step takeConsumers();
    Step begin();

    RestoreTarget& m_target;
    archive::TarReader m_tar;
    std::map<std::string, std::string, std::less<>> m_files; ///< all but the blocks
    std::string* m_file = nullptr; ///< being read
    std::optional<archive::BlockReader> m_block; ///< being read
    std::uint64_t m_bytes = 0; ///< of all files
    std::uint64_t m_last = 0; ///< highest sequence seen
    bool m_complete = false;
};

BackupContent::Step TarContent::step()
{
    if (m_complete)
        return Step::Done;
    if (m_block)
        if (const auto record = m_block->next())
            return takeRecord(*record);
    switch (m_tar.next()) {
    case archive::TarReader::Step::File:
        return beginFile();
    case archive::TarReader::Step::Data:
        return takeData();
    case archive::TarReader::Step::FileEnd:
        m_block.reset();
        m_file = nullptr;
        return Step::More;
    case archive::TarReader::Step::NeedInput:
        return Step::NeedInput;
    case archive::TarReader::Step::Failed:
        return fail(m_tar.isUnexpectedContent()
                ? m_tar.error() + " (account=" + m_target.account() + ")"
                : m_tar.error());
    case archive::TarReader::Step::End:
        break;
    }
    return complete();
}

BackupContent::Step TarContent::begin()
{
    if (m_target.begun())
        return Step::More;
    if (auto begun = m_target.begin(); !begun)
        return fail(begun.error());
    return Step::More;
}

BackupContent::Step TarContent::beginFile()
{
    const std::string& name = m_tar.name();
    if (m_tar.size() > kLargestFile)
        return fail("unexpected content (account=" + m_target.account() + ")");
    m_bytes += m_tar.size();
    if (auto room = m_target.checkRoom(m_bytes); !room && !m_target.begun())
        return fail(room.error());
    std::string_view number = name;
    if (name.starts_with(kBlockFolder) && name.ends_with(kBlockEnding)) {
        number.remove_prefix(kBlockFolder.size());
        number.remove_suffix(kBlockEnding.size());
        if (!number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos) {
            m_block.emplace(m_target.config().name, number);
            return begin();
        }
    }
    m_file = &m_files[name];
    m_file->clear();
    return Step::More;
}

BackupContent::Step TarContent::takeData()
{
    if (m_block)
        m_block->feed(m_tar.data());
    else if (m_file)
        *m_file += m_tar.data();
    return Step::More;
}

/// As at a recovery: deleted messages are in the blocks still, and say so later.
BackupContent::Step TarContent::takeRecord(const archive::BlockRecord& record)
{
    using Kind = archive::BlockRecord::Kind;
    const StreamSeq seq(record.seq);
    if (record.kind == Kind::Tombstone) {
        m_target.remove(seq);
        m_last = std::max(m_last, record.seq);
        return Step::More;
    }
    if (record.seq <= m_last && record.seq <= m_target.state().last.value())
        return Step::More;
    m_last = std::max(m_last, record.seq);
    if (record.kind == Kind::Erased) {
        // The first sequence of a stream is where it really begins.
        if (m_target.state().messages > 0)
            m_target.skipTo(seq);
        return Step::More;
    }
    const store::NewMessage message{record.subject, record.headers, record.payload, record.time};
    if (m_target.state().last.isZero())
        m_target.setFirst(seq);
    if (auto added = m_target.add(seq, message); !added)
        return fail(added.error());
    return Step::More;
}

BackupContent::Step TarContent::complete()
{
    if (const Step step = takeMeta(); step != Step::More)
        return step;
    if (const Step step = begin(); step != Step::More)
        return step;
    applyIndex();
    if (m_last > m_target.state().last.value()) {
        if (m_target.state().last.isZero())
            m_target.setFirst(StreamSeq(m_last + 1));
        else
            m_target.skipTo(StreamSeq(m_last));
    }
    if (const Step step = takeConsumers(); step != Step::More)
        return step;
    m_complete = true;
    return Step::Done;
}

BackupContent::Step TarContent::takeMeta()
{
    const auto meta = m_files.find(kMeta);
    if (meta == m_files.end())
        return fail("open meta.inf: no such file or directory");
    std::string name;
    std::optional<std::string> created;
    streams::JsonFields fields(false);
    fields.add("name", name);
    fields.addTime("Created", created);
    if (auto decoded = streams::decodeJson(meta->second, fields); !decoded)
        return fail(decoded.error().text);
    if (name != m_target.config().name)
        return fail("stream names do not match");
    if (created)
        m_target.setCreated(base::parseRfc3339(*created).value_or(0));
    return Step::More;
}

/// The index knows of deletions that no block tells. One that speaks of another state than the
/// blocks was written before or after them and does not count.
void TarContent::applyIndex()
{
    const auto file = m_files.find(kIndex);
    if (file == m_files.end())
        return;
    const auto index = archive::decodeIndexFile(file->second, m_target.config().name);
    if (!index || (m_last != 0 && index->lastSeq != m_last)
        || index->lastSeq == std::numeric_limits<std::uint64_t>::max())
        return;
    for (const std::uint64_t seq : index->deleted)
        m_target.remove(StreamSeq(seq));
    m_last = std::max(m_last, index->lastSeq);
    const store::StoreState held = m_target.state();
    if (index->firstSeq > held.first.value() && index->firstSeq <= held.last.value() + 1)
        m_target.removeBelow(StreamSeq(index->firstSeq));
}

BackupContent::Step TarContent::takeConsumers()
{
    for (const auto& [path, text] : m_files) {
        if (!path.starts_with(kConsumersFolder) || !path.ends_with("/meta.inf"))
            continue;
        const std::string folder = path.substr(0, path.rfind('/') + 1);
        const std::string name =
            folder.substr(kConsumersFolder.size(), folder.size() - kConsumersFolder.size() - 1);
        const auto damaged = [&](const std::string& why) {
            return fail(("error restoring consumer [\"" + name).append("\"]: ").append(why));
        };
        if (!m_files.contains(folder + "meta.sum"))
            return damaged("open meta.sum: no such file or directory");
        std::int64_t created = 0;
        auto consumer = decodeConsumerMeta(name, text, created);
        if (!consumer)
            return damaged(consumer.error().text);
        const auto state = m_files.find(folder + "o.dat");
        if (state != m_files.end() && !state->second.empty()) {
            auto progress = archive::decodeConsumerFile(state->second);
            if (!progress)
                return damaged("corrupt state file");
            consumer->progress = std::move(*progress);
        }
        m_target.add(std::move(*consumer), created);
    }
    return Step::More;
}

} // namespace

std::unique_ptr<BackupContent> makeTarContent(RestoreTarget& target)
{
    return std::make_unique<TarContent>(target);
}

} // namespace jetglass::api
