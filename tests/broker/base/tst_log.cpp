// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/log.h"
#include "broker/config.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using base::LogLevel;

class TestLog : public QObject
{
    Q_OBJECT
private slots:
    void lineFormat_data();
    void lineFormat();
    void withoutTime();
    void switches();
    void quiet();
    void reopenAfterRotation();
    void configureMovesOn();
    void sizeLimit();
    void impossibleFile();

private:
    QString file(const char* name) const { return m_directory.filePath(QString::fromLatin1(name)); }
    static QByteArray content(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static std::unique_ptr<base::Log> open(const LogConfig& config)
    {
        auto log = base::openLog(config);
        return log ? std::move(*log) : nullptr;
    }

    QTemporaryDir m_directory;
};

void TestLog::lineFormat_data()
{
    QTest::addColumn<int>("level");
    QTest::addColumn<QString>("tag");
    const auto row = [](LogLevel level, const char* tag) {
        QTest::newRow(tag) << static_cast<int>(level) << QString::fromLatin1(tag);
    };
    row(LogLevel::Trace, "TRC");
    row(LogLevel::Debug, "DBG");
    row(LogLevel::Info, "INF");
    row(LogLevel::Warning, "WRN");
    row(LogLevel::Error, "ERR");
    row(LogLevel::Fatal, "FTL");
}

void TestLog::lineFormat()
{
    QFETCH(int, level);
    QFETCH(QString, tag);
    LogConfig config;
    config.file = file(QTest::currentDataTag()).toStdString();
    config.debug = config.trace = true;
    const auto log = open(config);
    log->write(static_cast<LogLevel>(level), "a text: {} %s");
    const QRegularExpression form(
        QStringLiteral("^\\[%1\\] \\d{4}/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{6} \\[%2\\] a "
                       "text: \\{\\} %s\\n$")
            .arg(QCoreApplication::applicationPid())
            .arg(tag));
    const QString line = QString::fromUtf8(content(file(QTest::currentDataTag())));
    QVERIFY2(form.match(line).hasMatch(), qPrintable(line));
}

void TestLog::withoutTime()
{
    LogConfig config;
    config.file = file("notime").toStdString();
    config.time = false;
    open(config)->info("x");
    QCOMPARE(content(file("notime")),
        '[' + QByteArray::number(QCoreApplication::applicationPid()) + "] [INF] x\n");
}

void TestLog::switches()
{
    LogConfig config;
    config.file = file("switches").toStdString();
    const auto log = open(config);
    QVERIFY(
        log->wants(LogLevel::Info) && !log->wants(LogLevel::Debug) && !log->wants(LogLevel::Trace));
    log->debug("hidden");
    config.debug = true;
    log->configure(config);
    log->debug("shown");
    QVERIFY(!log->wants(LogLevel::Trace));
    config.traceVerbose = true;
    log->configure(config);
    QVERIFY(log->wants(LogLevel::Trace));
    const QByteArray text = content(file("switches"));
    QVERIFY(text.contains("shown") && !text.contains("hidden"));
}

void TestLog::quiet()
{
    LogConfig config;
    config.quiet = true;
    config.debug = true;
    const auto log = open(config);
    QVERIFY(!log->wants(LogLevel::Fatal) && !log->wants(LogLevel::Debug));
}

void TestLog::reopenAfterRotation()
{
    LogConfig config;
    config.file = file("rotated").toStdString();
    const auto log = open(config);
    log->info("one");
    QVERIFY(QFile::rename(file("rotated"), file("rotated.1")));
    log->info("two"); // goes on into the renamed file
    log->reopen();
    log->info("three");
    QVERIFY(content(file("rotated.1")).contains("two"));
    QVERIFY(content(file("rotated")).contains("three"));
    QVERIFY(!content(file("rotated")).contains("two"));
}

void TestLog::configureMovesOn()
{
    LogConfig config;
    config.file = file("first").toStdString();
    const auto log = open(config);
    config.file = file("second").toStdString();
    log->configure(config);
    log->info("moved");
    QVERIFY(content(file("second")).contains("moved"));
    config.file = "/proc/nowhere/log";
    log->configure(config);
    log->info("stays");
    QVERIFY(content(file("second")).contains("stays"));
}

void TestLog::sizeLimit()
{
    LogConfig config;
    config.file = file("small").toStdString();
    config.fileSizeLimit = 2000;
    const auto log = open(config);
    for (int i = 0; i < 100; ++i)
        log->info("a line of some length that fills the file");
    QVERIFY(QFile(file("small")).size() <= 2000);
    QVERIFY(QFile::exists(file("small.1")));
}

void TestLog::impossibleFile()
{
    LogConfig config;
    config.file = "/proc/nowhere/log";
    const auto log = base::openLog(config);
    QVERIFY(!log);
    QVERIFY(log.error().code == Errc::Io);
    QVERIFY(log.error().text.find("/proc/nowhere/log") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestLog)
#include "tst_log.moc"
