// SPDX-License-Identifier: GPL-3.0-or-later
// One damage at a time, in each region of each file of a store: what the damage did not hit is
// still there, what it hit is said to be lost, and the damaged file is kept as it was.
#include "damage.h"
#include "random_operations.h"
#include "store/block_cache.h"
#include "store/file_consumer_log.h"
#include "store/file_store.h"
#include "store/frame_file.h"
#include "workload.h"

#include <QtTest>

#include <functional>
#include <set>

using namespace jetglass;
using namespace jetglass::store;

namespace {

using Kind = RecoveryFinding::Kind;

/// A part that is the same each time, but no pattern that goes with the fields of a record.
constexpr std::uint64_t kPart = 8;

/// What a damage of a block hits, in sequences and other things.
struct Hit
{
    std::set<std::uint64_t> messages;
    bool removal = false;
    bool end = false; ///< the newest block's end: what was there may be torn
};

const RecoveryFinding* find(const RecoveryReport& report, Kind kind)
{
    for (const RecoveryFinding& finding : report)
        if (finding.kind == kind)
            return &finding;
    return nullptr;
}

} // namespace

class TestEveryRegion : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void blocksAndTheirIndexes();
    void consumerLog();
    void historyLog();
    void catalogAndItsCopies();

private:
    using Check = std::function<QString(const Damage&, const std::string& bytes)>;
    void damageEach(const std::function<bool(const std::string&)>& wanted, const Check& check);
    QString checkStream(const KnownStream& known, const Damage& damage);
    QString checkMessages(const KnownStream& known,
        MessageStore& store,
        const Hit& hit,
        const RecoveryReport& report);
    [[nodiscard]] Hit hitBy(const KnownStream& known, const Damage& damage) const;
    QString checkKept(const Damage& damage, const std::string& bytes, const RecoveryReport& report);
    QString checkCatalog(const Damage& damage);
    void reset(const std::string& file, const std::string& bytes);
    std::string fileNow(const std::string& path) const;
    Result<std::unique_ptr<MessageStore>> open(
        const KnownStream& known, CatalogEnd& end, RecoveryReport& report);

    Workload m_work;
    bool m_all = false;
    std::unique_ptr<FaultyFileSystem> m_files;
    InlineWorker m_worker;
    std::shared_ptr<BufferPool> m_pool = std::make_shared<BufferPool>(4U << 20U);
};

void TestEveryRegion::initTestCase()
{
    m_work = makeWorkload();
    m_all = qEnvironmentVariableIsSet("FAULT_ALL");
    std::set<std::string> endings;
    for (const auto& [path, bytes] : m_work.files)
        endings.insert(path.substr(path.find_last_of(".-/")));
    for (const char* ending : {".blk", ".idx", ".fss", ".log", ".sqlite", "-wal", ".json"})
        QVERIFY2(endings.contains(ending), ending);
}

void TestEveryRegion::reset(const std::string& file, const std::string& bytes)
{
    m_files = std::make_unique<FaultyFileSystem>();
    for (const auto& [path, whole] : m_work.files)
        m_files->contents[path] = std::make_shared<FaultyFileSystem::Content>(
            FaultyFileSystem::Content{path == file ? bytes : whole, {}});
}

std::string TestEveryRegion::fileNow(const std::string& path) const
{
    const auto found = m_files->contents.find(path);
    return found == m_files->contents.end() ? std::string() : found->second->bytes;
}

void TestEveryRegion::damageEach(
    const std::function<bool(const std::string&)>& wanted, const Check& check)
{
    std::uint64_t number = 0;
    std::uint64_t tried = 0;
    QStringList wrong;
    for (const auto& [path, whole] : m_work.files) {
        if (!wanted(path))
            continue;
        for (const Region& region : regionsOf(path, whole))
            for (std::size_t kind = 0; kind < Damage::kKinds; ++kind) {
                if (!m_all && (++number * 0x9E3779B97F4A7C15U >> 32U) % kPart != 0)
                    continue;
                std::string bytes = whole;
                const auto damage = damaged(path, region, static_cast<Damage::Kind>(kind), bytes);
                if (!damage)
                    continue;
                reset(path, bytes);
                ++tried;
                const QString said = check(*damage, bytes);
                if (!said.isEmpty())
                    wrong << QString::fromStdString(damage->text()) + ": " + said;
            }
    }
    QVERIFY(tried > 0);
    qInfo("%llu damages", static_cast<unsigned long long>(tried));
    for (const QString& one : wrong.mid(0, 40))
        qWarning().noquote() << one;
    QCOMPARE(wrong.size(), 0);
}

