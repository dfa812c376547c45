// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json.h"
#include "broker/result.h"
#include "streams/json_text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetglass::streams {

/// The members that a request body may have and where each goes. Decoding follows the reference
/// server's decoder: names match without regard to case, null leaves the default, the last
/// duplicate wins, a member that is not declared is an error in strict mode, and what follows the
/// first value is decoded into the same fields.
///     JsonFields fields(settings.strict, "JSApiStreamPurgeRequest");
///     fields.add("seq", seq);
///     fields.add("filter", filter);
///     if (auto done = decodeJson(body, fields); !done) return call->fail(done.error());
/// The targets must outlive the decoding. An error leaves them partly set. Its text is the
/// reference server's, which names its own types: that is what they are given for.
class JsonFields
{
public:
    using Json = nlohmann::ordered_json;
    using Reader = std::function<void(const Json&, JsonFields&)>;

    explicit JsonFields(bool strict, std::string type = {}, std::string path = {});

    /// The members added from here on belong to this type inside the type; {} for the type itself.
    void embed(std::string_view part)
    {
        m_part = part.empty() ? std::string() : std::string(part) + '.';
    }

    void add(std::string name, std::string& to);
    void add(std::string name, bool& to);
    void add(std::string name, std::int32_t& to);
    void add(std::string name, std::int64_t& to);
    void add(std::string name, std::uint64_t& to);
    /// Of type int there, which has 64 bits; what the target cannot hold becomes its limit.
    void addInt(std::string name, std::int32_t& to);
    void addInt(std::string name, std::int64_t& to);
    void addDuration(std::string name, std::int64_t& to); ///< nanoseconds
    void add(std::string name, std::vector<std::string>& to);
    void add(std::string name, std::optional<std::vector<std::string>>& to);
    void addDurations(std::string name, std::vector<std::int64_t>& to);
    void add(std::string name, std::map<std::string, std::string>& to);
    /// RFC 3339; keeps the text as written.
    void addTime(std::string name, std::optional<std::string>& to);
    /// Anything else; \a read is not called for null unless \a nullToo.
    void addCustom(std::string name, Reader read, bool nullToo = false);

    /// What is said of a word that an enumeration does not have.
    enum class Unknown : std::uint8_t
    {
        Quoted, ///< the text, then the value quoted
        Shown, ///< the text, then the value
        Unsaid, ///< the text alone, and only of strings
    };
    struct UnknownWord
    {
        Unknown how = Unknown::Quoted;
        std::string_view text = "can not unmarshal ";
        bool ignoreCase = false; ///< words match without regard to case
    };
    /// An enumeration by text. null is an error, as every other text is.
    template<class Enum, std::size_t N>
    void addEnum(std::string name,
        Enum& to,
        const std::array<std::pair<std::string_view, Enum>, N>& words,
        UnknownWord unknown = {});
    /// An object. \a declare is called as declare(JsonFields&, T&).
    template<class T, class Declare>
    void addObject(const std::string& name, const std::string& type, T& to, Declare declare);
    template<class T, class Declare>
    void addObject(
        const std::string& name, const std::string& type, std::optional<T>& to, Declare declare);
    /// \a pointers: the list holds pointers there, which its errors show.
    template<class T, class Declare>
    void addList(std::string name,
        const std::string& type,
        std::vector<T>& to,
        Declare declare,
        bool pointers = false);

    [[nodiscard]] bool failed() const { return !m_error.empty(); }
    [[nodiscard]] const std::string& error() const { return m_error; }
    void setError(std::string text); ///< the first one stays
    void setTypeError(const Json& value, std::string_view type);
    void setNumberError(
        const Json& value, std::string_view type); ///< shows the number, if it is one
    /// Decodes one object into the declared members.
    void read(const Json& value);

private:
    struct Field
    {
        std::string name;
        Reader read;
        bool nullToo = false;
        std::string part;
    };
    [[nodiscard]] static bool sameWord(std::string_view a, std::string_view b, bool ignoreCase);
    template<class T, class Declare>
    void readNested(const Json& value, const std::string& type, T& to, Declare declare);
    void setUnknown(const Json& value, const UnknownWord& unknown);
    [[nodiscard]] std::string pathOfCurrent() const;
    void setMismatch(std::string kind, std::string_view type);
    void add(std::string name, Reader read, bool nullToo);
    [[nodiscard]] const Field* find(std::string_view name) const;

    std::vector<Field> m_fields;
    bool m_strict;
    std::string m_type;
    std::string m_path;
    std::string m_part;
    const Field* m_current = nullptr; ///< whose reader runs
    std::string m_error;
};

/// Reads the whole body. An empty one leaves the defaults. Errors are 10025 "invalid JSON: ...".
Result<void> decodeJson(std::string_view body, JsonFields& fields);
/// As above for endpoints that take one value and nothing behind it; an empty body is an error.
Result<void> decodeWholeJson(std::string_view body, JsonFields& fields);
/// As the first for endpoints with an optional body: what does not begin like an object or array is
/// ignored.
Result<void> decodeOptionalJson(std::string_view body, JsonFields& fields);

template<class Enum, std::size_t N>
void JsonFields::addEnum(std::string name,
    Enum& to,
    const std::array<std::pair<std::string_view, Enum>, N>& words,
    UnknownWord unknown)
{
    add(
        std::move(name),
        [&to, words, unknown](const Json& value, JsonFields& fields) {
            if (value.is_string())
                for (const auto& [word, meaning] : words)
                    if (sameWord(word, value.get_ref<const std::string&>(), unknown.ignoreCase)) {
                        to = meaning;
                        return;
                    }
            fields.setUnknown(value, unknown);
        },
        true);
}

template<class T, class Declare>
void JsonFields::readNested(const Json& value, const std::string& type, T& to, Declare declare)
{
    if (!value.is_object())
        return setTypeError(value, "server." + type);
    JsonFields nested(m_strict, type, pathOfCurrent());
    declare(nested, to);
    nested.read(value);
    if (nested.failed())
        setError(nested.error());
}

template<class T, class Declare>
void JsonFields::addObject(const std::string& name, const std::string& type, T& to, Declare declare)
{
    addCustom(name, [&to, declare, type](const Json& value, JsonFields& fields) {
        fields.readNested(value, type, to, declare);
    });
}

template<class T, class Declare>
void JsonFields::addObject(
    const std::string& name, const std::string& type, std::optional<T>& to, Declare declare)
{
    add(
        name,
        [&to, declare, type](const Json& value, JsonFields& fields) {
            if (value.is_null()) {
                to.reset();
                return;
            }
            if (!to)
                to.emplace();
            fields.readNested(value, type, *to, declare);
        },
        true);
}

template<class T, class Declare>
void JsonFields::addList(
    std::string name, const std::string& type, std::vector<T>& to, Declare declare, bool pointers)
{
    add(
        std::move(name),
        [&to, declare, type, pointers](const Json& value, JsonFields& fields) {
            to.clear();
            if (value.is_null())
                return;
            if (!value.is_array())
                return fields.setTypeError(value, (pointers ? "[]*server." : "[]server.") + type);
            for (const Json& item : value) {
                T element{};
                if (!item.is_null())
                    fields.readNested(item, type, element, declare);
                to.push_back(std::move(element));
            }
        },
        true);
}

} // namespace jetglass::streams
