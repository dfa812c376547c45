// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/message.h"

#include <QObject>

#include <functional>
#include <mutex>
#include <vector>

namespace jetglass::client {

/// Something that came in on one of nats.c's threads or on the connection's worker.
struct Arrival
{
    enum class Kind
    {
        Reply, ///< message for the request \a key
        Delivery, ///< message for the subscription \a key
        Failed, ///< the request or subscription \a key could not be sent; \a text says why
        Opened, ///< connected for the first time
        OpenFailed,
        Disconnected,
        Reconnected,
        Closed,
        ServerError ///< the server complained (-ERR), \a text is its own
    };
    Kind kind = Kind::Reply;
    quint64 key = 0;
    Message message;
    QString text;
    qint64 number = 0; ///< Opened, Reconnected: max_payload
};

/// The way from nats.c's threads to the GUI thread. Any thread pushes; the receiver takes
/// everything in one queued call, however much came in meanwhile. Shared by the connection, its
/// worker and nats.c's closures, so a callback that is still running when the connection goes finds
/// a detached object and not a dangling one.
class Arrivals
{
public:
    /// More undelivered messages than this are dropped and counted, so that a fast subject cannot
    /// fill the memory.
    static constexpr std::size_t kMaxDeliveries = 65536;

    Arrivals(QObject* receiver, std::function<void()> wake)
        : m_receiver(receiver)
        , m_wake(std::move(wake))
    {
    }

    void push(Arrival arrival);
    [[nodiscard]] std::vector<Arrival> take();
    /// After this nothing is delivered any more. Called on the receiver's thread before it is
    /// destroyed.
    void detach();
    [[nodiscard]] quint64 dropped() const;

private:
    mutable std::mutex m_mutex;
    QObject* m_receiver;
    std::function<void()> m_wake;
    std::vector<Arrival> m_waiting;
    quint64 m_dropped = 0;
};

} // namespace jetglass::client
