// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/upstreams.h"

#include "base/json.h"
#include "streams/json_decode.h"
#include "streams/publish_headers.h"
#include "streams/source_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace jetglass::streams {
namespace {

using Json = nlohmann::ordered_json;

/// Positions that the stored messages tell are written down at leisure, others soon.
constexpr std::int64_t kAtLeisure = 10'000'000'000;
constexpr std::int64_t kSoon = 100'000'000;

std::string keyOf(const Stream& stream)
{
    return "sources/" + stream.name();
}

} // namespace

Upstreams::Upstreams(Stream& copy, Recall recall)
    : m_copy(copy)
    , m_timer(copy.context().timers, [this] { save(); })
{
    if (recall != Recall::Nothing) {
        const StreamSeq from = readWritten();
        if (recall == Recall::Everything && !copy.config().sources.empty())
            readStored(from);
    }
    configure(copy.config());
}

Upstreams::~Upstreams() = default;

void Upstreams::configure(const StreamConfig& config)
{
    std::vector<std::unique_ptr<UpstreamLink>> before = std::exchange(m_links, {});
    const bool isMirror = config.mirror.has_value();
    const auto keepOrMake = [&](const StreamSource& source) {
        const std::string index = sourceIndex(source);
        for (auto& link : before)
            if (link && link->index() == index && m_isMirror == isMirror)
                return m_links.push_back(std::move(link));
        SourcePosition position;
        if (const auto known = m_others.find(index); known != m_others.end() && !isMirror) {
            position = known->second;
            m_others.erase(known);
        }
        m_links.push_back(
            std::make_unique<UpstreamLink>(m_copy, source, isMirror, std::move(position)));
    };
    if (config.mirror)
        keepOrMake(*config.mirror);
    for (const StreamSource& source : config.sources)
        keepOrMake(source);
    for (const auto& link : before) {
        if (!link)
            continue;
        link->leave();
        if (!m_isMirror && isStored(link->position())) {
            m_others[link->index()] = link->position();
            m_changed = true;
        }
    }
    m_isMirror = isMirror;
}

std::vector<UpstreamInfo> Upstreams::infos() const
{
    std::vector<UpstreamInfo> out;
    for (const auto& link : m_links)
        out.push_back(link->info());
    return out;
}

UpstreamLink* Upstreams::mirror() const
{
    return m_isMirror && !m_links.empty() ? m_links.front().get() : nullptr;
}

bool Upstreams::isStored(const SourcePosition& position) const
{
    return position.seq > 0 && m_copy.store().contains(position.at);
}

void Upstreams::settled()
{
    std::int64_t wait = kAtLeisure;
    for (const auto& link : m_links) {
        const std::uint64_t before = link->position().seq;
        link->settled();
        m_changed = m_changed || link->position().seq != before;
        if (link->position().seq > 0 && !isStored(link->position()))
            wait = kSoon;
    }
    if (m_changed && m_copy.config().storage == Storage::File)
        m_timer.armNoLaterThan(m_copy.context().clock.now() + wait);
}

void Upstreams::takenBack()
{
    for (const auto& link : m_links)
        link->takenBack();
}

void Upstreams::leave()
{
    for (const auto& link : m_links)
        link->leave();
}

void Upstreams::goOn()
{
    for (const auto& link : m_links)
        link->onCommitted();
}

void Upstreams::save()
{
    if (!m_changed || m_copy.config().storage != Storage::File)
        return;
    m_changed = false;
    m_timer.disarm();
    Json sources = Json::object();
    const auto add = [&sources](const std::string& index, const SourcePosition& position) {
        if (position.seq > 0)
            sources[index] = {position.seq, position.identity, position.at.value()};
    };
    for (const auto& link : m_links)
        add(link->index(), link->position());
    for (const auto& [index, position] : m_others)
        add(index, position);
    const Json all = {{"created", m_copy.created()},
        {"last", m_copy.store().state().last.value()},
        {"sources", std::move(sources)}};
    m_copy.context().stores.catalog().setValue(
        keyOf(m_copy), encodeJson(all), [](const Result<void>&) {});
}

StreamSeq Upstreams::readWritten()
{
    StreamSeq from(1);
    const auto stored = m_copy.context().stores.catalog().value(keyOf(m_copy));
    if (stored && *stored) {
        const Json all = base::parseJson(**stored);
        if (all.is_object() && all.value("created", std::int64_t{0}) == m_copy.created()) {
            from = StreamSeq(all.value("last", std::uint64_t{0}) + 1);
            const Json sources = all.value("sources", Json::object());
            for (const auto& [index, entry] : sources.items())
                if (entry.is_array() && entry.size() == 3 && entry[0].is_number_unsigned()
                    && entry[1].is_string() && entry[2].is_number_unsigned())
                    m_others[index] = {entry[0].get<std::uint64_t>(),
                        entry[1].get<std::string>(),
                        StreamSeq(entry[2].get<std::uint64_t>())};
        }
    }
    return from;
}

void Upstreams::readStored(StreamSeq from)
{
    store::MessageView message;
    while (m_copy.store().loadNext({}, from, message)) {
        from = message.seq + 1;
        if (message.headers.empty())
            continue;
        const auto mark = parseSourceHeader(headerValue(message.headers, "Nats-Stream-Source"));
        if (!mark || mark->index.empty())
            continue;
        SourcePosition& position = m_others[mark->index];
        position = {mark->seq, mark->identity, message.seq};
        m_changed = true; // it has not been written down
    }
}

} // namespace jetglass::streams
