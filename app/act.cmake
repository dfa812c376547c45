# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that acts: clients, controllers, forms, dialogs and the pages that use them.
target_sources(jetglass_app PRIVATE
)
