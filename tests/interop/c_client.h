// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests with the C client share: a broker process of their own, and owners for what the
// client hands out.
#pragma once

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <nats/nats.h>

#include <memory>

#define QVERIFY_OK(call) QCOMPARE(QByteArray(natsStatus_GetText(call)), QByteArray("OK"))

namespace interop {

struct Destroy
{
    void operator()(natsConnection* p) const { natsConnection_Destroy(p); }
    void operator()(jsCtx* p) const { jsCtx_Destroy(p); }
    void operator()(natsSubscription* p) const { natsSubscription_Destroy(p); }
    void operator()(natsMsg* p) const { natsMsg_Destroy(p); }
    void operator()(jsPubAck* p) const { jsPubAck_Destroy(p); }
    void operator()(jsStreamInfo* p) const { jsStreamInfo_Destroy(p); }
    void operator()(jsConsumerInfo* p) const { jsConsumerInfo_Destroy(p); }
    void operator()(kvStore* p) const { kvStore_Destroy(p); }
    void operator()(kvEntry* p) const { kvEntry_Destroy(p); }
    void operator()(kvWatcher* p) const { kvWatcher_Destroy(p); }
};
template<class T>
using Owned = std::unique_ptr<T, Destroy>;

/// Messages of a fetch, freed together.
struct Batch
{
    natsMsgList list{};
    Batch() = default;
    ~Batch() { natsMsgList_Destroy(&list); }
    Q_DISABLE_COPY(Batch)
};

inline QByteArray dataOf(natsMsg* message)
{
    return {natsMsg_GetData(message), natsMsg_GetDataLength(message)};
}

/// Where in its stream a delivered message is; 0 when it comes from none.
inline std::uint64_t sequenceOf(natsMsg* message)
{
    jsMsgMetaData* meta = nullptr;
    if (natsMsg_GetMetaData(&meta, message) != NATS_OK)
        return 0;
    const std::uint64_t sequence = meta->Sequence.Stream;
    jsMsgMetaData_Destroy(meta);
    return sequence;
}

/// The broker's own binary, on a port that it chose itself and keeps over a restart.
class Broker
{
public:
    void start()
    {
        QVERIFY(m_dir.isValid());
        m_process.start(QStringLiteral(JETGLASS_SERVER),
            {QStringLiteral("-js"),
                QStringLiteral("-p"),
                QString::fromLatin1(m_port),
                QStringLiteral("-sd"),
                m_dir.path(),
                QStringLiteral("--ports_file_dir"),
                m_dir.path()});
        QVERIFY2(m_process.waitForStarted(), JETGLASS_SERVER);
        QFile ports(
            m_dir.filePath(QStringLiteral("jetglass-server_%1.ports").arg(m_process.processId())));
        QTRY_VERIFY_WITH_TIMEOUT(ports.exists(), 10000);
        QVERIFY(ports.open(QIODevice::ReadOnly));
        const QJsonObject listed = QJsonDocument::fromJson(ports.readAll()).object();
        m_url = listed[QStringLiteral("nats")][0].toString().toLatin1();
        QVERIFY(m_url.startsWith("nats://"));
        m_port = m_url.mid(m_url.lastIndexOf(':') + 1);
    }
    void kill()
    {
        m_process.kill();
        QVERIFY(m_process.waitForFinished());
    }
    void stop()
    {
        m_process.terminate();
        QVERIFY(m_process.waitForFinished());
        QCOMPARE(m_process.exitCode(), 0);
        nats_Close();
    }
    [[nodiscard]] const char* url() const { return m_url.constData(); }

private:
    QTemporaryDir m_dir;
    QProcess m_process;
    QByteArray m_port = "-1";
    QByteArray m_url;
};

} // namespace interop
