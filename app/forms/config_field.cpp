// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/config_field.h"

#include "forms/units.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

namespace jetglass::forms {
namespace {

using namespace Qt::StringLiterals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(jetglass::forms::ConfigField)
};

QStringList linesOf(const QString& text)
{
    QStringList lines;
    for (const QString& l : text.split(u'\n')) {
        if (!l.trimmed().isEmpty())
            lines.append(l.trimmed());
    }
    return lines;
}

QJsonValue number(std::optional<qint64> n, QString* error, const QString& say)
{
    if (n)
        return *n;
    *error = say;
    return QJsonValue(QJsonValue::Undefined);
}

QJsonValue durations(const QString& text, QString* error)
{
    static const QRegularExpression between(u"[\\s,]+"_s);
    QJsonArray list;
    for (const QString& part : text.split(between, Qt::SkipEmptyParts)) {
        const auto ns = parseDuration(part);
        if (!ns) {
            *error = Words::tr("'%1' is not a duration. Write times such as 1s, 500ms or 1m30s "
                               "with blanks between them.")
                         .arg(part);
            return QJsonValue(QJsonValue::Undefined);
        }
        list.append(*ns);
    }
    return list;
}

QJsonValue pairs(const QString& text, QString* error)
{
    QJsonObject o;
    for (const QString& line : linesOf(text)) {
        const qsizetype colon = line.indexOf(u':');
        if (colon <= 0) {
            *error =
                Words::tr("Each line needs a name, a colon and a value: '%1' has none.").arg(line);
            return QJsonValue(QJsonValue::Undefined);
        }
        o.insert(line.left(colon).trimmed(), line.mid(colon + 1).trimmed());
    }
    return o;
}

QJsonValue json(const QString& text, QString* error)
{
    if (text.trimmed().isEmpty())
        return QJsonValue(QJsonValue::Null);
    QJsonParseError parse;
    const QJsonDocument doc = QJsonDocument::fromJson(text.toUtf8(), &parse);
    if (doc.isNull()) {
        *error =
            Words::tr("Not valid JSON at byte %1: %2.").arg(parse.offset).arg(parse.errorString());
        return QJsonValue(QJsonValue::Undefined);
    }
    return doc.isArray() ? QJsonValue(doc.array()) : QJsonValue(doc.object());
}

} // namespace

QJsonValue valueAt(const QJsonObject& object, const QString& path)
{
    const qsizetype dot = path.indexOf(u'.');
    if (dot < 0)
        return object.value(path);
    return valueAt(object.value(path.left(dot)).toObject(), path.mid(dot + 1));
}

void setValueAt(QJsonObject& object, const QString& path, const QJsonValue& value)
{
    const qsizetype dot = path.indexOf(u'.');
    if (dot < 0) {
        if (value.isUndefined())
            object.remove(path);
        else
            object.insert(path, value);
        return;
    }
    const QString key = path.left(dot);
    QJsonObject inner = object.value(key).toObject();
    setValueAt(inner, path.mid(dot + 1), value);
    if (inner.isEmpty())
        object.remove(key);
    else
        object.insert(key, inner);
}

QJsonObject withoutServerMetadata(QJsonObject config)
{
    QJsonObject metadata = config.value(u"metadata"_s).toObject();
    for (const QString& key : metadata.keys()) {
        if (key.startsWith(u"_nats."_s))
            metadata.remove(key);
    }
    setValueAt(config,
        u"metadata"_s,
        metadata.isEmpty() ? QJsonValue(QJsonValue::Undefined) : QJsonValue(metadata));
    return config;
}

QString nameProblem(const QString& name)
{
    static const QRegularExpression bad(u"[\\s.*>/\\\\]"_s);
    const QRegularExpressionMatch match = bad.match(name);
    if (!match.hasMatch())
        return {};
    const QString found = match.captured();
    return found.front().isSpace()
        ? Words::tr("“%1” holds a blank: a name has no blank, dot, *, >, / or \\ in it.").arg(name)
        : Words::tr("“%1” holds a %2: a name has no blank, dot, *, >, / or \\ in it.")
              .arg(name, found);
}

