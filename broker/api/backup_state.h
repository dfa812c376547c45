// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "archive/consumer_file.h"
#include "broker/consumer_config.h"
#include "broker/ids.h"
#include "broker/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace jetglass::consumers {
class Consumer;
}

namespace jetglass::api {

/// What state.json of a backup tells that a restore needs (streams.md 9.4).
struct BackupState
{
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    std::uint64_t firstSeq = 0;
    std::uint64_t lastSeq = 0;
    std::int64_t consumers = 0;
};
/// Decodes and checks; errors in the words of NATS.
[[nodiscard]] Result<BackupState> decodeBackupState(std::string_view text);

/// One consumer of a backup.
struct BackupConsumer
{
    std::string name;
    ConsumerConfig config;
    archive::ConsumerProgress progress;
};
/// The content of consumers/<name>.
[[nodiscard]] Result<BackupConsumer> decodeBackupConsumer(
    std::string_view name, std::string_view text);
[[nodiscard]] std::string encodeBackupConsumer(const consumers::Consumer& consumer, StreamSeq last);

/// obs/<name>/meta.inf of format 1; the progress comes from another file.
[[nodiscard]] Result<BackupConsumer> decodeConsumerMeta(
    std::string_view name, std::string_view text, std::int64_t& created);

} // namespace jetglass::api
