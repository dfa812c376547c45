// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/monitor_tls.h"

#include <utility>

namespace jetglass::host {

namespace {

/// Who looks needs no certificate of their own.
TlsConfig settingsOf(TlsConfig config)
{
    config.verify = false;
    config.pinnedCerts.clear();
    return config;
}

} // namespace

Result<void> MonitorTls::attach(SSL_CTX& context, const TlsConfig& config)
{
    auto made = net::TlsContext::open(settingsOf(config), &context);
    if (!made)
        return made.error();
    const std::lock_guard lock(m_mutex);
    m_all.push_back(std::move(*made));
    SSL_CTX_set_client_hello_cb(&context, &MonitorTls::onClientHello, this);
    return {};
}

Result<std::shared_ptr<const net::TlsContext>> MonitorTls::read(const TlsConfig& config)
{
    return net::TlsContext::open(settingsOf(config));
}

void MonitorTls::use(std::shared_ptr<const net::TlsContext> context)
{
    const std::lock_guard lock(m_mutex);
    m_all.push_back(context);
    m_current = std::move(context);
}

int MonitorTls::onClientHello(SSL* ssl, int*, void* self)
{
    auto* tls = static_cast<MonitorTls*>(self);
    const std::lock_guard lock(tls->m_mutex);
    if (tls->m_current) {
        SSL_CTX* native = tls->m_current->native();
        SSL_set_SSL_CTX(ssl, native);
        SSL_set_min_proto_version(ssl, static_cast<int>(SSL_CTX_get_min_proto_version(native)));
    }
    return SSL_CLIENT_HELLO_SUCCESS;
}

} // namespace jetglass::host
