// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/sqlite_catalog.h"

#include "store/sqlite_database.h"
#include "store/sqlite_vfs.h"

#include <functional>
#include <mutex>
#include <utility>

namespace jetglass::store {

namespace {

constexpr std::int64_t kApplicationId = 0x4A474C53; // "JGLS"
constexpr std::int64_t kCatalogVersion = 1;

constexpr const char* kSchema = R"(
CREATE TABLE streams (name TEXT PRIMARY KEY, config TEXT NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE consumers (stream TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, config TEXT NOT NULL,
    created INTEGER NOT NULL, snapshot BLOB NOT NULL, PRIMARY KEY (stream, name)) WITHOUT ROWID;
CREATE TABLE settings (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
)";

/// Catalogs of earlier programs do not have it; it is made when there is something to put in it.
constexpr const char* kEnds = R"(
CREATE TABLE IF NOT EXISTS ends (stream TEXT PRIMARY KEY, created INTEGER NOT NULL, block INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL) WITHOUT ROWID;
)";

using Operation = std::function<Result<void>(SqliteDatabase&)>;

/// The connection and what waits for it; shared with the jobs on the worker.
struct Connection
{
    explicit Connection(FileSystem& files)
        : vfs(files)
    {
    }
    SqliteVfs vfs;
    std::mutex databaseMutex;
    std::unique_ptr<SqliteDatabase> database;

    struct Waiting
    {
        Operation operation;
        Catalog::Done done;
        Result<void> result;
    };
    std::mutex queueMutex;
    std::vector<Waiting> queue;
    bool scheduled = false;
    bool closed = false; ///< broker thread only: nobody wants to hear answers any more
};

Result<void> inTransaction(SqliteDatabase& db, const std::function<Result<void>()>& work)
{
    if (auto begun = db.execute("BEGIN IMMEDIATE"); !begun)
        return begun;
    if (auto done = work(); !done) {
        static_cast<void>(db.execute("ROLLBACK").ok());
        return done;
    }
    if (auto committed = db.execute("COMMIT"); !committed) {
        static_cast<void>(db.execute("ROLLBACK").ok());
        return committed;
    }
    return {};
}

/// All in one transaction; if that fails, each in its own, so that one bad write does not take the
/// others along.
void runBatch(SqliteDatabase& db, std::vector<Connection::Waiting>& batch)
{
    const auto together = inTransaction(db, [&]() -> Result<void> {
        for (auto& waiting : batch)
            if (auto done = waiting.operation(db); !done)
                return done;
        return {};
    });
    if (together)
        return;
    for (auto& waiting : batch)
        waiting.result = inTransaction(db, [&] { return waiting.operation(db); });
}

class SqliteCatalog final : public Catalog
{
public:
    SqliteCatalog(Worker& worker, std::shared_ptr<Connection> connection)
        : m_worker(worker)
        , m_connection(std::move(connection))
    {
    }
    SqliteCatalog(const SqliteCatalog&) = delete;
    SqliteCatalog& operator=(const SqliteCatalog&) = delete;
    ~SqliteCatalog() override
    {
        m_worker.drain();
        m_connection->closed = true;
        // Answers that nobody will hear may keep the connection; its lock must go now.
        const std::scoped_lock lock(m_connection->databaseMutex);
        m_connection->database.reset();
    }

