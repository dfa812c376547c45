// SPDX-License-Identifier: GPL-3.0-or-later
// The real window, offscreen, over a stream of a million messages: how long it takes to open, what
// a frame costs while a reader scrolls and zooms, with and without 20,000 new messages a second,
// and what the window's questions cost the broker. JETGLASS_BENCH_MESSAGES and JETGLASS_BENCH_BYTES
// choose another stream. CPU time is what counts; wall time is shown for comparison.
#include "lanes/lane_view.h"
#include "messages/message_table.h"
#include "minimap/overview_strip.h"
#include "pages/lanes_page.h"
#include "pages/messages_page.h"
#include "pages/stream_page.h"
#include "scenes/script.h"
#include "support/frame_meter.h"
#include "support/load.h"
#include "support/question_cost.h"
#include "support/reader_act.h"
#include "support/test_program.h"
#include "window/program.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <future>

using namespace jetglass;
using axis::SequenceZoom;
using tests::FrameCost;
using tests::MeasuredApplication;
using tests::threadMs;
using window::Program;

namespace {

/// Before a real-time measurement, so that the act before is not measured with it.
constexpr int kCalmMs = 300;
constexpr int kFrames = 180;
constexpr double kFrameMs = 16; ///< 60 frames a second
constexpr int kLivePerSecond = 20'000;
constexpr double kQuestionMs = 1;
constexpr std::size_t kAnswerBytes = 256 * 1024;

int fromEnvironment(const char* name, int otherwise)
{
    bool is = false;
    const int value = qEnvironmentVariableIntValue(name, &is);
    return is && value > 0 ? value : otherwise;
}

QString acks(int count, const QString& verb)
{
    return QString(verb + QLatin1Char(' ')).repeated(count).trimmed();
}

/// Notes when a widget was painted.
class PaintWatch final : public QObject
{
public:
    explicit PaintWatch(QWidget& widget) { widget.installEventFilter(this); }
    int paints = 0;

protected:
    bool eventFilter(QObject* /*watched*/, QEvent* event) override
    {
        paints += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }
};

} // namespace

class BenchLargeStream : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void lanesOpenAtOnce();
    void tableOpensAtOnce();
    void framesAreSmooth_data();
    void framesAreSmooth();
    void questionsAreCheap_data();
    void questionsAreCheap();
    void cleanupTestCase();

private:
    void run(scenes::Script& script);
    void fillLarge();
    [[nodiscard]] tests::Place place();
    [[nodiscard]] models::Session& session() { return *m_program->window().session(); }
    [[nodiscard]] pages::StreamPage& page() { return m_program->window().streamPage(); }
    [[nodiscard]] lanes::LaneView& view() { return page().lanes().view(); }
    [[nodiscard]] messages::MessageTable& table() { return page().messages().table(); }
    [[nodiscard]] const StreamOverview* large()
    {
        return session().source.stream(QStringLiteral("LARGE"));
    }
    [[nodiscard]] bool lanesAreKnown();
    [[nodiscard]] bool rowsAreKnown();
    template<class Question>
    void cost(const char* name, const Question& question);

    int m_messages = fromEnvironment("JETGLASS_BENCH_MESSAGES", 1'000'000);
    int m_bytes = fromEnvironment("JETGLASS_BENCH_BYTES", 1024);
    QTemporaryDir m_folder;
    std::unique_ptr<Program> m_program;
    std::unique_ptr<client::Connection> m_client;
    std::unique_ptr<tests::Load> m_load;
};

void BenchLargeStream::initTestCase()
{
    m_program = std::make_unique<Program>(tests::optionsIn(m_folder.path()));
    m_program->window().resize(1920, 1080);
    QVERIFY(tests::starts(*m_program));
    m_client = std::make_unique<client::Connection>();
    client::ConnectOptions connect;
    connect.servers = QStringList{session().source.serverUrl()};
    m_client->open(connect);
    QTRY_VERIFY(m_client->isConnected());
    m_load = std::make_unique<tests::Load>(m_program->broker().broker()->port());
    fillLarge();
}

