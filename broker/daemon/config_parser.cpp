// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/config_parser.h"

#include "daemon/config_number.h"
#include "daemon/config_scanner.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

namespace jetglass::daemon {

namespace {

/// Includes and variables in variables may nest this deep; more is a loop.
constexpr int kMaxDepth = 64;

/// Recursive descent over one file. m_scopes holds the maps that are being filled, the innermost
/// last: variables are looked up in them from the inside out.
class Parser
{
public:
    Parser(
        ConfigScanner& scanner, std::vector<ConfigValue*>& scopes, std::string directory, int depth)
        : m_in(scanner)
        , m_scopes(scopes)
        , m_directory(std::move(directory))
        , m_depth(depth)
    {
    }

    bool file(ConfigValue& map);
    [[nodiscard]] const ConfigScanner::Failure& failure() const { return m_failure; }
    [[nodiscard]] bool plain() const { return m_plain; }

private:
    bool fail(const Position& position, std::string text);
    bool entries(ConfigValue& map, bool braced);
    bool entry(ConfigValue& map);
    bool entryEnd(bool braced, bool& closed);
    bool include(ConfigValue& map, const Position& position);
    bool value(ConfigValue& into);
    bool array(ConfigValue& into);
    bool map(ConfigValue& into);
    bool bareWord(ConfigValue& into);
    bool variable(const std::string& name, ConfigValue& into);
    bool fromEnvironment(const std::string& name, const char* text, ConfigValue& into);

