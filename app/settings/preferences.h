// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

namespace jetglass::settings {

enum class ThemeChoice
{
    System,
    Light,
    Dark
};
enum class Language
{
    System,
    English,
    Chinese
};

/// What the program remembers between starts (QSettings), and the two things that are switched
/// live: theme and language. Command-line choices override without being remembered.
class Preferences final : public QObject
{
    Q_OBJECT
public:
    explicit Preferences(QObject* parent = nullptr);

    [[nodiscard]] ThemeChoice theme() const { return m_theme; }
    [[nodiscard]] Language language() const { return m_language; }
    void setTheme(ThemeChoice theme, bool remember = true);
    void setLanguage(Language language, bool remember = true);
    /// Applies both; called once at start.
    void apply();

    [[nodiscard]] QByteArray windowGeometry() const;
    [[nodiscard]] QByteArray windowState() const;
    void setWindow(const QByteArray& geometry, const QByteArray& state);
    [[nodiscard]] int port() const;
    void setPort(int port);

    /// "system", "light", "dark" and "system", "en", "zh_CN"; anything else is nothing.
    static bool parse(const QString& word, ThemeChoice& theme);
    static bool parse(const QString& word, Language& language);

signals:
    void themeChanged();
    void languageChanged();

private:
    void applyFont();
    void applyTheme();
    void applyLanguage();

    ThemeChoice m_theme = ThemeChoice::System;
    Language m_language = Language::System;
    bool m_systemIsDark = false;
};

} // namespace jetglass::settings
