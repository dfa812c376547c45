// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/message_template.h"

#include <QRegularExpression>

namespace jetglass::client {
namespace {

const QRegularExpression& placeholder()
{
    static const QRegularExpression re(
        QStringLiteral(R"(\{\{\s*(counter|time|unix_ms|uuid)(?::(\d{1,2}))?\s*\}\})"));
    return re;
}

QString value(const QString& name, int width, const TemplateValues& values)
{
    if (name == QLatin1String("counter"))
        return QString::number(values.counter).rightJustified(width, QLatin1Char('0'));
    if (name == QLatin1String("time"))
        return values.time.toUTC().toString(Qt::ISODateWithMs);
    if (name == QLatin1String("unix_ms"))
        return QString::number(values.time.toMSecsSinceEpoch());
    return values.uuid;
}

} // namespace

QString expandTemplate(const QString& text, const TemplateValues& values)
{
    QString result;
    qsizetype from = 0;
    auto matches = placeholder().globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch m = matches.next();
        result += QStringView(text).mid(from, m.capturedStart() - from);
        result += value(m.captured(1), m.captured(2).toInt(), values);
        from = m.capturedEnd();
    }
    result += QStringView(text).mid(from);
    return result;
}

Message expandTemplate(const Message& message, const TemplateValues& values)
{
    Message m = message;
    m.subject = expandTemplate(message.subject, values);
    for (Header& h : m.headers)
        h.value = expandTemplate(h.value, values);
    // Payloads may be binary: only text that has a placeholder takes the way through QString.
    if (message.payload.contains("{{")) {
        const QString text = QString::fromUtf8(message.payload);
        if (text.toUtf8() == message.payload)
            m.payload = expandTemplate(text, values).toUtf8();
    }
    return m;
}

bool hasPlaceholder(const QString& text)
{
    return placeholder().match(text).hasMatch();
}

} // namespace jetglass::client
