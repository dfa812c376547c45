// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/block_reader.h"
#include "archive/consumer_file.h"
#include "archive/entry_codec.h"
#include "archive/index_file.h"
#include "archive/tar_reader.h"

#include <QRegularExpression>
#include <QTest>

#include <string>
#include <vector>

using namespace jetglass::archive;

namespace {

/// One block of a ustar header with its checksum, then the content.
std::string tarFile(const std::string& name, const std::string& content, char type = '0')
{
    std::string block(512, '\0');
    block.replace(0, name.size(), name);
    block.replace(100, 7, "0000600");
    char size[16] = {};
    std::snprintf(size, sizeof(size), "%011o", static_cast<unsigned>(content.size()));
    block.replace(124, 11, size, 11);
    block.replace(148, 8, 8, ' ');
    block[156] = type;
    block.replace(257, 6, std::string("ustar\0", 6));
    block.replace(263, 2, "00");
    unsigned sum = 0;
    for (const char c : block)
        sum += static_cast<unsigned char>(c);
    std::snprintf(size, sizeof(size), "%06o", sum);
    block.replace(148, 7, size, 7);
    std::string padded = content;
    padded.resize((content.size() + 511) / 512 * 512, '\0');
    return block + padded;
}

std::string readAll(std::string_view bytes, std::size_t piece)
{
    TarReader tar;
    std::string out;
    while (true) {
        switch (tar.next()) {
        case TarReader::Step::File:
            out += "<" + tar.name() + " " + std::to_string(tar.size()) + ":";
            break;
        case TarReader::Step::Data:
            out += tar.data();
            break;
        case TarReader::Step::FileEnd:
            out += ">";
            break;
        case TarReader::Step::NeedInput:
            if (bytes.empty()) {
                tar.finish();
                break;
            }
            tar.feed(bytes.substr(0, piece));
            bytes.remove_prefix(std::min(piece, bytes.size()));
            break;
        case TarReader::Step::End:
            return out;
        case TarReader::Step::Failed:
            return out + "!" + tar.error();
        }
    }
}

} // namespace

class tst_BackupFormats : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void readsTarInAnyPieces_data();
    void readsTarInAnyPieces();
    void readsLongNamesOfTar();
    void refusesTar_data();
    void refusesTar();
    void readsEntriesInAnyPieces();
    void refusesEntries_data();
    void refusesEntries();
    void readsBlocksInAnyPieces();
    void stopsAtDamageInABlock();
    void readsConsumerFiles();
    void survivesAnyBytes();
};

void tst_BackupFormats::readsTarInAnyPieces_data()
{
    QTest::addColumn<int>("piece");
    for (const int piece : {1, 7, 511, 512, 513, 100000})
        QTest::addRow("%d bytes at a time", piece) << piece;
}

void tst_BackupFormats::readsTarInAnyPieces()
{
    QFETCH(int, piece);
    const std::string tar = tarFile("meta.inf", "{}") + tarFile("msgs/1.blk", std::string(600, 'x'))
        + tarFile("./obs//c/o.dat", "") + std::string(1024, '\0') + "what follows does not matter";
    QCOMPARE(readAll(tar, static_cast<std::size_t>(piece)),
        "<meta.inf 2:{}><msgs/1.blk 600:" + std::string(600, 'x') + "><obs/c/o.dat 0:>");
}

void tst_BackupFormats::readsLongNamesOfTar()
{
    const std::string name = "obs/" + std::string(200, 'n') + "/meta.inf";
    const std::string record = "path=" + name + "\n";
    const std::string pax = std::to_string(record.size() + 4) + " " + record;
    QCOMPARE(readAll(tarFile("pax", pax, 'x') + tarFile("short", "1"), 512), "<" + name + " 1:1>");
    QCOMPARE(readAll(tarFile("././@LongLink", name + '\0', 'L') + tarFile("short", "1"), 512),
        "<" + name + " 1:1>");
}

