// SPDX-License-Identifier: GPL-3.0-or-later
// Consuming by hand at the default size of the window: what the table shows, whose messages it
// holds, and what a late answer does.
#include "client/consumer_admin.h"
#include "client/publish.h"
#include "client/stream_admin.h"
#include "pages/consume_page.h"
#include "pages/explorer.h"
#include "pages/held_list.h"
#include "support/test_program.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>

using namespace jetglass;
using namespace Qt::StringLiterals;
using controllers::HeldMessage;
using pages::ConsumeHeldModel;
using State = HeldMessage::State;

/// The steps build on each other.
class TestConsumePanel : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void saysWhatIsMissingBeforeAnAnswer();
    void theStateIsInView();
    void holdsTheChosenConsumersMessagesOnly();
    void aLateAckCounts();
    void aLateAckOfWhatIsDoneChangesNothing();
    void aLateAckSettlesTheNextDeliveryToo();
    void whatLeftTheStreamIsSettled();
    void aPurgeSettlesTheRest();
    void anotherConsumerOfTheNameHoldsNothing();
    void whatIsHeldGoesWithItsStream();
    void theTreeIsFollowedUnlessMessagesAreHeld();
    void returnInANumberFieldFetches();
    void nothingMovesWhenAStateChanges();
    void cleanupTestCase();

private:
    [[nodiscard]] window::MainWindow& window() { return m_program->window(); }
    [[nodiscard]] pages::ConsumePage& page() { return *window().consumePage(); }
    [[nodiscard]] client::Connection& connection() { return *window().connection(); }
    [[nodiscard]] QPushButton* button(const QString& text);
    /// Row \a row as the table shows it.
    [[nodiscard]] const HeldMessage& held(int row);
    [[nodiscard]] QString shown(int row, int column);
    bool says(const QString& text);
    bool done(const std::function<void(client::ApiHandler)>& call);
    void fetch(const QString& consumer, int rows);
    bool createStream();
    bool createConsumer(const QString& name);
    void publish(int count, quint64 last);
    bool advance(int milliseconds);
    void choose(const std::string& consumer); ///< as a click in the tree does
    [[nodiscard]] QString chosen()
    {
        return page().findChildren<QComboBox*>().at(1)->currentText();
    }

    QTemporaryDir m_folder;
    std::unique_ptr<window::Program> m_program;
};

bool TestConsumePanel::done(const std::function<void(client::ApiHandler)>& call)
{
    std::optional<client::ApiAnswer> answer;
    call([&](const client::ApiAnswer& a) { answer = a; });
    return QTest::qWaitFor([&] { return answer.has_value(); }) && answer->ok();
}

void TestConsumePanel::initTestCase()
{
    m_program = std::make_unique<window::Program>(tests::optionsIn(m_folder.path()));
    QVERIFY(tests::starts(*m_program));
    QVERIFY(createStream());
    for (const QString& name : {u"hasty"_s, u"other"_s})
        QVERIFY(createConsumer(name));
    publish(5, 5);
    QTRY_COMPARE(window().session()->source.stream(u"ORDERS"_s)->consumers.size(), std::size_t(2));
    window().resize(1280, 720);
    window().focusConsume();
}

bool TestConsumePanel::createStream()
{
    return done([&](auto h) {
        client::createStream(connection(),
            {{u"name"_s, u"ORDERS"_s}, {u"subjects"_s, QJsonArray{u"orders.>"_s}}},
            this,
            h);
    });
}

