// SPDX-License-Identifier: GPL-3.0-or-later
// The real program where it cannot begin as it was told to, or finds its store damaged: what it
// says, and that what it offers leads on.
#include "lanes/lane_view.h"
#include "pages/lanes_page.h"
#include "pages/stream_page.h"
#include "scenes/script.h"
#include "support/test_program.h"
#include "text/start_text.h"
#include "window/program.h"
#include "window/start_page.h"

#include <QDir>
#include <QDirIterator>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using window::Program;

namespace {

constexpr int kPatienceMs = 10'000;

/// A program that is on its way; the tests look where it gets to.
class Attempt
{
public:
    explicit Attempt(const window::Options& options)
        : m_program(options)
        , m_ready(&m_program, &Program::ready)
    {
        m_program.start();
    }

    bool runs()
    {
        return QTest::qWaitFor([this] { return m_ready.count() == 1; }, kPatienceMs);
    }
    /// The page tells a trouble whose title begins so.
    bool tells(const QString& title)
    {
        return QTest::qWaitFor([&] { return text().startsWith(title); }, kPatienceMs);
    }
    [[nodiscard]] QString text()
    {
        QStringList all;
        for (const QLabel* label : m_program.window().startPage().findChildren<QLabel*>())
            all << label->text();
        return all.join(QLatin1Char('\n'));
    }
    [[nodiscard]] QStringList offers()
    {
        QStringList all;
        for (const QPushButton* button : buttons())
            all << button->text();
        return all;
    }
    bool take(const QString& offer)
    {
        for (QPushButton* button : buttons()) {
            if (button->text() == offer) {
                button->click();
                return true;
            }
        }
        return false;
    }
    [[nodiscard]] Program& program() { return m_program; }
    [[nodiscard]] int port() { return m_program.broker().broker()->port(); }
    [[nodiscard]] QString store()
    {
        return QString::fromStdString(m_program.broker().broker()->storeDirectory());
    }

private:
    [[nodiscard]] QList<QPushButton*> buttons()
    {
        QList<QPushButton*> shown;
        for (auto* button : m_program.window().startPage().findChildren<QPushButton*>()) {
            if (button->isVisible())
                shown << button;
        }
        return shown;
    }

    Program m_program;
    QSignalSpy m_ready;
};

} // namespace

class TestStartTrouble : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void reasonsByKind_data();
    void reasonsByKind();
    void aTakenPortLeadsToTheNext();
    void aTakenStoreLeadsToANewFolder();
    void aTakenStoreLeadsToAChosenFolder();
    void whereNothingCanBeMadeTheUsersDataHelps();
    void twoWindowsOfOneStore();
    void aForeignStoreIsToldInChinese();
    void aDamagedStoreIsTold();

