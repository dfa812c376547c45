// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/page_source.h"

#include <vector>

namespace jetglass::tests {

/// Message rows made from the position itself, so that 10^15 of them cost nothing.
class SamplePages : public items::PageSource
{
    Q_OBJECT

public:
    explicit SamplePages(QObject* parent = nullptr);
    void setBounds(quint64 first, quint64 last);
    void setLoaded(bool loaded);

    [[nodiscard]] quint64 firstPosition() const override { return m_first; }
    [[nodiscard]] quint64 lastPosition() const override { return m_last; }
    [[nodiscard]] const items::MessageItem* row(quint64 position) const override;
    void request(quint64 first, quint64 last) override;
    [[nodiscard]] std::optional<quint64> seqAt(quint64 position) const override { return position; }
    [[nodiscard]] std::optional<quint64> positionOf(quint64 seq) const override { return seq; }

    int requests = 0;
    quint64 requestedFirst = 0;
    quint64 requestedLast = 0;

private:
    quint64 m_first = 1;
    quint64 m_last = 0;
    bool m_loaded = true;
    mutable std::vector<items::MessageItem> m_rows; ///< ring by position
};

} // namespace jetglass::tests
