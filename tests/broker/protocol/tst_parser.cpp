// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/parser.h"

#include <QTest>

#include <string>
#include <vector>

using namespace jetglass::protocol;

namespace {

std::string describe(const Operation& o)
{
    const auto text = [](std::string_view v) { return std::string(v); };
    switch (o.verb) {
    case Verb::Connect:
        return "CONNECT " + text(o.json);
    case Verb::PublishLine:
        return "LINE " + text(o.subject);
    case Verb::Publish:
        return (o.withHeaders ? "HPUB " : "PUB ") + text(o.subject) + "|" + text(o.reply) + "|"
            + text(o.headers) + "|" + text(o.payload);
    case Verb::Subscribe:
        return "SUB " + text(o.subject) + "|" + text(o.queue) + "|" + text(o.sid);
    case Verb::Unsubscribe:
        return "UNSUB " + text(o.sid) + "|" + std::to_string(o.max);
    case Verb::Ping:
        return "PING";
    case Verb::Pong:
        return "PONG";
    case Verb::Ignored:
        return "IGNORED";
    case Verb::PeerError:
        return "ERR";
    }
    return {};
}

const char* errorName(ParseError error)
{
    switch (error) {
    case ParseError::None:
        return "none";
    case ParseError::UnknownOperation:
        return "unknown";
    case ParseError::Arguments:
        return "arguments";
    case ParseError::HeadersNotNegotiated:
        return "headers";
    case ParseError::ControlLineTooLong:
        return "line";
    case ParseError::PayloadTooLarge:
        return "payload";
    }
    return "";
}

/// What a parser makes of the pieces, one line per operation, the error last.
std::string parse(const std::vector<std::string>& pieces, Parser& parser)
{
    std::string out;
    for (const auto& piece : pieces) {
        // A copy of its own per piece: a view that outlives its slice is seen by the address
        // sanitizer.
        const std::vector<char> slice(piece.begin(), piece.end());
        parser.feed(std::string_view(slice.data(), slice.size()));
        Operation operation;
        for (;;) {
            const auto outcome = parser.next(operation);
            if (outcome == Parser::Outcome::NeedMore)
                break;
            if (outcome == Parser::Outcome::Bad)
                return out + "BAD " + errorName(parser.error()) + "\n";
            out += describe(operation) + "\n";
        }
    }
    return out;
}

std::string parse(const std::vector<std::string>& pieces)
{
    Parser parser;
    return parse(pieces, parser);
}

} // namespace

class TestParser : public QObject
{
    Q_OBJECT
private slots:
    void lines_data();
    void lines();
    void cutAtEveryByte();
    void byteByByte();
    void announcesPublish();
    void earlyErrors();
    void controlLine_data();
    void controlLine();
    void largePayload();
    void restAfterOperation();
    void speed();
};

