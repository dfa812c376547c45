// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/subject_hash.h"

#include <QHash>
#include <QString>

#include <algorithm>
#include <array>
#include <string>

namespace jetglass::models {

/// Which of the four subject hues a subject takes, and the short tag that tells subjects apart
/// without colour. A subject keeps its hue as long as the program runs, in whatever stream and view
/// it shows; a new one takes a hue that the fewest have, and of those the one its hash prefers, so
/// that a few subjects differ and mostly come back as they were.
class SubjectHues
{
public:
    static constexpr qsizetype kMaxSubjects = 100'000;

    quint8 hue(quint32 subjectHash)
    {
        const auto known = m_hues.constFind(subjectHash);
        if (known != m_hues.constEnd())
            return *known;
        if (m_hues.size() >= kMaxSubjects)
            forget();
        const auto rarest = *std::min_element(m_taken.begin(), m_taken.end());
        auto next = static_cast<std::size_t>(subjectHash % m_taken.size());
        while (m_taken[next] > rarest)
            next = (next + 1) % m_taken.size();
        ++m_taken[next];
        m_hues.insert(subjectHash, static_cast<quint8>(next));
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
    void forget()
    {
        m_hues.clear();
        m_taken = {};
    }

    QHash<quint32, quint8> m_hues;
    std::array<quint32, 4> m_taken{}; ///< subjects of each hue
    QHash<quint32, QString> m_tags;
};

} // namespace jetglass::models
