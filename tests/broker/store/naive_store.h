// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/message_store.h"
#include "subjects/subject_filter.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jetglass::store {

/// The rules of a message store in the plainest form, to compare real ones with.
class NaiveStore
{
public:
    struct Stored
    {
        std::string subject;
        std::string headers;
        std::string payload;
        std::int64_t time = 0;
        bool operator==(const Stored&) const = default;
    };

    std::uint64_t append(const Stored& m) { return appendAt(last + 1, m); }
    std::uint64_t appendAt(std::uint64_t seq, const Stored& m)
    {
        if (messages.empty())
            first = seq;
        last = seq;
        messages.emplace(seq, m);
        return seq;
    }
    void skip(std::uint64_t n)
    {
        last += n;
        settleFirst();
    }
    bool remove(std::uint64_t seq)
    {
        const bool there = messages.erase(seq) > 0;
        settleFirst();
        return there;
    }
    std::uint64_t removeBelow(std::uint64_t below)
    {
        const auto before = messages.size();
        messages.erase(messages.begin(), messages.lower_bound(below));
        if (messages.empty() && below > last + 1)
            last = below - 1;
        settleFirst();
        return before - messages.size();
    }
    std::uint64_t removeMatching(
        const subjects::SubjectFilter& f, std::uint64_t below, std::uint64_t keep)
    {
        std::vector<std::uint64_t> hits;
        for (const auto& [seq, m] : messages)
            if ((below == 0 || seq < below) && f.matches(m.subject))
                hits.push_back(seq);
        hits.resize(hits.size() > keep ? hits.size() - keep : 0);
        for (const auto seq : hits)
            messages.erase(seq);
        settleFirst();
        return hits.size();
    }
    std::uint64_t findNext(const subjects::SubjectFilter& f, std::uint64_t from) const
    {
        for (auto it = messages.lower_bound(from); it != messages.end(); ++it)
            if (f.matches(it->second.subject))
                return it->first;
        return 0;
    }
    std::uint64_t findLast(const subjects::SubjectFilter& f, std::uint64_t upTo) const
    {
        std::uint64_t found = 0;
        for (const auto& [seq, m] : messages)
            if ((upTo == 0 || seq <= upTo) && f.matches(m.subject))
                found = seq;
        return found;
    }
    std::uint64_t count(const subjects::SubjectFilter& f, std::uint64_t from) const
    {
        std::uint64_t n = 0;
        for (auto it = messages.lower_bound(from); it != messages.end(); ++it)
            n += f.matches(it->second.subject) ? 1U : 0U;
        return n;
    }
    std::uint64_t seqAtTime(std::int64_t time) const
    {
        for (const auto& [seq, m] : messages)
            if (m.time >= time)
                return seq;
        return last + 1;
    }
    void settleFirst()
    {
        if (!messages.empty())
            first = messages.begin()->first;
        else if (last > 0 || first > 0)
            first = last + 1;
    }

    std::map<std::uint64_t, Stored> messages;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};

inline NaiveStore::Stored copyOf(const MessageView& m)
{
    return {std::string(m.subject), std::string(m.headers), std::string(m.payload), m.time};
}

/// An empty text if \a store holds exactly what \a model holds and answers as it does, else the
/// first difference.
inline std::string difference(MessageStore& store, const NaiveStore& model)
{
    const auto differs = [](const char* what, auto got, auto wanted) {
        return std::string(what) + " is " + std::to_string(got) + ", not " + std::to_string(wanted);
    };
    const StoreState s = store.state();
    std::uint64_t bytes = 0;
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> subjects; // count, last
    std::map<std::string, std::uint64_t> firsts;
    for (const auto& [seq, m] : model.messages) {
        bytes += store.sizeOf({m.subject, m.headers, m.payload, m.time});
        auto& entry = subjects[m.subject];
        ++entry.first;
        entry.second = seq;
        firsts.try_emplace(m.subject, seq);
        MessageView view;
        if (!store.load(StreamSeq(seq), view))
            return "message " + std::to_string(seq) + " is missing";
        if (copyOf(view) != m || view.seq.value() != seq)
            return "message " + std::to_string(seq) + " has other content";
    }
    if (s.messages != model.messages.size())
        return differs("messages", s.messages, model.messages.size());
    if (s.bytes != bytes)
        return differs("bytes", s.bytes, bytes);
    if (s.first.value() != model.first)
        return differs("first", s.first.value(), model.first);
    if (s.last.value() != model.last)
        return differs("last", s.last.value(), model.last);
    if (s.firstTime != (model.messages.empty() ? 0 : model.messages.begin()->second.time))
        return differs("firstTime", s.firstTime, 0);
    if (s.subjects != subjects.size())
        return differs("subjects", s.subjects, subjects.size());
    for (const auto& [name, entry] : subjects) {
        const auto totals = store.subject(name);
        if (!totals)
            return "subject " + name + " is missing";
        if (totals->count != entry.first)
            return name + differs(": count", totals->count, entry.first);
        if (totals->last.value() != entry.second)
            return name + differs(": last", totals->last.value(), entry.second);
        if (store.firstOf(name).value() != firsts[name])
            return name + differs(": first", store.firstOf(name).value(), firsts[name]);
    }
    std::size_t listed = 0;
    store.forEachSubject(subjects::SubjectFilter(), [&](std::string_view, const SubjectTotals&) {
        ++listed;
        return true;
    });
    if (listed != subjects.size())
        return differs("listed subjects", listed, subjects.size());
    // Whatever lies between first and last is stored or a gap.
    std::uint64_t inGaps = 0;
    if (s.last >= s.first)
        for (const GapRange& gap : store.gaps(s.first, s.last)) {
            inGaps += gap.last - gap.first + 1;
            if (store.contains(gap.first) || store.contains(gap.last))
                return "a gap holds a message";
        }
    if (s.last >= s.first && !s.first.isZero() && inGaps + s.messages != s.last - s.first + 1)
        return differs("gaps", inGaps, s.last - s.first + 1 - s.messages);
    std::uint64_t inBlocks = 0;
    for (const BlockSummary& b : store.blocks())
        inBlocks += b.messages;
    return inBlocks == s.messages ? std::string()
                                  : differs("messages in blocks", inBlocks, s.messages);
}

} // namespace jetglass::store
