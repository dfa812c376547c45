// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/whole_file.h"

#include <array>

namespace jetglass::store {

Result<std::string> readAll(const File& file)
{
    const auto size = file.size();
    if (!size)
        return size.error();
    std::string bytes(*size, '\0');
    const auto got = file.read(0, bytes.data(), bytes.size());
    if (!got)
        return got.error();
    bytes.resize(*got);
    return bytes;
}

Result<std::string> readFile(FileSystem& files, const std::string& path)
{
    const auto file = files.open(path, FileSystem::Mode::Read);
    return file ? readAll(**file) : Result<std::string>(file.error());
}

Result<void> writeFile(
    FileSystem& files, const std::string& path, std::string_view bytes, Durable durable)
{
    auto file = files.open(path, FileSystem::Mode::Create);
    if (!file)
        return file.error();
    if (auto cleared = (*file)->truncate(0); !cleared)
        return cleared;
    const std::array<std::string_view, 1> pieces{bytes};
    if (auto written = (*file)->write(0, pieces); !written)
        return written;
    return durable == Durable::Yes ? (*file)->syncData() : Result<void>();
}

Result<void> replaceFile(
    FileSystem& files, const std::string& path, std::string_view bytes, Durable durable)
{
    const std::string fresh = path + ".new";
    if (auto written = writeFile(files, fresh, bytes, durable); !written)
        return written;
    return files.rename(fresh, path);
}

} // namespace jetglass::store
