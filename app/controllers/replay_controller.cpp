// SPDX-License-Identifier: GPL-3.0-or-later
#include "controllers/replay_controller.h"

#include "client/publish.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace jetglass::controllers {

using namespace Qt::StringLiterals;

namespace {

constexpr int kReadBatch = 128;
constexpr int kReadTimeoutMs = 5000;

/// The block "NATS/1.0\r\nName: value\r\n\r\n" of MSG.GET.
QList<client::Header> headersOf(const QByteArray& block)
{
    QList<client::Header> headers;
    const QList<QByteArray> lines = block.split('\n');
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const qsizetype colon = lines[i].indexOf(':');
        if (colon > 0)
            headers.append({QString::fromUtf8(lines[i].left(colon)),
                QString::fromUtf8(lines[i].mid(colon + 1)).trimmed()});
    }
    return headers;
}

} // namespace

qint64 wallTimeFromText(const QString& text)
{
    // QDateTime knows milliseconds; the pace of a fast publisher needs the digits behind them.
    const qsizetype dot = text.indexOf(u'.');
    const QString head = dot < 0 ? text : QString(text.left(dot) + u'Z');
    const QDateTime t = QDateTime::fromString(head, Qt::ISODate);
    if (!t.isValid())
        return 0;
    qint64 ns = 0;
    if (dot >= 0) {
        QString digits;
        for (qsizetype i = dot + 1; i < text.size() && text[i].isDigit(); ++i)
            digits += text[i];
        ns = digits.leftJustified(9, u'0', true).toLongLong();
    }
    return t.toSecsSinceEpoch() * 1000000000 + ns;
}

int ReplayProgress::permille() const
{
    if (last < first || at < first)
        return 0;
    return static_cast<int>((at - first + 1) * 1000 / (last - first + 1));
}

ReplayController::ReplayController(client::Connection* connection, QObject* parent)
    : ReplayController(connection, std::make_unique<RealPaceClock>(), parent)
{
}

ReplayController::ReplayController(
    client::Connection* connection, std::unique_ptr<PaceClock> clock, QObject* parent)
    : QObject(parent)
    , m_connection(connection)
    , m_clock(std::move(clock))
{
    m_report.setInterval(100);
    connect(&m_report, &QTimer::timeout, this, &ReplayController::report);
}

void ReplayController::start(const ReplayPlan& plan, bool direct, bool acked)
{
    stop();
    ++m_run;
    m_plan = plan;
    m_direct = direct;
    m_acked = acked;
    m_progress = {};
    m_progress.first = plan.first;
    m_progress.last = plan.last;
    m_progress.running = true;
    m_nextSeq = plan.first;
    m_readAll = plan.last < plan.first;
    m_lastTime = 0;
    m_clock->restart();
    m_dueAt = 0;
    m_report.start();
    emit progressChanged(m_progress);
    read();
    // An empty range ends later than the call, like any other.
    QMetaObject::invokeMethod(this, &ReplayController::endIfDone, Qt::QueuedConnection);
}

void ReplayController::cancel()
{
    if (!m_progress.running)
        return;
    m_progress.cancelled = true;
    m_readAll = true;
    m_buffer.clear();
    if (m_connection && m_request)
        m_connection->cancel(m_request);
    m_request = 0;
    endIfDone();
}

void ReplayController::read()
{
    if (m_readAll || m_request || m_buffer.size() >= kReadAhead / 2)
        return;
    if (!m_connection)
        return fail({client::ApiError::Kind::NotConnected, 0, 0, {}});
    if (m_direct)
        readDirect();
    else
        readOne();
}

void ReplayController::readDirect()
{
    QJsonObject body{{u"seq"_s, static_cast<qint64>(m_nextSeq)}, {u"batch"_s, kReadBatch}};
    if (!m_plan.filter.isEmpty())
        body.insert(u"next_by_subj"_s, m_plan.filter);
    client::Message m;
    m.subject = u"$JS.API.DIRECT.GET."_s + m_plan.stream;
    m.payload = QJsonDocument(body).toJson(QJsonDocument::Compact);
    m_request = m_connection->requestMany(
        m, kReadTimeoutMs, this, [this](const client::Reply& reply) { onDirect(reply); });
}

void ReplayController::onDirect(const client::Reply& reply)
{
    if (!reply.answered()) {
        m_request = 0;
        return fail(client::apiErrorFromReply(reply));
    }
    const client::Message& m = reply.message;
    if (m.status != 0) {
        m_connection->cancel(m_request);
        m_request = 0;
        if (m.status == 204) { // end of this batch; more may follow
            if (m.header(u"Nats-Num-Pending"_s) == u"0"_s)
                endOfReading();
            else
                read();
        } else if (m.status == 404) {
            endOfReading();
        } else {
            fail({client::ApiError::Kind::Failed, m.status, 0, m.statusText});
        }
        pump();
        return;
    }
    client::Message old = m;
    old.subject = m.header(u"Nats-Subject"_s);
    take(m.header(u"Nats-Sequence"_s).toULongLong(),
        wallTimeFromText(m.header(u"Nats-Time-Stamp"_s)),
        old);
    pump();
}

