// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/config_diff.h"

#include "forms/tone.h"

#include <QCoreApplication>

namespace jetglass::forms {
namespace {

using namespace Qt::StringLiterals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(jetglass::forms::ConfigDiff)
};

QString shown(QString text)
{
    if (text.isEmpty())
        return Words::tr("(default)");
    return text.replace(u'\n', u", "_s).toHtmlEscaped();
}

} // namespace

QList<ConfigChange> configDiff(
    std::span<const FieldGroup> groups, const QJsonObject& before, const QJsonObject& after)
{
    QList<ConfigChange> changes;
    for (const FieldGroup& g : groups) {
        for (const ConfigField& f : g.fields) {
            const QString key = QLatin1String(f.key);
            // The first choice is the default, which a configuration may leave out.
            const auto text = [&](const QJsonObject& o) {
                QString t = fieldText(f, valueAt(o, key));
                if (t.isEmpty() && f.kind == FieldKind::Choice && !f.choices.empty())
                    t = QLatin1String(f.choices.front().value);
                return t;
            };
            const QString a = text(before);
            const QString b = text(after);
            if (a != b)
                changes.append({key, a, b});
        }
    }
    return changes;
}

QString diffText(const QList<ConfigChange>& changes, const QPalette& palette)
{
    if (changes.isEmpty())
        return Words::tr("Nothing would change.");
    const QString bad = toneColor(Tone::Bad, palette).name();
    const QString good = toneColor(Tone::Good, palette).name();
    QStringList lines;
    for (const ConfigChange& c : changes) {
        lines.append(
            u"<b>%1</b>: <span style=\"color:%2\"><s>%3</s></span> → <span style=\"color:%4\">%5</span>"_s
                .arg(c.key, bad, shown(c.before), good, shown(c.after)));
    }
    return lines.join(u"<br>"_s);
}

} // namespace jetglass::forms