private:
    [[nodiscard]] window::Options options(const QString& store)
    {
        window::Options all = tests::optionsIn(m_folder->path());
        all.store = path(store);
        return all;
    }
    [[nodiscard]] QString path(const QString& name) { return m_folder->filePath(name); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestStartTrouble::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestStartTrouble::reasonsByKind_data()
{
    using Kind = text::StartProblem::Kind;
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("file");
    const auto row =
        [](const char* name, Errc code, const char* words, Kind kind, const char* file) {
            QTest::addRow("%s", name) << int(code) << QString::fromLatin1(words) << int(kind)
                                      << QString::fromLatin1(file);
        };
    row("an address that is taken",
        Errc::InUse,
        "Error listening on port: 127.0.0.1:4222, \"bind: in use\"",
        Kind::PortTaken,
        "");
    row("a store that is taken",
        Errc::InUse,
        "/s/jetstream/$G: another broker uses this directory",
        Kind::StoreTaken,
        "/s/jetstream/$G");
    row("a store of a nats-server",
        Errc::Unsupported,
        "Can't start JetStream: /s/jetstream/$G/streams/S/meta.inf: belongs",
        Kind::ForeignStore,
        "/s/jetstream/$G/streams/S/meta.inf");
    row("a later catalog",
        Errc::Unsupported,
        "/s/jetstream/$G/catalog.sqlite: has version 9",
        Kind::OtherVersion,
        "/s/jetstream/$G/catalog.sqlite");
    row("a damaged catalog",
        Errc::Corrupt,
        "/s/jetstream/$G/catalog.sqlite: malformed",
        Kind::Damaged,
        "/s/jetstream/$G/catalog.sqlite");
    row("no space", Errc::NoSpace, "/s/jetstream: cannot write", Kind::DiskFull, "/s/jetstream");
    row("no right to write",
        Errc::Io,
        "/s/jetstream: cannot open: Permission denied",
        Kind::NoAccess,
        "/s/jetstream");
    row("a file instead of a folder",
        Errc::Io,
        "storage directory is not a directory: /s",
        Kind::NoAccess,
        "/s");
    row("anything else", Errc::InvalidArgument, "no such host", Kind::Other, "");
}

void TestStartTrouble::reasonsByKind()
{
    QFETCH(int, code);
    QFETCH(QString, words);
    QFETCH(int, kind);
    QFETCH(QString, file);
    const Error error{static_cast<Errc>(code), words.toStdString(), 0, 0};
    const text::StartProblem problem = text::startProblem(error, QStringLiteral("/s"));
    QCOMPARE(int(problem.kind), kind);
    QCOMPARE(problem.file, file);
    QVERIFY(text::startReason(problem).contains(
        kind == int(text::StartProblem::Kind::DiskFull) ? words : file));
}

void TestStartTrouble::aTakenPortLeadsToTheNext()
{
    Attempt first(options(QStringLiteral("one")));
    QVERIFY(first.runs());
    window::Options same = options(QStringLiteral("two"));
    same.port = first.port();
    Attempt second(same);
    QVERIFY2(second.tells(QStringLiteral("Port %1 is taken").arg(first.port())),
        qPrintable(second.text()));
    QCOMPARE(second.offers().size(), 2);
    QVERIFY(second.offers().contains(QStringLiteral("Try again")));
    const QString offer = second.offers().constFirst();
    QVERIFY2(offer.startsWith(QStringLiteral("Use port ")), qPrintable(offer));
    QVERIFY(second.text().contains(
        QStringLiteral("nats://127.0.0.1:") + offer.section(QLatin1Char(' '), -1)));
    QVERIFY(second.take(offer));
    QVERIFY(second.runs());
    QCOMPARE(QString::number(second.port()), offer.section(QLatin1Char(' '), -1));
    QVERIFY(!second.program().window().startPage().isVisible());
}

void TestStartTrouble::aTakenStoreLeadsToANewFolder()
{
    Attempt first(options(QStringLiteral("shared")));
    QVERIFY(first.runs());
    Attempt second(options(QStringLiteral("shared")));
    QVERIFY2(second.tells(QStringLiteral("The store is in use")), qPrintable(second.text()));
    QVERIFY(second.text().contains(path(QStringLiteral("shared"))));
    // It is this very process that keeps it.
    QVERIFY2(second.text().contains(
                 QStringLiteral("process %1").arg(QCoreApplication::applicationPid())),
        qPrintable(second.text()));
    QCOMPARE(second.offers(),
        (QStringList{QStringLiteral("Use a new folder"),
            QStringLiteral("Choose a folder…"),
            QStringLiteral("Try again")}));
    QVERIFY(second.text().contains(path(QStringLiteral("shared-2"))));
    QVERIFY(second.take(QStringLiteral("Use a new folder")));
    QVERIFY(second.runs());
    QCOMPARE(second.store(), path(QStringLiteral("shared-2/jetstream")));
    QCOMPARE(first.store(), path(QStringLiteral("shared/jetstream")));
}

void TestStartTrouble::aTakenStoreLeadsToAChosenFolder()
{
    Attempt first(options(QStringLiteral("shared")));
    QVERIFY(first.runs());
    Attempt second(options(QStringLiteral("shared")));
    QVERIFY(second.tells(QStringLiteral("The store is in use")));
    QVERIFY(QDir().mkpath(path(QStringLiteral("mine"))));
    QVERIFY(second.take(QStringLiteral("Choose a folder…")));
    auto* dialog = second.program().window().findChild<QFileDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    QCOMPARE(dialog->directory().absolutePath(), m_folder->path());
    emit dialog->fileSelected(path(QStringLiteral("mine")));
    dialog->close();
    QVERIFY(second.runs());
    QCOMPARE(second.store(), path(QStringLiteral("mine/jetstream")));
}

/// What starting Jetglass twice leads to: the same port, then the same store.
/// A sibling would fail as well: there is a file where the folder around it should be.
void TestStartTrouble::whereNothingCanBeMadeTheUsersDataHelps()
{
    qputenv("XDG_DATA_HOME", path(QStringLiteral("data")).toUtf8());
    QFile file(path(QStringLiteral("file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    Attempt attempt(options(QStringLiteral("file/deep/store")));
    QVERIFY2(
        attempt.tells(QStringLiteral("The broker could not start")), qPrintable(attempt.text()));
    QVERIFY(attempt.take(QStringLiteral("Use a new folder")));
    QVERIFY2(attempt.runs(), qPrintable(attempt.text()));
    QVERIFY2(attempt.store().startsWith(path(QStringLiteral("data"))), qPrintable(attempt.store()));
    qunsetenv("XDG_DATA_HOME");
}

void TestStartTrouble::twoWindowsOfOneStore()
{
    auto first = std::make_unique<Attempt>(options(QStringLiteral("shared")));
    QVERIFY(first->runs());
    window::Options same = options(QStringLiteral("shared"));
    same.port = first->port();
    Attempt second(same);
    QVERIFY(second.tells(QStringLiteral("Port %1 is taken").arg(first->port())));
    QVERIFY(second.take(second.offers().constFirst()));
    QVERIFY2(second.tells(QStringLiteral("The store is in use")), qPrintable(second.text()));
    QVERIFY(second.take(QStringLiteral("Try again"))); // too early
    QVERIFY(second.tells(QStringLiteral("The store is in use")));
    first.reset();
    QVERIFY(second.take(QStringLiteral("Try again")));
    QVERIFY(second.runs());
    QCOMPARE(second.store(), path(QStringLiteral("shared/jetstream")));
}

void TestStartTrouble::aForeignStoreIsToldInChinese()
{
    const QString file = path(QStringLiteral("natsd/jetstream/$G/streams/S/meta.inf"));
    QVERIFY(QDir().mkpath(QFileInfo(file).absolutePath()));
    QFile meta(file);
    QVERIFY(meta.open(QIODevice::WriteOnly));
    meta.close();
    window::Options chinese = options(QStringLiteral("natsd"));
    chinese.language = settings::Language::Chinese;
    Attempt attempt(chinese);
    QVERIFY2(attempt.tells(QStringLiteral("服务器无法启动")), qPrintable(attempt.text()));
    QVERIFY(attempt.text().contains(file));
    QString rest = attempt.text();
    rest.remove(file);
    rest.remove(path(QStringLiteral("natsd-2")));
    rest.remove(QStringLiteral("nats-server")).remove(QStringLiteral("Jetglass"));
    for (const QChar letter : rest)
        QVERIFY2(letter.unicode() > 127 || !letter.isLetter(), qPrintable(rest));
    QVERIFY(attempt.take(attempt.offers().constFirst()));
    QVERIFY(attempt.runs());
    QCOMPARE(attempt.store(), path(QStringLiteral("natsd-2/jetstream")));
    attempt.program().window().preferences().setLanguage(settings::Language::English, false);
}

/// A byte of the second message turns over while the program is closed.
void TestStartTrouble::aDamagedStoreIsTold()
{
    {
        Attempt whole(options(QStringLiteral("store")));
        QVERIFY(whole.runs());
        auto* label = whole.program().window().findChild<QLabel*>(QStringLiteral("recovery"));
        QVERIFY(label && !label->isVisible());
        client::Connection& connection = *whole.program().window().connection();
        QTRY_VERIFY(connection.isConnected());
        scenes::Script script;
        script.createStream(connection,
            QStringLiteral(R"({"name":"ORDERS","subjects":["orders"],"num_replicas":1})"));
        for (const char* payload : {"first message", "second message", "third message"})
            script.publish(connection, QStringLiteral("orders"), QString::fromLatin1(payload));
        QString problem = QStringLiteral("still running");
        script.run([&problem](const QString& text) { problem = text; });
        QTRY_COMPARE_WITH_TIMEOUT(problem, QString(), kPatienceMs);
    }
    QDirIterator blocks(path(QStringLiteral("store")),
        {QStringLiteral("*.blk")},
        QDir::Files,
        QDirIterator::Subdirectories);
    QVERIFY(blocks.hasNext());
    QFile block(blocks.next());
    QVERIFY(block.open(QIODevice::ReadWrite));
    const qsizetype at = block.readAll().indexOf("second message");
    QVERIFY(at > 0);
    block.seek(at);
    block.putChar('S');
    block.close();

    Attempt damaged(options(QStringLiteral("store")));
    QVERIFY(damaged.runs());
    window::MainWindow& window = damaged.program().window();
    auto* label = window.findChild<QLabel*>(QStringLiteral("recovery"));
    QVERIFY(label && label->isVisible());
    QVERIFY2(
        label->text().contains(QStringLiteral("ORDERS/msgs/1.blk")), qPrintable(label->text()));
    QVERIFY2(label->toolTip().contains(QStringLiteral("bytes are damaged"))
            && label->toolTip().contains(QStringLiteral("sequence 2 is lost")),
        qPrintable(label->toolTip()));
    window.preferences().setLanguage(settings::Language::Chinese, false);
    QTRY_VERIFY2(label->text().startsWith(QStringLiteral("存储")), qPrintable(label->text()));
    QVERIFY(!label->text().contains(QStringLiteral("finding")));
    QVERIFY2(label->toolTip().contains(QStringLiteral("序列号 2 已丢失"))
            && !label->toolTip().contains(QStringLiteral("lost")),
        qPrintable(label->toolTip()));
    window.preferences().setLanguage(settings::Language::English, false);
    models::LaneFeed& feed = window.streamPage().lanes().feed();
    QTRY_COMPARE(feed.lastSeq(), 3U);
    feed.request(1, 3);
    QTRY_VERIFY(feed.streamCell(2) && feed.streamCell(2)->removal == items::RemovalCause::Lost);
    QVERIFY(feed.streamCell(1)->stored && feed.streamCell(3)->stored);
}

QTEST_MAIN(TestStartTrouble)
#include "tst_start_trouble.moc"
