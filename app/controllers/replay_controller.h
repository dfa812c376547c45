// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/api_error.h"
#include "client/connection.h"
#include "controllers/pace_clock.h"
#include "controllers/replay_plan.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <deque>
#include <memory>
#include <optional>

namespace jetglass::controllers {

struct ReplayProgress
{
    quint64 first = 0;
    quint64 last = 0; ///< where it ends, fixed at the start
    quint64 at = 0; ///< sequence that was published last
    quint64 published = 0;
    quint64 failed = 0;
    quint64 waiting = 0; ///< published, pub ack still due
    quint64 next = 0; ///< the message whose time has not come yet, 0 = none waits
    qint64 nextAfter = 0; ///< how long after the one before it came in, ns
    qint64 nextIn = 0; ///< until it goes out, ns
    bool running = false;
    bool cancelled = false;
    std::optional<client::ApiError> error; ///< the last refusal, or why it stopped

    /// Share of the range that is done, 0 to 1000.
    [[nodiscard]] int permille() const;
};

/// Publishes a range of a stream again. Reads with DIRECT.GET where the stream allows it and with
/// MSG.GET otherwise, so it never makes a consumer and moves nothing. GUI thread; reading runs
/// ahead of publishing by a bounded buffer.
class ReplayController : public QObject
{
    Q_OBJECT
public:
    static constexpr std::size_t kReadAhead = 512;
    static constexpr quint64 kMaxWaiting = 128;

    explicit ReplayController(client::Connection* connection, QObject* parent = nullptr);
    ReplayController(client::Connection* connection,
        std::unique_ptr<PaceClock> clock,
        QObject* parent = nullptr);

    /// \a acked: some stream captures the target, so a pub ack is expected for each message. \a
    /// last must be known.
    void start(const ReplayPlan& plan, bool direct, bool acked);
    void cancel();
    [[nodiscard]] const ReplayProgress& progress() const { return m_progress; }

signals:
    void progressChanged(const jetglass::controllers::ReplayProgress& progress);
    void finished(const jetglass::controllers::ReplayProgress& progress);

private:
    struct Stored
    {
        quint64 seq = 0;
        qint64 time = 0; ///< wall ns
        client::Message message; ///< as it will be published
    };

    void read();
    void readDirect();
    void readOne();
    void onDirect(const client::Reply& reply);
    void onOne(const client::Reply& reply);
    void take(quint64 seq, qint64 time, const client::Message& old);
    void endOfReading();
    void fail(const client::ApiError& error);
    void pump();
    void publish(const Stored& stored);
    void waitFor(const Stored& next, qint64 due);
    void report();
    void endIfDone();
    void stop();

    QPointer<client::Connection> m_connection;
    ReplayPlan m_plan;
    ReplayProgress m_progress;
    bool m_direct = false;
    bool m_acked = true;
    bool m_readAll = false;
    quint64 m_request = 0; ///< read in flight
    quint64 m_nextSeq = 1;
    quint64 m_run = 0;
    std::deque<Stored> m_buffer;
    qint64 m_lastTime = 0; ///< stored time of the message published last
    qint64 m_dueAt = 0; ///< on m_clock, ns
    qint64 m_nextDue = 0; ///< of the message that waits, on m_clock, ns
    std::unique_ptr<PaceClock> m_clock;
    QTimer m_report;
};

/// Nanoseconds since 1970 of an RFC 3339 time with up to nine fraction digits; 0 if it cannot be
/// read.
[[nodiscard]] qint64 wallTimeFromText(const QString& text);

} // namespace jetglass::controllers