bool TestConsumePanel::createConsumer(const QString& name)
{
    const QJsonObject config{{u"durable_name"_s, name},
        {u"ack_policy"_s, u"explicit"_s},
        {u"ack_wait"_s, qint64(20'000'000'000)}};
    return done([&](auto h) {
        client::createConsumer(
            connection(), u"ORDERS"_s, config, client::ConsumerAction::Create, this, h);
    });
}

void TestConsumePanel::publish(int count, quint64 last)
{
    for (int i = 0; i < count; ++i)
        connection().publish({u"orders.created.in.the.east"_s, {}, {}, "{}", 0, {}});
    QTRY_VERIFY(window().session()->source.stream(u"ORDERS"_s));
    QTRY_COMPARE(window().session()->source.stream(u"ORDERS"_s)->counts.last.value(), last);
}

void TestConsumePanel::cleanupTestCase()
{
    m_program.reset();
}

QPushButton* TestConsumePanel::button(const QString& text)
{
    for (auto* each : page().findChildren<QPushButton*>()) {
        if (each->text().remove(u'&') == text)
            return each;
    }
    return nullptr;
}

QString TestConsumePanel::shown(int row, int column)
{
    return page().view()->model()->index(row, column).data().toString();
}

const HeldMessage& TestConsumePanel::held(int row)
{
    page().view()->selectRow(row);
    return *page().list()->current();
}

bool TestConsumePanel::says(const QString& text)
{
    const auto labels = page().list()->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&text](const QLabel* label) {
        return label->isVisible() && label->text().contains(text);
    });
}

void TestConsumePanel::fetch(const QString& consumer, int rows)
{
    page().setConsumer(u"ORDERS"_s, consumer);
    page().fetch();
    QTRY_COMPARE(page().view()->model()->rowCount(), rows);
    QTRY_VERIFY(!page().controller()->isFetching());
}

bool TestConsumePanel::advance(int milliseconds)
{
    std::optional<client::Reply> reply;
    connection().request({u"$LAB.CLOCK.ADVANCE"_s,
                             {},
                             {},
                             "{\"ms\":" + QByteArray::number(milliseconds) + '}',
                             0,
                             {}},
        5000,
        this,
        [&](const client::Reply& r) { reply = r; });
    return QTest::qWaitFor([&] { return reply.has_value(); }) && reply->answered();
}

void TestConsumePanel::saysWhatIsMissingBeforeAnAnswer()
{
    page().setConsumer(u"ORDERS"_s, u"hasty"_s);
    QVERIFY(!button(u"Ack"_s)->isEnabled());
    QVERIFY(says(u"Fetch messages"_s));
    QVERIFY(button(u"Ack"_s)->toolTip().contains(u"Fetch messages"_s));
    fetch(u"hasty"_s, 5);
    QVERIFY(button(u"Ack"_s)->isEnabled());
    QVERIFY(says(u"Held by this window"_s));
    page().view()->clearSelection();
    QVERIFY(!button(u"Ack"_s)->isEnabled());
    QVERIFY(says(u"Select a message"_s));
}

void TestConsumePanel::theStateIsInView()
{
    const QTableView* view = page().view();
    const QHeaderView* header = view->horizontalHeader();
    QTRY_VERIFY(view->viewport()->width() > 0 && view->viewport()->width() < 400);
    QCOMPARE_LE(header->length(), view->viewport()->width());
    QVERIFY(!view->isColumnHidden(ConsumeHeldModel::State));
    QVERIFY(shown(0, ConsumeHeldModel::State).startsWith(u"held"_s));
    QCOMPARE_GE(view->columnWidth(ConsumeHeldModel::State),
        view->fontMetrics().horizontalAdvance(u"in progress · 59 s"_s));
    QCOMPARE_GE(view->columnWidth(ConsumeHeldModel::Subject),
        view->fontMetrics().horizontalAdvance(u"…created"_s));
    QCOMPARE(view->model()->index(0, ConsumeHeldModel::Subject).data(Qt::ToolTipRole).toString(),
        u"orders.created.in.the.east"_s);
}

void TestConsumePanel::holdsTheChosenConsumersMessagesOnly()
{
    fetch(u"other"_s, 5);
    QCOMPARE(page().controller()->held().size(), qsizetype(10));
    QCOMPARE(held(0).terms.consumer, u"other"_s);
    QTRY_VERIFY(says(u"Also held:"_s) && says(u"hasty"_s) && says(u"(5)"_s));
    page().setConsumer(u"ORDERS"_s, u"hasty"_s);
    QCOMPARE(page().view()->model()->rowCount(), 5);
    QCOMPARE(held(0).terms.consumer, u"hasty"_s);
}

void TestConsumePanel::aLateAckCounts()
{
    QVERIFY(advance(25'000));
    QTRY_COMPARE(held(0).state, State::Expired);
    QVERIFY(says(u"late, but it may still count"_s));
    QVERIFY(button(u"Ack"_s)->isEnabled());
    page().answerSelected(client::AckKind::Ack);
    QTRY_VERIFY2(held(0).note.contains(u"counted"_s), qPrintable(held(0).note));
    QVERIFY2(held(0).note.contains(u"is now “acked”"_s), qPrintable(held(0).note));
    QCOMPARE(held(0).state, State::Acked);
    QVERIFY(held(0).lateBy >= 5'000'000'000);
    QVERIFY(says(u"Late by"_s));
    QCOMPARE(shown(0, ConsumeHeldModel::State), u"acked late"_s);
}

void TestConsumePanel::aLateAckOfWhatIsDoneChangesNothing()
{
    std::optional<client::Reply> reply;
    client::Message ack;
    ack.subject = held(1).message.reply;
    ack.payload = "+ACK";
    connection().request(ack, 3000, this, [&](const client::Reply& r) { reply = r; });
    QTRY_VERIFY(reply && reply->answered());
    QCOMPARE(held(1).state, State::Expired);
    page().answerSelected(client::AckKind::Ack);
    QTRY_VERIFY2(held(1).note.contains(u"changed nothing"_s), qPrintable(held(1).note));
    QVERIFY(held(1).noEffect);
    QCOMPARE(shown(1, ConsumeHeldModel::State), u"late · no effect"_s);
}

void TestConsumePanel::aLateAckSettlesTheNextDeliveryToo()
{
    fetch(u"hasty"_s, 8); // 3, 4 and 5 come again
    QCOMPARE(held(5).info.streamSeq, 3U);
    QCOMPARE(held(5).info.delivered, 2U);
    QCOMPARE(held(5).state, State::Held);
    QCOMPARE(held(2).state, State::Expired);
    page().answerSelected(client::AckKind::Ack);
    QTRY_VERIFY2(held(2).note.contains(u"counted"_s), qPrintable(held(2).note));
    QVERIFY2(held(2).note.contains(u"×2"_s), qPrintable(held(2).note));
    QTRY_COMPARE(held(5).state, State::Acked);
    QVERIFY2(held(5).note.contains(u"delivery 1"_s), qPrintable(held(5).note));
    QCOMPARE(held(6).state, State::Held);
}

/// What another client does, as far as this window is concerned: nothing tells its own client.
void TestConsumePanel::whatLeftTheStreamIsSettled()
{
    QVERIFY(
        done([&](auto h) { client::deleteMessage(connection(), u"ORDERS"_s, 4, false, this, h); }));
    QTRY_COMPARE(held(6).state, State::Removed);
    QTRY_COMPARE(held(3).state, State::Removed);
    QCOMPARE(held(7).state, State::Held);
    QCOMPARE(held(6).info.streamSeq, 4U);
    QCOMPARE(shown(6, ConsumeHeldModel::State), u"removed"_s);
    QVERIFY(!held(6).canAnswer());
    QVERIFY(says(u"left the stream (deleted)"_s));
    QVERIFY(!button(u"Ack"_s)->isEnabled());
    QVERIFY2(button(u"Ack"_s)->toolTip().contains(u"left the stream"_s),
        qPrintable(button(u"Ack"_s)->toolTip()));
    QCOMPARE(held(5).state, State::Acked); // what was said of it stays true
}

void TestConsumePanel::aPurgeSettlesTheRest()
{
    QVERIFY(done([&](auto h) { client::purgeStream(connection(), u"ORDERS"_s, {}, this, h); }));
    QTRY_COMPARE(held(7).state, State::Removed);
    QVERIFY(says(u"left the stream (purged)"_s));
    QCOMPARE(held(7).dueAt, qint64(0));
    page().setConsumer(u"ORDERS"_s, u"other"_s);
    QTRY_COMPARE(held(0).state, State::Removed);
}

void TestConsumePanel::anotherConsumerOfTheNameHoldsNothing()
{
    publish(5, 10);
    fetch(u"hasty"_s, 13);
    QCOMPARE(held(12).state, State::Held);
    QVERIFY(done(
        [&](auto h) { client::deleteConsumer(connection(), u"ORDERS"_s, u"hasty"_s, this, h); }));
    QVERIFY(createConsumer(u"hasty"_s));
    QTRY_COMPARE(page().controller()->held().size(), qsizetype(5)); // of the other one
    QTRY_COMPARE(window().session()->source.stream(u"ORDERS"_s)->consumers.size(), std::size_t(2));
    fetch(u"hasty"_s, 5);
    QCOMPARE(held(4).info.streamSeq, 10U);
    QCOMPARE(held(4).info.delivered, 1U);
}

void TestConsumePanel::whatIsHeldGoesWithItsStream()
{
    page().setConsumer(u"ORDERS"_s, u"other"_s);
    QTRY_VERIFY(says(u"Also held:"_s));
    QVERIFY(done([&](auto h) { client::deleteStream(connection(), u"ORDERS"_s, this, h); }));
    QVERIFY(createStream());
    QVERIFY(createConsumer(u"other"_s));
    publish(5, 5);
    QTRY_VERIFY(!says(u"Also held:"_s));
    QTRY_COMPARE(page().controller()->held().size(), qsizetype(0));
    QTRY_COMPARE(window().session()->source.stream(u"ORDERS"_s)->consumers.size(), std::size_t(1));
    fetch(u"other"_s, 5);
    QCOMPARE(held(0).state, State::Held);
}

void TestConsumePanel::choose(const std::string& consumer)
{
    const StreamOverview* stream = window().session()->source.stream(u"ORDERS"_s);
    for (const ConsumerOverview& each : stream->consumers) {
        if (each.name == consumer)
            window().session()->selection.setConsumer(stream->id, each.id);
    }
}

void TestConsumePanel::theTreeIsFollowedUnlessMessagesAreHeld()
{
    QVERIFY(createConsumer(u"second"_s));
    QTRY_COMPARE(window().session()->source.stream(u"ORDERS"_s)->consumers.size(), std::size_t(2));
    choose("second");
    QCOMPARE(chosen(), u"other"_s); // five of it are held
    page().view()->selectAll();
    page().answerSelected(client::AckKind::Ack);
    QTRY_COMPARE(held(4).state, State::Acked);
    choose("other");
    choose("second");
    QCOMPARE(chosen(), u"second"_s);
    // The panel went elsewhere by hand; a click on what is selected already brings it back.
    page().setConsumer(u"ORDERS"_s, u"other"_s);
    emit window().explorer().streamChosen();
    QCOMPARE(chosen(), u"second"_s);
}

void TestConsumePanel::returnInANumberFieldFetches()
{
    auto* batch = page().findChild<QSpinBox*>();
    batch->setValue(2);
    batch->setFocus();
    QTest::keyClick(batch, Qt::Key_Return);
    QTRY_COMPARE(page().view()->model()->rowCount(), 2);
    QTRY_VERIFY(!page().controller()->isFetching());
    auto* wait = page().findChildren<QDoubleSpinBox*>().first();
    wait->setFocus();
    QTest::keyClick(wait, Qt::Key_Return);
    QTRY_COMPARE(page().view()->model()->rowCount(), 4);
    QTRY_VERIFY(!page().controller()->isFetching());
    batch->setValue(5);
}

/// Someone who answers for one message after the other presses the same place again and again.
void TestConsumePanel::nothingMovesWhenAStateChanges()
{
    const auto places = [this] {
        QApplication::sendPostedEvents();
        QList<QPoint> all{page().view()->mapTo(&page(), QPoint())};
        for (const QString& verb : {u"Ack"_s, u"Nak"_s, u"Term"_s})
            all.append(button(verb)->mapTo(&page(), QPoint()));
        return all;
    };
    QCOMPARE(held(0).state, State::Held);
    const QList<QPoint> before = places();
    page().answerSelected(client::AckKind::Ack);
    QTRY_COMPARE(held(0).state, State::Acked);
    QCOMPARE(places(), before);
    QCOMPARE(held(1).state, State::Held);
    page().answerSelected(client::AckKind::Nak);
    QTRY_COMPARE(held(1).state, State::Naked);
    QCOMPARE(places(), before);
    QCOMPARE(held(2).state, State::Held);
    page().answerSelected(client::AckKind::Term);
    QTRY_COMPARE(held(2).state, State::Terminated);
    QCOMPARE(places(), before);
    QVERIFY(advance(25'000));
    QTRY_COMPARE(held(3).state, State::Expired);
    QCOMPARE(places(), before);
}

QTEST_MAIN(TestConsumePanel)
#include "tst_consume_panel.moc"
