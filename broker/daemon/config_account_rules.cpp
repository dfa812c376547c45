// SPDX-License-Identifier: GPL-3.0-or-later
// What can only be said of all accounts together: do the exports stand for the imports?
#include "daemon/config_sections.h"
#include "subjects/subject.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace jetglass::daemon {

namespace {

const AccountConfig* find(const BrokerConfig& config, std::string_view name)
{
    const auto found = std::find_if(config.accounts.begin(),
        config.accounts.end(),
        [name](const AccountConfig& one) { return one.name == name; });
    return found == config.accounts.end() ? nullptr : &*found;
}

const std::string& localSubject(const ImportConfig& taken)
{
    return taken.to.empty() ? taken.subject : taken.to;
}

bool allows(const ExportConfig& offered, const ImportConfig& taken, const std::string& importer)
{
    if (offered.service != taken.service || !subjects::isSubset(taken.subject, offered.subject))
        return false;
    if (offered.accountPosition > 0)
        return subjects::token(taken.subject, offered.accountPosition - 1) == importer;
    return !offered.accounts || offered.accounts->empty()
        || std::find(offered.accounts->begin(), offered.accounts->end(), importer)
        != offered.accounts->end();
}

/// Follows what \a from takes for its \a subject from account to account.
class CycleSearch
{
public:
    CycleSearch(const BrokerConfig& config, const std::string& importer, bool service)
        : m_config(config)
        , m_importer(importer)
        , m_service(service)
    {
    }

    bool finds(const std::string& from, const std::string& subject)
    {
        const AccountConfig* account = find(m_config, from);
        if (account == nullptr || !m_seen.insert({from, subject}).second)
            return false;
        return std::any_of(
            account->imports.begin(), account->imports.end(), [&](const ImportConfig& taken) {
                return taken.service == m_service && subjects::collide(localSubject(taken), subject)
                    && (taken.account == m_importer || finds(taken.account, taken.subject));
            });
    }

private:
    const BrokerConfig& m_config;
    const std::string& m_importer;
    bool m_service;
    std::set<std::pair<std::string, std::string>> m_seen;
};

void checkImport(ConfigReader& reader,
    const Position& position,
    const BrokerConfig& config,
    const AccountConfig& account,
    const ImportConfig& taken)
{
    const AccountConfig* exporter = find(config, taken.account);
    if (exporter == nullptr) {
        reader.error(position,
            "account \"" + account.name + "\" imports from the unknown account \"" + taken.account
                + '"');
        return;
    }
    const std::string about = std::string("Error adding ") + (taken.service ? "service" : "stream")
        + " import \"" + taken.subject + "\": ";
    const bool allowed = std::any_of(exporter->exports.begin(),
        exporter->exports.end(),
        [&](const ExportConfig& offered) { return allows(offered, taken, account.name); });
    if (!allowed)
        reader.error(position, about + "account \"" + account.name + "\" is not authorized");
    else if (CycleSearch(config, account.name, taken.service).finds(taken.account, taken.subject))
        reader.error(position, about + "import forms a cycle");
}

} // namespace

void checkAccounts(ConfigReader& reader, const ConfigValue& root, const BrokerConfig& config)
{
    const ConfigEntry* block = root.find("accounts");
    const Position position = block != nullptr ? block->position : root.position;
    bool users = false;
    for (const UserConfig& user : config.auth.users)
        users = users || !user.account.empty();
    if (users && !config.auth.user.empty())
        reader.error(position, "Can not have a single user/pass and accounts");
    if (users && !config.auth.token.empty())
        reader.error(position, "Can not have a token and accounts");
    for (const AccountConfig& account : config.accounts) {
        for (const ExportConfig& offered : account.exports)
            for (const std::string& name : offered.accounts.value_or(std::vector<std::string>()))
                if (find(config, name) == nullptr)
                    reader.error(position,
                        '"' + name + "\" account not defined for "
                            + (offered.service ? "service" : "stream") + " export");
        for (const ImportConfig& taken : account.imports)
            checkImport(reader, position, config, account, taken);
    }
}

} // namespace jetglass::daemon