void TestParser::lines_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("result");
    const auto row = [](const char* name, const char* input, const char* result) {
        QTest::newRow(name) << QByteArray(input) << QByteArray(result);
    };
    row("publish", "PUB foo 2\r\nhi\r\n", "PUB foo|||hi\n");
    row("publish with reply", "PUB foo bar 2\r\nhi\r\n", "PUB foo|bar||hi\n");
    row("bare LF", "PUB foo 2\nhi\r\n", "PUB foo|||hi\n");
    row("any case", "pUb foo 0\r\n\r\nsub a 1\r\nPing\r\n", "PUB foo|||\nSUB a||1\nPING\n");
    row("blanks", "PUB \t foo\t\tbar   2  \r\nhi\r\n", "PUB foo|bar||hi\n");
    row("payload with line ends", "PUB a 4\r\n\r\n\r\n\r\n", "PUB a|||\r\n\r\n\n");
    row("headers", "HPUB a 4 6\r\nhdr!hi\r\n", "HPUB a||hdr!|hi\n");
    row("headers and reply", "HPUB a b 0 2\r\nhi\r\n", "HPUB a|b||hi\n");
    row("headers larger than all", "HPUB a 7 6\r\nhdr!hi\r\n", "BAD arguments\n");
    row("two arguments of HPUB", "HPUB a 6\r\n", "BAD arguments\n");
    row("five arguments of HPUB", "HPUB a b c 1 2\r\n", "BAD arguments\n");
    row("subscribe", "SUB foo 1\r\nSUB foo q 2\r\n", "SUB foo||1\nSUB foo|q|2\n");
    row("subscribe, one argument", "SUB foo\r\n", "BAD arguments\n");
    row("subscribe, four arguments", "SUB a b c d\r\n", "BAD arguments\n");
    row("unsubscribe",
        "UNSUB 1\r\nUNSUB 1 5\r\nUNSUB 1 x\r\n",
        "UNSUB 1|0\nUNSUB 1|5\nUNSUB 1|0\n");
    row("unsubscribe, three arguments", "UNSUB 1 2 3\r\n", "BAD arguments\n");
    row("ping with junk", "PINGxyz\r\nPONG abc\r\n", "PING\nPONG\n");
    row("from a server", "+OK\r\nINFO {}\r\n", "IGNORED\nIGNORED\n");
    row("error from the peer", "-ERR 'x'\r\n", "ERR\n");
    row("connect", "CONNECT {\"a\":1}\r\n", "CONNECT {\"a\":1}\n");
    row("connect with nothing", "CONNECT\r\n", "CONNECT \n");
    row("verb alone", "PUB\r\n", "BAD unknown\n");
    row("verb and blank", "PUB \r\n", "BAD arguments\n");
    row("subscribe alone", "SUB\r\n", "BAD unknown\n");
    row("empty line", "\r\n", "BAD unknown\n");
    row("longer verb", "PUBX foo 1\r\n", "BAD unknown\n");
    row("server verb", "MSG a 1 0\r\n\r\n", "BAD unknown\n");
    row("negative size", "PUB foo -1\r\n", "BAD arguments\n");
    row("signed size", "PUB foo +1\r\n", "BAD arguments\n");
    row("ten digits", "PUB foo 1234567890\r\n", "BAD arguments\n");
    row("too large", "PUB foo 1048577\r\n", "BAD payload\n");
    row("payload too long", "PUB foo 2\r\nhello\r\n", "BAD unknown\n");
    row("payload with bare LF", "PUB foo 2\r\nhi\nPING\r\n", "BAD unknown\n");
    row("payload with CR only", "PUB foo 2\r\nhi\rxPING\r\n", "BAD unknown\n");
}

void TestParser::lines()
{
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, result);
    QCOMPARE(QByteArray::fromStdString(parse({input.toStdString()})), result);
}

void TestParser::cutAtEveryByte()
{
    const std::string dialogue =
        "CONNECT {\"verbose\":false}\r\nPING\r\nSUB foo.* q 1\r\nPUB foo.a re.ply 5\r\nhello\r\n"
        "HPUB foo.b 12 14\r\nNATS/1.0\r\n\r\nhi\r\nPUB x 0\r\n\r\nUNSUB 1 7\nPONG\r\n"
        "+OK\r\nhpub y r 0 1\r\nz\r\n";
    const std::string whole = parse({dialogue});
    QVERIFY(whole.find("BAD") == std::string::npos);
    for (std::size_t i = 0; i <= dialogue.size(); ++i) {
        QCOMPARE(QString::fromStdString(parse({dialogue.substr(0, i), dialogue.substr(i)})),
            QString::fromStdString(whole));
        for (std::size_t k = i; k <= dialogue.size(); k += 3) {
            QCOMPARE(QString::fromStdString(parse(
                         {dialogue.substr(0, i), dialogue.substr(i, k - i), dialogue.substr(k)})),
                QString::fromStdString(whole));
        }
    }
}

void TestParser::byteByByte()
{
    const std::string dialogue = "SUB a 1\r\nPUB a b 3\r\nxyz\r\nPUB a 1\r\nq\rPING\r\n";
    std::vector<std::string> bytes;
    for (const char c : dialogue)
        bytes.emplace_back(1, c);
    QCOMPARE(
        QString::fromStdString(parse(bytes)), QString("SUB a||1\nPUB a|b||xyz\nBAD unknown\n"));
}

