// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/embedded_broker.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace jetglass::window {

namespace {

bool canBind(int port)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    const int on = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool free = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address)
        == 0; // NOLINT: POSIX
    ::close(fd);
    return free;
}

} // namespace

EmbeddedBroker::EmbeddedBroker(QObject* parent)
    : QObject(parent)
{
}

EmbeddedBroker::~EmbeddedBroker()
{
    stop();
}

void EmbeddedBroker::start(BrokerConfig config)
{
    stop();
    m_config = config;
    m_starter = std::thread([this, config = std::move(config)]() mutable {
        auto result = std::make_shared<std::optional<Result<std::unique_ptr<Broker>>>>();
        result->emplace(Broker::start(std::move(config)));
        QMetaObject::invokeMethod(
            this, [this, result] { take(result); }, Qt::QueuedConnection);
    });
}

void EmbeddedBroker::take(
    const std::shared_ptr<std::optional<Result<std::unique_ptr<Broker>>>>& result)
{
    if (m_starter.joinable())
        m_starter.join();
    if (!(*result)->ok()) {
        emit failed((*result)->error());
        return;
    }
    m_broker = std::move((*result)->value());
    emit started();
}

void EmbeddedBroker::stop()
{
    if (m_starter.joinable())
        m_starter.join();
    if (!m_broker)
        return;
    m_broker->stop();
    m_broker->wait();
    m_broker.reset();
}

int EmbeddedBroker::nextFreePort(int from)
{
    for (int port = from; port < from + 100 && port < 65536; ++port) {
        if (canBind(port))
            return port;
    }
    return 0;
}

} // namespace jetglass::window
