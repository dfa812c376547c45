// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/message_request.h"
#include "streams/bus.h"
#include "streams/context.h"
#include "streams/stream.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::api {

/// DIRECT.GET of one stream: exists while the stream allows it, so that clients hear "no
/// responders" otherwise (streams.md 1.9). Answers are plain messages.
class DirectGet final : public streams::MessageHandler
{
public:
    /// Answers from \a stream to requests for the stream \a asked: itself or what it mirrors.
    DirectGet(streams::Context& context, std::string stream, const std::string& asked);
    void onMessage(const streams::Inbound& message) override;
    [[nodiscard]] bool takesTraces() const override { return true; }

private:
    /// Numbers of a batch that go into the headers of each message.
    struct Progress
    {
        std::uint64_t pending = 0;
        std::uint64_t last = 0;
    };
    void answer(streams::Stream& stream, const MessageRequest& request, std::string_view reply);
    void answerBatch(
        streams::Stream& stream, const MessageRequest& request, std::string_view reply);
    void answerMulti(
        streams::Stream& stream, const MessageRequest& request, std::string_view reply);
    void sendMessage(const store::MessageView& message,
        std::string_view reply,
        bool headers,
        const Progress* progress);
    void sendStatus(std::string_view reply, std::string_view status);
    void sendEnd(std::string_view reply, const Progress& progress, std::uint64_t upTo);
    [[nodiscard]] std::string_view keyOf(std::string_view subject) const;

    streams::Context& m_context;
    std::string m_stream;
    std::vector<std::string> m_prefixes; ///< "$JS.API.DIRECT.GET.<stream>", the domain's too
    std::vector<streams::RegistrationPtr> m_registrations;
    std::shared_ptr<char> m_alive = std::make_shared<char>(); ///< for requests that wait
};

} // namespace jetglass::api
