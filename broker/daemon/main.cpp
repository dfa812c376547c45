// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/options.h"
#include "daemon/server_run.h"
#include "daemon/signals.h"
#include "inspect/store_command.h"
#include "streams/context.h"

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kUsageError = 1;

constexpr const char* kTlsHelp =
    R"(TLS is configured with the flags --tlscert and --tlskey, with --tlsverify and --tlscacert if
clients must show certificates, or with a tls block in the configuration file:

    tls {
        cert_file: "server.pem"     certificate, with those between it and its root
        key_file: "server-key.pem"  private key
        ca_file: "ca.pem"           certificates that sign those of clients
        verify: true                clients must show a certificate
        verify_and_map: true        and it names their user
        timeout: 2                  seconds that a handshake may take
        min_version: "1.2"          oldest version of TLS
        cipher_suites: [...]        names as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
        curve_preferences: [...]    names as X25519, CurveP256
        handshake_first: true       no INFO before the handshake; "auto" or a time to wait for both
        pinned_certs: [...]         SHA-256 of the public keys that clients may show, in hex
    }
)";

void printTo(std::FILE* file, std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), file);
}

int storeCommand(const std::vector<std::string>& arguments)
{
    return jetglass::inspect::runStoreCommand({arguments.begin() + 1, arguments.end()},
        {[](std::string_view text) { printTo(stdout, text); },
            [](std::string_view text) { printTo(stderr, text); },
            isatty(STDERR_FILENO) == 1});
}

} // namespace

int main(int argc, char** argv)
{
    using jetglass::daemon::Options;
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (!arguments.empty() && arguments.front() == "store")
        return storeCommand(arguments);
    const Options options = jetglass::daemon::parseOptions(arguments);
    if (!options.error.empty()) {
        std::fprintf(stderr,
            "nats-server: %s\n%s",
            options.error.c_str(),
            jetglass::daemon::usage().c_str());
        return kUsageError;
    }
    if (options.action == Options::Action::Help) {
        std::fputs(jetglass::daemon::usage().c_str(), stdout);
        return 0;
    }
    if (options.action == Options::Action::HelpTls) {
        std::fputs(kTlsHelp, stdout);
        return 0;
    }
    if (options.action == Options::Action::Version) {
        std::printf("nats-server: v%s\njetglass-server: v%s\n",
            jetglass::streams::kNatsVersion,
            JETGLASS_VERSION);
        return 0;
    }
    if (!options.signal.empty()) {
        const std::string failure = jetglass::daemon::sendSignal(options.signal);
        if (!failure.empty())
            std::fprintf(stderr, "nats-server: %s\n", failure.c_str());
        return failure.empty() ? 0 : kUsageError;
    }
    if (options.action == Options::Action::CheckConfig)
        return jetglass::daemon::checkConfiguration(options);
    const std::string executable =
        argc > 0 ? std::filesystem::path(argv[0]).filename().string() : std::string("nats-server");
    return jetglass::daemon::runServer(options, executable);
}
