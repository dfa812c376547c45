// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "naive_store.h"

#include <random>

namespace jetglass::store {

/// Does the same random things to a store and to the model; says where the answers differ.
class RandomOperations
{
public:
    RandomOperations(unsigned seed, int subjectCount)
        : m_random(seed)
        , m_subjectCount(subjectCount)
    {
    }

    std::uint64_t below(std::uint64_t n)
    {
        return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(m_random);
    }

    NaiveStore::Stored message()
    {
        m_time += static_cast<std::int64_t>(below(1000));
        const auto n = below(static_cast<std::uint64_t>(m_subjectCount));
        std::string headers =
            below(4) == 0 ? "NATS/1.0\r\nA: " + std::to_string(below(100)) + "\r\n\r\n" : "";
        return {"s." + std::to_string(n % 7) + "." + std::to_string(n),
            std::move(headers),
            std::string(below(200), static_cast<char>('a' + below(26))),
            m_time};
    }

    subjects::SubjectFilter filter()
    {
        const auto n = below(static_cast<std::uint64_t>(m_subjectCount));
        const std::string literal = "s." + std::to_string(n % 7) + "." + std::to_string(n);
        switch (below(5)) {
        case 0:
            return {};
        case 1:
            return subjects::SubjectFilter({"s." + std::to_string(n % 7) + ".*"});
        case 2:
            return subjects::SubjectFilter({literal, "s.1.>"});
        case 3:
            return subjects::SubjectFilter({"nobody"});
        default:
            return subjects::SubjectFilter({literal});
        }
    }

    std::uint64_t sequence(const NaiveStore& model) { return below(model.last + 3); }

    std::string change(MessageStore& store, NaiveStore& model)
    {
        switch (below(24)) {
        case 0:
            return remove(store, model, model.first);
        case 1:
        case 2:
        case 3:
        case 4:
            return remove(store, model, sequence(model));
        case 5: {
            const auto n = model.first + below(20);
            return same("removeBelow",
                store.removeBelow(StreamSeq(n), Removal::Purge).count,
                model.removeBelow(n));
        }
        case 6: {
            if (below(4) != 0)
                return {};
            const auto f = filter();
            const auto bound = below(2) == 0 ? 0 : sequence(model);
            const auto keep = bound == 0 ? below(4) : 0;
            return same("removeMatching",
                store.removeMatching(f, StreamSeq(bound), keep, Removal::Purge).count,
                model.removeMatching(f, bound, keep));
        }
        case 7: {
            const auto n = below(3) == 0 ? 1'000'000'000'000ULL : below(5);
            store.skip(n, m_time, Removal::NoInterest);
            model.skip(n);
            return {};
        }
        case 8: {
            const auto m = message();
            const auto seq = model.last + 1 + below(50);
            store.appendAt(StreamSeq(seq), view(m));
            model.appendAt(seq, m);
            return {};
        }
        default: {
            const auto m = message();
            return same("append", store.append(view(m)).value(), model.append(m));
        }
        }
    }

    std::string ask(MessageStore& store, const NaiveStore& model)
    {
        const auto f = filter();
        const auto seq = below(3) == 0 ? sequence(model) : model.first + below(300);
        if (auto d =
                same("findNext", store.findNext(f, StreamSeq(seq)).value(), model.findNext(f, seq));
            !d.empty())
            return d;
        if (auto d = same("count", store.count(f, StreamSeq(seq)), model.count(f, seq)); !d.empty())
            return d;
        MessageView found;
        const auto last = store.loadLast(f, StreamSeq(seq), found) ? found.seq.value() : 0;
        if (auto d = same("loadLast", last, model.findLast(f, seq)); !d.empty())
            return d;
        const auto next = store.loadNext(f, StreamSeq(seq), found) ? found.seq.value() : 0;
        if (auto d = same("loadNext", next, model.findNext(f, seq)); !d.empty())
            return d;
        const auto time = static_cast<std::int64_t>(below(static_cast<std::uint64_t>(m_time) + 10));
        return same("seqAtTime", store.seqAtTime(time).value(), model.seqAtTime(time));
    }

    static NewMessage view(const NaiveStore::Stored& m)
    {
        return {m.subject, m.headers, m.payload, m.time};
    }

private:
    static std::string same(const char* what, std::uint64_t got, std::uint64_t wanted)
    {
        if (got == wanted)
            return {};
        return std::string(what) + " answers " + std::to_string(got) + ", not "
            + std::to_string(wanted);
    }
    std::string remove(MessageStore& store, NaiveStore& model, std::uint64_t seq)
    {
        const bool erase = below(8) == 0;
        return same("remove",
            store.remove(StreamSeq(seq), Removal::Delete, erase) ? 1 : 0,
            model.remove(seq) ? 1 : 0);
    }

    std::mt19937 m_random;
    int m_subjectCount;
    std::int64_t m_time = 1'000'000;
};

} // namespace jetglass::store