    Result<std::vector<CatalogStream>> loadStreams() override;
    Result<std::vector<CatalogConsumer>> loadConsumers(std::string_view stream) override;
    void saveStream(const CatalogStream& stream, Done done) override;
    void saveRestored(
        const CatalogStream& stream, std::vector<CatalogConsumer> consumers, Done done) override;
    void removeStream(std::string_view stream, Done done) override;
    void saveConsumer(std::string_view stream, const CatalogConsumer& consumer, Done done) override;
    void removeConsumer(std::string_view stream, std::string_view name, Done done) override;
    void saveSnapshots(std::string_view stream,
        std::vector<std::pair<std::string, std::string>> snapshots,
        Done done) override;
    Result<std::optional<std::string>> value(std::string_view key) override;
    void setValue(std::string_view key, std::string_view value, Done done) override;
    Result<std::vector<CatalogEnd>> loadEnds() override;
    void saveEnd(const CatalogEnd& end) override;
    void flush() override { m_worker.drain(); }

private:
    void enqueue(Operation operation, Done done);
    Worker& m_worker;
    std::shared_ptr<Connection> m_connection;
};

void SqliteCatalog::enqueue(Operation operation, Done done)
{
    {
        const std::scoped_lock lock(m_connection->queueMutex);
        m_connection->queue.push_back({std::move(operation), std::move(done), {}});
        if (std::exchange(m_connection->scheduled, true))
            return;
    }
    auto batch = std::make_shared<std::vector<Connection::Waiting>>();
    m_worker.run(
        [connection = m_connection, batch] {
            {
                const std::scoped_lock lock(connection->queueMutex);
                batch->swap(connection->queue);
                connection->scheduled = false;
            }
            const std::scoped_lock lock(connection->databaseMutex);
            if (connection->database)
                runBatch(*connection->database, *batch);
        },
        [connection = m_connection, batch] {
            for (auto& waiting : *batch)
                if (waiting.done && !connection->closed)
                    waiting.done(waiting.result);
        });
}

Result<std::vector<CatalogStream>> SqliteCatalog::loadStreams()
{
    flush();
    const std::scoped_lock lock(m_connection->databaseMutex);
    auto query =
        m_connection->database->query("SELECT name, config, created FROM streams ORDER BY name");
    std::vector<CatalogStream> streams;
    for (;;) {
        auto row = query.step();
        if (!row)
            return row.error();
        if (!*row)
            return streams;
        streams.push_back({query.text(0), query.text(1), query.number(2)});
    }
}

Result<std::vector<CatalogConsumer>> SqliteCatalog::loadConsumers(std::string_view stream)
{
    flush();
    const std::scoped_lock lock(m_connection->databaseMutex);
    auto query = m_connection->database->query("SELECT number, name, config, created, snapshot "
                                               "FROM consumers WHERE stream = ? ORDER BY name");
    query.bind(stream);
    std::vector<CatalogConsumer> consumers;
    for (;;) {
        auto row = query.step();
        if (!row)
            return row.error();
        if (!*row)
            return consumers;
        consumers.push_back({static_cast<std::uint32_t>(query.number(0)),
            query.text(1),
            query.text(2),
            query.number(3),
            query.text(4)});
    }
}

Result<void> insertStream(SqliteDatabase& db, const CatalogStream& stream)
{
    return db.query("INSERT OR REPLACE INTO streams (name, config, created) VALUES (?, ?, ?)")
        .bind(stream.name)
        .bind(stream.config)
        .bind(stream.created)
        .run();
}

Result<void> insertConsumer(
    SqliteDatabase& db, const std::string& stream, const CatalogConsumer& consumer)
{
    return db
        .query("INSERT OR REPLACE INTO consumers (stream, name, number, config, created, snapshot)"
               " VALUES (?, ?, ?, ?, ?, ?)")
        .bind(stream)
        .bind(consumer.name)
        .bind(std::int64_t{consumer.number})
        .bind(consumer.config)
        .bind(consumer.created)
        .bindBlob(consumer.snapshot)
        .run();
}

void SqliteCatalog::saveStream(const CatalogStream& stream, Done done)
{
    enqueue([stream](SqliteDatabase& db) { return insertStream(db, stream); }, std::move(done));
}

void SqliteCatalog::saveRestored(
    const CatalogStream& stream, std::vector<CatalogConsumer> consumers, Done done)
{
    enqueue(
        [stream, all = std::move(consumers)](SqliteDatabase& db) -> Result<void> {
            auto cleared =
                db.query("DELETE FROM consumers WHERE stream = ?").bind(stream.name).run();
            if (!cleared)
                return cleared;
            for (const CatalogConsumer& consumer : all)
                if (auto r = insertConsumer(db, stream.name, consumer); !r)
                    return r;
            return insertStream(db, stream);
        },
        std::move(done));
}

void SqliteCatalog::removeStream(std::string_view stream, Done done)
{
    enqueue(
        [name = std::string(stream)](SqliteDatabase& db) -> Result<void> {
            if (auto r = db.query("DELETE FROM consumers WHERE stream = ?").bind(name).run(); !r)
                return r;
            if (auto r = db.execute(kEnds); !r)
                return r;
            if (auto r = db.query("DELETE FROM ends WHERE stream = ?").bind(name).run(); !r)
                return r;
            return db.query("DELETE FROM streams WHERE name = ?").bind(name).run();
        },
        std::move(done));
}

void SqliteCatalog::saveConsumer(
    std::string_view stream, const CatalogConsumer& consumer, Done done)
{
    enqueue([stream = std::string(stream), consumer](
                SqliteDatabase& db) { return insertConsumer(db, stream, consumer); },
        std::move(done));
}

void SqliteCatalog::removeConsumer(std::string_view stream, std::string_view name, Done done)
{
    enqueue(
        [stream = std::string(stream), name = std::string(name)](SqliteDatabase& db) {
            return db.query("DELETE FROM consumers WHERE stream = ? AND name = ?")
                .bind(stream)
                .bind(name)
                .run();
        },
        std::move(done));
}

void SqliteCatalog::saveSnapshots(
    std::string_view stream, std::vector<std::pair<std::string, std::string>> snapshots, Done done)
{
    enqueue(
        [stream = std::string(stream), all = std::move(snapshots)](
            SqliteDatabase& db) -> Result<void> {
            for (const auto& [name, snapshot] : all) {
                auto r = db.query("UPDATE consumers SET snapshot = ? WHERE stream = ? AND name = ?")
                             .bindBlob(snapshot)
                             .bind(stream)
                             .bind(name)
                             .run();
                if (!r)
                    return r;
            }
            return {};
        },
        std::move(done));
}

Result<std::optional<std::string>> SqliteCatalog::value(std::string_view key)
{
    flush();
    const std::scoped_lock lock(m_connection->databaseMutex);
    auto query = m_connection->database->query("SELECT value FROM settings WHERE key = ?");
    query.bind(key);
    auto row = query.step();
    if (!row)
        return row.error();
    if (!*row)
        return std::optional<std::string>();
    return std::optional<std::string>(query.text(0));
}

void SqliteCatalog::setValue(std::string_view key, std::string_view value, Done done)
{
    enqueue(
        [key = std::string(key), value = std::string(value)](SqliteDatabase& db) {
            return db.query("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)")
                .bind(key)
                .bindBlob(value)
                .run();
        },
        std::move(done));
}

/// Only of the streams that are there now, not of earlier ones with the same name.
Result<std::vector<CatalogEnd>> SqliteCatalog::loadEnds()
{
    flush();
    const std::scoped_lock lock(m_connection->databaseMutex);
    std::vector<CatalogEnd> ends;
    {
        auto known =
            m_connection->database->query("SELECT name FROM sqlite_master WHERE name = 'ends'");
        auto row = known.step();
        if (!row)
            return row.error();
        if (!*row)
            return ends;
    }
    auto query = m_connection->database->query(
        "SELECT stream, block, first, last FROM ends JOIN streams"
        " ON streams.name = ends.stream AND streams.created = ends.created");
    for (;;) {
        auto row = query.step();
        if (!row)
            return row.error();
        if (!*row)
            return ends;
        ends.push_back({query.text(0),
            static_cast<std::uint64_t>(query.number(1)),
            static_cast<std::uint64_t>(query.number(2)),
            static_cast<std::uint64_t>(query.number(3))});
    }
}

void SqliteCatalog::saveEnd(const CatalogEnd& end)
{
    enqueue(
        [end](SqliteDatabase& db) -> Result<void> {
            if (auto made = db.execute(kEnds); !made)
                return made;
            return db
                .query("INSERT OR REPLACE INTO ends (stream, created, block, first, last)"
                       " SELECT name, created, ?, ?, ? FROM streams WHERE name = ?")
                .bind(static_cast<std::int64_t>(end.block))
                .bind(static_cast<std::int64_t>(end.first))
                .bind(static_cast<std::int64_t>(end.last))
                .bind(end.stream)
                .run();
        },
        {});
}

Result<std::int64_t> pragma(SqliteDatabase& db, const char* sql)
{
    auto query = db.query(sql);
    auto row = query.step();
    if (!row)
        return row.error();
    return *row ? query.number(0) : 0;
}

/// Makes the tables of a new file; refuses a file that is somebody else's.
Result<void> prepare(SqliteDatabase& db, const std::string& path)
{
    auto id = pragma(db, "PRAGMA application_id");
    if (!id)
        return id.error();
    auto version = pragma(db, "PRAGMA user_version");
    if (!version)
        return version.error();
    auto tables = pragma(db, "SELECT count(*) FROM sqlite_master");
    if (!tables)
        return tables.error();
    if (*id == 0 && *tables == 0)
        return inTransaction(db, [&] {
            return db.execute(std::string(kSchema) + kEnds
                + "PRAGMA application_id = " + std::to_string(kApplicationId)
                + "; PRAGMA user_version = " + std::to_string(kCatalogVersion));
        });
    if (*id != kApplicationId)
        return Error{Errc::Unsupported, path + ": is a database of another program", 0, 0};
    if (*version != kCatalogVersion)
        return Error{Errc::Unsupported,
            path + ": has version " + std::to_string(*version) + ", this program knows "
                + std::to_string(kCatalogVersion),
            0,
            0};
    // A damaged page shows itself now, not when somebody asks for what is on it.
    auto check = db.query("PRAGMA quick_check(1)");
    auto row = check.step();
    if (!row)
        return row.error();
    if (*row && check.text(0) != "ok")
        return Error{Errc::Corrupt, path + ": " + check.text(0), 0, 0};
    return {};
}

} // namespace

Result<std::unique_ptr<Catalog>> openSqliteCatalog(
    FileSystem& files, Worker& worker, const std::string& path, bool syncAlways)
{
    // Making the file costs six syncs, which a start need not wait for: nothing has been promised
    // yet. Its directory entry is made durable beside the start; the content with the next
    // checkpoint.
    const bool fresh = !files.exists(path) && !syncAlways;
    auto connection = std::make_shared<Connection>(files);
    auto database = SqliteDatabase::open(path, connection->vfs.name());
    if (!database)
        return database.error();
    connection->database = std::move(*database);
    SqliteDatabase& db = *connection->database;
    // The directory lock already keeps others out; without an exclusive lock SQLite would keep a
    // shared-memory file, for which a full disk has no room. It must come first: every other pragma
    // reads the database, and what a killed program left in the WAL is taken up at the first read.
    const std::string mode =
        std::string("PRAGMA synchronous = ") + (syncAlways ? "FULL" : "NORMAL");
    if (auto set = db.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY; "
            + (fresh ? std::string("PRAGMA synchronous = OFF") : mode)
            + "; PRAGMA journal_mode = WAL;");
        !set)
        return set.error();
    if (auto prepared = prepare(db, path); !prepared)
        return prepared.error();
    if (fresh) {
        if (auto set = db.execute(mode); !set)
            return set.error();
        const std::string directory = path.substr(0, path.rfind('/'));
        worker.run([&files, directory] { (void)files.syncDirectory(directory); }, {});
    }
    return std::unique_ptr<Catalog>(std::make_unique<SqliteCatalog>(worker, std::move(connection)));
}

} // namespace jetglass::store
