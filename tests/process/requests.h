// SPDX-License-Identifier: GPL-3.0-or-later
// Requests over a bare client, and the messages that come back.
#pragma once

#include "test_client.h"

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <string>

namespace jetglass::test {

inline QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

/// Of CONNECT, for the user of the system account.
inline const std::string kAdmin = R"("user":"s","pass":"s")";

/// One message: its first line, and its body with the headers before it.
struct Message
{
    std::string line;
    std::string body;
};

/// CONNECT, and everything that the server says of itself after it.
inline bool login(TestClient& client, const std::string& options)
{
    return client.handshake(options) && client.flush().ends_with("PONG\n");
}

/// What follows the line of a message; its size is the line's last word.
inline std::string readBody(TestClient& client, const std::string& line)
{
    const std::size_t size = std::stoul(line.substr(line.rfind(' ') + 1));
    return client.bytes(size + 2).substr(0, size);
}

inline Message readMessage(TestClient& client)
{
    Message message;
    do
        message.line = client.line();
    while (message.line == "PING");
    if (message.line.find("MSG ") == std::string::npos)
        return message;
    message.body = readBody(client, message.line);
    return message;
}

/// A request whose one answer comes on answer.1.
inline void sendRequest(TestClient& client, const std::string& subject, const std::string& body)
{
    client.send("SUB answer.1 a\r\nUNSUB a 1\r\nPUB " + subject + " answer.1 "
        + std::to_string(body.size()) + "\r\n" + body + "\r\n");
}

inline Message ask(TestClient& client, const std::string& subject, const std::string& body = {})
{
    sendRequest(client, subject, body);
    return readMessage(client);
}

inline QJsonObject json(const Message& message)
{
    return QJsonDocument::fromJson(bytes(message.body)).object();
}

} // namespace jetglass::test
