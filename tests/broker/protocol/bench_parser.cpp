// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/parser.h"

#include <QtTest>

#include <chrono>
#include <string>

using namespace jetglass::protocol;

/// What it costs to take a client's bytes apart, as they come from a socket: 64 KiB at a time, so
/// that slices end inside lines and payloads.
class BenchParser : public QObject
{
    Q_OBJECT

private slots:
    void operations_data();
    void operations();
};

void BenchParser::operations_data()
{
    QTest::addColumn<QByteArray>("one");
    const auto publish = [](int size) {
        return QByteArray("PUB orders.created.eu _INBOX.abcdefghij.42 ") + QByteArray::number(size)
            + "\r\n" + QByteArray(size, 'p') + "\r\n";
    };
    QTest::newRow("PUB 16 B") << publish(16);
    QTest::newRow("PUB 128 B") << publish(128);
    QTest::newRow("PUB 1 KiB") << publish(1024);
    const QByteArray headers("NATS/1.0\r\nNats-Msg-Id: 0123456789\r\n\r\n");
    QTest::newRow("HPUB 128 B") << QByteArray("HPUB orders.created.eu ")
            + QByteArray::number(headers.size()) + " " + QByteArray::number(headers.size() + 128)
            + "\r\n" + headers + QByteArray(128, 'p') + "\r\n";
    QTest::newRow("SUB") << QByteArray("SUB orders.*.eu workers 123456\r\n");
    QTest::newRow("PING") << QByteArray("PING\r\n");
}

void BenchParser::operations()
{
    QFETCH(QByteArray, one);
    constexpr std::size_t kSlice = 64U << 10U;
    constexpr int kOperations = 1'000'000;
    std::string bytes;
    while (bytes.size() < 4U * kSlice || bytes.size() % static_cast<std::size_t>(one.size()) != 0)
        bytes.append(one.constData(), static_cast<std::size_t>(one.size()));
    const std::size_t inAll = bytes.size() / static_cast<std::size_t>(one.size());
    Parser parser;
    Operation operation;
    std::size_t seen = 0;
    const auto from = std::chrono::steady_clock::now();
    while (seen < kOperations && parser.error() == ParseError::None) {
        for (std::size_t at = 0; at < bytes.size(); at += kSlice) {
            parser.feed(std::string_view(bytes).substr(at, kSlice));
            while (parser.next(operation) == Parser::Outcome::Operation)
                ++seen;
        }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
    QCOMPARE(parser.error(), ParseError::None);
    QCOMPARE(seen % inAll, 0U);
    qInfo("%6.1f ns an operation", took.count() * 1e9 / static_cast<double>(seen));
}

QTEST_GUILESS_MAIN(BenchParser)
#include "bench_parser.moc"
