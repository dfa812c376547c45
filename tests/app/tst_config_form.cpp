// SPDX-License-Identifier: GPL-3.0-or-later
#include "broker/config_rules.h"
#include "client/config_json.h"
#include "forms/config_diff.h"
#include "forms/consumer_form.h"
#include "forms/stream_fields.h"
#include "forms/stream_form.h"

#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSet>
#include <QTest>

using namespace jetglass;
using namespace jetglass::forms;
using namespace Qt::StringLiterals;

class TestConfigForm : public QObject
{
    Q_OBJECT
private slots:
    void everyMemberHasAField();
    void streamReadsBack();
    void consumerReadsBack();
    void textsBecomeValues_data();
    void textsBecomeValues();
    void namesWhatTheBrokerRefuses_data();
    void namesWhatTheBrokerRefuses();
    void namesTheStreamThatOverlaps_data();
    void namesTheStreamThatOverlaps();
    void aNewStreamIsAsTheCliMakesIt();
    void saysThatABlankIsNoPartOfAName();
    void editorsStandInOneColumn_data();
    void editorsStandInOneColumn();
    void locksWhatCannotChange();
    void tellsTheChanges();
};

namespace {

/// A configuration with a value in every member, none of them a default.
QJsonObject fullStream()
{
    StreamConfig c;
    c.name = "FULL";
    c.description = "everything";
    c.subjects = {"a.>", "b"};
    c.retention = Retention::Interest;
    c.maxConsumers = 5;
    c.maxMsgs = 1000;
    c.maxBytes = 1048576;
    c.maxAge = 3600000000000;
    c.maxMsgsPerSubject = 10;
    c.maxMsgSize = 4096;
    c.discard = Discard::New;
    c.storage = Storage::Memory;
    c.noAck = true;
    c.duplicateWindow = 60000000000;
    c.placement = Placement{"east", {"ssd"}, ""};
    StreamSource mirror;
    mirror.name = "ORIGIN";
    mirror.optStartSeq = 7;
    mirror.optStartTime = "2026-01-31T08:00:00Z";
    mirror.filterSubject = "o.>";
    mirror.subjectTransforms = {{"o.>", "p.>"}};
    mirror.external = StreamSource::External{"$JS.hub.API", "deliver.hub"};
    c.mirror = mirror;
    StreamSource source;
    source.name = "A";
    c.sources = {source};
    c.compression = Compression::S2;
    c.firstSeq = 100;
    c.subjectTransform = SubjectTransform{"a.>", "z.>"};
    c.republish = RePublish{"a.>", "live.>", true};
    c.allowDirect = c.mirrorDirect = c.discardNewPerSubject = c.sealed = c.denyDelete =
        c.denyPurge = true;
    c.allowRollup = c.allowMsgTtl = c.allowMsgCounter = c.allowAtomic = c.allowMsgSchedules =
        c.allowBatched = true;
    c.limitInactiveThreshold = 5000000000;
    c.limitMaxAckPending = 50;
    c.subjectDeleteMarkerTtl = 30000000000;
    c.persistMode = PersistMode::Async;
    c.metadata = {{"team", "payments"}};
    return client::toJson(c);
}

QJsonObject fullConsumer()
{
    ConsumerConfig c;
    c.durableName = c.name = "worker";
    c.description = "everything";
    c.deliverPolicy = DeliverPolicy::ByStartSequence;
    c.optStartSeq = 9;
    c.optStartTime = "2026-01-31T08:00:00Z";
    c.ackPolicy = AckPolicy::All;
    c.ackWait = 10000000000;
    c.maxDeliver = 4;
    c.backoff = {1000000000, 5000000000};
    c.filterSubjects = std::vector<std::string>{"a.*", "b"};
    c.replayPolicy = ReplayPolicy::Original;
    c.rateLimitBps = 8000;
    c.sampleFreq = "100%";
    c.maxWaiting = 10;
    c.maxAckPending = 20;
    c.flowControl = c.headersOnly = c.memStorage = c.direct = c.sourcing = true;
    c.maxBatch = 30;
    c.maxExpires = 2000000000;
    c.maxBytes = 65536;
    c.deliverSubject = "in";
    c.deliverGroup = "g";
    c.idleHeartbeat = 1000000000;
    c.inactiveThreshold = 60000000000;
    c.replicas = 1;
    c.metadata = {{"team", "payments"}};
    c.pauseUntil = "2030-01-01T00:00:00Z";
    c.priorityGroups = {"jobs"};
    c.priorityPolicy = PriorityPolicy::PinnedClient;
    c.priorityTimeout = 120000000000;
    return client::toJson(c);
}

/// Paths of all members, objects that have fields of their own opened.
void collect(
    const QJsonObject& o, const QString& prefix, const QSet<QString>& fields, QStringList& missing)
{
    for (auto it = o.begin(); it != o.end(); ++it) {
        const QString path = prefix + it.key();
        if (fields.contains(path))
            continue;
        if (it.value().isObject())
            collect(it.value().toObject(), path + u'.', fields, missing);
        else
            missing.append(path);
    }
}

QStringList missingFields(std::span<const FieldGroup> groups, const QJsonObject& config)
{
    QSet<QString> fields;
    for (const FieldGroup& g : groups) {
        for (const ConfigField& f : g.fields)
            fields.insert(QLatin1String(f.key));
    }
    QStringList missing;
    collect(config, {}, fields, missing);
    return missing;
}

} // namespace

