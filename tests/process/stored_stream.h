// SPDX-License-Identifier: GPL-3.0-or-later
// A stream in a store directory of its own, and what the program says of it.
#pragma once

#include "requests.h"
#include "server_run.h"

#include <QStringList>

#include <string>

namespace jetglass::test {

/// The configuration of the stream.
inline const std::string kStreamS = R"({"name":"S","subjects":["s.*"]})";

/// The body alone; INFO may come between.
inline std::string answerTo(
    TestClient& client, const std::string& subject, const std::string& body = {})
{
    sendRequest(client, subject, body);
    std::string line;
    do
        line = client.line();
    while (line == "PING" || line.starts_with("INFO "));
    if (line.find("MSG answer.1") == std::string::npos)
        return line;
    return readBody(client, line);
}

inline bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

inline QStringList storeArguments(const ServerRun& server)
{
    return {QStringLiteral("-js"), QStringLiteral("-sd"), server.path(QStringLiteral("store"))};
}

} // namespace jetglass::test
