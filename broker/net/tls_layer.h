// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/tls_context.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using SSL = struct ssl_st;
using BIO = struct bio_st;

namespace jetglass::net {

/// TLS of one connection between two strings: no socket, no thread, no waiting. What is to go to
/// the peer is appended to \a wire by all calls that have such a parameter.
class TlsLayer
{
public:
    enum class Outcome : std::uint8_t
    {
        Handshaking,
        Open,
        Closed, ///< the peer said good-bye
        Failed ///< error() says why
    };

    explicit TlsLayer(std::shared_ptr<const TlsContext> context);
    ~TlsLayer();
    TlsLayer(const TlsLayer&) = delete;
    TlsLayer& operator=(const TlsLayer&) = delete;

    /// Takes bytes of the peer; what they say is appended to \a plain.
    Outcome receive(std::string_view raw, std::string& plain, std::string& wire);
    /// Only once the handshake is done. False: broken.
    bool send(std::string_view plain, std::string& wire);
    void shutdown(std::string& wire);

    [[nodiscard]] bool established() const { return m_established; }
    [[nodiscard]] const std::string& error() const { return m_error; }
    [[nodiscard]] std::string version() const; ///< "1.3"
    [[nodiscard]] std::string cipher() const; ///< standard name
    /// What the peer's certificate is called, in the order in which users are looked up (core.md
    /// 3.5).
    [[nodiscard]] std::vector<std::string> peerNames() const;

private:
    Outcome handshake();
    Outcome fail(std::string error);
    [[nodiscard]] bool isPinned() const;
    void takeWire(std::string& wire);

    std::shared_ptr<const TlsContext> m_context;
    SSL* m_ssl;
    BIO* m_in; ///< from the peer; both belong to m_ssl
    BIO* m_out; ///< to the peer
    bool m_established = false;
    std::string m_error;
};

} // namespace jetglass::net