Result<std::unique_ptr<MessageStore>> TestEveryRegion::open(
    const KnownStream& known, CatalogEnd& end, RecoveryReport& report)
{
    report.clear();
    // It is asked for single messages only, so it may be gone while blocks still point to it.
    static BlockCache cache{1U << 20U};
    const FileStoreContext context{
        *m_files, m_worker, cache, m_pool, StoreSettings{"", false, 4096, 1U << 20U}};
    return FileStore::open(context,
        std::string(Workload::kDirectory) + "/streams/" + known.config.name + "/msgs",
        report,
        {end, [&end](const CatalogEnd& now) { end = now; }});
}

Hit TestEveryRegion::hitBy(const KnownStream& known, const Damage& damage) const
{
    Hit hit;
    if (!damage.file.ends_with(".blk"))
        return hit;
    const std::string& whole = m_work.files.at(damage.file);
    FaultyFileSystem files;
    files.contents["b"] =
        std::make_shared<FaultyFileSystem::Content>(FaultyFileSystem::Content{whole, {}});
    const std::string block = *readBlock(files, "b");
    const bool framed = whole != block;
    const auto frames = framed ? framesOf(whole) : std::vector<Extent>();
    const auto isHit = [&](const Extent& record) {
        // With less than its first bytes left nothing tells what the file was.
        if (damage.kind == Damage::Kind::Truncate && damage.from < (framed ? 32U : 40U))
            return true;
        if (!framed)
            return damage.hits(record.offset, record.size);
        return std::any_of(frames.begin(), frames.end(), [&](const Extent& frame) {
            return damage.hits(frame.offset, frame.size)
                && record.offset + record.size > frame.first && record.offset <= frame.last;
        });
    };
    const auto number = std::stoull(damage.file.substr(damage.file.rfind('/') + 1U));
    const bool newest = number == known.end.block;
    hit.end = newest
        && (damage.kind == Damage::Kind::Truncate
            || (damage.kind == Damage::Kind::Zeros && damage.to + 80U >= whole.size()));
    Extent batch;
    for (const Extent& record : recordsOf(block)) {
        if (record.together)
            batch = record;
        if (!isHit(record))
            continue;
        hit.removal = hit.removal || record.removal;
        if (record.last != 0 && !record.together)
            hit.messages.insert(record.first);
        // What is left of a batch without its end was never whole.
        if (hit.end && batch.last != 0 && record.first >= batch.first
            && (record.first <= batch.last || record.together))
            for (std::uint64_t seq = batch.first; seq <= batch.last; ++seq)
                hit.messages.insert(seq);
    }
    return hit;
}

/// Every message is asked for: damage in a block with a good index is found only then.
QString TestEveryRegion::checkMessages(
    const KnownStream& known, MessageStore& store, const Hit& hit, const RecoveryReport& report)
{
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    const std::uint64_t to = std::max(known.stored.last, store.state().last.value()) + 3U;
    if (to > known.stored.last + 1000U)
        return QString("its last sequence is %1").arg(to - 3U);
    for (std::uint64_t seq = 1; seq <= to; ++seq) {
        MessageView view;
        const bool there = store.load(StreamSeq(seq), view);
        const bool wanted = known.stored.messages.contains(seq);
        if (there) {
            ++messages;
            bytes += store.sizeOf({view.subject, view.headers, view.payload, view.time});
            const auto ever = known.ever.find(seq);
            if (ever == known.ever.end() || view.seq.value() != seq
                || !(copyOf(view) == ever->second))
                return QString("%1 is served and is not what was stored").arg(seq);
            if (!wanted && !hit.removal)
                return QString("%1 is back").arg(seq);
        } else if (wanted) {
            if (!hit.messages.contains(seq))
                return QString("%1 is gone and was not hit").arg(seq);
            const auto gap = store.gaps(StreamSeq(seq), StreamSeq(seq));
            if (seq > store.state().last.value()
                    ? !hit.end
                    : gap.empty() || gap.front().cause != Removal::Lost)
                return QString("%1 is gone and nothing says so").arg(seq);
        }
    }
    if (store.state().messages != messages || store.state().bytes != bytes)
        return QString("counts %1 messages with %2 bytes; they are %3 with %4")
            .arg(store.state().messages)
            .arg(store.state().bytes)
            .arg(messages)
            .arg(bytes);
    if (!hit.end && store.state().last.value() != known.stored.last)
        return QString("ends at %1").arg(store.state().last.value());
    Q_UNUSED(report);
    return {};
}

