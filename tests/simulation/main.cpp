// SPDX-License-Identifier: GPL-3.0-or-later
// simulate --seed N [--steps M] [--trace]
// simulate --seeds A..B [--steps M]
// simulate --fresh COUNT [--steps M]      seeds that begin with the time of day
// simulate --list FILE                    a seed and a number of steps on each line, and perhaps
// "power"
// --list may stand beside one of the others.
// --power: in some of them power is lost too, with every write synced
// --twice runs each seed twice and compares what happened
#include "world.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

using namespace jetglass;
using jetglass::simulation::World;

namespace {

struct Wish
{
    std::uint64_t first = 1;
    std::uint64_t last = 0;
    std::uint64_t steps = 2000;
    bool trace = false;
    bool twice = false;
    bool power = false;
    std::string list;
};

bool read(int argc, char** argv, Wish& wish)
{
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        if (name == "--trace") {
            wish.trace = true;
            continue;
        }
        if (name == "--power") {
            wish.power = true;
            continue;
        }
        if (name == "--twice") {
            wish.twice = true;
            continue;
        }
        if (i + 1 >= argc)
            return false;
        const std::string value = argv[++i];
        if (name == "--seed") {
            wish.first = wish.last = std::strtoull(value.c_str(), nullptr, 10);
        } else if (name == "--seeds") {
            const std::size_t dots = value.find("..");
            if (dots == std::string::npos)
                return false;
            wish.first = std::strtoull(value.c_str(), nullptr, 10);
            wish.last = std::strtoull(value.c_str() + dots + 2, nullptr, 10);
        } else if (name == "--fresh") {
            const auto now = std::chrono::system_clock::now().time_since_epoch();
            wish.first = static_cast<std::uint64_t>(
                             std::chrono::duration_cast<std::chrono::seconds>(now).count())
                * 1000;
            wish.last = wish.first + std::strtoull(value.c_str(), nullptr, 10) - 1;
        } else if (name == "--list") {
            wish.list = value;
        } else if (name == "--steps") {
            wish.steps = std::strtoull(value.c_str(), nullptr, 10);
        } else {
            return false;
        }
    }
    return true;
}

/// True if all was well.
bool runSeed(std::uint64_t seed, std::uint64_t steps, const Wish& wish)
{
    World world(seed, wish.power, wish.trace);
    const std::string failure = world.run(steps);
    if (failure.empty() && wish.twice) {
        World again(seed, wish.power, false);
        again.run(steps);
        if (again.digest() != world.digest()) {
            std::printf("seed %llu is not the same twice\n", static_cast<unsigned long long>(seed));
            return false;
        }
    }
    if (failure.empty())
        return true;
    std::printf("seed %llu failed at %s\n", static_cast<unsigned long long>(seed), failure.c_str());
    if (!wish.trace)
        for (const std::string& line : world.lastLines())
            std::printf("    %s\n", line.c_str());
    std::printf("again: simulate --seed %llu --steps %llu --trace%s\n",
        static_cast<unsigned long long>(seed),
        static_cast<unsigned long long>(steps),
        wish.power ? " --power" : "");
    std::fflush(stdout);
    return false;
}

struct Sum
{
    std::uint64_t steps = 0;
    std::uint64_t failed = 0;
};

Sum runList(const Wish& wish)
{
    Sum sum;
    std::ifstream list(wish.list);
    std::string line;
    while (std::getline(list, line)) {
        std::uint64_t seed = 0;
        std::uint64_t steps = 0;
        std::istringstream in(line);
        if (line.starts_with('#') || !(in >> seed >> steps))
            continue;
        Wish one = wish;
        std::string more;
        one.power = wish.power || (in >> more && more == "power");
        sum.failed += runSeed(seed, steps, one) ? 0U : 1U;
        sum.steps += steps;
    }
    return sum;
}

Sum runRange(const Wish& wish)
{
    std::printf("seeds %llu..%llu, %llu steps each\n",
        static_cast<unsigned long long>(wish.first),
        static_cast<unsigned long long>(wish.last),
        static_cast<unsigned long long>(wish.steps));
    std::fflush(stdout);
    Sum sum;
    for (std::uint64_t seed = wish.first; seed <= wish.last; ++seed) {
        sum.failed += runSeed(seed, wish.steps, wish) ? 0U : 1U;
        sum.steps += wish.steps;
    }
    return sum;
}

} // namespace

int main(int argc, char** argv)
{
    Wish wish;
    if (!read(argc, argv, wish)) {
        std::fprintf(stderr,
            "usage: simulate [--seed N | --seeds A..B | --fresh COUNT | --list FILE] [--steps M] "
            "[--trace] [--twice] [--power]\n");
        return 2;
    }
    const std::clock_t begin = std::clock();
    Sum sum;
    if (!wish.list.empty())
        sum = runList(wish);
    if (wish.first <= wish.last) {
        const Sum range = runRange(wish);
        sum.steps += range.steps;
        sum.failed += range.failed;
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%llu failed; %.0f steps a second of processor time\n",
        static_cast<unsigned long long>(sum.failed),
        static_cast<double>(sum.steps) / seconds);
    if (sum.steps == 0)
        std::printf("nothing was simulated\n");
    return sum.failed == 0 && sum.steps > 0 ? 0 : 1;
}
