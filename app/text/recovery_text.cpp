// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/recovery_text.h"

#include "text/quantity.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>

namespace jetglass::text {

namespace {

struct RecoveryText
{
    Q_DECLARE_TR_FUNCTIONS(RecoveryText)
};

using Kind = RecoveryFinding::Kind;

/// For plural forms.
int amount(std::uint64_t n)
{
    return static_cast<int>(std::min<std::uint64_t>(n, std::numeric_limits<int>::max()));
}

QString streamsOf(const RecoveryFinding& f)
{
    QStringList names;
    for (const std::string& name : f.streams)
        names << QString::fromStdString(name);
    return names.join(RecoveryText::tr(", "));
}

/// What came from the copies.
QString broughtBack(const RecoveryFinding& f)
{
    return QLatin1Char(' ')
        + RecoveryText::tr("Brought back: streams %1, and %Ln consumer(s), which begin at their "
                           "deliver policy again.",
            nullptr,
            amount(f.consumers))
              .arg(streamsOf(f));
}

QString brokersWords(const RecoveryFinding& f)
{
    return QLatin1Char(' ')
        + RecoveryText::tr("In the broker's words: %1").arg(QString::fromStdString(f.detail));
}

/// Nothing when it was mended without losing what was there, or could not be copied.
QString keptAside(const RecoveryFinding& f)
{
    return f.aside.empty() ? QString()
                           : QLatin1Char(' ')
            + RecoveryText::tr("As it was it is kept as %1.").arg(QString::fromStdString(f.aside));
}

/// Of a write that was under way: nobody was told that it was stored, so no copy is kept.
QString tornEnd(const RecoveryFinding& f, const QString& file)
{
    return RecoveryText::tr("%1: the last write was not finished; its %Ln byte(s) were cut off.",
        nullptr,
        amount(f.bytes))
        .arg(file);
}

/// Of one block.
QString blockText(const RecoveryFinding& f, const QString& file)
{
    switch (f.kind) {
    case Kind::BytesDamaged:
        return RecoveryText::tr("%1: %Ln byte(s) are damaged.", nullptr, amount(f.bytes)).arg(file)
            + keptAside(f);
    case Kind::TornEndCut:
        return tornEnd(f, file);
    case Kind::EndDamaged:
        return RecoveryText::tr("%1: %Ln byte(s) at the end are damaged.", nullptr, amount(f.bytes))
                   .arg(file)
            + keptAside(f);
    case Kind::HeadRewritten:
        return RecoveryText::tr("%1: the head of the file was damaged and has been written anew.")
                   .arg(file)
            + keptAside(f);
    case Kind::BlockSetAside:
        return RecoveryText::tr("%1 is not a message block. It is kept as %2.")
            .arg(file, QString::fromStdString(f.aside));
    case Kind::UnfinishedBlockRemoved:
        return RecoveryText::tr("%1 was never finished and has been removed.").arg(file);
    case Kind::BatchTakenBack:
        return RecoveryText::tr("%1: sequences %2 to %3 belong together and were not all written, "
                                "so all of them were taken back.")
            .arg(file, count(f.first), count(f.last));
    case Kind::IndexRebuilt:
        return RecoveryText::tr("%1 did not fit its block and is made anew from it.").arg(file);
    case Kind::NewestBlockMissing:
        return RecoveryText::tr("%1, the newest block, is missing. It held the messages from "
                                "sequence %2 on.")
            .arg(file, count(f.first));
    default:
        return {};
    }
}

QString streamText(const RecoveryFinding& f, const QString& file)
{
    switch (f.kind) {
    case Kind::SequencesLost:
        return f.first == f.last
            ? RecoveryText::tr("%1: sequence %2 is lost.").arg(file, count(f.first))
            : RecoveryText::tr("%1: sequences %2 to %3 are lost.")
                  .arg(file, count(f.first), count(f.last));
    case Kind::LossNotRecorded:
        return RecoveryText::tr("%1: what is lost could not be recorded; the next start finds it "
                                "again.")
                   .arg(file)
            + brokersWords(f);
    case Kind::ConsumersAhead:
        return RecoveryText::tr("Stream %1: consumers have had messages up to sequence %2, but "
                                "those from %3 on are not stored any more. New messages come "
                                "behind them.")
            .arg(streamsOf(f), count(f.last), count(f.first));
    case Kind::UnknownStreamLeft:
        return RecoveryText::tr("%1 holds messages, but neither the catalog nor a config.json "
                                "tells of which stream. It was left as it is.")
            .arg(file);
    case Kind::ConsumerLogCut:
        return tornEnd(f, file);
    case Kind::ConsumerLogSetAside:
        return RecoveryText::tr("%1 is not a consumer log of this version. It is kept as %2; "
                                "consumers go on from what the catalog has of them.")
            .arg(file, QString::fromStdString(f.aside));
    case Kind::ConsumerLost:
        return RecoveryText::tr("The catalog has lost consumer %1 of stream %2; it has to be "
                                "created again. Its configuration is kept in %3.")
            .arg(QString::fromStdString(f.consumer),
                streamsOf(f),
                f.aside.empty() ? file : QString::fromStdString(f.aside));
    default:
        return {};
    }
}

QString catalogText(const RecoveryFinding& f, const QString& file)
{
    switch (f.kind) {
    case Kind::CatalogDamaged:
        return RecoveryText::tr("%1 was damaged. It is kept as %2 and has been made anew from the "
                                "copies beside the streams.")
                   .arg(file, QString::fromStdString(f.aside))
            + broughtBack(f) + brokersWords(f);
    case Kind::CatalogMissing:
        return RecoveryText::tr("%1 was missing and has been made anew from the copies beside the "
                                "streams.")
                   .arg(file)
            + broughtBack(f);
    case Kind::CatalogEmpty:
        return RecoveryText::tr("%1 was empty and has been made anew from the copies beside the "
                                "streams.")
                   .arg(file)
            + broughtBack(f);
    case Kind::CatalogLostStreams:
        return RecoveryText::tr("%1 had lost streams.").arg(file) + broughtBack(f);
    case Kind::CatalogNotRestored:
        return RecoveryText::tr("%1 lacks streams, which could not be brought back from their "
                                "copies.")
                   .arg(file)
            + brokersWords(f);
    default:
        return {};
    }
}

} // namespace

QString recoveryText(const RecoveryFinding& finding)
{
    const QString file = QString::fromStdString(finding.file);
    for (const auto wordsOf : {blockText, streamText, catalogText})
        if (QString words = wordsOf(finding, file); !words.isEmpty())
            return words;
    return {};
}

QString recoveryPlace(const RecoveryFinding& finding)
{
    constexpr int kParts = 3; // stream, folder, file
    return finding.file.empty()
        ? streamsOf(finding)
        : QString::fromStdString(finding.file).section(QLatin1Char('/'), -kParts);
}

} // namespace jetglass::text
