// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/consumer_config.h"
#include "broker/stream_config.h"

#include <QString>

#include <vector>

namespace jetglass::text {

/// One setting as a reader sees it.
struct SettingRow
{
    QString name; ///< in the reader's language
    QString value; ///< with its unit
    QString term; ///< the member's name in the API
    QString meaning; ///< one sentence: what it does with this value
    bool isDefault = false;
};

std::vector<SettingRow> settingRows(const StreamConfig& config);
std::vector<SettingRow> settingRows(const ConsumerConfig& config);

} // namespace jetglass::text
