// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/record_codec.h"

#include "base/random.h"
#include "store/endian.h"

#include <algorithm>
#include <cstring>
#include <highwayhash/c_bindings.h>
#include <random>

namespace jetglass::store {

namespace {

// Offsets in the head of a record.
constexpr std::size_t kAtSize = 0;
constexpr std::size_t kAtKind = 4;
constexpr std::size_t kAtCause = 5;
constexpr std::size_t kAtSubject = 6;
constexpr std::size_t kAtHeaders = 8;
constexpr std::size_t kAtPayload = 12;
constexpr std::size_t kAtSeq = 16;
constexpr std::size_t kAtTime = 24;

constexpr HHKey kKey = {
    0x7373616c67746a65ULL, 0x2e6b636f6c622e31ULL, 0x6873616800000000ULL, 0x0000000000000001ULL};

std::size_t aligned(std::size_t size)
{
    return (size + 7U) & ~std::size_t{7U};
}

char* copy(char* to, std::string_view bytes)
{
    if (!bytes.empty())
        std::memcpy(to, bytes.data(), bytes.size());
    return to + bytes.size();
}

void seal(char* record, std::size_t size)
{
    storeNumber(record + size - kRecordChecksum, checksumOf({record, size - kRecordChecksum}));
}

} // namespace

std::uint64_t checksumOf(std::string_view bytes)
{
    return HighwayHash64(kKey, bytes.data(), bytes.size());
}

std::size_t messageRecordSize(const NewMessage& m)
{
    return aligned(kRecordHead + m.subject.size() + m.headers.size() + m.payload.size())
        + kRecordChecksum;
}

void encodeMessage(char* to, std::uint64_t seq, const NewMessage& m, bool checksum)
{
    const std::size_t size = messageRecordSize(m);
    storeNumber(to + kAtSize, static_cast<std::uint32_t>(size));
    storeNumber(to + kAtKind, static_cast<std::uint8_t>(RecordKind::Message));
    storeNumber(to + kAtCause, std::uint8_t{0});
    storeNumber(to + kAtSubject, static_cast<std::uint16_t>(m.subject.size()));
    storeNumber(to + kAtHeaders, static_cast<std::uint32_t>(m.headers.size()));
    storeNumber(to + kAtPayload, static_cast<std::uint32_t>(m.payload.size()));
    storeNumber(to + kAtSeq, seq);
    storeNumber(to + kAtTime, m.time);
    char* end = copy(copy(copy(to + kRecordHead, m.subject), m.headers), m.payload);
    std::memset(end, 0, static_cast<std::size_t>(to + size - kRecordChecksum - end));
    if (checksum)
        seal(to, size);
}

void encodeRange(char* to,
    RecordKind kind,
    Removal cause,
    std::uint64_t first,
    std::uint64_t last,
    std::int64_t time)
{
    std::memset(to, 0, kRangeRecordSize);
    storeNumber(to + kAtSize, static_cast<std::uint32_t>(kRangeRecordSize));
    storeNumber(to + kAtKind, static_cast<std::uint8_t>(kind));
    storeNumber(to + kAtCause, static_cast<std::uint8_t>(cause));
    storeNumber(to + kAtPayload, std::uint32_t{8});
    storeNumber(to + kAtSeq, first);
    storeNumber(to + kAtTime, last);
    storeNumber(to + kRecordHead, time);
    seal(to, kRangeRecordSize);
}

void encodeFiller(char* to, std::size_t size)
{
    std::memset(to, 0, size);
    storeNumber(to + kAtSize, static_cast<std::uint32_t>(size));
    storeNumber(to + kAtKind, static_cast<std::uint8_t>(RecordKind::Removed));
    storeNumber(to + kAtCause, static_cast<std::uint8_t>(Removal::Lost));
    storeNumber(to + kAtPayload, static_cast<std::uint32_t>(size - kSmallestRecord));
    storeNumber(to + kAtSeq, std::uint64_t{1}); // from 1 to 0: no sequence at all
    seal(to, size);
}

void eraseMessage(char* record, Removal cause)
{
    storeNumber(record + kAtCause,
        static_cast<std::uint8_t>(cause == Removal::None ? Removal::Unknown : cause));
    const std::size_t size = loadNumber<std::uint32_t>(record + kAtSize);
    std::mt19937_64& random = base::randomEngine();
    std::generate(record + kRecordHead, record + size - kRecordChecksum, [&] {
        return static_cast<char>(random());
    });
    seal(record, size);
}

std::optional<Record> decodeRecord(std::string_view bytes, bool verify)
{
    if (bytes.size() < kSmallestRecord)
        return std::nullopt;
    const char* p = bytes.data();
    Record r;
    r.size = loadNumber<std::uint32_t>(p + kAtSize);
    if (r.size < kSmallestRecord || r.size > bytes.size() || r.size % 8U != 0)
        return std::nullopt;
    const auto kind = loadNumber<std::uint8_t>(p + kAtKind);
    if (kind < static_cast<std::uint8_t>(RecordKind::Message)
        || kind > static_cast<std::uint8_t>(RecordKind::Together))
        return std::nullopt;
    r.kind = static_cast<RecordKind>(kind);
    const std::size_t subject = loadNumber<std::uint16_t>(p + kAtSubject);
    const std::size_t headers = loadNumber<std::uint32_t>(p + kAtHeaders);
    const std::size_t payload = loadNumber<std::uint32_t>(p + kAtPayload);
    if (aligned(kRecordHead + subject + headers + payload) + kRecordChecksum != r.size)
        return std::nullopt;
    if (verify
        && checksumOf(bytes.substr(0, r.size - kRecordChecksum))
            != loadNumber<std::uint64_t>(p + r.size - kRecordChecksum))
        return std::nullopt;
    const auto cause = loadNumber<std::uint8_t>(p + kAtCause);
    r.cause = static_cast<Removal>(std::min(cause, static_cast<std::uint8_t>(Removal::Unknown)));
    r.seq = loadNumber<std::uint64_t>(p + kAtSeq);
    r.time = loadNumber<std::int64_t>(p + kAtTime);
    r.subject = bytes.substr(kRecordHead, subject);
    r.headers = bytes.substr(kRecordHead + subject, headers);
    r.payload = bytes.substr(kRecordHead + subject + headers, payload);
    if (r.kind != RecordKind::Message && payload == sizeof r.rangeTime)
        r.rangeTime = loadNumber<std::int64_t>(r.payload.data());
    return r;
}

DamagedRecord measureDamaged(std::string_view bytes)
{
    const auto unwritten = [](std::string_view part) {
        return part.find_first_not_of('\0') == std::string_view::npos;
    };
    if (bytes.size() < kRecordHead || unwritten(bytes))
        return {0, true, false};
    const char* p = bytes.data();
    const std::size_t subject = loadNumber<std::uint16_t>(p + kAtSubject);
    const std::size_t claimed = loadNumber<std::uint32_t>(p + kAtSize);
    const std::size_t counted =
        aligned(kRecordHead + subject + loadNumber<std::uint32_t>(p + kAtHeaders)
            + loadNumber<std::uint32_t>(p + kAtPayload))
        + kRecordChecksum;
    const bool claimHolds = claimed >= kSmallestRecord && claimed % 8U == 0;
    const bool message = subject > 0
        || loadNumber<std::uint8_t>(p + kAtKind) == static_cast<std::uint8_t>(RecordKind::Message);
    DamagedRecord found{0, false, message};
    // One of the two may be what is damaged: then the other one ends at the end of what was
    // written, or at least inside.
    if (claimed == counted && claimed > bytes.size())
        found.torn = true;
    else if (counted == bytes.size() || !claimHolds || claimed > bytes.size())
        found.size = counted <= bytes.size() ? counted : 0;
    else
        found.size = claimed;
    // The system had made room for it and power was lost before its bytes were on the disk.
    if (found.size > 0 && unwritten(bytes.substr(found.size - kRecordChecksum)))
        found.torn = true;
    return found;
}

MessageView viewMessage(const char* p)
{
    const std::size_t subject = loadNumber<std::uint16_t>(p + kAtSubject);
    const std::size_t headers = loadNumber<std::uint32_t>(p + kAtHeaders);
    const std::size_t payload = loadNumber<std::uint32_t>(p + kAtPayload);
    const char* body = p + kRecordHead;
    return {StreamSeq(loadNumber<std::uint64_t>(p + kAtSeq)),
        loadNumber<std::int64_t>(p + kAtTime),
        {body, subject},
        {body + subject, headers},
        {body + subject + headers, payload}};
}

} // namespace jetglass::store
