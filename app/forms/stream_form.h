// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/stream_config.h"
#include "forms/config_form.h"

#include <QJsonObject>
#include <QList>
#include <QStringList>
#include <QWidget>

#include <optional>

namespace jetglass::forms {

/// What stands between a form and the server taking it.
struct FormFinding
{
    QString text; ///< the rule in the server's own words, empty = all is well
    int code = 0;
    int errCode = 0;
    QString detail; ///< which of the reader's own values breaks it, if the rule does not say so

    [[nodiscard]] bool ok() const { return text.isEmpty(); }
};

/// Another stream of the account and what it captures.
struct OtherStream
{
    QString name;
    QStringList subjects;
    bool operator==(const OtherStream&) const = default;
};

/// Create or edit a stream. The rules are the broker's own (broker/config_rules.h), asked again at
/// every keystroke.
class StreamForm : public QWidget
{
    Q_OBJECT
public:
    explicit StreamForm(QWidget* parent = nullptr);

    /// A new stream with the server's defaults.
    void setNew();
    /// An existing one: its current configuration as the server told it.
    void setExisting(const QJsonObject& config);

    /// The streams that are there: no two of an account may capture the same subject.
    void setOthers(QList<OtherStream> others);

    [[nodiscard]] QJsonObject config() const;
    [[nodiscard]] bool isEditing() const { return m_existing.has_value(); }
    [[nodiscard]] const FormFinding& finding() const { return m_finding; }
    [[nodiscard]] ConfigForm* form() { return m_form; }
    /// The configuration being edited, as it is now at the server.
    [[nodiscard]] QJsonObject original() const { return m_existing.value_or(QJsonObject()); }

signals:
    void changed();

private:
    void check();

    ConfigForm* m_form;
    std::optional<QJsonObject> m_existing;
    QList<OtherStream> m_others;
    FormFinding m_finding;
};

/// The broker's rules on a configuration in JSON; \a existing for an update, \a others as far as
/// they are known. Pure.
[[nodiscard]] FormFinding checkStreamForm(const QJsonObject& config,
    const std::optional<QJsonObject>& existing,
    const QList<OtherStream>& others = {});

} // namespace jetglass::forms
