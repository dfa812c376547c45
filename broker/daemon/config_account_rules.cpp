// SPDX-License-Identifier: GPL-3.0-or-later
// What can only be said of all accounts together: do the exports stand for the imports?
#include "daemon/config_sections.h"
#include "subjects/subject.h"
#include "subjects/wildcard_reference.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace jetglass::daemon {

namespace {

const AccountConfig* find(const BrokerConfig& config, std::string_view name)
{
    const auto found = std::find_if(config.accounts.begin(),
        config.accounts.end(),
        [name](const AccountConfig& one) { return one.name == name; });
    return found == config.accounts.end() ? nullptr : &*found;
}

std::string localSubject(const ImportConfig& taken)
{
    const std::string& local = taken.to.empty() ? taken.subject : taken.to;
    return subjects::hasWildcard(taken.subject) ? subjects::patternOfReferences(local) : local;
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

bool hasStreamExport(const AccountConfig& account, const std::string& subject)
{
    return std::any_of(
        account.exports.begin(), account.exports.end(), [&](const ExportConfig& offered) {
            return !offered.service && subjects::isSubset(subject, offered.subject);
        });
}

/// Takes the imports in the reference server's order, streams before services, each against those
/// before it.
class ImportRules
{
public:
    ImportRules(ConfigReader& reader, const Position& position, const BrokerConfig& config)
        : m_reader(reader)
        , m_position(position)
        , m_config(config)
    {
    }

    void check(bool services)
    {
        for (const AccountConfig& account : m_config.accounts) {
            for (const ImportConfig& taken : account.imports) {
                if (taken.service == services && mayTake(account, taken))
                    m_taken[account.name].push_back(&taken);
            }
        }
    }

private:
    bool mayTake(const AccountConfig& account, const ImportConfig& taken);
    std::string complaint(
        const AccountConfig& account, const AccountConfig& exporter, const ImportConfig& taken);
    bool leadsBack(const AccountConfig& exporter, const std::string& subject, bool service);
    bool serviceLeadsBack(const AccountConfig& from, const std::string& subject);
    bool streamLeadsBack(const AccountConfig& from, const std::string& subject);

    using Step = bool (ImportRules::*)(const AccountConfig&, const std::string&);
    bool follow(
        const AccountConfig& from, const std::string& subject, const ImportConfig& next, Step step);

    ConfigReader& m_reader;
    const Position& m_position;
    const BrokerConfig& m_config;
    std::map<std::string, std::vector<const ImportConfig*>> m_taken; ///< by importer
    std::set<std::string> m_visited; ///< accounts on the way of one search
};

bool ImportRules::mayTake(const AccountConfig& account, const ImportConfig& taken)
{
    const AccountConfig* exporter = find(m_config, taken.account);
    if (exporter == nullptr) {
        m_reader.error(m_position,
            "account \"" + account.name + "\" imports from the unknown account \"" + taken.account
                + '"');
        return false;
    }
    m_visited = {account.name};
    const std::string wrong = complaint(account, *exporter, taken);
    if (!wrong.empty())
        m_reader.error(m_position,
            std::string("Error adding ") + (taken.service ? "service" : "stream") + " import \""
                + taken.subject + "\": " + wrong);
    return wrong.empty();
}

/// An empty text if the import may stand.
std::string ImportRules::complaint(
    const AccountConfig& account, const AccountConfig& exporter, const ImportConfig& taken)
{
    const bool allowed = std::any_of(exporter.exports.begin(),
        exporter.exports.end(),
        [&](const ExportConfig& offered) { return allows(offered, taken, account.name); });
    if (!allowed)
        return "account \"" + account.name + "\" is not authorized";
    if (leadsBack(exporter, localSubject(taken), taken.service)
        || (!taken.service && leadsBack(exporter, taken.subject, false)))
        return "import forms a cycle";
    const auto& before = m_taken[account.name];
    const bool again = std::any_of(before.begin(), before.end(), [&](const ImportConfig* other) {
        return !taken.service && !other->service && other->account == taken.account
            && other->subject == taken.subject;
    });
    return again ? "stream import already exists" : "";
}

bool ImportRules::leadsBack(const AccountConfig& exporter, const std::string& subject, bool service)
{
    return service ? serviceLeadsBack(exporter, subject) : streamLeadsBack(exporter, subject);
}

bool ImportRules::serviceLeadsBack(const AccountConfig& from, const std::string& subject)
{
    const auto& taken = m_taken[from.name];
    return std::any_of(taken.begin(), taken.end(), [&](const ImportConfig* next) {
        return next->service && subjects::collide(subject, next->subject)
            && follow(from, subject, *next, &ImportRules::serviceLeadsBack);
    });
}

bool ImportRules::streamLeadsBack(const AccountConfig& from, const std::string& subject)
{
    if (!hasStreamExport(from, subject))
        return false;
    const auto& taken = m_taken[from.name];
    return std::any_of(taken.begin(), taken.end(), [&](const ImportConfig* next) {
        return !next->service && subjects::collide(subject, localSubject(*next))
            && follow(from, subject, *next, &ImportRules::streamLeadsBack);
    });
}

/// Goes on to the account that \a from takes \a next of.
bool ImportRules::follow(
    const AccountConfig& from, const std::string& subject, const ImportConfig& next, Step step)
{
    if (m_visited.contains(next.account))
        return true;
    m_visited.insert(from.name);
    const std::string local = localSubject(next);
    return (this->*step)(
        *find(m_config, next.account), subjects::isSubset(local, subject) ? local : subject);
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
    }
    ImportRules imports(reader, position, config);
    imports.check(false);
    imports.check(true);
}

} // namespace jetglass::daemon
