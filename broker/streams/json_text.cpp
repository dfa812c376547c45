// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/json_text.h"

#include "base/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace jetglass::streams {

std::string encodeJson(const nlohmann::ordered_json& value)
{
    std::string text = base::jsonText(value);
    if (text.find_first_of("<>&\xE2") == std::string::npos)
        return text;
    std::string out;
    out.reserve(text.size() + 32);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '<')
            out += "\\u003c";
        else if (c == '>')
            out += "\\u003e";
        else if (c == '&')
            out += "\\u0026";
        else if (text.compare(i, 3, "\xE2\x80\xA8") == 0
            || text.compare(i, 3, "\xE2\x80\xA9") == 0) {
            out += text[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
            i += 2;
        } else
            out += c;
    }
    return out;
}

std::string encodeJson(const nlohmann::ordered_json& object, std::span<const MadeMember> made)
{
    if (made.empty())
        return encodeJson(object);
    std::size_t size = 0;
    for (const MadeMember& member : made)
        size += member.text.size();
    constexpr std::size_t kRest = 16'384;
    std::string out;
    out.reserve(size + kRest);
    out += '{';
    for (const auto& [name, value] : object.items()) {
        if (out.size() > 1)
            out += ',';
        out += quoteJson(name) + ':' + encodeJson(value);
        for (const MadeMember& member : made) {
            if (member.parent != name || out.back() != '}')
                continue;
            out.pop_back();
            if (out.back() != '{')
                out += ',';
            out += quoteJson(member.name);
            out += ':';
            out += member.text;
            out += '}';
        }
    }
    out += '}';
    return out;
}

std::string quoteJson(std::string_view text)
{
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
        return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
    });
    if (!plain)
        return encodeJson(nlohmann::ordered_json(text));
    std::string out;
    out.reserve(text.size() + 2);
    out += '"';
    out += text;
    out += '"';
    return out;
}

} // namespace jetglass::streams
