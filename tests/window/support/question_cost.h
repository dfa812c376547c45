// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/broker.h"
#include "support/frame_meter.h"

#include <algorithm>
#include <cstddef>
#include <future>
#include <vector>

namespace jetglass::tests {

/// What an answer holds, in the broker's memory and in the window's.
[[nodiscard]] std::size_t bytesOf(const RangeAnswer& answer);
[[nodiscard]] std::size_t bytesOf(const DensityAnswer& answer);
[[nodiscard]] std::size_t bytesOf(const MessageAnswer& answer);
[[nodiscard]] std::size_t bytesOf(const ExplainAnswer& answer);
[[nodiscard]] std::size_t bytesOf(const BrokerOverview& overview);

struct QuestionCost
{
    double median = 0; ///< milliseconds of the broker's loop
    double worst = 0;
    std::size_t bytes = 0; ///< of the answer
};

/// CPU time between two marks on the broker's own thread; nothing else is going on there.
template<class Question>
QuestionCost costOf(Broker& broker, const Question& question)
{
    constexpr int kTimes = 21;
    std::vector<double> costs;
    std::size_t bytes = 0;
    for (int i = 0; i < kTimes; ++i) {
        std::promise<double> begin;
        std::promise<double> end;
        std::promise<std::size_t> size;
        const auto mark = [&broker](std::promise<double>& at) {
            broker.ask(
                ExplainQuestion{}, [&at](const ExplainAnswer&) { at.set_value(threadMs()); });
        };
        mark(begin);
        broker.ask(question, [&size](const auto& answer) { size.set_value(bytesOf(answer)); });
        mark(end);
        bytes = size.get_future().get();
        costs.push_back(end.get_future().get() - begin.get_future().get());
    }
    std::sort(costs.begin(), costs.end());
    return {costs[costs.size() / 2], costs.back(), bytes};
}

} // namespace jetglass::tests
