// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fault_client.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace jetglass::faults {

/// What a client knows for sure of what the broker has to have, told by the answers that it got.
class Model
{
public:
    /// \a lasting: the disk goes on failing, so that what was refused may still have been written.
    Model(Client& client, bool lasting)
        : m_client(client)
        , m_lasting(lasting)
    {
    }

    // --- the workload's words
    void createStream(const std::string& name, const std::string& more = {});
    void updateStream(const std::string& name, const std::string& more);
    void deleteStream(const std::string& name);
    void createConsumer(
        const std::string& stream, const std::string& name, const std::string& filter);
    void updateConsumer(
        const std::string& stream, const std::string& name, const std::string& filter);
    void deleteConsumer(const std::string& stream, const std::string& name);
    void publish(const std::string& subject, const std::string& header = {});
    void publishBatch(const std::string& stream, const std::string& subject, int count);
    void removeMessage(const std::string& stream, std::size_t index);
    void purge(const std::string& stream, const std::string& subject);
    /// Fetches and acknowledges all but the last, which gets a nak.
    void consume(const std::string& stream, const std::string& name, int most);

    /// Memory streams have ended with the broker. What cannot be opened while the disk fails is
    /// left out: it has to be there at the next start.
    void restarted();
    /// Compares everything with what the broker says and gives out.
    void check(const std::string& when, bool deliveries);
    /// A message for each stream: it takes them again, or says that it has to be opened anew.
    void checkGoesOn();

private:
    enum class State
    {
        Sure, ///< must be there
        Open, ///< may be there, once
        Gone ///< must not be there
    };
    struct Message
    {
        std::uint64_t seq = 0; ///< 0 = never acknowledged
        std::string subject;
        std::string payload;
        State state = State::Sure;
        int batch = 0; ///< those with the same number are there together or not at all
    };
    struct Consumer
    {
        State state = State::Gone;
        std::set<std::string> filters; ///< of which it has one
        std::set<std::string> ever; ///< that it has had, or may have had
        std::set<std::string> acked; ///< payloads, confirmed or not
    };
    struct Stream
    {
        State state = State::Sure;
        std::set<std::int64_t> limits; ///< of which it has one as max_msgs
        bool interest = false;
        bool queue = false;
        bool memory = false;
        bool away = false;
        std::vector<Message> messages;
        std::map<std::string, Consumer> consumers;
    };
    struct Found
    {
        std::uint64_t seq = 0;
        std::string subject;
    };

    static std::string streamOf(const std::string& subject);
    static bool matches(const std::string& filter, const std::string& subject);
    [[nodiscard]] bool isOpen(const Answer& answer) const
    {
        return m_lasting || answer.leavesOpen();
    }
    Stream* known(const std::string& name);
    std::string nextPayload();
    Json info(const std::string& what);
    void settleNeeds(Stream& stream);
    static void applyLimit(Stream& stream);
    std::string configOf(const std::string& name, const std::string& more) const;
    std::string consumerConfig(
        const std::string& stream, const std::string& name, const std::string& filter) const;
    std::map<std::string, Found> walk(const std::string& name, std::uint64_t& count);
    void checkStream(const std::string& name, Stream& stream);
    void checkMessages(const std::string& name, Stream& stream);
    void checkConsumer(const std::string& where, Consumer& consumer);
    void checkDelivery(
        const std::string& stream, const std::string& name, Stream& of, Consumer& consumer);
    void complain(const std::string& text) { m_client.complain(m_when + ": " + text); }

    Client& m_client;
    bool m_lasting;
    int m_payloads = 0;
    int m_batches = 0;
    std::string m_when = "workload";
    std::map<std::string, Stream> m_streams;
};

} // namespace jetglass::faults
