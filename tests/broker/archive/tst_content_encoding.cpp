// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/content_encoding.h"
#include "archive/s2_stream.h"

#include <QTest>

#include <string>
#include <zlib.h>

using namespace jetglass::archive;

namespace {

std::string gunzip(const std::string& bytes)
{
    z_stream stream{};
    std::string out(1U << 20U, '\0');
    std::string in = bytes;
    if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK)
        return "no zlib";
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int end = inflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return end == Z_STREAM_END ? out : "damaged";
}

std::string unframed(const std::string& bytes)
{
    S2Reader reader;
    reader.feed(bytes);
    reader.finish();
    std::string out;
    while (reader.next() == S2Reader::Step::Data)
        out += reader.data();
    return reader.error().empty() ? out : "damaged";
}

std::string page()
{
    std::string text;
    for (int i = 0; i < 9000; ++i)
        text += R"({"name":"stream )" + std::to_string(i) + "\"},";
    return text;
}

} // namespace

class TestContentEncoding : public QObject
{
    Q_OBJECT

private slots:
    void asAsked_data();
    void asAsked();
    void givesBackWhatWentIn_data();
    void givesBackWhatWentIn();
};

void TestContentEncoding::asAsked_data()
{
    QTest::addColumn<QString>("accepted");
    QTest::addColumn<QString>("named");
    QTest::newRow("nothing") << QString() << QString();
    QTest::newRow("gzip") << QStringLiteral("gzip") << QStringLiteral("gzip");
    QTest::newRow("snappy") << QStringLiteral("snappy") << QStringLiteral("snappy");
    QTest::newRow("s2 is read as snappy") << QStringLiteral("S2") << QStringLiteral("snappy");
    QTest::newRow("snappy first") << QStringLiteral("gzip, Snappy") << QStringLiteral("snappy");
    QTest::newRow("weights") << QStringLiteral("GZip;q=0.5") << QStringLiteral("gzip");
    QTest::newRow("unknown") << QStringLiteral("br") << QStringLiteral("identity");
}

void TestContentEncoding::asAsked()
{
    QFETCH(QString, accepted);
    QFETCH(QString, named);
    const ContentEncoding encoding = acceptedEncoding(accepted.toStdString());
    QCOMPARE(std::string(encodingName(encoding)), named.toStdString());
}

void TestContentEncoding::givesBackWhatWentIn_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("short") << QByteArray("{}");
    QTest::newRow("of several chunks") << QByteArray::fromStdString(page());
}

void TestContentEncoding::givesBackWhatWentIn()
{
    QFETCH(QByteArray, text);
    const std::string bytes = text.toStdString();
    const std::string snappy = encodeContent(bytes, ContentEncoding::Snappy);
    QCOMPARE(unframed(snappy), bytes);
    QVERIFY2(snappy.find("sNaPpY") == 4, "readers that know only Snappy refuse S2's own name");
    QCOMPARE(gunzip(encodeContent(bytes, ContentEncoding::Gzip)), bytes);
    QCOMPARE(encodeContent(bytes, ContentEncoding::Identity), bytes);
    if (bytes.size() > 1000) {
        QVERIFY(snappy.size() < bytes.size() / 2);
        QVERIFY(encodeContent(bytes, ContentEncoding::Gzip).size() < bytes.size() / 4);
    }
}

QTEST_APPLESS_MAIN(TestContentEncoding)
#include "tst_content_encoding.moc"
