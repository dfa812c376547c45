// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/options.h"

#include "daemon/config_value.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace jetglass::daemon {

namespace {

enum class Kind
{
    Switch,
    Text,
    Number
};

/// A flag's value in the form that its kind has.
struct Value
{
    bool on = true;
    std::string text;
    int number = 0;
};

struct Flag
{
    Kind kind = Kind::Switch;
    std::function<void(Options&, const Value&)> apply;
};

using Flags = std::unordered_map<std::string, Flag>;

/// A flag that changes the configuration.
template<class Change>
std::function<void(Options&, const Value&)> change(Change apply)
{
    return [apply](Options& options, const Value& value) {
        options.changes.push_back([apply, value](BrokerConfig& config) { apply(config, value); });
    };
}

std::function<void(Options&, const Value&)> ignored(const std::string& what)
{
    return [what](Options& options, const Value&) {
        const std::string line = what + " is not supported and ignored";
        for (const std::string& known : options.warnings) {
            if (known == line)
                return;
        }
        options.warnings.push_back(line);
    };
}

void add(Flags& flags, std::initializer_list<const char*> names, const Flag& flag)
{
    for (const char* name : names)
        flags.emplace(name, flag);
}

void addListeners(Flags& flags)
{
    add(flags,
        {"a", "addr", "net"},
        {Kind::Text, change([](BrokerConfig& c, const Value& v) { c.host = v.text; })});
    add(flags,
        {"p", "port"},
        {Kind::Number, change([](BrokerConfig& c, const Value& v) { c.port = v.number; })});
    add(flags,
        {"n", "name", "server_name"},
        {Kind::Text, change([](BrokerConfig& c, const Value& v) { c.serverName = v.text; })});
    add(flags,
        {"m", "http_port"},
        {Kind::Number, change([](BrokerConfig& c, const Value& v) { c.httpPort = v.number; })});
    add(flags, {"ms", "https_port"}, {Kind::Number, ignored("monitoring over HTTPS")});
    add(flags,
        {"client_advertise"},
        {Kind::Text, change([](BrokerConfig& c, const Value& v) { c.clientAdvertise = v.text; })});
    add(flags, {"js", "jetstream"}, {Kind::Switch, change([](BrokerConfig& c, const Value& v) {
                                         c.jetstream.enabled = v.on;
                                     })});
    add(flags, {"sd", "store_dir"}, {Kind::Text, change([](BrokerConfig& c, const Value& v) {
                                         c.jetstream.storeDir = v.text;
                                     })});
    add(flags,
        {"lab"},
        {Kind::Switch, change([](BrokerConfig& c, const Value& v) { c.lab = v.on; })});
}

void addLogging(Flags& flags)
{
    add(flags,
        {"P", "pid"},
        {Kind::Text, change([](BrokerConfig& c, const Value& v) { c.pidFile = v.text; })});
    add(flags,
        {"ports_file_dir"},
        {Kind::Text, change([](BrokerConfig& c, const Value& v) { c.portsFileDir = v.text; })});
    add(flags,
        {"l", "log"},
        {Kind::Text, change([](BrokerConfig& c, const Value& v) { c.log.file = v.text; })});
    add(flags,
        {"T", "logtime"},
        {Kind::Switch, change([](BrokerConfig& c, const Value& v) { c.log.time = v.on; })});
    add(flags,
        {"logtime_utc"},
        {Kind::Switch, change([](BrokerConfig& c, const Value& v) { c.log.utc = v.on; })});
    add(flags, {"log_size_limit"}, {Kind::Number, change([](BrokerConfig& c, const Value& v) {
                                        c.log.fileSizeLimit = v.number;
                                    })});
    add(flags, {"max_traced_msg_len"}, {Kind::Number, change([](BrokerConfig& c, const Value& v) {
                                            c.log.maxTracedMsgLen = v.number;
                                        })});
    add(flags,
        {"D", "debug"},
        {Kind::Switch, change([](BrokerConfig& c, const Value& v) { c.log.debug = v.on; })});
    add(flags,
        {"V", "trace"},
        {Kind::Switch, change([](BrokerConfig& c, const Value& v) { c.log.trace = v.on; })});
    add(flags, {"VV"}, {Kind::Switch, change([](BrokerConfig& c, const Value& v) {
                            c.log.trace = c.log.traceVerbose = v.on;
                        })});
    add(flags, {"DV"}, {Kind::Switch, change([](BrokerConfig& c, const Value& v) {
                            c.log.debug = c.log.trace = v.on;
                        })});
    add(flags, {"DVV"}, {Kind::Switch, change([](BrokerConfig& c, const Value& v) {
                             c.log.debug = c.log.trace = c.log.traceVerbose = v.on;
                         })});
}

void addSecurity(Flags& flags)
{
    add(flags,
        {"user"},
        {Kind::Text, change([](BrokerConfig& c, const Value& v) { c.auth.user = v.text; })});
    add(flags,
        {"pass"},
        {Kind::Text, change([](BrokerConfig& c, const Value& v) { c.auth.password = v.text; })});
    add(flags,
        {"auth"},
        {Kind::Text, change([](BrokerConfig& c, const Value& v) { c.auth.token = v.text; })});
    add(flags, {"tls"}, {Kind::Switch, change([](BrokerConfig& c, const Value& v) {
                             c.tls.enabled = c.tls.enabled || v.on;
                         })});
    add(flags, {"tlscert"}, {Kind::Text, change([](BrokerConfig& c, const Value& v) {
                                 c.tls.certFile = v.text;
                                 c.tls.enabled = true;
                             })});
    add(flags,
        {"tlskey"},
        {Kind::Text, change([](BrokerConfig& c, const Value& v) { c.tls.keyFile = v.text; })});
    add(flags,
        {"tlscacert"},
        {Kind::Text, change([](BrokerConfig& c, const Value& v) { c.tls.caFile = v.text; })});
    add(flags, {"tlsverify"}, {Kind::Switch, change([](BrokerConfig& c, const Value& v) {
                                   c.tls.verify = v.on;
                                   c.tls.enabled = c.tls.enabled || v.on;
                               })});
}

void addActions(Flags& flags)
{
    using Action = Options::Action;
    const auto act = [](Action action) {
        return [action](Options& options, const Value& value) {
            if (value.on)
                options.action = action;
        };
    };
    add(flags, {"c", "config"}, {Kind::Text, [](Options& o, const Value& v) {
                                     o.configFile = v.text;
                                 }});
    add(flags, {"sl", "signal"}, {Kind::Text, [](Options& o, const Value& v) {
                                      o.signal = v.text;
                                  }});
    add(flags, {"t"}, {Kind::Switch, act(Action::CheckConfig)});
    add(flags, {"h", "help"}, {Kind::Switch, act(Action::Help)});
    add(flags, {"help_tls"}, {Kind::Switch, act(Action::HelpTls)});
    add(flags, {"v", "version"}, {Kind::Switch, act(Action::Version)});
}

void addIgnored(Flags& flags)
{
    const auto cluster = ignored("clustering");
    add(flags,
        {"cluster", "cluster_listen", "cluster_name", "routes", "cluster_advertise"},
        {Kind::Text, cluster});
    add(flags, {"connect_retries"}, {Kind::Number, cluster});
    add(flags, {"no_advertise"}, {Kind::Switch, cluster});
    add(flags, {"s", "syslog"}, {Kind::Switch, ignored("syslog")});
    add(flags, {"r", "remote_syslog"}, {Kind::Text, ignored("remote syslog")});
    add(flags, {"profile"}, {Kind::Number, ignored("profiling over HTTP")});
}

const Flags& allFlags()
{
    static const Flags flags = [] {
        Flags all;
        addListeners(all);
        addLogging(all);
        addSecurity(all);
        addActions(all);
        addIgnored(all);
        return all;
    }();
    return flags;
}

/// Go's words for a boolean.
std::optional<bool> parseSwitch(const std::string& text)
{
    if (text == "1" || text == "t" || text == "T" || sameKey(text, "true"))
        return true;
    if (text == "0" || text == "f" || text == "F" || sameKey(text, "false"))
        return false;
    return std::nullopt;
}

bool takeValue(const Flag& flag,
    const std::string& name,
    const std::string& text,
    Value& value,
    std::string& error)
{
    value.text = text;
    if (flag.kind == Kind::Switch) {
        const auto on = parseSwitch(text);
        if (!on)
            error = "invalid boolean value \"" + text + "\" for -" + name;
        value.on = on.value_or(false);
        return on.has_value();
    }
    if (flag.kind == Kind::Number) {
        const auto [end, failure] =
            std::from_chars(text.data(), text.data() + text.size(), value.number);
        if (failure != std::errc{} || end != text.data() + text.size()) {
            error = "invalid value \"" + text + "\" for flag -" + name + ": parse error";
            return false;
        }
    }
    return true;
}

/// The words that stand without a dash.
void takeWord(const std::string& word, Options& options)
{
    const std::string command = lowered(word);
    if (command == "version")
        options.action = Options::Action::Version;
    else if (command == "help")
        options.action = Options::Action::Help;
    else
        options.error = "unrecognized command: \"" + word + '"';
}

void checkTogether(Options& options)
{
    BrokerConfig config;
    for (const auto& apply : options.changes)
        apply(config);
    if (!config.auth.password.empty() && config.auth.user.empty())
        options.error = "--pass needs --user";
    else if (!config.auth.user.empty() && config.auth.password.empty())
        options.error = "--user needs --pass";
    else if (!config.auth.user.empty() && !config.auth.token.empty())
        options.error = "Cannot have a user/pass and token";
    else if (config.tls.enabled && (config.tls.certFile.empty() != config.tls.keyFile.empty()))
        options.error = "TLS needs both --tlscert and --tlskey";
    else if (config.serverName.find_first_of(" \t") != std::string::npos)
        options.error = "server name cannot contain spaces";
    else if (config.port < -1 || config.port > 65535 || config.httpPort < -1
        || config.httpPort > 65535)
        options.error = "port out of range";
}

} // namespace

