// SPDX-License-Identifier: GPL-3.0-or-later
#include "payload/json_text.h"

#include <QJsonDocument>
#include <QJsonParseError>

#include <algorithm>

namespace jetglass::payload {

namespace {

constexpr int kIndent = 2;

bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// End (one behind) of the string that starts at \a at.
qsizetype stringEnd(const QByteArray& text, qsizetype at)
{
    for (qsizetype i = at + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            return i + 1;
        }
    }
    return text.size();
}

qsizetype skipSpace(const QByteArray& text, qsizetype at)
{
    while (at < text.size() && isSpace(text[at])) {
        ++at;
    }
    return at;
}

/// Only called with text that parsed, so that brackets match and strings end.
QByteArray indented(const QByteArray& text)
{
    QByteArray out;
    out.reserve(text.size() + text.size() / 2);
    int depth = 0;
    const auto newLine = [&out, &depth] {
        out += '\n';
        out.append(static_cast<qsizetype>(depth) * kIndent, ' ');
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            const qsizetype end = stringEnd(text, i);
            out += text.mid(i, end - i);
            i = end - 1;
        } else if (c == '{' || c == '[') {
            const qsizetype next = skipSpace(text, i + 1);
            out += c;
            if (next < text.size() && (text[next] == '}' || text[next] == ']')) {
                out += text[next];
                i = next;
            } else {
                ++depth;
                newLine();
            }
        } else if (c == '}' || c == ']') {
            depth = std::max(0, depth - 1);
            newLine();
            out += c;
        } else if (c == ',') {
            out += c;
            newLine();
        } else if (c == ':') {
            out += ": ";
        } else if (!isSpace(c)) {
            out += c;
        }
    }
    return out;
}

} // namespace

std::optional<QString> prettyJson(const QByteArray& text, JsonProblem* problem)
{
    QJsonParseError error;
    QJsonDocument::fromJson(text, &error);
    if (error.error == QJsonParseError::NoError) {
        return QString::fromUtf8(indented(text));
    }
    // A document has to be an object or an array there; a bare value is JSON too.
    const QByteArray trimmed = text.trimmed();
    if (!trimmed.isEmpty() && trimmed[0] != '{' && trimmed[0] != '[') {
        QJsonParseError inner;
        QJsonDocument::fromJson('[' + trimmed + ']', &inner);
        if (inner.error == QJsonParseError::NoError && !trimmed.contains(',')) {
            return QString::fromUtf8(trimmed);
        }
    }
    if (problem != nullptr) {
        *problem = {error.errorString(), error.offset};
    }
    return std::nullopt;
}

} // namespace jetglass::payload
