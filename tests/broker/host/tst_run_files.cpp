// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/address_text.h"
#include "host/run_files.h"
#include "host/start_log.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;

class TestRunFiles : public QObject
{
    Q_OBJECT
private slots:
    void pidFileHoldsDigitsOnly();
    void portsFile();
    void unwritable();
    void addresses();
    void sizes();
};

void TestRunFiles::pidFileHoldsDigitsOnly()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("server.pid"));
    {
        host::RunFiles files;
        QVERIFY(files.writePid(path.toStdString()).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray::number(QCoreApplication::applicationPid()));
    }
    QVERIFY(!QFile::exists(path));
}

void TestRunFiles::portsFile()
{
    const QTemporaryDir directory;
    const QString name =
        QStringLiteral("nats-server_%1.ports").arg(QCoreApplication::applicationPid());
    host::RunFiles files;
    QVERIFY(files
                .writePorts(directory.path().toStdString(),
                    "nats-server",
                    {{"nats", "nats://127.0.0.1:1"},
                        {"monitoring", "http://h:2"},
                        {"websocket", "ws://h:3"}})
                .ok());
    QCOMPARE(QDir(directory.path()).entryList(QDir::Files), QStringList{name});
    QFile file(directory.filePath(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray expected =
        "{\"nats\":[\"nats://127.0.0.1:1\"],\"monitoring\":[\"http://h:2\"],"
        "\"websocket\":[\"ws://h:3\"]}";
    QCOMPARE(file.readAll(), expected);
    files.removeAll();
    QVERIFY(QDir(directory.path()).entryList(QDir::Files).isEmpty());
}

void TestRunFiles::unwritable()
{
    host::RunFiles files;
    const auto written = files.writePid("/nowhere/at/all/pid");
    QVERIFY(!written);
    QVERIFY(written.error().text.find("/nowhere/at/all/pid") != std::string::npos);
}

void TestRunFiles::addresses()
{
    QCOMPARE(host::addressText("127.0.0.1", 1), std::string("127.0.0.1:1"));
    QCOMPARE(host::addressText("::1", 1), std::string("[::1]:1"));
    QCOMPARE(host::urlText("nats", "0.0.0.0", 1), std::string("nats://127.0.0.1:1"));
    QCOMPARE(host::urlText("nats", "::", 1), std::string("nats://[::1]:1"));
    QVERIFY(
        host::isLoopback("127.8.0.1") && host::isLoopback("localhost") && host::isLoopback("::1"));
    QVERIFY(!host::isLoopback("0.0.0.0") && !host::isLoopback("::"));
}

void TestRunFiles::sizes()
{
    QCOMPARE(host::sizeText(12), std::string("12 B"));
    QCOMPARE(host::sizeText(1536), std::string("1.50 KB"));
    QCOMPARE(host::sizeText(std::int64_t{17} << 30), std::string("17.00 GB"));
}

QTEST_GUILESS_MAIN(TestRunFiles)
#include "tst_run_files.moc"