/// A damaged file that is changed is kept as it was. What is only cut off was never stored.
QString TestEveryRegion::checkKept(
    const Damage& damage, const std::string& bytes, const RecoveryReport& report)
{
    for (const RecoveryFinding& finding : report)
        if (finding.file == damage.file && !finding.aside.empty())
            return fileNow(finding.aside) == bytes ? QString()
                                                   : QString("the file aside is another");
    const std::string now = fileNow(damage.file);
    // What a file was cut down to without a message left in it is not worth keeping.
    const bool emptied = damage.kind == Damage::Kind::Truncate && now.empty();
    if (emptied || now.starts_with(bytes) || find(report, Kind::UnfinishedBlockRemoved))
        return {};
    std::size_t cut = 0;
    for (const Kind kind : {Kind::TornEndCut, Kind::ConsumerLogCut})
        if (const RecoveryFinding* finding = find(report, kind))
            cut = finding->bytes;
    if (const RecoveryFinding* finding = find(report, Kind::BatchTakenBack))
        return finding->file == damage.file ? QString() : "a batch was taken back elsewhere";
    return now.starts_with(bytes.substr(0, bytes.size() - cut)) ? QString() : "it was not kept";
}

QString TestEveryRegion::checkStream(const KnownStream& known, const Damage& damage)
{
    const std::string bytes = fileNow(damage.file);
    const Hit hit = hitBy(known, damage);
    CatalogEnd end = known.end;
    RecoveryReport report;
    auto store = open(known, end, report);
    if (!store)
        return QString::fromStdString("does not open: " + store.error().text);
    QString wrong = checkMessages(known, **store, hit, report);
    QStringList lines;
    for (const RecoveryFinding& finding : report)
        lines << QString::fromStdString(recoveryLine(finding));
    if (wrong.isEmpty() && damage.file.ends_with(".blk"))
        wrong = checkKept(damage, bytes, report);
    if (!wrong.isEmpty())
        return wrong + "; " + lines.join("; ");
    if (const auto done = (*store)->commit(); !done)
        return QString::fromStdString(done.error().text);
    const StoreState before = (*store)->state();
    store->reset();
    store = open(known, end, report);
    if (!store)
        return QString::fromStdString("does not open again: " + store.error().text);
    if (!report.empty())
        return "says at the second time: " + QString::fromStdString(recoveryLine(report.front()))
            + "; at first " + lines.join("; ");
    const StoreState after = (*store)->state();
    if (before.messages != after.messages || before.bytes != after.bytes
        || before.last != after.last)
        return QString("another state at the second time");
    return checkMessages(known, **store, hit, report);
}

void TestEveryRegion::blocksAndTheirIndexes()
{
    damageEach([](const std::string& path) { return path.find("/msgs/") != std::string::npos; },
        [this](const Damage& damage, const std::string&) {
            const bool plain = damage.file.find("/PLAIN/") != std::string::npos;
            return checkStream(plain ? m_work.plain : m_work.compressed, damage);
        });
}

void TestEveryRegion::consumerLog()
{
    const auto isLog = [](const std::string& path) { return path.ends_with("consumers.log"); };
    damageEach(isLog, [this](const Damage& damage, const std::string& bytes) -> QString {
        std::vector<ConsumerRecord> wanted;
        for (const Extent& batch : batchesOf(m_work.files.at(damage.file)))
            if (!damage.hits(batch.offset, batch.size))
                for (const ConsumerRecord& record : m_work.batches[batch.first])
                    wanted.push_back(record);
        for (int time = 0; time < 2; ++time) {
            RecoveryReport report;
            const auto log = FileConsumerLog::open(*m_files, m_worker, damage.file, report);
            if (!log)
                return QString::fromStdString(log.error().text);
            std::vector<ConsumerRecord> got;
            if (!(*log)->replay([&got](const ConsumerRecord& record) { got.push_back(record); }))
                return "cannot be replayed";
            const bool same = std::equal(got.begin(),
                got.end(),
                wanted.begin(),
                wanted.end(),
                [](const ConsumerRecord& a, const ConsumerRecord& b) {
                    return a.kind == b.kind && a.consumer == b.consumer && a.seq == b.seq
                        && a.consumerSeq == b.consumerSeq && a.time == b.time && a.count == b.count;
                });
            if (!same)
                return QString("%1 records of %2").arg(got.size()).arg(wanted.size());
            const bool shortened = damage.kind == Damage::Kind::Truncate;
            if (time == 0 && report.empty() && !shortened)
                return "nothing is said";
            if (time > 0 && !report.empty())
                return "is said again: " + QString::fromStdString(recoveryLine(report.front()));
            if (const QString wrong = time == 0 ? checkKept(damage, bytes, report) : QString();
                !wrong.isEmpty())
                return wrong;
        }
        return {};
    });
}

