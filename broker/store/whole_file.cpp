// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/whole_file.h"

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

} // namespace jetglass::store
