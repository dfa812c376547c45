// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/sqlite_database.h"

#include <sqlite3.h>

#include <utility>

namespace jetglass::store {

namespace {

Error errorOf(const std::string& path, int code, const char* text)
{
    Errc kind = Errc::Io;
    switch (code & 0xFF) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        kind = Errc::Corrupt;
        break;
    case SQLITE_FULL:
        kind = Errc::NoSpace;
        break;
    default:
        break;
    }
    return {kind, path + ": " + text, 0, 0};
}

} // namespace

SqliteDatabase::SqliteDatabase(sqlite3* handle, std::string path)
    : m_handle(handle)
    , m_path(std::move(path))
{
}

SqliteDatabase::~SqliteDatabase()
{
    for (auto& [sql, statement] : m_statements)
        sqlite3_finalize(statement);
    sqlite3_close(m_handle);
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::open(
    const std::string& path, const char* vfs)
{
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(path.c_str(),
        &handle,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
        vfs);
    if (code != SQLITE_OK) {
        const Error failure =
            errorOf(path, code, handle ? sqlite3_errmsg(handle) : "out of memory");
        sqlite3_close(handle);
        return failure;
    }
    sqlite3_extended_result_codes(handle, 1);
    return std::unique_ptr<SqliteDatabase>(new SqliteDatabase(handle, path));
}

Error SqliteDatabase::error() const
{
    return errorOf(m_path, sqlite3_errcode(m_handle), sqlite3_errmsg(m_handle));
}

Result<void> SqliteDatabase::execute(const std::string& sql)
{
    if (sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return error();
    return {};
}

SqliteDatabase::Query SqliteDatabase::query(const char* sql)
{
    sqlite3_stmt*& statement = m_statements[sql];
    if (!statement)
        sqlite3_prepare_v3(m_handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    return {*this, statement};
}

SqliteDatabase::Query::~Query()
{
    if (m_statement) {
        sqlite3_reset(m_statement);
        sqlite3_clear_bindings(m_statement);
    }
}

SqliteDatabase::Query& SqliteDatabase::Query::bind(std::string_view text)
{
    if (m_statement)
        sqlite3_bind_text64(
            m_statement, ++m_bound, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    return *this;
}

SqliteDatabase::Query& SqliteDatabase::Query::bindBlob(std::string_view bytes)
{
    if (m_statement)
        sqlite3_bind_blob64(m_statement,
            ++m_bound,
            bytes.empty() ? "" : bytes.data(),
            bytes.size(),
            SQLITE_TRANSIENT);
    return *this;
}

SqliteDatabase::Query& SqliteDatabase::Query::bind(std::int64_t number)
{
    if (m_statement)
        sqlite3_bind_int64(m_statement, ++m_bound, number);
    return *this;
}

Result<bool> SqliteDatabase::Query::step()
{
    if (!m_statement)
        return m_database.error();
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    return m_database.error();
}

Result<void> SqliteDatabase::Query::run()
{
    if (auto stepped = step(); !stepped)
        return stepped.error();
    return {};
}

std::string SqliteDatabase::Query::text(int column) const
{
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column));
    return bytes ? std::string(bytes, size) : std::string();
}

std::int64_t SqliteDatabase::Query::number(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

} // namespace jetglass::store