void TestEveryRegion::historyLog()
{
    const auto isLog = [](const std::string& path) { return path.ends_with("history.log"); };
    damageEach(isLog, [this](const Damage& damage, const std::string& bytes) -> QString {
        std::vector<std::uint64_t> wanted;
        for (const Extent& batch : batchesOf(m_work.files.at(damage.file)))
            if (!damage.hits(batch.offset, batch.size))
                wanted.push_back(m_work.removals[batch.first].bytes);
        for (int time = 0; time < 2; ++time) {
            RecoveryReport report;
            const auto log = HistoryLog::open(*m_files, damage.file, report);
            if (!log)
                return QString::fromStdString(log.error().text);
            std::vector<std::uint64_t> got;
            bool named = true;
            (*log)->replay(
                [&](const RemovalRow& row, std::string_view by) {
                    got.push_back(row.bytes);
                    named = named && by == "somebody";
                },
                [](const OutcomeRow&) {});
            if (got != wanted || !named)
                return QString("%1 rows of %2").arg(got.size()).arg(wanted.size());
            const std::string now = fileNow(damage.file);
            if (time == 0 && report.empty() && !bytes.starts_with(now))
                return "it was not kept";
            if (time > 0 && !report.empty())
                return "is said again";
            if (!report.empty() && fileNow(report.front().aside) != bytes)
                return "the file aside is another";
        }
        return {};
    });
}

/// SQLite has no checksums: a bit that is flipped inside of a row is not noticed, nor is what stood
/// in its log behind a damaged frame. What it notices is made anew from the copies.
QString TestEveryRegion::checkCatalog(const Damage& damage)
{
    const bool isCopy = damage.file.ends_with(".json");
    StoreSettings settings{"store", false, 4096, 1U << 20U};
    const auto factory = openStoreFactory(*m_files, m_worker, settings, "$G");
    if (!factory)
        return isCopy ? QString::fromStdString(factory.error().text) : QString();
    const auto streams = (*factory)->catalog().loadStreams();
    const auto consumers = (*factory)->catalog().loadConsumers("PLAIN");
    const bool rescued = find((*factory)->report(), Kind::CatalogDamaged) != nullptr;
    if (!isCopy && !rescued)
        return {};
    if (!streams || !consumers)
        return "cannot be read";
    const bool same = std::equal(streams->begin(),
        streams->end(),
        m_work.streams.begin(),
        m_work.streams.end(),
        [](const CatalogStream& a, const CatalogStream& b) {
            return a.name == b.name && a.config == b.config && a.created == b.created;
        });
    if (!same)
        return QString("%1 streams").arg(streams->size());
    if (consumers->size() != m_work.consumers.size())
        return QString("%1 consumers").arg(consumers->size());
    for (std::size_t i = 0; i < consumers->size(); ++i)
        if ((*consumers)[i].config != m_work.consumers[i].config
            || (*consumers)[i].number != m_work.consumers[i].number
            || (*consumers)[i].snapshot != (rescued ? "" : m_work.consumers[i].snapshot))
            return "another consumer";
    if (isCopy && fileNow(damage.file) != m_work.files.at(damage.file))
        return "the copy was not made anew";
    return {};
}

void TestEveryRegion::catalogAndItsCopies()
{
    const auto isCatalog = [](const std::string& path) {
        return path.find("catalog") != std::string::npos || path.ends_with(".json");
    };
    damageEach(isCatalog,
        [this](const Damage& damage, const std::string&) { return checkCatalog(damage); });
}

QTEST_GUILESS_MAIN(TestEveryRegion)
#include "tst_every_region.moc"