void TestConfigForm::everyMemberHasAField()
{
    QCOMPARE(missingFields(streamFields(), fullStream()), QStringList());
    QCOMPARE(missingFields(consumerFields(), fullConsumer()), QStringList());
}

void TestConfigForm::streamReadsBack()
{
    ConfigForm form(streamFields());
    form.setConfig(fullStream(), false);
    QCOMPARE(form.textProblem(), QString());
    QCOMPARE(form.config(), fullStream());
    QCOMPARE(client::toJson(client::streamConfigFromJson(fullStream())), fullStream());
}

void TestConfigForm::consumerReadsBack()
{
    ConfigForm form(consumerFields());
    form.setConfig(fullConsumer(), false);
    QCOMPARE(form.textProblem(), QString());
    QCOMPARE(form.config(), fullConsumer());
    QCOMPARE(client::toJson(client::consumerConfigFromJson(fullConsumer())), fullConsumer());
}

void TestConfigForm::textsBecomeValues_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QJsonValue>("value");
    const auto row =
        [](const char* name, const QString& key, const QString& text, const QJsonValue& value) {
            QTest::newRow(name) << key << text << value;
        };
    row("a size", u"max_bytes"_s, u"1 GiB"_s, 1073741824);
    row("no limit", u"max_bytes"_s, QString(), -1);
    row("a duration", u"max_age"_s, u"24h"_s, qint64(86400000000000));
    row("a list by lines", u"subjects"_s, u"a.>\n\n b \n"_s, QJsonArray{u"a.>"_s, u"b"_s});
    row("a nested member", u"consumer_limits.max_ack_pending"_s, u"5"_s, 5);
    row("names and values",
        u"metadata"_s,
        u"team: payments\nurl: http://x:1"_s,
        QJsonObject{{u"team"_s, u"payments"_s}, {u"url"_s, u"http://x:1"_s}});
    row("JSON",
        u"sources"_s,
        u"[{\"name\":\"A\"}]"_s,
        QJsonArray{QJsonObject{{u"name"_s, u"A"_s}}});
}

void TestConfigForm::textsBecomeValues()
{
    QFETCH(QString, key);
    QFETCH(QString, text);
    ConfigForm form(streamFields());
    form.setConfig({}, false);
    form.setText(key, text);
    QCOMPARE(form.textProblem(), QString());
    QTEST(valueAt(form.config(), key), "value");
}

