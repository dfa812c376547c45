// SPDX-License-Identifier: GPL-3.0-or-later
// Backups of format 2: entries one after the other (streams.md 9.4).
#include "api/restore_reader.h"
#include "archive/entry_codec.h"
#include "streams/message_ttl.h"
#include "streams/publish_headers.h"

#include <limits>

namespace jetglass::api {

namespace {

constexpr std::uint64_t kLargestDocument = 256U << 20U;
constexpr std::string_view kConsumerFolder = "consumers/";

class EntryContent final : public BackupContent
{
public:
    explicit EntryContent(RestoreTarget& target)
        : m_target(target)
    {
    }
    void feed(std::string_view bytes) override { m_entries.feed(bytes); }
    void finish() override { m_entries.finish(); }
    Step step() override;

private:
    enum class Expected : std::uint8_t
    {
        State,
        Consumer,
        Message
    };
    Step checkHead(const archive::EntryHead& head);
    Step checkMessageHead(const archive::EntryHead& head);
    Step takeState(std::string_view text);
    Step takeConsumer(std::string_view name, std::string_view text);
    Step takeMessage(const archive::EntryHead& head, std::string_view body);
    Step takeEnd();
    [[nodiscard]] Expected expected() const
    {
        if (!m_hasState)
            return Expected::State;
        return m_consumersLeft > 0 ? Expected::Consumer : Expected::Message;
    }

    RestoreTarget& m_target;
    archive::EntryReader m_entries;
    bool m_hasState = false;
    std::int64_t m_consumersLeft = 0;
    BackupState m_state;
    std::uint64_t m_last = 0; ///< sequence of the message before
    bool m_complete = false;
};

BackupContent::Step EntryContent::step()
{
    if (m_complete)
        return Step::Done;
    switch (m_entries.next()) {
    case archive::EntryReader::Step::NeedInput:
        return Step::NeedInput;
    case archive::EntryReader::Step::Failed:
        return fail(m_entries.error());
    case archive::EntryReader::Step::Head:
        return checkHead(m_entries.head());
    case archive::EntryReader::Step::Body:
        break;
    }
    const archive::EntryHead& head = m_entries.head();
    switch (expected()) {
    case Expected::State:
        return takeState(m_entries.body());
    case Expected::Consumer:
        return takeConsumer(head.name, m_entries.body());
    case Expected::Message:
        break;
    }
    return head.isEnd() ? takeEnd() : takeMessage(head, m_entries.body());
}

/// Before the body is collected.
BackupContent::Step EntryContent::checkHead(const archive::EntryHead& head)
{
    const bool tooLarge = head.headerSize + head.payloadSize > kLargestDocument;
    switch (expected()) {
    case Expected::State:
        if (head.name != "state.json" || tooLarge)
            return fail("expected state.json first");
        return Step::More;
    case Expected::Consumer:
        if (!head.name.starts_with(kConsumerFolder) || tooLarge)
            return fail("expected consumer, found \"" + head.name + "\"");
        return Step::More;
    case Expected::Message:
        break;
    }
    return head.isEnd() ? Step::More : checkMessageHead(head);
}

BackupContent::Step EntryContent::checkMessageHead(const archive::EntryHead& head)
{
    if (head.seq == 0)
        return fail("expected message sequence");
    const std::string which = "message sequence " + std::to_string(head.seq);
    const std::uint64_t size = head.headerSize + head.payloadSize;
    if (size > static_cast<std::uint64_t>(m_target.maxPayload()))
        return fail(which + " exceeds maximum payload size");
    const std::int32_t largest = m_target.config().maxMsgSize;
    if (largest >= 0 && size > static_cast<std::uint64_t>(largest))
        return fail(which + " exceeds maximum message size");
    // Beyond the largest number there would be no next sequence.
    if (head.seq <= m_last || head.seq == std::numeric_limits<std::uint64_t>::max()
        || m_state.firstSeq == 0)
        return fail(which + " out of order");
    return Step::More;
}

BackupContent::Step EntryContent::takeState(std::string_view text)
{
    auto state = decodeBackupState(text);
    if (!state)
        return fail(state.error());
    m_state = *state;
    m_hasState = true;
    m_consumersLeft = m_state.consumers;
    if (m_state.lastSeq == std::numeric_limits<std::uint64_t>::max())
        return fail("invalid stream state: inconsistent message count or sequence range");
    if (auto room = m_target.checkRoom(m_state.bytes); !room)
        return fail(room.error());
    if (auto begun = m_target.begin(); !begun) {
        // An existing stream answers for itself; everything else failed while adding one.
        Error error = begun.error();
        if (error.apiErrCode == 10130)
            return fail(error);
        return fail("error adding stream: " + error.text
            + (error.code == Errc::Api ? " (" + std::to_string(error.apiErrCode) + ")" : ""));
    }
    if (m_state.firstSeq > 0) {
        m_target.setFirst(StreamSeq(m_state.firstSeq));
        m_last = m_state.firstSeq - 1;
    }
    return Step::More;
}

BackupContent::Step EntryContent::takeConsumer(std::string_view name, std::string_view text)
{
    auto consumer = decodeBackupConsumer(name.substr(kConsumerFolder.size()), text);
    if (!consumer)
        return fail(consumer.error());
    m_target.add(std::move(*consumer), 0);
    --m_consumersLeft;
    return Step::More;
}

BackupContent::Step EntryContent::takeMessage(const archive::EntryHead& head, std::string_view body)
{
    m_last = head.seq;
    const store::NewMessage message{
        head.name, body.substr(0, head.headerSize), body.substr(head.headerSize), head.time};
    if (const std::string_view text = streams::headerValue(message.headers, "Nats-TTL");
        !text.empty()) {
        const auto ttl = streams::parseTtl(text);
        if (!ttl)
            return fail("failed to parse message TTL: invalid per-message TTL");
        if (*ttl != streams::kTtlNever && m_target.wallTime() - head.time > *ttl) {
            m_target.skipTo(StreamSeq(head.seq));
            return Step::More;
        }
    }
    if (auto added = m_target.add(StreamSeq(head.seq), message); !added)
        return fail(added.error());
    return Step::More;
}

BackupContent::Step EntryContent::takeEnd()
{
    m_target.skipTo(StreamSeq(m_state.lastSeq));
    m_complete = true;
    return Step::Done;
}

} // namespace

std::unique_ptr<BackupContent> makeEntryContent(RestoreTarget& target)
{
    return std::make_unique<EntryContent>(target);
}

} // namespace jetglass::api
