// SPDX-License-Identifier: GPL-3.0-or-later
#include "upstream_fixture.h"

namespace jetglass::tests {

StreamBench::Json UpstreamFixture::info(const std::string& name)
{
    return m_bench->request("STREAM.INFO." + name);
}

void UpstreamFixture::publish(const std::string& subject, int count, const std::string& headers)
{
    for (int n = 1; n <= count; ++n)
        m_bench->publish(subject, "m" + std::to_string(n), headers);
}

std::string UpstreamFixture::message(const std::string& stream, std::uint64_t seq, bool headers)
{
    store::MessageView view;
    if (!m_bench->stream(stream).store().load(StreamSeq(seq), view))
        return {};
    return headers ? std::string(view.headers)
                   : std::string(view.subject) + " " + std::string(view.payload);
}

} // namespace jetglass::tests

#include "moc_upstream_fixture.cpp"