void TestConfigForm::namesWhatTheBrokerRefuses_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("errCode");
    QTest::newRow("a good stream") << u"max_msgs"_s << u"10"_s << 0;
    QTest::newRow("a name with a dot") << u"name"_s << u"A.B"_s << 10052;
    QTest::newRow("three replicas on one server") << u"num_replicas"_s << u"3"_s << 10074;
    QTest::newRow("a window longer than the age") << u"duplicate_window"_s << u"2h"_s << 10052;
    QTest::newRow("subjects that overlap") << u"subjects"_s << u"a.>\na.b"_s << 10052;
    QTest::newRow("the API's own subjects") << u"subjects"_s << u"$JS.>"_s << 10052;
}

void TestConfigForm::namesWhatTheBrokerRefuses()
{
    QFETCH(QString, key);
    QFETCH(QString, text);
    StreamForm form;
    form.form()->setText(u"name"_s, u"ORDERS"_s);
    form.form()->setText(u"max_age"_s, u"1h"_s);
    form.form()->setText(key, text);
    QTEST(form.finding().errCode, "errCode");
    QCOMPARE(form.finding().ok(), form.finding().errCode == 0);
}

void TestConfigForm::namesTheStreamThatOverlaps_data()
{
    QTest::addColumn<QString>("subjects");
    QTest::addColumn<QString>("detail");
    QTest::newRow("free") << u"invoices.>"_s << QString();
    QTest::newRow("the same") << u"invoices.>\norders.>"_s
                              << u"The stream ORDERS captures orders.> already."_s;
    QTest::newRow("inside") << u"orders.new"_s
                            << u"orders.new overlaps orders.> of the stream ORDERS."_s;
    QTest::newRow("wildcards") << u"orders.*.eu"_s
                               << u"orders.*.eu overlaps orders.> of the stream ORDERS."_s;
    QTest::newRow("its name for want of subjects") << QString() << QString();
}

void TestConfigForm::namesTheStreamThatOverlaps()
{
    QFETCH(QString, subjects);
    QFETCH(QString, detail);
    StreamForm form;
    form.form()->setText(u"name"_s, u"INVOICES"_s);
    form.form()->setText(u"subjects"_s, subjects);
    QVERIFY(form.finding().ok());
    form.setOthers({{u"ORDERS"_s, {u"orders.>"_s}}, {u"INVOICES"_s, {u"invoices.>"_s}}});
    QCOMPARE(form.finding().detail, detail);
    QCOMPARE(form.finding().errCode, detail.isEmpty() ? 0 : 10065);
    form.setOthers({});
    QVERIFY(form.finding().ok());
}

void TestConfigForm::aNewStreamIsAsTheCliMakesIt()
{
    // What `nats stream add T1 --subjects='t1.>' --defaults` sends.
    const QJsonObject cli = QJsonDocument::fromJson(R"({"name":"T1","subjects":["t1.>"],
        "retention":"limits","max_consumers":-1,"max_msgs_per_subject":-1,"max_msgs":-1,
        "max_bytes":-1,"max_age":0,"max_msg_size":-1,"storage":"file","discard":"old",
        "num_replicas":1,"duplicate_window":120000000000,"sealed":false,"deny_delete":false,
        "deny_purge":false,"allow_rollup_hdrs":false,"allow_direct":true,"mirror_direct":false,
        "consumer_limits":{}})")
                                .object();
    StreamForm form;
    form.form()->setText(u"name"_s, u"T1"_s);
    form.form()->setText(u"subjects"_s, u"t1.>"_s);
    const auto made = [](const QJsonObject& asked) {
        StreamConfig config = client::streamConfigFromJson(asked);
        (void)normalizeStreamConfig(config, false).ok();
        return client::toJson(config);
    };
    QCOMPARE(made(form.config()), made(cli));
}

