// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>

#include <span>

namespace jetglass::forms {

/// What a field holds, which decides its editor and the way between text and JSON.
enum class FieldKind
{
    Text,
    Lines, ///< a list of texts, one a line
    Count, ///< empty = no limit (-1)
    Number, ///< empty = 0, the server's default
    Size, ///< bytes; empty = no limit (-1)
    SizeOrZero, ///< bytes; empty = 0
    Duration, ///< ns; empty = 0
    Durations, ///< a list of ns, blanks or commas between
    Switch,
    Choice,
    Time, ///< RFC 3339
    Pairs, ///< texts by name, "name: value" a line
    Json ///< an object or a list that has no editor of its own
};

struct FieldChoice
{
    const char* value; ///< as in JSON
    const char* text; ///< for the reader, translated in the context ConfigForm
};

/// When a field may still be changed after creation.
enum class FieldLock
{
    Free,
    Fixed, ///< never
    OnlyOn ///< it can be switched on later, never off again
};

/// One member of a configuration as a row of a form. Tables of these are the whole difference
/// between the stream's and the consumer's form.
struct ConfigField
{
    const char* key; ///< path in the JSON, with dots
    const char* label; ///< translated in the context ConfigForm
    const char* hint; ///< one or two sentences: what it does
    FieldKind kind = FieldKind::Text;
    std::span<const FieldChoice> choices = {};
    FieldLock lock = FieldLock::Free;
    const char* lockReason = nullptr; ///< why it cannot be changed; nullptr = a plain sentence
    const char* empty = nullptr; ///< what an empty field stands for, if its kind does not say so
};

struct FieldGroup
{
    const char* title;
    std::span<const ConfigField> fields;
    bool open = false; ///< shown from the start
};

/// Value at a dotted path; undefined if there is none.
[[nodiscard]] QJsonValue valueAt(const QJsonObject& object, const QString& path);
/// Sets it, making objects on the way; an undefined \a value removes it, and objects that become
/// empty.
void setValueAt(QJsonObject& object, const QString& path, const QJsonValue& value);

/// The server's own keys (_nats.ver and the like) are told in answers and never sent back.
[[nodiscard]] QJsonObject withoutServerMetadata(QJsonObject config);

/// Why \a name cannot be the name of a stream or a consumer, in a sentence; empty if it can. The
/// server's own words leave the blank out.
[[nodiscard]] QString nameProblem(const QString& name);

/// What stands in the editor for \a value.
[[nodiscard]] QString fieldText(const ConfigField& field, const QJsonValue& value);
/// The value that \a text stands for. On bad text \a error gets a sentence and the result is
/// undefined.
[[nodiscard]] QJsonValue fieldValue(const ConfigField& field, const QString& text, QString* error);

} // namespace jetglass::forms