    ConfigScanner& m_in;
    std::vector<ConfigValue*>& m_scopes;
    std::string m_directory;
    int m_depth;
    ConfigScanner::Failure m_failure;
    bool m_plain = false; ///< the failure's text stands for itself
};

void put(ConfigValue& map, ConfigEntry entry)
{
    for (ConfigEntry& known : map.entries) {
        if (sameKey(known.key, entry.key)) {
            known = std::move(entry);
            return;
        }
    }
    map.entries.push_back(std::move(entry));
}

bool Parser::fail(const Position& position, std::string text)
{
    m_failure = {position, std::move(text)};
    return false;
}

bool Parser::file(ConfigValue& into)
{
    m_in.skipSpace();
    const bool braced = m_in.peek() == '{';
    if (braced)
        m_in.take();
    m_scopes.push_back(&into);
    const bool good = entries(into, braced);
    m_scopes.pop_back();
    if (!good)
        return false;
    m_in.skipSpace();
    if (!m_in.atEnd())
        return fail(m_in.position(),
            std::string("Expected the end of the file, but got '") + m_in.peek() + "' instead.");
    return true;
}

/// Entries up to the closing brace, or to the end of the file (where the reference also takes a
/// stray brace).
bool Parser::entries(ConfigValue& map, bool braced)
{
    const Position start = m_in.position();
    bool closed = false;
    while (!closed) {
        m_in.skipSpace();
        while (m_in.peek() == ',' || m_in.peek() == ';') {
            m_in.take();
            m_in.skipSpace();
        }
        if (m_in.atEnd()) {
            if (braced)
                return fail(start, "Expected a map terminator \"}\" before the end of the file.");
            return true;
        }
        if (m_in.peek() == '}') {
            m_in.take();
            return true;
        }
        if (!entry(map) || !entryEnd(braced, closed))
            return false;
    }
    return true;
}

bool Parser::entryEnd(bool braced, bool& closed)
{
    m_in.skipBlanks();
    m_in.skipComment();
    const char c = m_in.peek();
    if (m_in.atEnd() || c == '\n')
        return true;
    if (c == ',' || c == ';' || c == '}') {
        m_in.take();
        closed = c == '}';
        return true;
    }
    const std::string got = std::string("but got '") + c + "' instead.";
    const bool whole = m_scopes.size() == 1; // of the file, perhaps with braces around it
    return fail(m_in.position(),
        !whole ? "Expected a map value terminator \",\" or a map terminator \"}\", " + got
               : std::string("Expected a ") + (braced ? "block" : "top")
                + "-level value to end with a new line, comment or EOF, " + got);
}

bool Parser::entry(ConfigValue& map)
{
    ConfigEntry entry;
    entry.position = m_in.position();
    const char first = m_in.peek();
    bool bare = false;
    if (first == '=' || first == ':')
        return fail(entry.position, std::string("Unexpected key separator '") + first + "'");
    if (first == '"' || first == '\'') {
        m_in.take();
        entry.position = m_in.position(); // of what is meant, as the reference server counts
        if (!m_in.quoted(first, entry.key, m_failure))
            return false;
    } else {
        bare = true;
        entry.key = m_in.key();
    }
    if (entry.key.empty())
        return fail(
            entry.position, std::string("Expected a key, but got '") + first + "' instead.");
    const bool blank = m_in.peek() == ' ' || m_in.peek() == '\t';
    m_in.skipSpace();
    const char separator = m_in.peek();
    if (separator == '=' || separator == ':')
        m_in.take();
    else if (bare && blank && sameKey(entry.key, "include"))
        return include(map, entry.position);
    m_in.skipBlanks();
    if (m_in.peek() == '\n' && !m_in.atEnd())
        return fail(m_in.position(), "Expected value but found new line");
    if (m_in.atEnd())
        return fail(entry.position, "Expected a value for key '" + entry.key + "'");
    if (!value(entry.value))
        return false;
    put(map, std::move(entry));
    return true;
}

bool Parser::include(ConfigValue& map, const Position& position)
{
    std::string name;
    bool escaped = false;
    const char quote = m_in.peek();
    if (quote == '"' || quote == '\'') {
        m_in.take();
        if (!m_in.quoted(quote, name, m_failure))
            return false;
    } else if (!m_in.word(name, escaped, m_failure)) {
        return false;
    }
    std::filesystem::path path(name);
    if (path.is_relative())
        path = std::filesystem::path(m_directory) / path;
    const auto unreadable = [&](const std::string& why) {
        m_plain = true;
        return fail(position, "error parsing include file '" + name + "', " + why);
    };
    if (m_depth >= kMaxDepth)
        return unreadable("includes are nested too deep");
    const auto text = readFile(path.string());
    if (!text)
        return unreadable(text.error().text);
    ConfigScanner scanner(path.string(), *text);
    Parser nested(scanner, m_scopes, path.parent_path().string(), m_depth + 1);
    ConfigValue included;
    included.kind = ConfigValue::Kind::Map;
    if (!nested.file(included)) {
        m_failure = nested.m_failure;
        m_plain = nested.m_plain;
        return false;
    }
    for (ConfigEntry& entry : included.entries)
        put(map, std::move(entry));
    return true;
}

bool Parser::value(ConfigValue& into)
{
    into.position = m_in.position();
    const char c = m_in.peek();
    switch (c) {
    case '{':
        m_in.take();
        return map(into);
    case '[':
        m_in.take();
        return array(into);
    case '"':
    case '\'':
        m_in.take();
        into.position = m_in.position();
        into.kind = ConfigValue::Kind::String;
        return m_in.quoted(c, into.text, m_failure);
    case '(':
        m_in.take();
        into.kind = ConfigValue::Kind::String;
        return m_in.block(into.text, m_failure);
    case '.':
        return fail(into.position, "Floats must start with a digit");
    case ']':
    case '}':
        return fail(into.position, std::string("Expected a value, but got '") + c + "' instead.");
    default:
        return bareWord(into);
    }
}

bool Parser::map(ConfigValue& into)
{
    if (m_scopes.size() >= kMaxDepth)
        return fail(into.position, "Maps are nested too deep");
    into.kind = ConfigValue::Kind::Map;
    m_scopes.push_back(&into);
    const bool good = entries(into, true);
    m_scopes.pop_back();
    return good;
}

bool Parser::array(ConfigValue& into)
{
    into.kind = ConfigValue::Kind::Array;
    if (++m_depth >= kMaxDepth)
        return fail(into.position, "Lists are nested too deep");
    bool separated = true;
    while (true) {
        separated = m_in.skipSpace() || separated;
        const char c = m_in.peek();
        if (m_in.atEnd())
            return fail(
                into.position, "Expected an array terminator \"]\" before the end of the file.");
        if (c == ']') {
            m_in.take();
            --m_depth;
            return true;
        }
        if (c == ',' || c == ';') {
            m_in.take();
            separated = true;
            continue;
        }
        if (!separated)
            return fail(m_in.position(),
                std::string("Expected an array value terminator \",\" or an array terminator "
                            "\"]\", but got '")
                    + c + "' instead.");
        ConfigValue item;
        if (!value(item))
            return false;
        into.items.push_back(std::move(item));
        separated = false;
    }
}

bool Parser::bareWord(ConfigValue& into)
{
    std::string word;
    bool escaped = false;
    if (!m_in.word(word, escaped, m_failure))
        return false;
    constexpr std::string_view kBcrypt = "$2a$";
    if (!escaped && word.size() > 1 && word[0] == '$'
        && word.compare(0, kBcrypt.size(), kBcrypt) != 0)
        return variable(word.substr(1), into);
    const Position position = into.position;
    std::string problem;
    if (!escaped && readScalar(word, into, problem)) {
        into.position = position;
        return true;
    }
    if (!problem.empty())
        return fail(position, problem);
    into.kind = ConfigValue::Kind::String;
    into.text = word;
    return true;
}

bool Parser::variable(const std::string& name, ConfigValue& into)
{
    const Position position = into.position;
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
        for (ConfigEntry& entry : (*scope)->entries) {
            // Variables are the one place where case counts, as in the environment.
            if (entry.key != name)
                continue;
            entry.usedAsVariable = true;
            into = entry.value;
            into.position = position;
            return true;
        }
    }
    // Read while the program starts or on its main thread at a reload; nothing here sets variables.
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    if (const char* text = std::getenv(name.c_str()); text != nullptr)
        return fromEnvironment(name, text, into);
    m_plain = true;
    return fail(position,
        "variable reference for '" + name + "' on line " + std::to_string(position.line)
            + " can not be found");
}

bool Parser::fromEnvironment(const std::string& name, const char* text, ConfigValue& into)
{
    const Position position = into.position;
    if (m_depth >= kMaxDepth)
        return fail(position, "variable '" + name + "' refers to itself");
    ConfigScanner scanner(position.file, text);
    Parser nested(scanner, m_scopes, m_directory, m_depth + 1);
    scanner.skipSpace();
    if (scanner.atEnd()) {
        into.kind = ConfigValue::Kind::String;
        return true;
    }
    if (!nested.value(into))
        return fail(position, "in variable '" + name + "': " + nested.m_failure.text);
    into.position = position;
    return true;
}

} // namespace

