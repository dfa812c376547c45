// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"

#include <QObject>

namespace jetglass::models {

/// What the reader looks at: one stream, perhaps a consumer, perhaps a sequence. Every view sets
/// and follows this one object, so that they never disagree. Setting a stream forgets consumer and
/// sequence.
class Selection final : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] StreamId stream() const { return m_stream; }
    [[nodiscard]] ConsumerId consumer() const { return m_consumer; }
    [[nodiscard]] quint64 sequence() const { return m_sequence; }

    void setStream(StreamId stream)
    {
        if (stream == m_stream)
            return;
        m_stream = stream;
        m_consumer = {};
        m_sequence = 0;
        emit streamChanged();
        emit consumerChanged();
        emit sequenceChanged();
    }
    void setConsumer(StreamId stream, ConsumerId consumer)
    {
        setStream(stream);
        if (consumer == m_consumer)
            return;
        m_consumer = consumer;
        emit consumerChanged();
    }
    void setSequence(quint64 sequence)
    {
        if (sequence == m_sequence)
            return;
        m_sequence = sequence;
        emit sequenceChanged();
    }

signals:
    void streamChanged();
    void consumerChanged();
    void sequenceChanged();

private:
    StreamId m_stream{};
    ConsumerId m_consumer{};
    quint64 m_sequence = 0;
};

} // namespace jetglass::models
