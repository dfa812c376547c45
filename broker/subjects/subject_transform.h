// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "subjects/mapping_call.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::subjects {

/// A compiled mapping of subjects (streams.md 7.1): input transform, republish, mirrors and
/// sources.
class Transform
{
public:
    /// Empty \a src is ">"; empty \a dest leaves the subject as it is. Errors carry the reference
    /// server's text.
    static Result<Transform> compile(std::string_view src, std::string_view dest);
    /// First looks at what is wrong with \a dest whatever \a src is: all but republish does so.
    static Result<Transform> compileChecked(std::string_view src, std::string_view dest);

    [[nodiscard]] bool matches(std::string_view subject) const;
    /// The mapped subject; nothing if the source does not match.
    [[nodiscard]] std::optional<std::string> apply(std::string_view subject) const;

private:
    using Function = MappingFunction;
    struct Token
    {
        Function function = Function::Text;
        std::string text; ///< plain text, or the delimiter of Split
        std::vector<std::int64_t> wildcards; ///< as written, from 1
        std::vector<std::size_t> places; ///< the same among the tokens of the subject, from 0
        std::int32_t number = 0;
    };
    using Tokens = std::vector<std::string_view>;
    static Result<Token> parseToken(std::string_view text);
    static Result<Token> parseArguments(const MappingCall& call, std::string_view text);
    static Result<Token> parsePartition(const MappingCall& call, std::string_view text);
    static Result<void> checkDestination(std::string_view dest);
    static Result<void> findPlaces(
        Token& token, const std::vector<std::size_t>& wildcards, bool tail, std::string_view text);
    static void render(
        const Token& token, std::string_view subject, const Tokens& tokens, std::string& out);

    std::string m_source;
    std::vector<Token> m_tokens;
    std::size_t m_sourceTokens = 0; ///< before '>'
    bool m_identity = false;
    bool m_tail = false; ///< ends in '>'
};

} // namespace jetglass::subjects
