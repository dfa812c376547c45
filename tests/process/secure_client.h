// SPDX-License-Identifier: GPL-3.0-or-later
// A client that encrypts, step by step.
#pragma once

#include "certificates.h"

#include <QByteArray>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>
#include <QString>

#include <string>

namespace jetglass::test {

constexpr int kWaitMs = 5000;

inline QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

/// A client that encrypts as it is told.
class SecureClient
{
public:
    explicit SecureClient(quint16 port, const Certificate& authority)
    {
        QSslConfiguration config = m_socket.sslConfiguration();
        config.setCaCertificates(QSslCertificate::fromData(bytes(authority.pem)));
        m_socket.setSslConfiguration(config);
        m_socket.connectToHost(QStringLiteral("127.0.0.1"), port);
        m_socket.waitForConnected(kWaitMs);
    }
    void show(const Certificate& certificate)
    {
        m_socket.setLocalCertificate(QSslCertificate(bytes(certificate.pem)));
        m_socket.setPrivateKey(QSslKey(bytes(certificate.key), QSsl::Ec));
    }
    /// Asked for by this name; who answers is looked at, not judged.
    void ask(const QString& host)
    {
        m_socket.setPeerVerifyName(host);
        m_socket.setPeerVerifyMode(QSslSocket::QueryPeer);
    }
    void setNewest(QSsl::SslProtocol protocol) { m_socket.setProtocol(protocol); }
    bool encrypt()
    {
        m_socket.startClientEncryption();
        return m_socket.waitForEncrypted(kWaitMs);
    }
    void send(const QByteArray& text)
    {
        m_socket.write(text);
        while (m_socket.bytesToWrite() + m_socket.encryptedBytesToWrite() > 0
            && m_socket.waitForBytesWritten(kWaitMs)) { }
    }
    QByteArray line()
    {
        while (!m_socket.canReadLine() && m_socket.waitForReadyRead(kWaitMs)) { }
        return m_socket.readLine().trimmed();
    }
    QByteArray read(qsizetype size)
    {
        QByteArray all;
        while (all.size() < size
            && (m_socket.bytesAvailable() > 0 || m_socket.waitForReadyRead(kWaitMs)))
            all += m_socket.read(size - all.size());
        return all;
    }
    /// CONNECT and PING; the answer's first line.
    QByteArray hello(const QByteArray& options = {})
    {
        send("CONNECT {\"verbose\":false,\"pedantic\":false" + options + "}\r\nPING\r\n");
        return line();
    }
    QSslSocket& socket() { return m_socket; }

private:
    QSslSocket m_socket;
};

} // namespace jetglass::test
