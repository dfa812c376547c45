// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>

namespace jetglass::models {

/// Which of the four subject hues a subject takes, in order of appearance, and the short tag that
/// tells subjects apart without colour.
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
            m_hues.clear();
        const auto next = static_cast<quint8>(m_hues.size() % 4);
        m_hues.insert(subjectHash, next);
        return next;
    }

    /// The broker's hash belongs to this subject.
    void learn(const QString& subject, quint32 subjectHash)
    {
        if (m_hashes.size() < kMaxSubjects)
            m_hashes.insert(subject, subjectHash);
    }

    /// For rows that came without a hash: the same hue as the lanes show, once they have shown it.
    quint8 hue(const QString& subject)
    {
        const auto known = m_hashes.constFind(subject);
        return hue(known != m_hashes.constEnd() ? *known : static_cast<quint32>(qHash(subject, 0)));
    }

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

    void clear()
    {
        m_hues.clear();
        m_hashes.clear();
        m_tags.clear();
    }

private:
    QHash<quint32, quint8> m_hues;
    QHash<QString, quint32> m_hashes;
    QHash<quint32, QString> m_tags;
};

} // namespace jetglass::models