/// A small stream that is shown first, and the large one with four consumers in different states.
void BenchLargeStream::fillLarge()
{
    scenes::Script script;
    script.createStream(
        *m_client, QStringLiteral(R"({"name":"AFEW","subjects":["few.>"],"num_replicas":1})"));
    script.publish(*m_client, QStringLiteral("few.a"), QStringLiteral("1"));
    script.createStream(*m_client,
        QStringLiteral(
            R"({"name":"LARGE","subjects":["load.>"],"storage":"file","num_replicas":1})"));
    const QString consumer =
        QStringLiteral(R"({"durable_name":"%1","ack_policy":"explicit","max_ack_pending":20000,
        "ack_wait":3600000000000%2})");
    for (const auto& [name, more] :
        std::initializer_list<std::pair<QString, QString>>{{QStringLiteral("all"), QString()},
            {QStringLiteral("some"), QStringLiteral(",\"filter_subject\":\"load.a\"")},
            {QStringLiteral("late"),
                QStringLiteral(",\"deliver_policy\":\"by_start_sequence\",\"opt_start_seq\":%1")
                    .arg(m_messages / 2)},
            {QStringLiteral("none"), QString()}})
        script.createConsumer(*m_client, QStringLiteral("LARGE"), consumer.arg(name, more));
    run(script);
    QElapsedTimer timer;
    timer.start();
    auto filled = std::async(std::launch::async,
        [this] { return m_load->fill(static_cast<std::uint64_t>(m_messages), m_bytes); });
    QTRY_VERIFY_WITH_TIMEOUT(
        large() && large()->counts.messages >= static_cast<std::uint64_t>(m_messages), 300'000);
    QVERIFY(filled.get());
    qInfo("%d messages of %d bytes stored in %.1f s with the window open",
        m_messages,
        m_bytes,
        static_cast<double>(timer.elapsed()) / 1e3);
    scenes::Script work;
    const QStringList answers =
        acks(2000, QStringLiteral("+ACK")).split(QLatin1Char(' ')) + QStringList(500, QString());
    for (const QString& name :
        {QStringLiteral("all"), QStringLiteral("some"), QStringLiteral("late")})
        work.consume(*m_client, QStringLiteral("LARGE"), name, answers);
    run(work);
    // Measures real time: what the filling left to do (indexes, acks) must not be counted.
    QTest::qWait(1500);
}

void BenchLargeStream::cleanupTestCase()
{
    m_load.reset();
    m_client.reset();
    m_program.reset();
}

