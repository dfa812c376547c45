// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QObject>
#include <QPainter>
#include <QString>
#include <QWidget>

#include <memory>
#include <vector>
