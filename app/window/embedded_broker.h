// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/broker.h"

#include <QObject>

#include <memory>
#include <optional>
#include <thread>

namespace jetglass::window {

/// The broker inside the program. Starting recovers the store, which may take its time, so it
/// happens on a thread of its own; the window is there meanwhile.
class EmbeddedBroker final : public QObject
{
    Q_OBJECT
public:
    explicit EmbeddedBroker(QObject* parent = nullptr);
    ~EmbeddedBroker() override; ///< stops it, and waits for a start that is under way

    void start(BrokerConfig config);
    [[nodiscard]] Broker* broker() const { return m_broker.get(); }
    [[nodiscard]] const BrokerConfig& config() const { return m_config; }
    /// Orderly stop; does nothing if it does not run.
    void stop();

    /// The next port from \a from upwards that can be bound now, 0 if none of the next hundred can.
    static int nextFreePort(int from);

signals:
    void started();
    void failed(const jetglass::Error& error);

private:
    void take(const std::shared_ptr<std::optional<Result<std::unique_ptr<Broker>>>>& result);

    BrokerConfig m_config;
    std::unique_ptr<Broker> m_broker;
    std::thread m_starter;
};

} // namespace jetglass::window
