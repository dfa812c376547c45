// SPDX-License-Identifier: GPL-3.0-or-later
#include "inner_routing.h"

#include "subjects/subject.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace jetglass::tests {

struct InnerRouting::State
{
    struct Handler
    {
        std::string subject;
        std::string queue;
        std::size_t fixed = 0; ///< how many characters come before the first wildcard
        streams::MessageHandler* handler = nullptr;
        std::size_t number = 0;
    };
    struct Watch
    {
        std::string subject;
        std::function<void()> changed;
        std::size_t number = 0;
        bool due = false;
    };
    std::vector<Handler> handlers;
    std::vector<Watch> watches;
    std::size_t next = 1;
    bool watchesDue = false;
};

namespace {

class End final : public streams::Registration
{
public:
    explicit End(std::function<void()> end)
        : m_end(std::move(end))
    {
    }
    ~End() override { m_end(); }

private:
    std::function<void()> m_end;
};

} // namespace

InnerRouting::InnerRouting()
    : m(std::make_shared<State>())
{
}

streams::RegistrationPtr InnerRouting::subscribe(
    std::string_view subject, std::string_view queue, streams::MessageHandler& handler)
{
    const std::size_t number = m->next++;
    const std::size_t fixed = std::min(subject.find_first_of("*>"), subject.size());
    m->handlers.push_back({std::string(subject), std::string(queue), fixed, &handler, number});
    return std::make_unique<End>([state = m, number] {
        std::erase_if(state->handlers,
            [&](const State::Handler& handler_) { return handler_.number == number; });
    });
}

streams::RegistrationPtr InnerRouting::watch(
    std::string_view subject, std::function<void()> changed)
{
    const std::size_t number = m->next++;
    m->watches.push_back({std::string(subject), std::move(changed), number, false});
    return std::make_unique<End>([state = m, number] {
        std::erase_if(
            state->watches, [&](const State::Watch& watch) { return watch.number == number; });
    });
}

bool InnerRouting::route(const streams::Inbound& message)
{
    std::set<std::string> served;
    std::vector<std::size_t> takers;
    for (const State::Handler& handler : m->handlers) {
        if (message.subject.compare(0, handler.fixed, handler.subject, 0, handler.fixed) != 0
            || !subjects::matches(handler.subject, message.subject))
            continue;
        if (handler.queue.empty() || served.insert(handler.queue).second)
            takers.push_back(handler.number);
    }
    for (const std::size_t number : takers) {
        // A handler may end another one's subscription while it runs.
        const auto found = std::find_if(m->handlers.begin(),
            m->handlers.end(),
            [&](const State::Handler& handler) { return handler.number == number; });
        if (found != m->handlers.end())
            found->handler->onMessage(message);
    }
    return !takers.empty();
}

void InnerRouting::note(std::string_view subject)
{
    for (State::Watch& watch : m->watches)
        if (watch.subject == subject)
            watch.due = m->watchesDue = true;
}

bool InnerRouting::callWatches()
{
    if (!m->watchesDue)
        return false;
    m->watchesDue = false;
    std::vector<std::function<void()>> due;
    for (State::Watch& watch : m->watches)
        if (std::exchange(watch.due, false))
            due.push_back(watch.changed);
    for (const auto& changed : due)
        changed();
    return true;
}

} // namespace jetglass::tests
