// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/languages.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <memory>
#include <vector>

namespace jetglass::settings {

namespace {

QLocale localeFor(Language language)
{
    switch (language) {
    case Language::English:
        return QLocale(QLocale::English, QLocale::UnitedStates);
    case Language::Chinese:
        return QLocale(QLocale::Chinese, QLocale::China);
    case Language::System:
        break;
    }
    return QLocale::system();
}

} // namespace

void installLanguage(Language language)
{
    static std::vector<std::unique_ptr<QTranslator>> installed;
    for (const auto& translator : installed)
        QCoreApplication::removeTranslator(translator.get());
    installed.clear();
    const QLocale locale = localeFor(language);
    QLocale::setDefault(locale.language() == QLocale::C
            ? QLocale(QLocale::English, QLocale::UnitedStates)
            : locale);
    // English needs its file as well: plurals ("1 message", "2 messages") live in it.
    const bool chinese = locale.language() == QLocale::Chinese;
    const QString name = chinese ? QStringLiteral("zh_CN") : QStringLiteral("en");
    const auto load = [](const QString& file, const QString& folder) {
        auto translator = std::make_unique<QTranslator>();
        if (!translator->load(file, folder))
            return;
        QCoreApplication::installTranslator(translator.get());
        installed.push_back(std::move(translator));
    };
    if (chinese)
        load(QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    load(QStringLiteral("jetglass_") + name, QStringLiteral(":/i18n"));
}

} // namespace jetglass::settings
