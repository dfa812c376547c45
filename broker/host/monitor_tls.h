// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "broker/result.h"
#include "net/tls_context.h"

#include <memory>
#include <mutex>
#include <vector>

namespace jetglass::host {

/// The certificate that monitoring shows: of the client listener, and as that it can be another one
/// after a reload, while the HTTP library keeps the context that it made at the start.
class MonitorTls
{
public:
    /// Sets up the library's own \a context. Later handshakes show what use() was given last.
    Result<void> attach(SSL_CTX& context, const TlsConfig& config);
    /// What use() can be given. Errors: those of the files.
    static Result<std::shared_ptr<const net::TlsContext>> read(const TlsConfig& config);
    void use(std::shared_ptr<const net::TlsContext> context); ///< any thread

private:
    static int onClientHello(SSL* ssl, int* alert, void* self);

    std::mutex m_mutex;
    std::shared_ptr<const net::TlsContext> m_current; ///< guarded by m_mutex; null = the first
    std::vector<std::shared_ptr<const net::TlsContext>> m_all; ///< handshakes may still use them
};

} // namespace jetglass::host
