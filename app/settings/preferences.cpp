// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/preferences.h"

#include "settings/languages.h"
#include "style/control_style.h"
#include "style/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QPalette>
#include <QSettings>

#include <array>

namespace jetglass::settings {

namespace {

template<class Value>
struct Word
{
    const char* word;
    Value value;
};

constexpr std::array<Word<ThemeChoice>, 3> kThemes{
    {{"system", ThemeChoice::System}, {"light", ThemeChoice::Light}, {"dark", ThemeChoice::Dark}}};
constexpr std::array<Word<Language>, 3> kLanguages{
    {{"system", Language::System}, {"en", Language::English}, {"zh_CN", Language::Chinese}}};

template<class Value, std::size_t Size>
bool find(const std::array<Word<Value>, Size>& words, const QString& word, Value& into)
{
    for (const auto& entry : words) {
        if (word.compare(QLatin1String(entry.word), Qt::CaseInsensitive) == 0) {
            into = entry.value;
            return true;
        }
    }
    return false;
}

template<class Value, std::size_t Size>
QString wordFor(const std::array<Word<Value>, Size>& words, Value value)
{
    for (const auto& entry : words) {
        if (entry.value == value)
            return QLatin1String(entry.word);
    }
    return {};
}

} // namespace

Preferences::Preferences(QObject* parent)
    : QObject(parent)
    , m_systemIsDark(QApplication::palette().color(QPalette::Window).lightness() < 128)
{
    const QSettings store;
    find(kThemes, store.value(QStringLiteral("theme")).toString(), m_theme);
    find(kLanguages, store.value(QStringLiteral("language")).toString(), m_language);
}

bool Preferences::parse(const QString& word, ThemeChoice& theme)
{
    return find(kThemes, word, theme);
}

bool Preferences::parse(const QString& word, Language& language)
{
    return find(kLanguages, word, language);
}

void Preferences::setTheme(ThemeChoice theme, bool remember)
{
    m_theme = theme;
    if (remember)
        QSettings().setValue(QStringLiteral("theme"), wordFor(kThemes, theme));
    applyTheme();
    emit themeChanged();
}

void Preferences::setLanguage(Language language, bool remember)
{
    m_language = language;
    if (remember)
        QSettings().setValue(QStringLiteral("language"), wordFor(kLanguages, language));
    applyLanguage();
    emit languageChanged();
}

void Preferences::apply()
{
    applyFont();
    applyTheme();
    applyLanguage();
}

/// Names of streams may be Chinese in any language: without a family that has these glyphs in every
/// weight, the fallback may come in bold only.
void Preferences::applyFont()
{
    QFont font = QApplication::font();
    // The family that is really used: a name such as "Sans Serif" would give way to the first one
    // that exists.
    QStringList families{QFontInfo(font).family()};
    for (const QString& family : {QStringLiteral("Noto Sans CJK SC"),
             QStringLiteral("Source Han Sans SC"),
             QStringLiteral("WenQuanYi Micro Hei"),
             QStringLiteral("Microsoft YaHei"),
             QStringLiteral("PingFang SC")}) {
        if (!families.contains(family) && QFontDatabase::hasFamily(family))
            families << family;
    }
    font.setFamilies(families);
    QApplication::setFont(font);
}

/// The same style on every platform, so that both themes look the same everywhere.
void Preferences::applyTheme()
{
    static const bool styled = [] {
        QApplication::setStyle(new style::ControlStyle);
        return true;
    }();
    Q_UNUSED(styled)
    const bool dark =
        m_theme == ThemeChoice::Dark || (m_theme == ThemeChoice::System && m_systemIsDark);
    QApplication::setPalette((dark ? style::Theme::darkTheme() : style::Theme::light()).palette());
}

void Preferences::applyLanguage()
{
    installLanguage(m_language);
}

QByteArray Preferences::windowGeometry() const
{
    return QSettings().value(QStringLiteral("window/geometry")).toByteArray();
}

QByteArray Preferences::windowState() const
{
    return QSettings().value(QStringLiteral("window/state")).toByteArray();
}

void Preferences::setWindow(const QByteArray& geometry, const QByteArray& state)
{
    QSettings store;
    store.setValue(QStringLiteral("window/geometry"), geometry);
    store.setValue(QStringLiteral("window/state"), state);
}

int Preferences::port() const
{
    return QSettings().value(QStringLiteral("port"), 4222).toInt();
}

void Preferences::setPort(int port)
{
    QSettings().setValue(QStringLiteral("port"), port);
}

} // namespace jetglass::settings
