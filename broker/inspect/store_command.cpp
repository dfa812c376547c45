// SPDX-License-Identifier: GPL-3.0-or-later
#include "inspect/store_command.h"

#include "inspect/store_check.h"
#include "inspect/store_dump.h"
#include "store/posix_file_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace jetglass::inspect {

namespace {

constexpr const char* kUsage = R"(Usage: jetglass-server store check DIR [--repair] [--account NAME]
       jetglass-server store dump DIR [--account NAME] [--stream NAME] [--block N] [--records] [--payloads]

DIR is the directory that the broker was started with (-sd), the jetstream folder in it, or the folder of one account.

check   Reads every byte, verifies the checksums, and says what a start of the broker would find and do.
        Changes nothing. Exit code 2 if something is not whole.
        --repair     does it: damaged blocks are read anew, what is lost is recorded, torn ends are cut
dump    Prints the catalog, the message blocks with their indexes, and the consumer logs.
        --records    each record with its offset
        --payloads   headers and payload of each message too
)";

constexpr int kFailed = 1;
constexpr int kFound = 2;

struct Wish
{
    std::string command;
    std::string directory;
    std::string account;
    bool repair = false;
    DumpWish dump;
    std::string error;
};

/// Takes the value of an option, which stands behind it.
std::optional<std::string> valueOf(
    const std::vector<std::string>& arguments, std::size_t& at, Wish& wish)
{
    if (at + 1U < arguments.size())
        return arguments[++at];
    wish.error = arguments[at] + " needs a value";
    return std::nullopt;
}

void takeOption(const std::vector<std::string>& arguments, std::size_t& at, Wish& wish)
{
    const std::string& name = arguments[at];
    const bool dump = wish.command == "dump";
    if (name == "--repair" && !dump) {
        wish.repair = true;
    } else if (name == "--records" && dump) {
        wish.dump.records = true;
    } else if (name == "--payloads" && dump) {
        wish.dump.records = wish.dump.payloads = true;
    } else if (name == "--account") {
        wish.account = valueOf(arguments, at, wish).value_or("");
    } else if (name == "--stream" && dump) {
        wish.dump.stream = valueOf(arguments, at, wish).value_or("");
    } else if (name == "--block" && dump) {
        const auto text = valueOf(arguments, at, wish);
        if (!text)
            return;
        const auto parsed =
            std::from_chars(text->data(), text->data() + text->size(), wish.dump.block);
        if (parsed.ec != std::errc() || parsed.ptr != text->data() + text->size()
            || wish.dump.block == 0)
            wish.error = "--block needs the number of a block, as in 3 for 3.blk";
    } else {
        wish.error = "unknown option " + name + " of " + wish.command;
    }
}

Wish readArguments(const std::vector<std::string>& arguments)
{
    Wish wish;
    if (arguments.empty()) {
        wish.error = "what is to be done? there are check and dump";
        return wish;
    }
    wish.command = arguments.front();
    if (wish.command != "check" && wish.command != "dump") {
        wish.error = "unknown command '" + wish.command + "'; there are check and dump";
        return wish;
    }
    for (std::size_t i = 1; i < arguments.size() && wish.error.empty(); ++i) {
        if (arguments[i].starts_with("--"))
            takeOption(arguments, i, wish);
        else if (wish.directory.empty())
            wish.directory = arguments[i];
        else
            wish.error = "one directory at a time, but '" + arguments[i] + "' is a second one";
    }
    if (wish.error.empty() && wish.directory.empty())
        wish.error = "which store? give its directory";
    return wish;
}

std::string plural(std::uint64_t n, const char* one)
{
    return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
}

void printBlocks(const StreamCheck& stream, const Output& output)
{
    for (const BlockCheck& block : stream.blocks) {
        std::vector<std::string> wrong;
        if (!block.headGood)
            wrong.emplace_back("its head is damaged");
        if (block.damagedBytes > 0)
            wrong.push_back(
                plural(block.damagedBytes, "byte") + " between its records are damaged");
        if (block.index == BlockCheck::Index::Damaged)
            wrong.emplace_back("its index is damaged (a start makes it anew)");
        for (const auto& [first, last] : block.unreadable)
            wrong.push_back(first == last
                    ? fmt::format("sequence {} cannot be read", first)
                    : fmt::format("sequences {} to {} cannot be read", first, last));
        for (const std::string& text : wrong)
            output.out(fmt::format("    {}.blk: {}\n", block.number, text));
    }
}

