// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/stream_form.h"

#include "broker/config_rules.h"
#include "client/config_json.h"
#include "client/subject_text.h"
#include "forms/stream_fields.h"

#include <QVBoxLayout>

namespace jetglass::forms {

using namespace Qt::StringLiterals;

namespace {

FormFinding findingOf(const Error& error)
{
    return {QString::fromStdString(error.text), error.apiCode, error.apiErrCode, {}};
}

/// Wildcards collide, too: orders.* and *.created both capture orders.created.
FormFinding overlapOf(const StreamConfig& config, const QList<OtherStream>& others)
{
    for (const std::string& subject : config.subjects) {
        const QString ours = QString::fromStdString(subject);
        for (const OtherStream& other : others) {
            if (other.name == QString::fromStdString(config.name))
                continue;
            for (const QString& theirs : other.subjects) {
                if (client::subjectsCollide(ours, theirs))
                    return {u"subjects overlap with an existing stream"_s,
                        400,
                        10065,
                        ours == theirs ? StreamForm::tr("The stream %1 captures %2 already.")
                                             .arg(other.name, ours)
                                       : StreamForm::tr("%1 overlaps %2 of the stream %3.")
                                             .arg(ours, theirs, other.name)};
            }
        }
    }
    return {};
}

} // namespace

FormFinding checkStreamForm(const QJsonObject& json,
    const std::optional<QJsonObject>& existing,
    const QList<OtherStream>& others)
{
    StreamConfig config = client::streamConfigFromJson(json);
    // The server finds this one out before it looks at any rule of one configuration.
    if (!existing && config.sealed)
        return {u"stream configuration for create can not be sealed"_s, 500, 10052, {}};
    if (const Result<void> r = normalizeStreamConfig(config, false); !r.ok()) {
        FormFinding finding = findingOf(r.error());
        finding.detail = nameProblem(json.value(u"name"_s).toString());
        return finding;
    }
    if (config.replicas > 1)
        return {u"replicas > 1 not supported in non-clustered mode"_s, 500, 10074, {}};
    if (existing) {
        StreamConfig from = client::streamConfigFromJson(*existing);
        if (const Result<void> r = normalizeStreamConfig(from, false); !r.ok())
            return findingOf(r.error());
        if (const Result<void> r = checkStreamUpdate(from, config); !r.ok())
            return findingOf(r.error());
    }
    return overlapOf(config, others);
}

StreamForm::StreamForm(QWidget* parent)
    : QWidget(parent)
    , m_form(new ConfigForm(streamFields(), this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_form);
    connect(m_form, &ConfigForm::changed, this, &StreamForm::check);
    setNew();
}

void StreamForm::setNew()
{
    m_existing.reset();
    StreamConfig defaults;
    defaults.allowDirect = true; // as `nats stream add --defaults` makes it
    m_form->setConfig(client::toJson(defaults), false);
}

void StreamForm::setExisting(const QJsonObject& config)
{
    m_existing = withoutServerMetadata(config);
    m_form->setConfig(*m_existing, true);
}

void StreamForm::setOthers(QList<OtherStream> others)
{
    if (others == m_others)
        return;
    m_others = std::move(others);
    check();
}

QJsonObject StreamForm::config() const
{
    QJsonObject o = m_form->config();
    // Replicas and the counts without a limit are always said: they read better than silence.
    if (!o.contains(u"num_replicas"_s))
        o.insert(u"num_replicas"_s, 1);
    return o;
}

void StreamForm::check()
{
    const QString problem = m_form->textProblem();
    m_finding = problem.isEmpty() ? checkStreamForm(config(), m_existing, m_others)
                                  : FormFinding{problem, 0, 0, {}};
    const bool replicas = config().value(u"num_replicas"_s).toInt() > 1;
    m_form->setNote(u"num_replicas"_s,
        replicas ? tr("Copies need a cluster of at least as many servers. One server refuses them "
                      "with error 10074, "
                      "and so does this broker.")
                 : QString());
    const bool mirror = !m_form->text(u"mirror.name"_s).isEmpty();
    const bool overlap = m_finding.errCode == 10065;
    m_form->setNote(u"subjects"_s,
        overlap      ? m_finding.detail
            : mirror ? tr("A mirror has no subjects: messages come from its origin only.")
                     : QString(),
        overlap ? Tone::Bad : Tone::Quiet);
    m_form->setNote(u"name"_s, nameProblem(m_form->text(u"name"_s)), Tone::Bad);
    const bool original =
        m_existing && m_existing->value(u"retention"_s).toString() == u"workqueue"_s;
    m_form->setNote(u"retention"_s,
        m_existing ? (original ? tr("A work queue cannot become another kind of stream.")
                               : tr("Limits and interest can be changed into each other, a work "
                                    "queue cannot be made "
                                    "from either."))
                   : QString());
    emit changed();
}

} // namespace jetglass::forms
