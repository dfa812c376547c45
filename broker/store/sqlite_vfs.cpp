// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/sqlite_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

namespace jetglass::store {

namespace {

constexpr int kLongestPath = 4096;
/// Where SQLite's locks lie in a database: its pending byte, the reserved one, the shared ones.
constexpr std::uint64_t kLockFrom = 0x4000'0000;
constexpr std::uint64_t kLockBytes = 512;
constexpr int kSector = 4096;

/// What SQLite allocates for each file; its first member is SQLite's.
struct VfsFile
{
    sqlite3_file base;
    File* file; ///< null: \a scratch instead
    std::string* scratch; ///< a file without a name, which nobody else ever sees
    FileSystem* files;
    std::string* made; ///< its directory, which may not know of it for sure yet
    bool locked;
};

VfsFile& of(sqlite3_file* file)
{
    return *reinterpret_cast<VfsFile*>(file);
}

FileSystem& filesOf(sqlite3_vfs* vfs)
{
    return *static_cast<FileSystem*>(vfs->pAppData);
}

int codeOf(const Error& error, int otherwise)
{
    return error.code == Errc::NoSpace ? SQLITE_FULL : otherwise;
}

int closeFile(sqlite3_file* base)
{
    delete of(base).file;
    delete of(base).scratch;
    delete of(base).made;
    of(base).file = nullptr;
    of(base).scratch = nullptr;
    of(base).made = nullptr;
    return SQLITE_OK;
}

int readFile(sqlite3_file* base, void* into, int size, sqlite3_int64 offset)
{
    const VfsFile& f = of(base);
    const auto wanted = static_cast<std::size_t>(size);
    const auto from = static_cast<std::size_t>(offset);
    std::size_t got = 0;
    if (f.file) {
        const auto read = f.file->read(from, static_cast<char*>(into), wanted);
        if (!read)
            return SQLITE_IOERR_READ;
        got = *read;
    } else if (from < f.scratch->size()) {
        got = std::min(wanted, f.scratch->size() - from);
        std::memcpy(into, f.scratch->data() + from, got);
    }
    if (got == wanted)
        return SQLITE_OK;
    std::memset(static_cast<char*>(into) + got, 0, wanted - got);
    return SQLITE_IOERR_SHORT_READ;
}

int writeFile(sqlite3_file* base, const void* bytes, int size, sqlite3_int64 offset)
{
    const VfsFile& f = of(base);
    const std::string_view piece(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
    const auto at = static_cast<std::size_t>(offset);
    if (!f.file) {
        f.scratch->resize(std::max(f.scratch->size(), at + piece.size()));
        std::memcpy(f.scratch->data() + at, piece.data(), piece.size());
        return SQLITE_OK;
    }
    const std::array<std::string_view, 1> pieces{piece};
    const auto done = f.file->write(at, pieces);
    return done ? SQLITE_OK : codeOf(done.error(), SQLITE_IOERR_WRITE);
}

int truncateFile(sqlite3_file* base, sqlite3_int64 size)
{
    const VfsFile& f = of(base);
    if (!f.file) {
        f.scratch->resize(static_cast<std::size_t>(size));
        return SQLITE_OK;
    }
    return f.file->truncate(static_cast<std::uint64_t>(size)) ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

int syncFile(sqlite3_file* base, int /*flags*/)
{
    VfsFile& f = of(base);
    if (!f.file)
        return SQLITE_OK;
    if (!f.file->syncData())
        return SQLITE_IOERR_FSYNC;
    if (f.made == nullptr)
        return SQLITE_OK;
    // A log whose name is lost with the power is lost itself.
    if (!f.files->syncDirectory(*f.made))
        return SQLITE_IOERR_DIR_FSYNC;
    delete f.made;
    f.made = nullptr;
    return SQLITE_OK;
}

int sizeOfFile(sqlite3_file* base, sqlite3_int64* size)
{
    const VfsFile& f = of(base);
    if (!f.file) {
        *size = static_cast<sqlite3_int64>(f.scratch->size());
        return SQLITE_OK;
    }
    const auto known = f.file->size();
    if (!known)
        return SQLITE_IOERR_FSTAT;
    *size = static_cast<sqlite3_int64>(*known);
    return SQLITE_OK;
}

/// The connection keeps what it has once locked, so any lock is the whole one.
int lockFile(sqlite3_file* base, int level)
{
    VfsFile& f = of(base);
    if (!f.file || f.locked || level == SQLITE_LOCK_NONE)
        return SQLITE_OK;
    const auto taken = f.file->lockRange(kLockFrom, kLockBytes);
    if (!taken)
        return taken.error().code == Errc::InUse ? SQLITE_BUSY : SQLITE_IOERR_LOCK;
    f.locked = true;
    return SQLITE_OK;
}

int unlockFile(sqlite3_file* /*base*/, int /*level*/)
{
    return SQLITE_OK;
}

int checkReservedLock(sqlite3_file* /*base*/, int* held)
{
    *held = 0;
    return SQLITE_OK;
}

int fileControl(sqlite3_file* /*base*/, int /*which*/, void* /*value*/)
{
    return SQLITE_NOTFOUND;
}

int sectorSize(sqlite3_file* /*base*/)
{
    return kSector;
}

/// As SQLite assumes it of files on Linux: a write that is cut short harms no byte beside it.
int deviceCharacteristics(sqlite3_file* /*base*/)
{
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

const sqlite3_io_methods kMethods = [] {
    sqlite3_io_methods methods{};
    methods.iVersion = 1; // no shared memory, no mapping
    methods.xClose = closeFile;
    methods.xRead = readFile;
    methods.xWrite = writeFile;
    methods.xTruncate = truncateFile;
    methods.xSync = syncFile;
    methods.xFileSize = sizeOfFile;
    methods.xLock = lockFile;
    methods.xUnlock = unlockFile;
    methods.xCheckReservedLock = checkReservedLock;
    methods.xFileControl = fileControl;
    methods.xSectorSize = sectorSize;
    methods.xDeviceCharacteristics = deviceCharacteristics;
    return methods;
}();

int openFile(sqlite3_vfs* vfs, const char* path, sqlite3_file* into, int flags, int* opened)
{
    VfsFile& f = *new (into) VfsFile{};
    if (path == nullptr) {
        f.scratch = new std::string;
    } else {
        const FileSystem::Mode mode = (flags & SQLITE_OPEN_CREATE) != 0 ? FileSystem::Mode::Create
            : (flags & SQLITE_OPEN_READONLY) != 0                       ? FileSystem::Mode::Read
                                                  : FileSystem::Mode::ReadWrite;
        f.files = &filesOf(vfs);
        auto file = f.files->open(path, mode);
        if (!file)
            return codeOf(file.error(), SQLITE_CANTOPEN);
        f.file = file->release();
        const std::string_view name(path);
        // One that is there may be what a killed program made, and still be in no directory for
        // sure.
        if (mode == FileSystem::Mode::Create)
            f.made = new std::string(name.substr(0, name.rfind('/')));
    }
    f.base.pMethods = &kMethods; // from now on SQLite closes it
    if (opened != nullptr)
        *opened = flags;
    return SQLITE_OK;
}

int deleteFile(sqlite3_vfs* vfs, const char* path, int syncDirectory)
{
    FileSystem& files = filesOf(vfs);
    if (const auto removed = files.remove(path); !removed)
        return removed.error().code == Errc::NotFound ? SQLITE_IOERR_DELETE_NOENT
                                                      : SQLITE_IOERR_DELETE;
    if (syncDirectory == 0)
        return SQLITE_OK;
    const std::string name(path);
    return files.syncDirectory(name.substr(0, name.rfind('/'))) ? SQLITE_OK
                                                                : SQLITE_IOERR_DIR_FSYNC;
}

/// SQLite takes an empty journal for none.
int accessFile(sqlite3_vfs* vfs, const char* path, int which, int* answer)
{
    FileSystem& files = filesOf(vfs);
    *answer = files.exists(path) ? 1 : 0;
    if (*answer == 0 || which != SQLITE_ACCESS_EXISTS)
        return SQLITE_OK;
    const auto file = files.open(path, FileSystem::Mode::Read);
    const auto size = file ? (*file)->size() : Result<std::uint64_t>(file.error());
    if (size && *size == 0)
        *answer = 0;
    return SQLITE_OK;
}

int fullPathname(sqlite3_vfs* /*vfs*/, const char* path, int size, char* into)
{
    const std::string_view name(path);
    if (name.size() >= static_cast<std::size_t>(size))
        return SQLITE_CANTOPEN;
    name.copy(into, name.size());
    into[name.size()] = '\0';
    return SQLITE_OK;
}

} // namespace

struct SqliteVfs::Registered
{
    std::string name;
    sqlite3_vfs vfs{};
};

SqliteVfs::SqliteVfs(FileSystem& files)
    : m(std::make_unique<Registered>())
{
    static std::atomic<unsigned> next = 0;
    m->name = "jetglass-" + std::to_string(next++);
    // Chance, pauses and the time of day are the system's.
    const sqlite3_vfs* const system = sqlite3_vfs_find(nullptr);
    sqlite3_vfs& vfs = m->vfs;
    vfs.iVersion = 2;
    vfs.szOsFile = sizeof(VfsFile);
    vfs.mxPathname = kLongestPath;
    vfs.zName = m->name.c_str();
    vfs.pAppData = &files;
    vfs.xOpen = openFile;
    vfs.xDelete = deleteFile;
    vfs.xAccess = accessFile;
    vfs.xFullPathname = fullPathname;
    vfs.xRandomness = system->xRandomness;
    vfs.xSleep = system->xSleep;
    vfs.xCurrentTime = system->xCurrentTime;
    vfs.xGetLastError = system->xGetLastError;
    vfs.xCurrentTimeInt64 = system->xCurrentTimeInt64;
    sqlite3_vfs_register(&vfs, 0);
}

SqliteVfs::~SqliteVfs()
{
    sqlite3_vfs_unregister(&m->vfs);
}

const char* SqliteVfs::name() const
{
    return m->name.c_str();
}

} // namespace jetglass::store
