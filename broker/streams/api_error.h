// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"

#include <cstdint>
#include <string>
#include <string_view>

/// The errors of the JetStream API that streams answer with, by what they mean.
namespace jetglass::streams::errors {

inline Error badRequest()
{
    return Error::api(400, 10003, "bad request");
}
inline Error streamNotFound()
{
    return Error::api(404, 10059, "stream not found");
}
inline Error streamSealed()
{
    return Error::api(400, 10109, "invalid operation on sealed stream");
}
inline Error invalidConfig(std::string text)
{
    return Error::api(500, 10052, std::move(text));
}
inline Error pedantic(std::string_view text)
{
    return Error::api(400, 10157, "pedantic mode: " + std::string(text));
}
inline Error createFailed(std::string text)
{
    return Error::api(500, 10049, std::move(text));
}
inline Error updateFailed(std::string text)
{
    return Error::api(500, 10069, std::move(text));
}
inline Error nameMismatch()
{
    return Error::api(400, 10056, "stream name in subject does not match request");
}
inline Error nameInUse()
{
    return Error::api(400, 10058, "stream name already in use with a different configuration");
}
inline Error nameInUseByRestore()
{
    return Error::api(400, 10130, "stream name already in use, cannot restore");
}
inline Error subjectsOverlap()
{
    return Error::api(400, 10065, "subjects overlap with an existing stream");
}
inline Error pathSeparators()
{
    return Error::api(400, 10128, "Stream name can not contain path separators");
}
inline Error notEmptyRequest()
{
    return Error::api(400, 10038, "expected an empty request payload");
}
inline Error storeFailed(std::string text)
{
    return Error::api(503, 10077, std::move(text));
}
inline Error messageDeleteFailed(std::string text)
{
    return Error::api(500, 10057, std::move(text));
}
inline Error purgeFailed(std::string text)
{
    return Error::api(500, 10110, std::move(text));
}
inline Error noMessageFound()
{
    return Error::api(404, 10037, "no message found");
}
inline Error sequenceNotFound(std::uint64_t seq)
{
    return Error::api(400, 10043, "sequence " + std::to_string(seq) + " not found");
}
inline Error wrongLastSequence(std::uint64_t actual)
{
    return Error::api(400, 10071, "wrong last sequence: " + std::to_string(actual));
}

} // namespace jetglass::streams::errors
