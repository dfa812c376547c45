// SPDX-License-Identifier: GPL-3.0-or-later
// A broker whose disk has no space for a while, asked over TCP like by anybody.
#include "host/host_broker.h"
#include "store/posix_file_system.h"
#include "test_client.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <utility>

using namespace jetglass;
using test::TestClient;

namespace {

/// The machine's file system, until somebody says that it is full.
class LimitedFileSystem final : public store::FileSystem
{
public:
    explicit LimitedFileSystem(std::shared_ptr<std::atomic<bool>> full)
        : m_full(std::move(full))
    {
    }

    Result<std::unique_ptr<store::File>> open(const std::string& path, Mode mode) override
    {
        auto file = m_disk.open(path, mode);
        if (!file)
            return file.error();
        return std::unique_ptr<store::File>(
            std::make_unique<LimitedFile>(std::move(*file), m_full, path));
    }
    Result<std::vector<std::string>> list(const std::string& directory) override
    {
        return m_disk.list(directory);
    }
    Result<void> makeDirectories(const std::string& path) override
    {
        return m_disk.makeDirectories(path);
    }
    Result<void> remove(const std::string& path) override { return m_disk.remove(path); }
    Result<void> removeTree(const std::string& path) override { return m_disk.removeTree(path); }
    Result<void> rename(const std::string& from, const std::string& to) override
    {
        return m_disk.rename(from, to);
    }
    Result<void> syncDirectory(const std::string& path) override
    {
        return m_disk.syncDirectory(path);
    }
    bool exists(const std::string& path) override { return m_disk.exists(path); }
    Result<std::shared_ptr<void>> lock(const std::string& path) override
    {
        return m_disk.lock(path);
    }
    std::uint64_t freeSpace(const std::string& path) override { return m_disk.freeSpace(path); }

private:
    class LimitedFile final : public store::File
    {
    public:
        LimitedFile(std::unique_ptr<store::File> file,
            std::shared_ptr<std::atomic<bool>> full,
            std::string path)
            : m_file(std::move(file))
            , m_full(std::move(full))
            , m_path(std::move(path))
        {
        }
        Result<void> write(std::uint64_t offset, std::span<const std::string_view> pieces) override
        {
            if (!*m_full)
                return m_file->write(offset, pieces);
            // As disks do: a part still fits.
            if (!pieces.empty()) {
                const std::string_view part = pieces.front().substr(0, pieces.front().size() / 2);
                if (!m_file->write(offset, std::span(&part, 1)).ok())
                    qFatal("the part was to fit");
            }
            return Error{Errc::NoSpace, m_path + ": no space left on device"};
        }
        Result<std::size_t> read(std::uint64_t offset, char* into, std::size_t size) const override
        {
            return m_file->read(offset, into, size);
        }
        Result<std::uint64_t> size() const override { return m_file->size(); }
        Result<void> truncate(std::uint64_t size) override { return m_file->truncate(size); }
        Result<void> syncData() override { return m_file->syncData(); }
        Result<void> startWriteBack(std::uint64_t offset, std::uint64_t size) override
        {
            return m_file->startWriteBack(offset, size);
        }

    private:
        std::unique_ptr<store::File> m_file;
        std::shared_ptr<std::atomic<bool>> m_full;
        std::string m_path;
    };

    store::PosixFileSystem m_disk;
    std::shared_ptr<std::atomic<bool>> m_full;
};

/// A request; the answer's body.
std::string ask(TestClient& client, const std::string& subject, const std::string& body)
{
    client.send("SUB in.1 r\r\nUNSUB r 1\r\nPUB " + subject + " in.1 " + std::to_string(body.size())
        + "\r\n" + body + "\r\n");
    std::string head = client.line();
    while (!head.empty() && head.find("MSG in.1") == std::string::npos)
        head = client.line();
    const std::size_t size = std::stoul(head.substr(head.rfind(' ') + 1));
    return client.bytes(size + 2).substr(0, size);
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

class FullDisk
{
public:
    explicit FullDisk(bool syncAlways) { start(syncAlways); }
    void start(bool syncAlways)
    {
        BrokerConfig config;
        config.port = -1;
        config.log.quiet = true;
        config.jetstream.enabled = true;
        config.jetstream.syncAlways = syncAlways;
        config.jetstream.storeDir = m_directory.path().toStdString();
        auto log = base::openLog(config.log);
        auto started = host::HostBroker::start(std::move(config),
            std::shared_ptr<base::Log>(std::move(*log)),
            std::make_unique<LimitedFileSystem>(full));
        if (!started)
            qFatal("%s", started.error().text.c_str());
        broker = std::move(*started);
    }

    std::shared_ptr<std::atomic<bool>> full = std::make_shared<std::atomic<bool>>(false);
    std::unique_ptr<host::HostBroker> broker;

private:
    QTemporaryDir m_directory;
};

} // namespace

class TestFullDisk : public QObject
{
    Q_OBJECT
private slots:
    void comesAndGoes_data();
    void comesAndGoes();
};

void TestFullDisk::comesAndGoes_data()
{
    QTest::addColumn<bool>("syncAlways");
    QTest::newRow("written back later") << false;
    QTest::newRow("synced before the ack") << true;
}

void TestFullDisk::comesAndGoes()
{
    QFETCH(bool, syncAlways);
    FullDisk disk(syncAlways);
    {
        TestClient client(disk.broker->port());
        QVERIFY(client.handshake());
        QVERIFY(contains(ask(client, "$JS.API.STREAM.CREATE.F", R"({"name":"F","subjects":["f"]})"),
            "did_create"));
        QVERIFY(contains(ask(client,
                             "$JS.API.STREAM.CREATE.M",
                             R"({"name":"M","subjects":["m"],"storage":"memory"})"),
            "did_create"));
        QVERIFY(contains(ask(client, "f", "one"), "\"seq\":1}"));

        *disk.full = true;
        for (int i = 0; i < 3; ++i) {
            const std::string refused = ask(client, "f", "lost");
            QVERIFY2(contains(refused, "\"err_code\":10077"), refused.c_str());
        }
        QVERIFY(contains(ask(client, "m", "one"), "\"seq\":1}"));
        client.send("SUB core 5\r\nPUB core 2\r\nhi\r\n");
        QCOMPARE(client.line(), std::string("MSG core 5 2"));
        client.line();

        *disk.full = false;
        QVERIFY(contains(ask(client, "f", "two"), "\"seq\":2}"));
        QVERIFY(contains(ask(client, "$JS.API.STREAM.CREATE.G", R"({"name":"G","subjects":["g"]})"),
            "did_create"));
    }
    disk.broker->abandon();
    disk.broker.reset();
    disk.start(syncAlways);
    TestClient client(disk.broker->port());
    QVERIFY(client.handshake());
    const std::string info = ask(client, "$JS.API.STREAM.INFO.F", {});
    QVERIFY2(contains(info, "\"messages\":2,"), info.c_str());
    QVERIFY(contains(info, "\"last_seq\":2,"));
    QVERIFY(contains(ask(client, "f", "three"), "\"seq\":3}"));
}

QTEST_GUILESS_MAIN(TestFullDisk)
#include "tst_full_disk.moc"
