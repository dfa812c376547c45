// SPDX-License-Identifier: GPL-3.0-or-later
#include "inspect/account_folder.h"

#include <optional>

namespace jetglass::inspect {

namespace {

std::optional<unsigned> digit(char c)
{
    if (c >= '0' && c <= '9')
        return unsigned(c - '0');
    if (c >= 'A' && c <= 'F')
        return unsigned(c - 'A') + 10U;
    return std::nullopt;
}

/// The way back from what the store makes of an account's name.
std::string accountOf(const std::string& folder)
{
    std::string name;
    for (std::size_t i = 0; i < folder.size(); ++i) {
        const auto high = i + 2 < folder.size() ? digit(folder[i + 1]) : std::nullopt;
        const auto low = i + 2 < folder.size() ? digit(folder[i + 2]) : std::nullopt;
        if (folder[i] == '%' && high && low) {
            name += static_cast<char>(*high * 16U + *low);
            i += 2;
        } else {
            name += folder[i];
        }
    }
    return name;
}

bool isAccount(store::FileSystem& files, const std::string& path)
{
    return files.exists(path + "/catalog.sqlite") || files.exists(path + "/streams");
}

std::vector<AccountFolder> accountsIn(store::FileSystem& files, const std::string& parent)
{
    std::vector<AccountFolder> found;
    const auto names = files.list(parent);
    if (!names)
        return found;
    for (const std::string& name : *names) {
        std::string path = parent;
        path.append("/").append(name);
        if (isAccount(files, path))
            found.push_back({accountOf(name), parent, std::move(path)});
    }
    return found;
}

} // namespace

Result<std::vector<AccountFolder>> findAccounts(
    store::FileSystem& files, const std::string& directory)
{
    std::string path = directory;
    while (path.size() > 1 && path.ends_with('/'))
        path.pop_back();
    if (!files.exists(path))
        return Error{Errc::NotFound, path + ": there is no such directory", 0, 0};
    if (isAccount(files, path)) {
        const std::size_t slash = path.rfind('/');
        const std::string parent = slash == std::string::npos ? "." : path.substr(0, slash);
        const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
        return std::vector<AccountFolder>{{accountOf(name), parent, path}};
    }
    for (const std::string& parent : {path + "/jetstream", path})
        if (auto found = accountsIn(files, parent); !found.empty())
            return found;
    return Error{Errc::NotFound,
        path
            + ": holds no store; give the directory that the broker was started with (-sd), the"
              " jetstream folder in it, or the folder of one account",
        0,
        0};
}

} // namespace jetglass::inspect
