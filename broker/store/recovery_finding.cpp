// SPDX-License-Identifier: GPL-3.0-or-later
#include "broker/recovery_finding.h"

namespace jetglass {

namespace {

using Kind = RecoveryFinding::Kind;

std::string quoted(const std::vector<std::string>& names)
{
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "'" : ", '") + name + "'";
    return all;
}

std::string broughtBack(const RecoveryFinding& f)
{
    return std::to_string(f.streams.size()) + " streams and " + std::to_string(f.consumers)
        + " consumers, which begin at their deliver policy again";
}

std::string keptAside(const RecoveryFinding& f)
{
    const std::size_t name = f.aside.rfind('/') + 1U; // of npos too
    return f.aside.empty() ? std::string() : "; as it was it is kept as " + f.aside.substr(name);
}

std::string range(const RecoveryFinding& f)
{
    return "sequences " + std::to_string(f.first) + " to " + std::to_string(f.last);
}

} // namespace

std::string recoveryLine(const RecoveryFinding& f)
{
    const std::string file = f.file + ": ";
    const std::string bytes = file + std::to_string(f.bytes) + " bytes ";
    switch (f.kind) {
    case Kind::BytesDamaged:
        return bytes + "are damaged" + keptAside(f);
    case Kind::TornEndCut:
        return bytes + "at the end are torn and were cut";
    case Kind::EndDamaged:
        return bytes + "at the end are damaged" + keptAside(f);
    case Kind::HeadRewritten:
        return file + "the head of the file is damaged; written anew" + keptAside(f);
    case Kind::BlockSetAside:
        return file + "is not a message block; set aside as .damaged";
    case Kind::UnfinishedBlockRemoved:
        return file + "was never finished; removed";
    case Kind::BatchTakenBack:
        return file + range(f) + " belong together and were not all written; taken back";
    case Kind::IndexRebuilt:
        return file + "does not fit its block; made anew from the block";
    case Kind::NewestBlockMissing:
        return file + "the newest block is missing; it held the messages from sequence "
            + std::to_string(f.first) + " on";
    case Kind::SequencesLost:
        return file + range(f) + " are lost";
    case Kind::ConsumersAhead:
        return "stream " + quoted(f.streams) + ": consumers have had sequence "
            + std::to_string(f.last) + ", but the newest that is stored is "
            + std::to_string(f.first - 1U) + "; those between are lost, and it goes on behind them";
    case Kind::UnknownStreamLeft:
        return file
            + "holds messages, but neither the catalog nor a config.json says of which stream;"
              " left as it is";
    case Kind::ConsumerLogCut:
        return bytes + "at the end are torn and were cut";
    case Kind::ConsumerLogSetAside:
        return file + "not a consumer log of this version; set aside as .damaged";
    case Kind::ConsumerLost:
        return file + "the catalog has lost consumer '" + f.consumer + "' of stream "
            + quoted(f.streams) + "; its copy is set aside as .damaged";
    case Kind::CatalogDamaged:
        return file + f.detail + "; set aside as " + f.aside + " and made anew with "
            + broughtBack(f);
    case Kind::CatalogMissing:
        return file + "is missing; made anew with " + broughtBack(f);
    case Kind::CatalogEmpty:
        return file + "is empty; made anew with " + broughtBack(f);
    case Kind::CatalogLostStreams:
        return file + "had lost " + quoted(f.streams) + "; their copies brought back "
            + broughtBack(f);
    case Kind::LossNotRecorded:
    case Kind::CatalogNotRestored:
        return f.detail;
    }
    return {};
}

} // namespace jetglass
