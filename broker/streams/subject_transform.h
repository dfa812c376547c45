// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::streams {

/// A compiled mapping of subjects (streams.md 7.1): input transform, republish, mirrors and
/// sources.
class Transform
{
public:
    /// Empty \a src is ">"; empty \a dest leaves the subject as it is. Errors carry the reference
    /// server's text.
    static Result<Transform> compile(std::string_view src, std::string_view dest);

    [[nodiscard]] bool matches(std::string_view subject) const;
    /// The mapped subject; nothing if the source does not match.
    [[nodiscard]] std::optional<std::string> apply(std::string_view subject) const;

private:
    enum class Function : std::uint8_t
    {
        Text,
        Wildcard,
        Partition,
        SplitFromLeft,
        SplitFromRight,
        SliceFromLeft,
        SliceFromRight,
        Split,
        Left,
        Right,
        Random
    };
    struct Token
    {
        Function function = Function::Text;
        std::string text; ///< plain text, or the delimiter of Split
        std::vector<std::size_t> wildcards; ///< from 1
        std::int64_t number = 0;
    };
    static Result<Token> parseToken(std::string_view text);
    static Result<Token> parseFunction(std::string_view text);
    static Result<Token> parseArguments(
        Function function, const std::vector<std::string>& arguments, std::string_view text);
    static std::optional<Function> functionNamed(std::string_view name);
    static std::optional<Function> functionOf(std::string_view call);
    static Result<void> checkDestination(const std::vector<std::string_view>& tokens);
    static Result<void> checkIndexes(
        const Token& token, std::size_t wildcards, std::string_view text);
    static void render(const Token& token,
        std::string_view subject,
        const std::vector<std::string_view>& wildcards,
        std::string& out);

    std::string m_source;
    std::vector<Token> m_tokens;
    bool m_identity = false;
    bool m_tail = false; ///< ends in '>'
};

} // namespace jetglass::streams
