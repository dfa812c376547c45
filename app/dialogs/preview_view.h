// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/preview.h"

#include <QWidget>

class QLabel;
class QTableWidget;

namespace jetglass::dialogs {

/// What exactly would go: count, bytes, sequences, a sample, and what consumers lose.
class PreviewView : public QWidget
{
    Q_OBJECT
public:
    explicit PreviewView(QWidget* parent = nullptr);

    /// Until the next answer is there.
    void setAsking();
    /// What goes is the stream itself: nothing stays.
    void setDeletes();
    /// The stream jumps on to \a first, 0 = it does not. Counts from the next setPreview() on.
    void setJump(quint64 first);
    void setPreview(const PreviewAnswer& preview);
    [[nodiscard]] QString headline() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void fillSample();
    void fillConsumers();
    [[nodiscard]] QString range() const;

    PreviewAnswer m_preview;
    bool m_known = false;
    bool m_deletes = false;
    quint64 m_jumpsTo = 0;
    QLabel* m_headline;
    QLabel* m_range;
    QLabel* m_sampleLabel;
    QTableWidget* m_sample;
    QLabel* m_consumersLabel;
    QTableWidget* m_consumers;
};

} // namespace jetglass::dialogs