void printStream(const StreamCheck& stream, const Output& output)
{
    if (!stream.error.empty()) {
        output.out(fmt::format("  stream {}: cannot be opened: {}\n", stream.name, stream.error));
        return;
    }
    output.out(fmt::format("  stream {}: {}, {} B{}; {}, {}\n",
        stream.name,
        plural(stream.messages, "message"),
        stream.bytes,
        stream.messages == 0 ? std::string()
                             : fmt::format(", sequences {} to {}", stream.first, stream.last),
        plural(stream.blocks.size(), "block"),
        plural(stream.consumers, "consumer")));
    printBlocks(stream, output);
}

void printAccount(const AccountCheck& check, bool repaired, const Output& output)
{
    output.out(fmt::format("account {}  {}\n", check.folder.account, check.folder.path));
    if (check.inUse)
        output.out("  a broker runs on it: what it is writing now may look unfinished\n");
    if (!check.error.empty())
        output.out("  cannot be opened: " + check.error + "\n");
    for (const StreamCheck& stream : check.streams)
        printStream(stream, output);
    if (check.memoryStreams > 0)
        output.out(fmt::format("  {} in memory\n", plural(check.memoryStreams, "stream")));
    if (check.findings.empty())
        return;
    output.out(repaired ? "  found and mended:\n" : "  a start of the broker would find and do:\n");
    for (const RecoveryFinding& finding : check.findings)
        output.out("    " + recoveryLine(finding) + "\n");
}

Progress progressOn(const Output& output)
{
    if (!output.progress)
        return {};
    return [&output](const std::string& stream, std::size_t block, std::size_t of) {
        output.error(fmt::format("\r{}: block {} of {}   ", stream, block, of));
        if (block == of)
            output.error("\r\x1b[K");
    };
}

int check(store::FileSystem& files,
    const std::vector<AccountFolder>& folders,
    const Wish& wish,
    const Output& output)
{
    bool whole = true;
    for (const AccountFolder& folder : folders) {
        const Progress progress = progressOn(output);
        auto done = wish.repair ? repairAccount(files, folder, progress)
                                : Result<AccountCheck>(checkAccount(files, folder, progress));
        if (!done) {
            output.error(done.error().text + "\n");
            return kFailed;
        }
        printAccount(*done, wish.repair, output);
        // What a repair has found is mended; what it could not mend still shows in the files.
        if (wish.repair)
            done->findings.clear();
        whole = whole && done->whole();
    }
    if (whole)
        output.out(wish.repair ? "All is whole now.\n" : "All is whole.\n");
    else if (!wish.repair)
        output.out("Not all is whole. Nothing was changed: --repair does what stands above.\n");
    else
        output.out("Not all could be mended.\n");
    return whole ? 0 : kFound;
}

int dump(store::FileSystem& files,
    const std::vector<AccountFolder>& folders,
    const Wish& wish,
    const Output& output)
{
    for (const AccountFolder& folder : folders) {
        const auto done = dumpAccount(files, folder, wish.dump, [&output](std::string_view text) {
            output.out(std::string(text) + "\n");
        });
        if (!done) {
            output.error(done.error().text + "\n");
            return kFailed;
        }
    }
    return 0;
}

} // namespace

int runStoreCommand(const std::vector<std::string>& arguments, const Output& output)
{
    if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h")) {
        output.out(kUsage);
        return 0;
    }
    const Wish wish = readArguments(arguments);
    if (!wish.error.empty()) {
        output.error("jetglass-server store: " + wish.error + "\n\n" + kUsage);
        return kFailed;
    }
    store::PosixFileSystem files;
    auto folders = findAccounts(files, wish.directory);
    if (!folders) {
        output.error("jetglass-server store: " + folders.error().text + "\n");
        return kFailed;
    }
    if (!wish.account.empty()) {
        std::erase_if(*folders,
            [&wish](const AccountFolder& folder) { return folder.account != wish.account; });
        if (folders->empty()) {
            output.error("jetglass-server store: " + wish.directory + " has no account '"
                + wish.account + "'\n");
            return kFailed;
        }
    }
    return wish.command == "check" ? check(files, *folders, wish, output)
                                   : dump(files, *folders, wish, output);
}

} // namespace jetglass::inspect
