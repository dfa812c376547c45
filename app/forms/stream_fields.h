// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/config_field.h"

namespace jetglass::forms {

/// Every member of a stream's configuration, in the order of the form.
[[nodiscard]] std::span<const FieldGroup> streamFields();
/// Every member of a consumer's configuration, in the order of the form.
[[nodiscard]] std::span<const FieldGroup> consumerFields();

} // namespace jetglass::forms
