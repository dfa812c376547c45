// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/config_form.h"
#include "forms/stream_form.h"

#include <optional>

namespace jetglass::forms {

/// Create or edit a consumer of a stream. The rules are the broker's own, asked again at every
/// keystroke.
class ConsumerForm : public QWidget
{
    Q_OBJECT
public:
    explicit ConsumerForm(QWidget* parent = nullptr);

    /// \a stream: the configuration of the stream it is for.
    void setNew(const QJsonObject& stream);
    void setExisting(const QJsonObject& stream, const QJsonObject& config);

    [[nodiscard]] QJsonObject config() const;
    [[nodiscard]] bool isEditing() const { return m_existing.has_value(); }
    [[nodiscard]] const FormFinding& finding() const { return m_finding; }
    [[nodiscard]] ConfigForm* form() { return m_form; }
    [[nodiscard]] QJsonObject original() const { return m_existing.value_or(QJsonObject()); }

signals:
    void changed();

private:
    void check();
    void refreshRows();

    ConfigForm* m_form;
    QJsonObject m_stream;
    std::optional<QJsonObject> m_existing;
    FormFinding m_finding;
};

/// The broker's rules on a consumer's configuration in JSON; \a existing for an update. Pure.
[[nodiscard]] FormFinding checkConsumerForm(const QJsonObject& config,
    const QJsonObject& stream,
    const std::optional<QJsonObject>& existing);

} // namespace jetglass::forms
