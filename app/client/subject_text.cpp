// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/subject_text.h"

#include <algorithm>

namespace jetglass::client {
namespace {

const QLatin1String kOne("*");
const QLatin1String kRest(">");

} // namespace

bool isValidSubject(const QString& subject)
{
    const QStringList tokens = subject.split(QLatin1Char('.'));
    for (qsizetype i = 0; i < tokens.size(); ++i) {
        const QString& t = tokens[i];
        if (t.isEmpty() || (t == kRest && i + 1 < tokens.size()))
            return false;
        for (const QChar c : t) {
            if (c.isSpace())
                return false;
        }
    }
    return true;
}

bool hasWildcard(const QString& subject)
{
    const QStringList tokens = subject.split(QLatin1Char('.'));
    return std::any_of(
        tokens.begin(), tokens.end(), [](const QString& t) { return t == kOne || t == kRest; });
}

bool subjectMatches(const QString& pattern, const QString& subject)
{
    const QStringList p = pattern.split(QLatin1Char('.'));
    const QStringList s = subject.split(QLatin1Char('.'));
    for (qsizetype i = 0; i < p.size(); ++i) {
        if (p[i] == kRest)
            return s.size() > i;
        if (i >= s.size() || (p[i] != kOne && p[i] != s[i]))
            return false;
    }
    return p.size() == s.size();
}

bool subjectsCollide(const QString& a, const QString& b)
{
    const QStringList x = a.split(QLatin1Char('.'));
    const QStringList y = b.split(QLatin1Char('.'));
    const qsizetype n = std::min(x.size(), y.size());
    for (qsizetype i = 0; i < n; ++i) {
        if (x[i] == kRest || y[i] == kRest)
            return true;
        if (x[i] != kOne && y[i] != kOne && x[i] != y[i])
            return false;
    }
    return x.size() == y.size();
}

} // namespace jetglass::client
