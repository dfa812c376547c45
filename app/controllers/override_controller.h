// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/fetch.h"

#include <QObject>

#include <chrono>
#include <memory>
#include <optional>

namespace jetglass::controllers {

/// An answer in place of the client that holds a delivery.
struct Override
{
    client::DeliveryInfo delivery;
    client::AckKind kind = client::AckKind::Ack;
    std::chrono::nanoseconds delay{0}; ///< NakDelay only
};

/// Answers for pending deliveries that this window was never given, by publishing to the ack
/// subject that the broker gave to their client. It has a connection of its own, opened at the
/// first override, so that every view can tell these answers from a client's.
class OverrideController final : public QObject
{
    Q_OBJECT
public:
    /// \a window says where to connect; it must outlive this.
    explicit OverrideController(const client::Connection& window, QObject* parent = nullptr);
    ~OverrideController() override;

    /// One at a time: an override that still waits is replaced.
    void send(const Override& what);

signals:
    void done(); ///< the broker confirmed that it took the answer
    void failed(const QString& words);

private:
    void connectOwn();
    void deliver();

    const client::Connection& m_window;
    std::unique_ptr<client::Connection> m_own;
    std::optional<Override> m_waiting;
};

} // namespace jetglass::controllers
