// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/consumer_form.h"

#include "broker/config_rules.h"
#include "client/config_json.h"
#include "forms/stream_fields.h"

#include <QJsonArray>
#include <QVBoxLayout>

namespace jetglass::forms {

using namespace Qt::StringLiterals;

namespace {

FormFinding findingOf(const Error& error)
{
    return {QString::fromStdString(error.text), error.apiCode, error.apiErrCode, {}};
}

/// The form has one list of filters; the API has a single filter and a list, and most clients read
/// the single one.
QJsonObject withSingleFilter(QJsonObject config)
{
    const QJsonArray filters = config.value(u"filter_subjects"_s).toArray();
    if (filters.size() > 1)
        return config;
    config.remove(u"filter_subjects"_s);
    if (filters.size() == 1)
        config.insert(u"filter_subject"_s, filters.first().toString());
    return config;
}

QJsonObject withFilterList(QJsonObject config)
{
    const QString single = config.take(u"filter_subject"_s).toString();
    if (!single.isEmpty())
        config.insert(u"filter_subjects"_s, QJsonArray{single});
    return config;
}

} // namespace

FormFinding checkConsumerForm(
    const QJsonObject& json, const QJsonObject& stream, const std::optional<QJsonObject>& existing)
{
    StreamConfig s = client::streamConfigFromJson(stream);
    (void)normalizeStreamConfig(s, false).ok();
    ConsumerConfig config = client::consumerConfigFromJson(json);
    if (config.replicas > 1)
        return {u"replicas > 1 not supported in non-clustered mode"_s, 500, 10074, {}};
    if (const Result<void> r = normalizeConsumerConfig(config, s, false); !r.ok()) {
        FormFinding finding = findingOf(r.error());
        for (const QString& key : {u"durable_name"_s, u"name"_s}) {
            if (finding.detail.isEmpty())
                finding.detail = nameProblem(json.value(key).toString());
        }
        return finding;
    }
    if (existing) {
        ConsumerConfig from = client::consumerConfigFromJson(*existing);
        if (const Result<void> r = normalizeConsumerConfig(from, s, false); !r.ok())
            return findingOf(r.error());
        if (const Result<void> r = checkConsumerUpdate(from, config); !r.ok())
            return findingOf(r.error());
    }
    return {};
}

ConsumerForm::ConsumerForm(QWidget* parent)
    : QWidget(parent)
    , m_form(new ConfigForm(consumerFields(), this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_form);
    connect(m_form, &ConfigForm::changed, this, &ConsumerForm::check);
}

void ConsumerForm::setNew(const QJsonObject& stream)
{
    m_stream = stream;
    m_existing.reset();
    ConsumerConfig defaults;
    defaults.ackPolicy = AckPolicy::Explicit;
    m_form->setConfig(client::toJson(defaults), false);
}

void ConsumerForm::setExisting(const QJsonObject& stream, const QJsonObject& config)
{
    m_stream = stream;
    m_existing = withoutServerMetadata(config);
    m_form->setConfig(withFilterList(*m_existing), true);
}

QJsonObject ConsumerForm::config() const
{
    QJsonObject o = withSingleFilter(m_form->config());
    // An unlimited number of deliveries is the server's own default; -1 would only be noise.
    if (o.value(u"max_deliver"_s).toInteger() < 0)
        o.remove(u"max_deliver"_s);
    // With a durable name the server wants both names equal or one of them absent.
    if (!m_existing && !o.value(u"durable_name"_s).toString().isEmpty()
        && o.value(u"name"_s).toString().isEmpty())
        o.remove(u"name"_s);
    return o;
}

void ConsumerForm::refreshRows()
{
    const QString deliver = m_form->text(u"deliver_policy"_s);
    m_form->setRowVisible(u"opt_start_seq"_s, deliver == u"by_start_sequence"_s);
    m_form->setRowVisible(u"opt_start_time"_s, deliver == u"by_start_time"_s);
    m_form->setRowVisible(u"name"_s, m_form->text(u"durable_name"_s).isEmpty());
    const bool backoff = !m_form->text(u"backoff"_s).trimmed().isEmpty();
    m_form->setNote(u"ack_wait"_s,
        backoff ? tr("The backoff replaces it: its first value is the ack wait.") : QString());
    const bool replicas = m_form->text(u"num_replicas"_s).toInt() > 1;
    m_form->setNote(u"num_replicas"_s,
        replicas ? tr("Copies need a cluster. One server refuses them with error 10074, and so "
                      "does this broker.")
                 : QString());
    const QString retention = m_stream.value(u"retention"_s).toString();
    m_form->setNote(u"filter_subjects"_s,
        retention == u"workqueue"_s ? tr("On a work queue the filters of two consumers may not "
                                         "overlap; workers share one consumer instead.")
                                    : QString());
    const bool ephemeral = m_form->text(u"durable_name"_s).isEmpty();
    const QString bad = nameProblem(m_form->text(u"durable_name"_s));
    m_form->setNote(u"durable_name"_s,
        ephemeral && !m_existing
            ? tr("A durable consumer has this name and stays until it is deleted. Without it the "
                 "consumer is ephemeral and goes a few seconds after its last use.")
            : bad,
        bad.isEmpty() ? Tone::Quiet : Tone::Bad);
    const QString badName = nameProblem(m_form->text(u"name"_s));
    m_form->setNote(u"name"_s,
        badName.isEmpty() && !m_existing
            ? tr("What an ephemeral consumer is called. It does not make it stay: only a durable "
                 "name does.")
            : badName,
        badName.isEmpty() ? Tone::Quiet : Tone::Bad);
}

void ConsumerForm::check()
{
    const QString problem = m_form->textProblem();
    m_finding = problem.isEmpty() ? checkConsumerForm(config(), m_stream, m_existing)
                                  : FormFinding{problem, 0, 0, {}};
    refreshRows();
    emit changed();
}

} // namespace jetglass::forms
