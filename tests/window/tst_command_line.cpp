// SPDX-License-Identifier: GPL-3.0-or-later
// What the program says and returns to whoever started it from a script.
#include <QProcess>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

class TestCommandLine : public QObject
{
    Q_OBJECT
private slots:
    void aPictureIsMade();
    void noPictureWhenThePortIsTaken();
    void withoutADisplayItSaysWhatToDo_data();
    void withoutADisplayItSaysWhatToDo();

private:
    struct Outcome
    {
        int code = -1;
        QString said; ///< on standard error
    };
    static Outcome run(const QStringList& arguments, const QProcessEnvironment& environment);
    QTemporaryDir m_folder;
};

TestCommandLine::Outcome TestCommandLine::run(
    const QStringList& arguments, const QProcessEnvironment& environment)
{
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(JETGLASS_PROGRAM), arguments);
    constexpr int kPatienceMs = 50'000; // it settles on a busy machine, too
    if (!program.waitForFinished(kPatienceMs) || program.exitStatus() != QProcess::NormalExit)
        return {};
    return {program.exitCode(), QString::fromLocal8Bit(program.readAllStandardError())};
}

void TestCommandLine::aPictureIsMade()
{
    const QString file = m_folder.filePath(QStringLiteral("good.png"));
    const Outcome outcome =
        run({QStringLiteral("--shot"), file, QStringLiteral("--scene"), QStringLiteral("empty")},
            QProcessEnvironment::systemEnvironment());
    QVERIFY2(outcome.code == 0, qPrintable(outcome.said));
    QVERIFY(QFile::exists(file));
}

void TestCommandLine::noPictureWhenThePortIsTaken()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    const QString file = m_folder.filePath(QStringLiteral("none.png"));
    const QString port = QString::number(other.serverPort());
    const Outcome outcome = run({QStringLiteral("--port"), port, QStringLiteral("--shot"), file},
        QProcessEnvironment::systemEnvironment());
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.said.contains(port) && outcome.said.contains(QStringLiteral("no picture")),
        qPrintable(outcome.said));
    QVERIFY(!QFile::exists(file));
}

void TestCommandLine::withoutADisplayItSaysWhatToDo_data()
{
    QTest::addColumn<QString>("display");
    QTest::addColumn<QString>("reason");
    QTest::newRow("none is set") << QString() << QStringLiteral("DISPLAY and WAYLAND_DISPLAY");
    QTest::newRow("nobody answers") << QStringLiteral(":4242") << QStringLiteral(":4242");
}

void TestCommandLine::withoutADisplayItSaysWhatToDo()
{
    QFETCH(QString, display);
    QFETCH(QString, reason);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString& name : {QStringLiteral("QT_QPA_PLATFORM"),
             QStringLiteral("WAYLAND_DISPLAY"),
             QStringLiteral("DISPLAY")})
        environment.remove(name);
    if (!display.isEmpty())
        environment.insert(QStringLiteral("DISPLAY"), display);
    const Outcome outcome = run({}, environment);
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.said.contains(reason), qPrintable(outcome.said));
    for (const QString& way : {QStringLiteral("offscreen"), QStringLiteral("jetglass-server")})
        QVERIFY2(outcome.said.contains(way), qPrintable(outcome.said));
    QCOMPARE(outcome.said.count(QLatin1Char('\n')), 1);
}

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