void TestConfigForm::saysThatABlankIsNoPartOfAName()
{
    StreamForm form;
    form.form()->setText(u"name"_s, u"MY ORDERS"_s);
    QCOMPARE(form.finding().errCode, 10052);
    QVERIFY2(form.finding().detail.contains(u"holds a blank"_s), qPrintable(form.finding().detail));
    ConsumerForm consumer;
    consumer.setNew({{u"name"_s, u"ORDERS"_s}, {u"num_replicas"_s, 1}});
    consumer.form()->setText(u"durable_name"_s, u"my worker"_s);
    QCOMPARE(consumer.finding().errCode, 10052);
    QVERIFY2(consumer.finding().detail.contains(u"holds a blank"_s),
        qPrintable(consumer.finding().detail));
    consumer.form()->setText(u"durable_name"_s, u"my.worker"_s);
    QVERIFY2(
        consumer.finding().detail.contains(u"holds a ."_s), qPrintable(consumer.finding().detail));
    consumer.form()->setText(u"durable_name"_s, u"my-worker"_s);
    QVERIFY(consumer.finding().ok());
    for (const FieldGroup& group : consumerFields()) {
        for (const ConfigField& field : group.fields) {
            if (QLatin1String(field.key) == u"durable_name"_s
                || QLatin1String(field.key) == u"name"_s)
                QVERIFY2(QLatin1String(field.hint).contains(QLatin1String("blank")), field.key);
        }
    }
}

void TestConfigForm::editorsStandInOneColumn_data()
{
    QTest::addColumn<int>("width");
    QTest::newRow("the dialog's width") << 560;
    QTest::newRow("narrow") << 470;
}

void TestConfigForm::editorsStandInOneColumn()
{
    QFETCH(int, width);
    for (const std::span<const FieldGroup> groups : {streamFields(), consumerFields()}) {
        ConfigForm form(groups);
        for (int i = 0; i < static_cast<int>(groups.size()); ++i)
            form.setGroupOpen(i, true);
        form.resize(width, 3000);
        form.show();
        QVERIFY(QTest::qWaitForWindowExposed(&form));
        QSet<int> columns;
        for (const QWidget* editor : form.findChildren<QWidget*>()) {
            if (qobject_cast<const QLineEdit*>(editor) || qobject_cast<const QComboBox*>(editor)
                || qobject_cast<const QPlainTextEdit*>(editor))
                columns.insert(editor->mapTo(&form, QPoint()).x());
        }
        QCOMPARE(columns.size(), 1);
        QCOMPARE_LE(form.minimumSizeHint().width(), width);
    }
}

void TestConfigForm::locksWhatCannotChange()
{
    StreamForm form;
    QVERIFY(!form.form()->isLocked(u"storage"_s));
    StreamConfig c;
    c.name = "ORDERS";
    c.subjects = {"orders.>"};
    c.duplicateWindow = 120000000000;
    c.denyPurge = true;
    form.setExisting(client::toJson(c));
    for (const QString& key : {u"name"_s, u"storage"_s, u"deny_purge"_s})
        QVERIFY2(form.form()->isLocked(key), qPrintable(key));
    for (const QString& key : {u"subjects"_s, u"max_age"_s, u"deny_delete"_s})
        QVERIFY2(!form.form()->isLocked(key), qPrintable(key));
    QVERIFY(form.finding().ok());
    form.form()->setText(u"retention"_s, u"workqueue"_s);
    QCOMPARE(form.finding().errCode, 10052);
}

void TestConfigForm::tellsTheChanges()
{
    QJsonObject before = fullStream();
    QJsonObject after = before;
    after.insert(u"max_msgs"_s, 2000);
    after.insert(u"max_age"_s, 0);
    const QList<ConfigChange> expected{
        {u"max_msgs"_s, u"1000"_s, u"2000"_s}, {u"max_age"_s, u"1h"_s, QString()}};
    QCOMPARE(configDiff(streamFields(), before, after), expected);
    QCOMPARE(configDiff(streamFields(), before, before), QList<ConfigChange>());
    // Leaving a default out is no change.
    before.insert(u"retention"_s, u"limits"_s);
    after = before;
    after.remove(u"retention"_s);
    QCOMPARE(configDiff(streamFields(), before, after), QList<ConfigChange>());
}

QTEST_MAIN(TestConfigForm)
#include "tst_config_form.moc"