Options parseOptions(const std::vector<std::string>& arguments)
{
    Options options;
    for (std::size_t i = 0; i < arguments.size() && options.error.empty(); ++i) {
        const std::string& argument = arguments[i];
        if (argument == "--")
            continue;
        if (argument.size() < 2 || argument[0] != '-') {
            takeWord(argument, options);
            continue;
        }
        std::string name = argument.substr(argument[1] == '-' ? 2 : 1);
        const auto equals = name.find('=');
        std::optional<std::string> given;
        if (equals != std::string::npos) {
            given = name.substr(equals + 1);
            name.resize(equals);
        }
        const auto flag = allFlags().find(name);
        if (flag == allFlags().end()) {
            options.error = "flag provided but not defined: -" + name;
            break;
        }
        Value value;
        if (!given && flag->second.kind != Kind::Switch) {
            if (i + 1 >= arguments.size()) {
                options.error = "flag needs an argument: -" + name;
                break;
            }
            given = arguments[++i];
        }
        if (given && !takeValue(flag->second, name, *given, value, options.error))
            break;
        flag->second.apply(options, value);
    }
    if (options.error.empty())
        checkTogether(options);
    return options;
}

std::string usage()
{
    return R"(Usage: jetglass-server [options]
       jetglass-server store check|dump DIR    look into a store, see "store --help"

Server:
    -a, --addr, --net HOST       Address to listen on (127.0.0.1 and ::1)
    -p, --port PORT              Port for clients (4222, -1 = any free one)
    -n, --name, --server_name N  Server name (the server's id)
    -P, --pid FILE               File for the process id
    -m, --http_port PORT         Port for monitoring over HTTP
    -c, --config FILE            Configuration file
    -t                           Test the configuration and exit
    -sl, --signal CMD[=PID]      Send ldm, stop, quit, term, reopen or reload to a running server
        --ports_file_dir DIR     Directory for the ports file
        --client_advertise H:P   Address that clients are told to use
        --lab                    Answer on $LAB.> (clock, gates, reset)

JetStream:
    -js, --jetstream             JetStream on
    -sd, --store_dir DIR         Store directory; data goes to DIR/jetstream

Logging:
    -l, --log FILE               Log to a file instead of stderr
    -T, --logtime                Time stamps in the log (on)
        --logtime_utc            Time stamps in UTC
        --log_size_limit N       Start a new log file beyond N bytes
        --max_traced_msg_len N   Cut traced payloads
    -D, --debug                  Debug output
    -V, --trace                  Trace the protocol
    -VV                          Trace what the broker says in the system account too
    -DV, -DVV                    Debug and trace

Authorization:
        --user USER              User that clients must give
        --pass PASSWORD          and password
        --auth TOKEN             or a token instead

TLS:
        --tls                    Encrypt client connections
        --tlscert FILE           Certificate of the server
        --tlskey FILE            its private key
        --tlscacert FILE         Certificates that sign those of clients
        --tlsverify              Clients must show a certificate

Accepted, so that other servers' start scripts work, and without effect:
        --cluster, --cluster_listen, --cluster_name, --routes, --cluster_advertise, --no_advertise,
        --connect_retries, -s, -r, --profile, -ms

    -h, --help                   This text
    -v, --version                Version
)";
}

} // namespace jetglass::daemon
