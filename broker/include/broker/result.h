// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace jetglass {

enum class Errc : std::uint8_t
{
    InvalidArgument, ///< bad input; the text says what would be right
    NotFound,
    AlreadyExists,
    Io, ///< a system call failed; the text has path and reason
    NoSpace, ///< ENOSPC or EDQUOT
    Corrupt, ///< a checksum or a structure does not hold
    InUse, ///< address or store directory is taken by somebody else
    Unsupported,
    Cancelled,
    Api ///< an error of the JetStream API, see Error::apiCode and Error::apiErrCode
};

/// What went wrong. For Errc::Api the numbers are those of NATS (errors.json): apiCode is the
/// HTTP-like code, apiErrCode the err_code, text the description exactly as it goes out.
struct Error
{
    Errc code = Errc::InvalidArgument;
    std::string text;
    int apiCode = 0;
    int apiErrCode = 0;

    static Error api(int code, int errCode, std::string description)
    {
        return {Errc::Api, std::move(description), code, errCode};
    }
};

/// A value or an Error. Asking for the one that is not there is a programmer's error
/// (std::bad_variant_access).
template<class T>
class [[nodiscard]] Result
{
public:
    Result(T value) // NOLINT(google-explicit-constructor): returning a value is the normal case
        : m_content(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error) // NOLINT(google-explicit-constructor)
        : m_content(std::in_place_index<1>, std::move(error))
    {
    }

    [[nodiscard]] bool ok() const { return m_content.index() == 0; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] T& value() { return std::get<0>(m_content); }
    [[nodiscard]] const T& value() const { return std::get<0>(m_content); }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    [[nodiscard]] const Error& error() const { return std::get<1>(m_content); }

private:
    std::variant<T, Error> m_content;
};

template<>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error) // NOLINT(google-explicit-constructor)
        : m_error(std::move(error))
        , m_ok(false)
    {
    }

    [[nodiscard]] bool ok() const { return m_ok; }
    explicit operator bool() const { return m_ok; }
    [[nodiscard]] const Error& error() const { return m_error; }

private:
    Error m_error;
    bool m_ok = true;
};

} // namespace jetglass
