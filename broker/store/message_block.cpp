// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/message_block.h"

#include <algorithm>

namespace jetglass::store {

std::size_t MessageBlock::lowerSlot(std::uint64_t seq) const
{
    if (seq <= base)
        return 0;
    const std::uint64_t delta = seq - base;
    if (slots.empty() || delta > slots.back().delta)
        return slots.size();
    // Without gaps the slot is where its delta says; with gaps it is before that.
    const std::size_t guess = std::min<std::size_t>(delta, slots.size() - 1U);
    if (slots[guess].delta == delta)
        return guess;
    const auto end = slots.begin() + static_cast<std::ptrdiff_t>(guess) + 1;
    const auto it =
        std::lower_bound(slots.begin(), end, delta, [](const Slot& slot, std::uint64_t d) {
            return slot.delta < d;
        });
    return static_cast<std::size_t>(it - slots.begin());
}

Slot* MessageBlock::find(std::uint64_t seq)
{
    if (seq < base || seq > last)
        return nullptr;
    const std::size_t i = lowerSlot(seq);
    return i < slots.size() && base + slots[i].delta == seq ? &slots[i] : nullptr;
}

BlockSubject* MessageBlock::findSubject(SubjectTable::Id id, const SubjectTable& table)
{
    if (!sealed) {
        const auto& entry = table.entry(id);
        const bool here = entry.tailBlock == serial && entry.tailPos < subjects.size()
            && subjects[entry.tailPos].id == id;
        return here ? &subjects[entry.tailPos] : nullptr;
    }
    const auto it = std::lower_bound(
        subjects.begin(), subjects.end(), id, [](const BlockSubject& s, SubjectTable::Id wanted) {
            return s.id < wanted;
        });
    return it != subjects.end() && it->id == id ? &*it : nullptr;
}

void MessageBlock::noteSubject(SubjectTable::Id id, std::uint32_t delta, SubjectTable& table)
{
    if (BlockSubject* known = findSubject(id, table)) {
        if (known->count++ == 0)
            known->firstDelta = delta;
        known->lastDelta = delta;
        return;
    }
    auto& entry = table.entry(id);
    entry.tailBlock = serial;
    entry.tailPos = static_cast<std::uint32_t>(subjects.size());
    subjects.push_back({id, 1, delta, delta});
}

void MessageBlock::unseal()
{
    sealed = false;
    signature = {};
}

void MessageBlock::seal()
{
    sealed = true;
    // One that was opened by its index has it already.
    if (!signature.built()) {
        std::vector<SubjectTable::Id> ids;
        ids.reserve(subjects.size());
        for (const BlockSubject& s : subjects)
            ids.push_back(s.id);
        signature.build(ids);
    }
    // A number whose messages are all gone may soon stand for another subject.
    std::erase_if(subjects, [](const BlockSubject& s) { return s.count == 0; });
    std::sort(subjects.begin(), subjects.end(), [](const BlockSubject& a, const BlockSubject& b) {
        return a.id < b.id;
    });
}

void MessageBlock::listSubjects()
{
    subjects.clear();
    for (const Slot& slot : slots)
        if (slot.live())
            subjects.push_back({slot.subject, 1, slot.delta, slot.delta});
    seal();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        if (kept == 0 || subjects[kept - 1U].id != subjects[i].id) {
            subjects[kept++] = subjects[i];
            continue;
        }
        BlockSubject& known = subjects[kept - 1U];
        ++known.count;
        known.firstDelta = std::min(known.firstDelta, subjects[i].firstDelta);
        known.lastDelta = std::max(known.lastDelta, subjects[i].lastDelta);
    }
    subjects.resize(kept);
    subjects.shrink_to_fit();
}

} // namespace jetglass::store
