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
///     JsonFields fields(settings.strict);
///     fields.add("seq", seq);
///     fields.add("filter", filter);
///     if (auto done = decodeJson(body, fields); !done) return call->fail(done.error());
/// The targets must outlive the decoding. An error leaves them partly set.
class JsonFields
{
public:
    using Json = nlohmann::ordered_json;
    using Reader = std::function<void(const Json&, JsonFields&)>;

    explicit JsonFields(bool strict, std::string path = {});

    void add(std::string name, std::string& to);
    void add(std::string name, bool& to);
    void add(std::string name, std::int32_t& to);
    void add(std::string name, std::int64_t& to);
    void add(std::string name, std::uint64_t& to);
    void add(std::string name, std::vector<std::string>& to);
    void add(std::string name, std::optional<std::vector<std::string>>& to);
    void add(std::string name, std::vector<std::int64_t>& to);
    void add(std::string name, std::map<std::string, std::string>& to);
    /// RFC 3339; keeps the text as written.
    void addTime(std::string name, std::optional<std::string>& to);
    /// Anything else; \a read is not called for null unless \a nullToo.
    void addCustom(std::string name, Reader read, bool nullToo = false);

    /// An enumeration by text. null is an error, as every other text is.
    template<class Enum, std::size_t N>
    void addEnum(std::string name,
        Enum& to,
        const std::array<std::pair<std::string_view, Enum>, N>& words,
        bool ignoreCase = false);
    /// An object. \a declare is called as declare(JsonFields&, T&).
    template<class T, class Declare>
    void addObject(const std::string& name, T& to, Declare declare);
    template<class T, class Declare>
    void addObject(const std::string& name, std::optional<T>& to, Declare declare);
    template<class T, class Declare>
    void addList(std::string name, std::vector<T>& to, Declare declare);

    [[nodiscard]] bool failed() const { return !m_error.empty(); }
    [[nodiscard]] const std::string& error() const { return m_error; }
    void setError(std::string text); ///< the first one stays
    void setTypeError(const Json& value, std::string_view type);
    /// Decodes one object into the declared members.
    void read(const Json& value);

private:
    struct Field
    {
        std::string name;
        Reader read;
        bool nullToo = false;
    };
    [[nodiscard]] static bool sameWord(std::string_view a, std::string_view b, bool ignoreCase);
    template<class T, class Declare>
    void readNested(const Json& value, const std::string& name, T& to, Declare declare);
    void add(std::string name, Reader read, bool nullToo);
    [[nodiscard]] const Field* find(std::string_view name) const;

    std::vector<Field> m_fields;
    bool m_strict;
    std::string m_path;
    std::string m_error;
};

/// Reads the whole body. An empty one leaves the defaults. Errors are 10025 "invalid JSON: ...".
Result<void> decodeJson(std::string_view body, JsonFields& fields);
/// As above for endpoints with an optional body: what does not begin like an object or array is
/// ignored.
Result<void> decodeOptionalJson(std::string_view body, JsonFields& fields);

template<class Enum, std::size_t N>
void JsonFields::addEnum(std::string name,
    Enum& to,
    const std::array<std::pair<std::string_view, Enum>, N>& words,
    bool ignoreCase)
{
    add(
        std::move(name),
        [&to, words, ignoreCase](const Json& value, JsonFields& fields) {
            if (value.is_string())
                for (const auto& [word, meaning] : words)
                    if (sameWord(word, value.get_ref<const std::string&>(), ignoreCase)) {
                        to = meaning;
                        return;
                    }
            fields.setError("json: can not unmarshal " + base::jsonText(value));
        },
        true);
}

template<class T, class Declare>
void JsonFields::readNested(const Json& value, const std::string& name, T& to, Declare declare)
{
    JsonFields nested(m_strict, m_path.empty() ? name : m_path + "." + name);
    declare(nested, to);
    nested.read(value);
    if (nested.failed())
        setError(nested.error());
}

template<class T, class Declare>
void JsonFields::addObject(const std::string& name, T& to, Declare declare)
{
    addCustom(name, [&to, declare, key = name](const Json& value, JsonFields& fields) {
        fields.readNested(value, key, to, declare);
    });
}

template<class T, class Declare>
void JsonFields::addObject(const std::string& name, std::optional<T>& to, Declare declare)
{
    add(
        name,
        [&to, declare, key = name](const Json& value, JsonFields& fields) {
            if (value.is_null()) {
                to.reset();
                return;
            }
            if (!to)
                to.emplace();
            fields.readNested(value, key, *to, declare);
        },
        true);
}

template<class T, class Declare>
void JsonFields::addList(std::string name, std::vector<T>& to, Declare declare)
{
    std::string key = name;
    add(
        std::move(name),
        [&to, declare, key](const Json& value, JsonFields& fields) {
            to.clear();
            if (value.is_null())
                return;
            if (!value.is_array())
                return fields.setTypeError(value, "[]" + key);
            for (const Json& item : value) {
                T element{};
                if (!item.is_null())
                    fields.readNested(item, key, element, declare);
                to.push_back(std::move(element));
            }
        },
        true);
}

} // namespace jetglass::streams