void TestParser::announcesPublish()
{
    const std::string dialogue = "PUB foo bar 2\r\nhi\r\n";
    for (std::size_t i = 0; i <= dialogue.size(); ++i) {
        Parser parser;
        parser.setAnnouncePublish(true);
        QCOMPARE(QString::fromStdString(parse({dialogue.substr(0, i), dialogue.substr(i)}, parser)),
            QString("LINE foo\nPUB foo|bar||hi\n"));
    }
    Parser parser;
    parser.setAnnouncePublish(true);
    QCOMPARE(QString::fromStdString(parse({"PUB foo 9\r\n"}, parser)), QString("LINE foo\n"));
}

void TestParser::earlyErrors()
{
    // Before the line's end: a peer that speaks something else must not wait.
    QCOMPARE(QString::fromStdString(parse({"G"})), QString("BAD unknown\n"));
    QCOMPARE(QString::fromStdString(parse({"PUBX"})), QString("BAD unknown\n"));
    QCOMPARE(QString::fromStdString(parse({"P", "U", "T"})), QString("BAD unknown\n"));
    QCOMPARE(QString::fromStdString(parse({"PUB foo 2\r\nhix"})), QString("BAD unknown\n"));
    QCOMPARE(QString::fromStdString(parse({"PUB foo 2000000\r\n"})), QString("BAD payload\n"));
    Parser parser;
    parser.setHeaders(false);
    QCOMPARE(QString::fromStdString(parse({"HPUB foo 2 2\r\n"}, parser)), QString("BAD headers\n"));
}

void TestParser::controlLine_data()
{
    QTest::addColumn<int>("subjectSize");
    QTest::addColumn<bool>("complete");
    QTest::addColumn<bool>("good");
    QTest::newRow("just fits") << 4094 << true << true;
    QTest::newRow("one more") << 4095 << true << false;
    QTest::newRow("without an end, fits") << 4000 << false << true;
    QTest::newRow("without an end") << 5000 << false << false;
}

void TestParser::controlLine()
{
    QFETCH(int, subjectSize);
    QFETCH(bool, complete);
    QFETCH(bool, good);
    const std::string line = "SUB " + std::string(static_cast<std::size_t>(subjectSize), 's')
        + (complete ? " 1\r\n" : "");
    const std::string whole = parse({line});
    QCOMPARE(whole.find("BAD") == std::string::npos, good);
    QCOMPARE(parse({line.substr(0, 7), line.substr(7)}).find("BAD") == std::string::npos, good);
    if (!good)
        QCOMPARE(QString::fromStdString(whole), QString("BAD line\n"));
}

void TestParser::largePayload()
{
    const std::string payload(700'000, 'p');
    const std::string wire = "PUB foo 700000\r\n" + payload + "\r\nPUB bar 1\r\nx\r\n";
    std::vector<std::string> pieces;
    for (std::size_t i = 0; i < wire.size(); i += 65'536)
        pieces.push_back(wire.substr(i, 65'536));
    QVERIFY(parse(pieces) == "PUB foo|||" + payload + "\nPUB bar|||x\n");
}

void TestParser::restAfterOperation()
{
    Parser parser;
    parser.feed("PING\r\nPUB a 1\r\nx\r\n");
    Operation operation;
    QVERIFY(parser.next(operation) == Parser::Outcome::Operation);
    QVERIFY(parser.rest() == "PUB a 1\r\nx\r\n");
}

void TestParser::speed()
{
    std::string wire;
    constexpr int kMessages = 1000;
    for (int i = 0; i < kMessages; ++i)
        wire += "PUB orders.new.eu 128\r\n" + std::string(128, 'x') + "\r\n";
    Parser parser;
    Operation operation;
    int count = 0;
    QBENCHMARK
    {
        parser.feed(wire);
        count = 0;
        while (parser.next(operation) == Parser::Outcome::Operation)
            ++count;
    }
    QCOMPARE_EQ(count, kMessages);
}

QTEST_GUILESS_MAIN(TestParser)
#include "tst_parser.moc"