Result<std::string> readFile(const std::string& path)
{
    std::error_code ignored;
    std::ifstream stream(path, std::ios::binary);
    if (!stream || std::filesystem::is_directory(path, ignored))
        return Error{Errc::Io,
            "open " + path + ": " + std::generic_category().message(stream ? EISDIR : errno)};
    return std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
}

Result<ConfigValue> parseConfigText(std::string_view text, const std::string& file)
{
    ConfigScanner scanner(file, text);
    std::vector<ConfigValue*> scopes;
    Parser parser(scanner, scopes, std::filesystem::path(file).parent_path().string(), 0);
    ConfigValue root;
    root.kind = ConfigValue::Kind::Map;
    root.position = scanner.position();
    if (parser.file(root))
        return root;
    const auto& failure = parser.failure();
    if (parser.plain())
        return Error{Errc::InvalidArgument, toText(failure.position) + ": " + failure.text};
    return Error{Errc::InvalidArgument,
        toText(failure.position) + ": Parse error on line " + std::to_string(failure.position.line)
            + ": '" + failure.text + "'"};
}

Result<ConfigValue> parseConfigFile(const std::string& file)
{
    const auto text = readFile(file);
    if (!text)
        return text.error();
    return parseConfigText(*text, file);
}

} // namespace jetglass::daemon
