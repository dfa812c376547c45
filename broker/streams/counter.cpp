// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/counter.h"

#include "base/json.h"
#include "streams/decimal.h"
#include "streams/json_text.h"
#include "streams/publish_headers.h"
#include "streams/source_name.h"

#include <nlohmann/json.hpp>

#include <map>

namespace jetglass::streams {
namespace {

using Json = nlohmann::ordered_json;
/// By origin stream and subject there: the last value that came from it.
using Origins = std::map<std::string, std::map<std::string, std::string>>;

constexpr std::string_view kSources = "Nats-Counter-Sources";

Error broken()
{
    return Error::api(400, 10172, "message counter is broken");
}

/// The value in a counter's payload; what is no number counts as 0, what is no counter as nothing.
std::optional<Decimal> valueOf(std::string_view payload)
{
    const Json body = base::parseJson(payload);
    if (!body.is_object())
        return {};
    const auto value = body.find("val");
    if (value == body.end() || value->is_null())
        return Decimal();
    if (!value->is_string())
        return {};
    return Decimal::parse(value->get_ref<const std::string&>()).value_or(Decimal());
}

bool readOrigins(std::string_view text, Origins& origins)
{
    const Json all = base::parseJson(text);
    if (!all.is_object())
        return false;
    for (const auto& [stream, subjects] : all.items()) {
        if (!subjects.is_object())
            return false;
        for (const auto& [subject, value] : subjects.items()) {
            if (!value.is_string())
                return false;
            origins[stream][subject] = value.get<std::string>();
        }
    }
    return true;
}

std::string originsText(const Origins& origins)
{
    Json all = Json::object();
    for (const auto& [stream, subjects] : origins)
        for (const auto& [subject, value] : subjects)
            all[stream][subject] = value;
    return encodeJson(all);
}

} // namespace

Result<Count> countUp(const store::MessageView* last, const CounterMessage& message)
{
    Decimal value;
    Origins origins;
    if (last) {
        const auto before = valueOf(last->payload);
        if (!before)
            return broken();
        value = *before;
        const std::string_view known = headerValue(last->headers, kSources);
        if (!known.empty() && !readOrigins(known, origins))
            return broken();
    }
    Count count;
    count.headers = message.headers;
    Decimal increment = Decimal::parse(message.increment).value_or(Decimal());
    if (!message.source.empty()) {
        const auto sourced = valueOf(message.payload);
        const auto mark = parseSourceHeader(message.source);
        if (!sourced || !mark)
            return broken();
        std::string& seen =
            origins[mark->stream]
                   [mark->subject.empty() ? std::string(message.subject) : mark->subject];
        increment = sourced->minus(Decimal::parse(seen).value_or(Decimal()));
        seen = sourced->text();
        count.headers = withHeaderSet(count.headers, "Nats-Incr", increment.text());
    }
    value = value.plus(increment);
    count.value = value.text();
    count.payload = R"({"val":")" + count.value + "\"}";
    if (!origins.empty())
        count.headers = withHeaderSet(count.headers, kSources, originsText(origins));
    return count;
}

} // namespace jetglass::streams
