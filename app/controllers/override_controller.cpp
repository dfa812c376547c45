// SPDX-License-Identifier: GPL-3.0-or-later
#include "controllers/override_controller.h"

#include "client/override_name.h"

namespace jetglass::controllers {

namespace {

constexpr int kConfirmMs = 3000;

} // namespace

OverrideController::OverrideController(const client::Connection& window, QObject* parent)
    : QObject(parent)
    , m_window(window)
{
}

OverrideController::~OverrideController() = default;

void OverrideController::connectOwn()
{
    m_own = std::make_unique<client::Connection>();
    connect(m_own.get(), &client::Connection::stateChanged, this, [this] {
        if (m_own->isConnected()) {
            deliver();
        } else if (m_own->state() == client::Connection::State::Failed && m_waiting) {
            m_waiting.reset();
            emit failed(m_own->stateText());
        }
    });
    client::ConnectOptions options = m_window.options();
    options.name = client::kOverrideClient;
    m_own->open(options);
}

void OverrideController::send(const Override& what)
{
    m_waiting = what;
    if (!m_own || m_own->state() == client::Connection::State::Failed
        || m_own->state() == client::Connection::State::Closed)
        return connectOwn();
    if (m_own->isConnected())
        deliver();
}

void OverrideController::deliver()
{
    if (!m_waiting)
        return;
    client::Message answer;
    answer.subject = client::ackSubject(m_waiting->delivery);
    answer.payload = client::ackPayload(m_waiting->kind, m_waiting->delay);
    m_waiting.reset();
    m_own->request(answer, kConfirmMs, this, [this](const client::Reply& reply) {
        if (reply.answered())
            emit done();
        else if (reply.outcome == client::Reply::Outcome::NoResponders)
            emit failed(tr("The consumer is gone: nobody takes the answer."));
        else
            emit failed(tr("The server did not confirm it."));
    });
}

} // namespace jetglass::controllers
