// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace jetglass::monitor {

/// The parameters of a request. A value that does not parse is remembered as the request's error
/// (answered with 400) and read as the default.
class Query
{
public:
    Query() = default;
    explicit Query(std::map<std::string, std::string> values);

    [[nodiscard]] bool has(const std::string& name) const;
    [[nodiscard]] std::string text(const std::string& name) const;
    [[nodiscard]] bool flag(const std::string& name);
    [[nodiscard]] std::int64_t number(const std::string& name, std::int64_t fallback);
    void fail(std::string text);
    [[nodiscard]] const std::string& error() const { return m_error; }

private:
    std::map<std::string, std::string> m_values;
    std::string m_error;
};

} // namespace jetglass::monitor
