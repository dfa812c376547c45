// SPDX-License-Identifier: GPL-3.0-or-later
// A short list on purpose: what nearly every source of the window uses.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <memory>
#include <string>
#include <vector>
