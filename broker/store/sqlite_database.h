// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

struct sqlite3;
struct sqlite3_stmt;

namespace jetglass::store {

/// One SQLite connection with its prepared statements. Not for two threads at once.
class SqliteDatabase
{
public:
    /// A statement that is reset when it goes.
    class Query
    {
    public:
        Query(SqliteDatabase& database, sqlite3_stmt* statement)
            : m_database(database)
            , m_statement(statement)
        {
        }
        Query(const Query&) = delete;
        Query& operator=(const Query&) = delete;
        ~Query();
        Query& bind(std::string_view text);
        Query& bindBlob(std::string_view bytes);
        Query& bind(std::int64_t number);
        /// True while there is a row.
        Result<bool> step();
        Result<void> run();
        [[nodiscard]] std::string text(int column) const;
        [[nodiscard]] std::int64_t number(int column) const;

    private:
        SqliteDatabase& m_database;
        sqlite3_stmt* m_statement;
        int m_bound = 0;
    };

    static Result<std::unique_ptr<SqliteDatabase>> open(const std::string& path, const char* vfs);
    SqliteDatabase(const SqliteDatabase&) = delete;
    SqliteDatabase& operator=(const SqliteDatabase&) = delete;
    ~SqliteDatabase();

    Result<void> execute(const std::string& sql);
    /// Prepared once; \a sql must be valid, which is a programmer's matter, unless the file is
    /// damaged.
    Query query(const char* sql);
    [[nodiscard]] Error error() const;

private:
    SqliteDatabase(sqlite3* handle, std::string path);
    sqlite3* m_handle;
    std::string m_path;
    std::unordered_map<std::string, sqlite3_stmt*> m_statements;
};

} // namespace jetglass::store
