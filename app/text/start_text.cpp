// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/start_text.h"

#include <QCoreApplication>

namespace jetglass::text {

namespace {

struct StartText
{
    Q_DECLARE_TR_FUNCTIONS(StartText)
};

using Problem = StartProblem::Kind;

/// Every message about the store names the file as it is opened: below the folder that was given.
QString fileIn(const QString& words, const QString& store)
{
    const qsizetype from = store.isEmpty() ? -1 : words.indexOf(store);
    if (from < 0)
        return {};
    qsizetype to = words.indexOf(QLatin1String(": "), from);
    if (to < 0)
        to = words.size();
    return words.mid(from, to - from);
}

Problem kindOf(Errc code, const QString& file)
{
    switch (code) {
    case Errc::InUse:
        return file.isEmpty() ? Problem::PortTaken : Problem::StoreTaken;
    case Errc::Unsupported:
        if (file.isEmpty())
            return Problem::Other;
        return file.endsWith(QLatin1String(".inf")) ? Problem::ForeignStore : Problem::OtherVersion;
    case Errc::Corrupt:
        return file.isEmpty() ? Problem::Other : Problem::Damaged;
    case Errc::NoSpace:
        return Problem::DiskFull;
    case Errc::Io:
    case Errc::NotFound:
        return file.isEmpty() ? Problem::Other : Problem::NoAccess;
    default:
        return Problem::Other;
    }
}

QString reasonOf(const StartProblem& problem)
{
    switch (problem.kind) {
    case Problem::PortTaken:
        return StartText::tr("Another program listens there: a nats-server, or another Jetglass.");
    case Problem::StoreTaken:
        return StartText::tr("Another Jetglass has the streams in %1 open.").arg(problem.file);
    case Problem::ForeignStore:
        return StartText::tr("%1 belongs to the store of a nats-server, which Jetglass cannot "
                             "read. Nothing was changed.")
            .arg(problem.file);
    case Problem::OtherVersion:
        return StartText::tr("%1 was not written by this version of Jetglass. Nothing was changed.")
            .arg(problem.file);
    case Problem::Damaged:
        return StartText::tr("%1 is damaged, and what lies beside it is not enough to make it "
                             "anew. Nothing was changed.")
            .arg(problem.file);
    case Problem::DiskFull:
        return StartText::tr("There is no space left on the disk of the store.");
    case Problem::NoAccess:
        return StartText::tr("%1 cannot be opened, read or written.").arg(problem.file);
    case Problem::Other:
        break;
    }
    return problem.words;
}

bool wordsTellMore(Problem kind)
{
    return kind == Problem::OtherVersion || kind == Problem::Damaged || kind == Problem::DiskFull
        || kind == Problem::NoAccess;
}

} // namespace

StartProblem startProblem(const Error& error, const QString& store)
{
    StartProblem problem;
    problem.words = QString::fromStdString(error.text);
    problem.file = fileIn(problem.words, store);
    problem.kind = kindOf(error.code, problem.file);
    return problem;
}

QString startReason(const StartProblem& problem)
{
    QString reason = reasonOf(problem);
    if (!wordsTellMore(problem.kind))
        return reason;
    return reason + QStringLiteral("\n\n")
        + StartText::tr("In the broker's words: %1").arg(problem.words);
}

} // namespace jetglass::text
