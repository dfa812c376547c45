// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/subject_hash.h"

#include <QHash>
#include <QString>

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace jetglass::models {

/// Which of the four subject hues a subject takes, and the short tag that tells subjects apart
/// without colour. A subject of a stream keeps its hue as long as the program runs, in all views; a
/// new one takes a hue that the fewest of the stream have, and of those the one its hash prefers,
/// so that a few subjects differ and mostly come back as they were.
class SubjectHues
{
public:
    static constexpr qsizetype kMaxSubjects = 100'000;

    /// Whose subjects are shown from now on.
    void setStream(StreamId stream) { m_shown = &m_streams[stream]; }

    quint8 hue(quint32 subjectHash)
    {
        Given& given = *m_shown;
        const auto known = given.hues.constFind(subjectHash);
        if (known != given.hues.constEnd())
            return *known;
        if (given.hues.size() >= kMaxSubjects)
            given = {};
        const auto rarest = *std::min_element(given.taken.begin(), given.taken.end());
        auto next = static_cast<std::size_t>(subjectHash % given.taken.size());
        while (given.taken[next] > rarest)
            next = (next + 1) % given.taken.size();
        ++given.taken[next];
        given.hues.insert(subjectHash, static_cast<quint8>(next));
        return static_cast<quint8>(next);
    }

    /// For rows that came without the hash.
    quint8 hue(const std::string& subject) { return hue(subjectHash(subject)); }

    /// Up to four letters of the last token: "orders.created" is "crea".
    static QString tag(const QString& subject)
    {
        return subject.mid(subject.lastIndexOf(QLatin1Char('.')) + 1).left(4);
    }

    /// The same, kept by hash: views ask for it once a cell and frame.
    const QString& tag(quint32 subjectHash, const QString& subject)
    {
        const auto known = m_tags.constFind(subjectHash);
        if (known != m_tags.constEnd())
            return *known;
        if (m_tags.size() >= kMaxSubjects)
            m_tags.clear();
        return *m_tags.insert(subjectHash, tag(subject));
    }

private:
    struct Given
    {
        QHash<quint32, quint8> hues;
        std::array<quint32, 4> taken{}; ///< subjects of each hue
    };
    std::map<StreamId, Given> m_streams;
    Given* m_shown = &m_streams[StreamId{}];
    QHash<quint32, QString> m_tags;
};

} // namespace jetglass::models