QString fieldText(const ConfigField& field, const QJsonValue& value)
{
    if (value.isUndefined() || value.isNull())
        return {};
    switch (field.kind) {
    case FieldKind::Text:
    case FieldKind::Choice:
    case FieldKind::Time:
        return value.toString();
    case FieldKind::Switch:
        return value.toBool() ? u"true"_s : QString();
    case FieldKind::Lines: {
        QStringList list;
        for (const QJsonValueConstRef v : value.toArray())
            list.append(v.toString());
        return list.join(u'\n');
    }
    case FieldKind::Count:
        return value.toInteger() < 0 ? QString() : QString::number(value.toInteger());
    case FieldKind::Number:
        return value.toInteger() == 0 ? QString() : QString::number(value.toInteger());
    case FieldKind::Size:
        return sizeText(value.toInteger());
    case FieldKind::SizeOrZero:
        return value.toInteger() == 0 ? QString() : sizeText(value.toInteger());
    case FieldKind::Duration:
        return durationText(value.toInteger());
    case FieldKind::Durations: {
        QStringList list;
        for (const QJsonValueConstRef v : value.toArray())
            list.append(durationText(v.toInteger()));
        return list.join(u' ');
    }
    case FieldKind::Pairs: {
        QStringList list;
        const QJsonObject o = value.toObject();
        for (auto it = o.begin(); it != o.end(); ++it)
            list.append(it.key() + u": "_s + it.value().toString());
        return list.join(u'\n');
    }
    case FieldKind::Json: {
        const QJsonDocument doc =
            value.isArray() ? QJsonDocument(value.toArray()) : QJsonDocument(value.toObject());
        return doc.isEmpty() ? QString()
                             : QString::fromUtf8(doc.toJson(QJsonDocument::Indented)).trimmed();
    }
    }
    return {};
}

QJsonValue fieldValue(const ConfigField& field, const QString& text, QString* error)
{
    const QString t = text.trimmed();
    switch (field.kind) {
    case FieldKind::Text:
        return text;
    case FieldKind::Choice:
        return t;
    case FieldKind::Switch:
        return t == u"true"_s;
    case FieldKind::Lines:
        return QJsonArray::fromStringList(linesOf(text));
    case FieldKind::Count:
        return number(parseCount(t),
            error,
            Words::tr("Write a number such as 1000 or 10k, or nothing for no limit."));
    case FieldKind::Number:
        return number(t.isEmpty() ? 0 : parseCount(t),
            error,
            Words::tr("Write a number such as 1000 or 10k, or nothing for the default."));
    case FieldKind::Size:
        return number(parseSize(t),
            error,
            Words::tr("Write a size such as 512 KiB or 1 GiB, or nothing for no limit."));
    case FieldKind::SizeOrZero:
        return number(t.isEmpty() ? 0 : parseSize(t),
            error,
            Words::tr("Write a size such as 512 KiB or 1 GiB, or nothing for the default."));
    case FieldKind::Duration:
        return number(
            parseDuration(t), error, Words::tr("Write a duration such as 30s, 1m30s, 24h or 7d."));
    case FieldKind::Durations:
        return durations(t, error);
    case FieldKind::Time:
        if (!t.isEmpty() && !QDateTime::fromString(t, Qt::ISODateWithMs).isValid()) {
            *error = Words::tr("Write a time such as 2026-01-31T08:00:00Z.");
            return QJsonValue(QJsonValue::Undefined);
        }
        return t;
    case FieldKind::Pairs:
        return pairs(text, error);
    case FieldKind::Json:
        return json(text, error);
    }
    return QJsonValue(QJsonValue::Undefined);
}

} // namespace jetglass::forms