void tst_BackupFormats::refusesTar_data()
{
    QTest::addColumn<QByteArray>("tar");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char* name, const std::string& tar, const char* error) {
        QTest::newRow(name) << QByteArray::fromStdString(tar) << QByteArray(error);
    };
    std::string damaged = tarFile("a", "1");
    damaged[3] = 'z';
    row("a header whose checksum does not hold", damaged, "archive/tar: invalid tar header");
    row("a folder", tarFile("a", "", '5'), "unexpected content");
    row("a symbolic link", tarFile("a", "", '2'), "unexpected content");
    row("a device", tarFile("a", "", '3'), "unexpected content");
    row("a way out", tarFile("../a", "1"), "unexpected content");
    row("a way out later", tarFile("a/../../b", "1"), "unexpected content");
    row("an end in a header", tarFile("a", "1").substr(0, 100), "unexpected EOF");
    row("an end in a file", tarFile("a", std::string(600, '1')).substr(0, 700), "unexpected EOF");
    row("extended records that lie",
        tarFile("p", "99 path=x\n", 'x') + tarFile("a", "1"),
        "archive/tar: invalid tar header");
}

void tst_BackupFormats::refusesTar()
{
    QFETCH(QByteArray, tar);
    QFETCH(QByteArray, error);
    const std::string read = readAll(tar.toStdString(), 4096);
    QCOMPARE(QByteArray::fromStdString(read.substr(read.find('!') + 1)), error);
}

void tst_BackupFormats::readsEntriesInAnyPieces()
{
    std::string bytes(kEntryMagic);
    putEntryHead(bytes, "state.json", -5, 0, 0, 2);
    bytes += "{}";
    putEntryHead(bytes, "a.b", 1'700'000'000'000'000'000, UINT64_MAX, 3, 4);
    bytes += "hdrbody";
    putEntryHead(bytes, {}, 0, 0, 0, 0);
    for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
        EntryReader reader;
        std::string out;
        for (std::size_t at = 0;;) {
            const auto step = reader.next();
            if (step == EntryReader::Step::NeedInput) {
                if (at >= bytes.size())
                    break;
                reader.feed(std::string_view(bytes).substr(at, piece));
                at += piece;
                continue;
            }
            QVERIFY(step != EntryReader::Step::Failed);
            if (step == EntryReader::Step::Body)
                out += reader.head().isEnd()
                    ? "end"
                    : reader.head().name + "/" + std::to_string(reader.head().time) + "/"
                        + std::to_string(reader.head().seq) + "/" + std::string(reader.body())
                        + ";";
        }
        QCOMPARE(out,
            std::string("state.json/-5/0/{};a.b/1700000000000000000/18446744073709551615/"
                        "hdrbody;end"));
        reader.finish();
        QVERIFY(reader.next() == EntryReader::Step::Failed);
        QCOMPARE(reader.error(), std::string("EOF"));
    }
}

void tst_BackupFormats::refusesEntries_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char* name, const std::string& bytes, const char* error) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QByteArray(error);
    };
    const std::string magic(kEntryMagic);
    const char* invalid = "archive: invalid archive stream";
    row("nothing", "", "EOF");
    row("another magic", "NATSARC2xxxx", invalid);
    row("an end after the magic", magic, "EOF");
    row("an end in a head", magic + "\x05", invalid);
    row("an end in a name",
        magic
            + std::string("\x05\x00\x00\x00\x00"
                          "ab",
                7),
        invalid);
    row("an end in a body", magic + std::string("\x01\x00\x00\x00\x09nx", 7), invalid);
    row("a number of eleven bytes", magic + std::string(11, '\xff'), invalid);
    std::string huge = magic;
    putEntryHead(huge, {}, 0, 1, UINT64_MAX, 0);
    row("a size beyond all bounds", huge, invalid);
    std::string sum = magic;
    putEntryHead(sum, {}, 0, 1, INT64_MAX, INT64_MAX);
    row("sizes whose sum is", sum, invalid);
    row("a name beyond all bounds",
        magic + std::string("\xff\xff\xff\x0f\x00\x00\x00\x00", 8),
        invalid);
}

void tst_BackupFormats::refusesEntries()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, error);
    EntryReader reader;
    reader.feed(bytes.toStdString());
    reader.finish();
    EntryReader::Step step{};
    do
        step = reader.next();
    while (step == EntryReader::Step::Head);
    QVERIFY(step == EntryReader::Step::Failed);
    QCOMPARE(QByteArray::fromStdString(reader.error()), error);
}

