// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "settings/preferences.h"

namespace jetglass::settings {

/// Loads the program's and Qt's own translations and sets the default locale. Qt then tells every
/// widget (LanguageChange).
void installLanguage(Language language);

} // namespace jetglass::settings
