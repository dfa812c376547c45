// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/restore_target.h"
#include "archive/s2_stream.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace jetglass::api {

/// The content of a backup, decompressed, in one of the formats.
class BackupContent
{
public:
    enum class Step : std::uint8_t
    {
        More, ///< something was done
        NeedInput,
        Done, ///< the backup is complete; what follows does not matter
        Failed
    };
    virtual ~BackupContent() = default;
    virtual void feed(std::string_view bytes) = 0;
    virtual void finish() = 0; ///< no more bytes come
    /// One message or another small piece of work.
    virtual Step step() = 0;
    [[nodiscard]] const Error& error() const { return m_error; }

protected:
    Step fail(Error error)
    {
        m_error = std::move(error);
        return Step::Failed;
    }
    Step fail(std::string text) { return fail(Error{Errc::Corrupt, std::move(text), 0, 0}); }

private:
    Error m_error;
};

/// Reads a backup of either format into a target, from bytes in any pieces, step by step.
class RestoreReader
{
public:
    using Step = BackupContent::Step;
    explicit RestoreReader(RestoreTarget& target)
        : m_target(target)
    {
    }
    void feed(std::string_view bytes) { m_s2.feed(bytes); }
    void finish() { m_s2.finish(); }
    Step step();
    [[nodiscard]] const Error& error() const { return m_error; }

private:
    Step fail(Error error);
    void take(std::string_view data);

    RestoreTarget& m_target;
    archive::S2Reader m_s2;
    std::string m_preamble; ///< until the format is known
    std::unique_ptr<BackupContent> m_content;
    bool m_contentHungry = true;
    bool m_finished = false;
    Error m_error;
};

/// Format 2, "NATSARC1" (streams.md 9.4).
[[nodiscard]] std::unique_ptr<BackupContent> makeEntryContent(RestoreTarget& target);
/// Format 1, tar (streams.md 9.5).
[[nodiscard]] std::unique_ptr<BackupContent> makeTarContent(RestoreTarget& target);

} // namespace jetglass::api