void tst_BackupFormats::readsBlocksInAnyPieces()
{
    std::string block;
    const NamedHash hash = blockHash("S", "7");
    putBlockRecord(block, hash, {BlockRecord::Kind::Message, 1, 11, "a.b", {}, "one"});
    putBlockRecord(block, hash, {BlockRecord::Kind::Message, 2, 12, "a.c", "HEAD", "two"});
    putBlockRecord(block, hash, {BlockRecord::Kind::Erased, 3, 13, {}, {}, {}});
    putBlockRecord(block, hash, {BlockRecord::Kind::Tombstone, 1, 14, {}, {}, {}});
    for (const std::size_t piece : {std::size_t{1}, std::size_t{10}, block.size()}) {
        BlockReader reader("S", "7");
        std::string out;
        for (std::size_t at = 0; at < block.size(); at += piece) {
            reader.feed(std::string_view(block).substr(at, piece));
            while (const auto record = reader.next())
                out += std::to_string(static_cast<int>(record->kind)) + ":"
                    + std::to_string(record->seq) + "@" + std::to_string(record->time) + " "
                    + std::string(record->subject) + "|" + std::string(record->headers) + "|"
                    + std::string(record->payload) + ";";
        }
        QCOMPARE(out, std::string("0:1@11 a.b||one;0:2@12 a.c|HEAD|two;1:3@13 ||;2:1@14 ||;"));
        QVERIFY(!reader.isDamaged());
    }
    BlockReader other("S", "8");
    other.feed(block);
    QVERIFY(!other.next());
    QVERIFY(other.isDamaged());
}

void tst_BackupFormats::stopsAtDamageInABlock()
{
    std::string good;
    const NamedHash hash = blockHash("S", "1");
    for (std::uint64_t seq = 1; seq <= 3; ++seq)
        putBlockRecord(good, hash, {BlockRecord::Kind::Message, seq, 1, "a", "h", "payload"});
    const std::size_t size = good.size() / 3;
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x10);
        BlockReader reader("S", "1");
        reader.feed(bad);
        std::size_t count = 0;
        while (reader.next())
            ++count;
        // A length that grew may look like a record that is not whole yet.
        QCOMPARE(count, at / size);
    }
}

void tst_BackupFormats::readsConsumerFiles()
{
    // Version 2: floor 1/2, delivered 4/4, two pending (3: consumer 2, 4: consumer 3), one
    // redelivery.
    const std::string file(
        "\x16\x02\x01\x02\x04\x04\x02\xc8\x01\x01\x01\x00\x02\x02\x02\x01\x01\x01", 18);
    const auto progress = decodeConsumerFile(file);
    QVERIFY(progress.has_value());
    QCOMPARE(progress->floorConsumer, 1U);
    QCOMPARE(progress->floorStream, 2U);
    QCOMPARE(progress->deliveredConsumer, 4U);
    QCOMPARE(progress->deliveredStream, 4U);
    QCOMPARE(progress->pending.size(), 2U);
    QCOMPARE(progress->pending[0].seq, 3U);
    QCOMPARE(progress->pending[0].consumerSeq, 2U);
    QCOMPARE(progress->pending[0].time, 100'000'000'000);
    QCOMPARE(progress->pending[1].seq, 4U);
    QCOMPARE(progress->pending[1].time, 99'000'000'000);
    QCOMPARE(progress->redelivered.size(), 1U);
    QCOMPARE(progress->redelivered[0].seq, 3U);
    for (std::size_t cut = 0; cut < 12; ++cut)
        QVERIFY(!decodeConsumerFile(std::string_view(file).substr(0, cut)));
}

/// Never a crash, never a loop without end.
void tst_BackupFormats::survivesAnyBytes()
{
    std::uint32_t random = 12345;
    const auto next = [&random] { return random = random * 1664525U + 1013904223U; };
    for (int round = 0; round < 3000; ++round) {
        std::string bytes(next() % 700U, '\0');
        for (char& c : bytes)
            c = static_cast<char>(next() >> 24U);
        readAll(bytes, 1 + next() % 64U);
        BlockReader block("S", "1");
        block.feed(bytes);
        while (block.next()) { }
        EntryReader entries;
        entries.feed(std::string(kEntryMagic) + bytes);
        entries.finish();
        for (auto step = entries.next(); step != EntryReader::Step::Failed; step = entries.next())
            QVERIFY(step != EntryReader::Step::NeedInput);
        if (bytes.size() > 2)
            bytes.replace(0, 2, "\x16\x02");
        static_cast<void>(decodeConsumerFile(bytes));
        static_cast<void>(decodeIndexFile(bytes, "S"));
    }
}

QTEST_GUILESS_MAIN(tst_BackupFormats)
#include "tst_backup_formats.moc"