void ReplayController::readOne()
{
    // next_by_subj steps over what was removed, so a gap costs one request however long it is.
    const QString filter = m_plan.filter.isEmpty() ? u">"_s : m_plan.filter;
    const QJsonObject body{{u"seq"_s, static_cast<qint64>(m_nextSeq)}, {u"next_by_subj"_s, filter}};
    client::Message m;
    m.subject = u"$JS.API.STREAM.MSG.GET."_s + m_plan.stream;
    m.payload = QJsonDocument(body).toJson(QJsonDocument::Compact);
    m_request = m_connection->request(
        m, kReadTimeoutMs, this, [this](const client::Reply& reply) { onOne(reply); });
}

void ReplayController::onOne(const client::Reply& reply)
{
    m_request = 0;
    if (!reply.answered())
        return fail(client::apiErrorFromReply(reply));
    const QJsonObject o = QJsonDocument::fromJson(reply.message.payload).object();
    if (o.contains(u"error"_s)) {
        const client::ApiError error = client::apiErrorFromJson(o.value(u"error"_s).toObject());
        if (error.errCode != 10037)
            return fail(error);
        endOfReading();
        pump();
        return;
    }
    const QJsonObject message = o.value(u"message"_s).toObject();
    client::Message old;
    old.subject = message.value(u"subject"_s).toString();
    old.payload = QByteArray::fromBase64(message.value(u"data"_s).toString().toLatin1());
    old.headers = headersOf(QByteArray::fromBase64(message.value(u"hdrs"_s).toString().toLatin1()));
    take(static_cast<quint64>(message.value(u"seq"_s).toInteger()),
        wallTimeFromText(message.value(u"time"_s).toString()),
        old);
    read();
    pump();
}

void ReplayController::take(quint64 seq, qint64 time, const client::Message& old)
{
    if (m_readAll || seq == 0)
        return;
    if (seq > m_plan.last) {
        // What came in after the start is not replayed, or a replay into its own neighbourhood
        // would never end.
        endOfReading();
        return;
    }
    m_nextSeq = seq + 1;
    Stored s;
    s.seq = seq;
    s.time = time;
    s.message.subject = replaySubject(m_plan, old.subject);
    s.message.headers = replayHeaders(m_plan, old.headers);
    s.message.payload = old.payload;
    m_buffer.push_back(std::move(s));
    if (m_nextSeq > m_plan.last)
        endOfReading();
}

void ReplayController::endOfReading()
{
    m_readAll = true;
    if (m_request && m_connection)
        m_connection->cancel(m_request);
    m_request = 0;
}

void ReplayController::fail(const client::ApiError& error)
{
    m_progress.error = error;
    endOfReading();
    m_buffer.clear();
    endIfDone();
}

void ReplayController::pump()
{
    int slice = 200; // leaves the event loop its turn
    while (m_progress.running && !m_buffer.empty() && m_progress.waiting < kMaxWaiting
        && slice-- > 0) {
        const Stored& next = m_buffer.front();
        const qint64 now = m_clock->now();
        const qint64 delay = replayDelay(m_plan, m_lastTime, next.time);
        const qint64 due = m_lastTime == 0 ? now : m_dueAt + delay;
        if (due > now) {
            waitFor(next, due);
            break;
        }
        m_progress.next = 0;
        m_dueAt = due;
        m_lastTime = next.time;
        publish(next);
        m_buffer.pop_front();
    }
    if (slice <= 0)
        m_clock->wakeAt(m_clock->now(), [this] { pump(); });
    read();
    endIfDone();
}

void ReplayController::waitFor(const Stored& next, qint64 due)
{
    m_clock->wakeAt(due, [this] { pump(); });
    m_nextDue = due;
    m_progress.next = next.seq;
    m_progress.nextAfter = next.time - m_lastTime;
    m_progress.nextIn = std::max<qint64>(0, due - m_clock->now());
}

void ReplayController::report()
{
    if (m_progress.next != 0)
        m_progress.nextIn = std::max<qint64>(0, m_nextDue - m_clock->now());
    emit progressChanged(m_progress);
}

void ReplayController::publish(const Stored& stored)
{
    m_progress.at = stored.seq;
    if (!m_acked) {
        m_connection->publish(stored.message);
        ++m_progress.published;
        return;
    }
    ++m_progress.waiting;
    client::publishAcked(*m_connection,
        stored.message,
        kReadTimeoutMs,
        this,
        [this, run = m_run](const client::PubAck& ack) {
            if (run != m_run)
                return;
            --m_progress.waiting;
            if (ack.ok()) {
                ++m_progress.published;
            } else {
                ++m_progress.failed;
                m_progress.error = ack.error;
            }
            pump();
        });
}

void ReplayController::endIfDone()
{
    if (!m_progress.running || !m_readAll || !m_buffer.empty() || m_progress.waiting > 0)
        return;
    if (!m_progress.cancelled && !m_progress.error)
        m_progress.at = m_progress.last; // gaps at the end count as done
    stop();
    emit progressChanged(m_progress);
    emit finished(m_progress);
}

void ReplayController::stop()
{
    m_clock->forget();
    m_report.stop();
    m_progress.running = false;
    m_progress.next = 0;
    m_buffer.clear();
    if (m_request && m_connection)
        m_connection->cancel(m_request);
    m_request = 0;
}

} // namespace jetglass::controllers
