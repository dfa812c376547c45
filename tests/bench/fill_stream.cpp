// SPDX-License-Identifier: GPL-3.0-or-later
// Puts many messages into a file stream that exists already, while no broker has it open: what a
// publisher would take hours for. Used by `scale`.
//     fill_stream STORE_DIR STREAM MESSAGES BYTES SUBJECTS [RARE]
// Subjects are s.0 to s.SUBJECTS-1 in turn; of RARE messages (default: never) one has "rare.RARE".
#include "store/posix_file_system.h"
#include "store/store_factory.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/resource.h>

using namespace jetglass;

namespace {

constexpr std::uint64_t kBatch = 1024;

std::uint64_t number(const char* text)
{
    return std::strtoull(text, nullptr, 10);
}

int failed(const Error& error)
{
    std::fprintf(stderr, "fill_stream: %s\n", error.text.c_str());
    return 1;
}

Result<void> fill(store::MessageStore& to,
    std::uint64_t messages,
    std::size_t bytes,
    std::uint64_t subjects,
    std::uint64_t rare)
{
    std::string payload(bytes, 'p');
    const std::string rareSubject = "rare." + std::to_string(rare);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t begin = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()
        - static_cast<std::int64_t>(messages) * 1000;
    std::string subject;
    for (std::uint64_t i = 0; i < messages; ++i) {
        if (rare > 0 && i % rare == rare / 2U)
            subject = rareSubject;
        else
            subject = "s." + std::to_string(i % subjects);
        to.append({subject, {}, payload, begin + static_cast<std::int64_t>(i) * 1000});
        if (i % kBatch != kBatch - 1U)
            continue;
        if (auto written = to.commit(); !written)
            return written;
    }
    return to.commit();
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 6) {
        std::fputs("Usage: fill_stream STORE_DIR STREAM MESSAGES BYTES SUBJECTS [RARE]\n", stderr);
        return 2;
    }
    store::PosixFileSystem files;
    store::InlineWorker worker;
    store::StoreSettings settings;
    settings.directory = std::string(argv[1]) + "/jetstream";
    auto factory = store::openStoreFactory(files, worker, settings, "$G");
    if (!factory)
        return failed(factory.error());
    StreamConfig config;
    config.name = argv[2];
    auto opened = (*factory)->openStream(config);
    if (!opened)
        return failed(opened.error());
    store::MessageStore& store = **opened;
    const std::uint64_t messages = number(argv[3]);
    const auto from = std::chrono::steady_clock::now();
    if (auto done = fill(store,
            messages,
            number(argv[4]),
            std::max<std::uint64_t>(number(argv[5]), 1),
            argc > 6 ? number(argv[6]) : 0);
        !done)
        return failed(done.error());
    store.rememberEnd();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%llu messages in %.1f s, %.0f/s, peak %ld MiB\n",
        static_cast<unsigned long long>(messages),
        took.count(),
        static_cast<double>(messages) / took.count(),
        usage.ru_maxrss / 1024);
    return 0;
}