void BenchLargeStream::run(scenes::Script& script)
{
    QString problem = QStringLiteral("still running");
    script.run([&problem](const QString& text) { problem = text; });
    QTRY_COMPARE_WITH_TIMEOUT(problem, QString(), 30'000);
}

bool BenchLargeStream::lanesAreKnown()
{
    models::LaneFeed& feed = page().lanes().feed();
    const axis::SeqRange seen = view().window();
    if (feed.lastSeq() < static_cast<quint64>(m_messages) || seen.isEmpty())
        return false;
    for (quint64 seq = seen.first; seq <= seen.last; ++seq) {
        if (!feed.streamCell(seq) || !feed.laneCell(0, seq))
            return false;
    }
    return true;
}

bool BenchLargeStream::rowsAreKnown()
{
    models::MessageFeed& feed = page().messages().feed();
    const messages::MessageLayout& rows = table().layoutOfRows();
    if (feed.lastPosition() < static_cast<quint64>(m_messages) || rows.isEmpty())
        return false;
    for (quint64 at = rows.firstVisible(); at <= rows.lastVisible(); ++at) {
        if (!feed.row(at))
            return false;
    }
    return true;
}

void BenchLargeStream::lanesOpenAtOnce()
{
    session().selection.setStream(session().source.stream(QStringLiteral("AFEW"))->id);
    QTest::qWait(kCalmMs);
    PaintWatch watch(*view().viewport());
    const quint64 asked = session().source.questionsAsked();
    QElapsedTimer timer;
    timer.start();
    const double cpu = threadMs();
    session().selection.setStream(large()->id);
    int before = watch.paints;
    while (timer.elapsed() < 5000) {
        const bool known = lanesAreKnown();
        before = known ? before : watch.paints;
        if (known && watch.paints > before)
            break;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    qInfo("lanes painted %lld ms after choosing the stream (%.1f ms of work, %llu questions)",
        timer.elapsed(),
        threadMs() - cpu,
        session().source.questionsAsked() - asked);
    QVERIFY(lanesAreKnown());
    QVERIFY2(timer.elapsed() < 200, "the lanes took too long to open");
}

void BenchLargeStream::tableOpensAtOnce()
{
    PaintWatch watch(*table().viewport());
    QElapsedTimer timer;
    timer.start();
    const double cpu = threadMs();
    m_program->window().showTab(pages::StreamPage::MessagesTab);
    int before = watch.paints;
    while (timer.elapsed() < 5000) {
        const bool known = rowsAreKnown();
        before = known ? before : watch.paints;
        if (known && watch.paints > before)
            break;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    qInfo("table painted %lld ms after choosing its tab (%.1f ms of work)",
        timer.elapsed(),
        threadMs() - cpu);
    QVERIFY(rowsAreKnown());
    QVERIFY2(timer.elapsed() < 200, "the table took too long to open");
    m_program->window().showTab(pages::StreamPage::LanesTab);
}

void BenchLargeStream::framesAreSmooth_data()
{
    QTest::addColumn<bool>("live");
    QTest::addColumn<bool>("inTable");
    QTest::addColumn<SequenceZoom>("zoom");
    QTest::addColumn<QString>("act");
    for (const bool live : {false, true}) {
        const QByteArray when = live ? ", 20,000/s" : ", quiet";
        const auto row = [&](const char* name, bool table, SequenceZoom zoom, const char* act) {
            QTest::newRow(QByteArray(name + when).constData())
                << live << table << zoom << QString::fromLatin1(act);
        };
        row("lanes follow, cells of 27 px", false, {27, 1}, "nothing");
        row("lanes follow, cells of 8 px", false, {8, 1}, "nothing");
        row("lanes follow, whole stream", false, {1, 1024}, "nothing");
        row("lanes by wheel, cells of 27 px", false, {27, 1}, "wheel");
        row("lanes by wheel, cells of 8 px", false, {8, 1}, "wheel");
        row("lanes by wheel, ticks of 2 px", false, {2, 1}, "wheel");
        row("lanes by wheel, 64 in a pixel", false, {1, 64}, "wheel");
        row("lanes zoomed by wheel", false, {27, 1}, "zoom");
        row("lanes by keys", false, {27, 1}, "keys");
        row("lanes by thumb", false, {27, 1}, "thumb");
        row("lanes by thumb, ticks of 2 px", false, {2, 1}, "thumb");
        row("lanes by overview strip", false, {27, 1}, "strip");
        row("table follows", true, {27, 1}, "nothing");
        row("table by wheel", true, {27, 1}, "wheel");
        row("table by keys", true, {27, 1}, "keys");
        row("table by thumb", true, {27, 1}, "thumb");
    }
}

/// Where the reader is: in the table or in the lanes.
tests::Place BenchLargeStream::place()
{
    auto* strip = page().findChild<minimap::OverviewStrip*>();
    if (table().isVisible())
        return {&table(), table().verticalScrollBar(), strip, Qt::Key_Up};
    return {&view(), view().sequenceBar(), strip, Qt::Key_Left};
}

void BenchLargeStream::framesAreSmooth()
{
    QFETCH(bool, live);
    QFETCH(bool, inTable);
    QFETCH(SequenceZoom, zoom);
    QFETCH(QString, act);
    m_program->window().showTab(
        inTable ? pages::StreamPage::MessagesTab : pages::StreamPage::LanesTab);
    view().setZoom(zoom);
    view().setFollowing(true);
    table().setFollowing(true);
    if (live)
        m_load->start(kLivePerSecond, 200);
    QTest::qWait(kCalmMs);
    QWidget* shown = inTable ? table().viewport() : view().viewport();
    PaintWatch watch(*shown);
    auto* application = static_cast<MeasuredApplication*>(QCoreApplication::instance());
    const quint64 asked = session().source.questionsAsked();
    const quint64 sent = m_load->sent();
    QElapsedTimer timer;
    timer.start();
    const auto reader = tests::readerAct(act, place(), kFrames);
    const std::vector<FrameCost> frames = application->frames(kFrames, reader);
    const double seconds = static_cast<double>(timer.elapsed()) / 1e3;
    const auto questions = session().source.questionsAsked() - asked;
    const auto rate = static_cast<double>(m_load->sent() - sent) / seconds;
    for (QScrollBar* bar : {view().sequenceBar(), table().verticalScrollBar()})
        bar->setSliderDown(false);
    m_load->stop();
    const auto value = [&frames](double FrameCost::*part, double share) {
        return tests::percentile(frames, part, share);
    };
    qInfo(
        "cpu p50 %5.2f p99 %5.2f max %5.2f ms | wall p99 %5.2f ms | %3d paints, %3llu questions in "
        "%zu frames | %5.0f new/s%s",
        value(&FrameCost::cpu, 0.5),
        value(&FrameCost::cpu, 0.99),
        value(&FrameCost::cpu, 1),
        value(&FrameCost::wall, 0.99),
        watch.paints,
        static_cast<unsigned long long>(questions),
        frames.size(),
        rate,
        session().source.isSummarizing() ? " | summarizing" : "");
    QVERIFY2(value(&FrameCost::cpu, 0.99) < kFrameMs, "frames take too long");
    // An answer is waited for before the next question of its kind: a handful of kinds, never more
    // than one of each in a frame.
    QVERIFY2(questions <= 4 * frames.size(), "too many questions");
}

void BenchLargeStream::questionsAreCheap_data()
{
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"range of a screen",
             "range of 4,096",
             "range of 4,096 in old messages",
             "density of all",
             "density of a tenth",
             "messages of a page",
             "explain a message",
             "explain a consumer",
             "overview"})
        QTest::newRow(kind) << QString::fromLatin1(kind);
}

template<class Question>
void BenchLargeStream::cost(const char* name, const Question& question)
{
    const tests::QuestionCost costs = tests::costOf(*m_program->broker().broker(), question);
    qInfo("%s: %.3f ms of the broker's loop (worst %.3f), %zu bytes",
        name,
        costs.median,
        costs.worst,
        costs.bytes);
    QVERIFY2(costs.median <= kQuestionMs, "the question holds up the broker");
    QVERIFY2(costs.bytes <= kAnswerBytes + 1024, "the answer is too large");
}

void BenchLargeStream::questionsAreCheap()
{
    QFETCH(QString, kind);
    const QByteArray name = kind.toUtf8();
    const StreamOverview* stream = large();
    const quint64 last = stream->counts.last.value();
    const auto range = [&](quint64 first, quint64 count) {
        RangeQuestion question;
        question.stream = stream->id;
        question.first = StreamSeq(first);
        question.last = StreamSeq(first + count - 1);
        return question;
    };
    const auto density = [&](quint64 first) {
        DensityQuestion question;
        question.stream = stream->id;
        question.first = StreamSeq(first);
        question.last = stream->counts.last;
        question.columns = 1200;
        return question;
    };
    if (kind == QLatin1String("range of a screen"))
        cost(name.constData(), range(last - 60, 60));
    else if (kind == QLatin1String("range of 4,096"))
        cost(name.constData(), range(last - 4095, 4096));
    else if (kind == QLatin1String("range of 4,096 in old messages"))
        cost(name.constData(), range(1, 4096));
    else if (kind == QLatin1String("density of all"))
        cost(name.constData(), density(1));
    else if (kind == QLatin1String("density of a tenth"))
        cost(name.constData(), density(last - last / 10));
    else if (kind == QLatin1String("messages of a page")) {
        MessageQuestion question;
        question.stream = stream->id;
        question.first = StreamSeq(last / 2);
        question.count = 200;
        question.payloadLimit = 160;
        cost(name.constData(), question);
    } else if (kind.startsWith(QLatin1String("explain"))) {
        ExplainQuestion question;
        question.stream = stream->id;
        question.consumer = stream->consumers.front().id;
        if (kind == QLatin1String("explain a message"))
            question.seq = StreamSeq(last / 2);
        cost(name.constData(), question);
    } else {
        std::promise<std::size_t> size;
        m_program->broker().broker()->askOverview(
            [&size](const BrokerOverview& overview) { size.set_value(tests::bytesOf(overview)); });
        QVERIFY(size.get_future().get() <= kAnswerBytes);
    }
}

int main(int argc, char** argv)
{
    MeasuredApplication application(argc, argv);
    BenchLargeStream bench;
    QTEST_SET_MAIN_SOURCE_PATH
    return QTest::qExec(&bench, argc, argv);
}

#include "bench_large_stream.moc"
