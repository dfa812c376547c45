# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that acts: clients, controllers, forms, dialogs and the pages that use them.
find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBNATS REQUIRED IMPORTED_TARGET libnats)
target_link_libraries(jetglass_app PRIVATE PkgConfig::LIBNATS)
target_sources(jetglass_app PRIVATE
    client/api_error.cpp client/api_error.h
    client/arrivals.cpp client/arrivals.h
    client/config_json.cpp client/config_json.h
    client/connection.cpp client/connection.h
    client/consumer_admin.cpp client/consumer_admin.h
    client/fetch.cpp client/fetch.h
    client/message.cpp client/message.h
    client/message_template.cpp client/message_template.h
    client/override_name.h
    client/publish.cpp client/publish.h
    client/request.cpp client/request.h
    client/same_as.cpp client/same_as.h
    client/same_as_c.cpp
    client/same_as_cli.cpp
    client/same_as_go.cpp
    client/same_as_javascript.cpp
    client/same_as_parts.cpp client/same_as_parts.h
    client/same_as_python.cpp
    client/stream_admin.cpp client/stream_admin.h
    client/subject_text.cpp client/subject_text.h
    client/wire.cpp client/wire.h
    controllers/consume_controller.cpp controllers/consume_controller.h
    controllers/held_watch.cpp controllers/held_watch.h
    controllers/pace_clock.cpp controllers/pace_clock.h
    controllers/override_controller.cpp controllers/override_controller.h
    controllers/publish_controller.cpp controllers/publish_controller.h
    controllers/purge_controller.cpp controllers/purge_controller.h
    controllers/replay_controller.cpp controllers/replay_controller.h
    controllers/replay_plan.cpp controllers/replay_plan.h
    dialogs/config_dialog.cpp dialogs/config_dialog.h
    dialogs/delete_dialog.cpp dialogs/delete_dialog.h
    dialogs/growing_dialog.cpp dialogs/growing_dialog.h
    dialogs/override_dialog.cpp dialogs/override_dialog.h
    dialogs/preview_view.cpp dialogs/preview_view.h
    dialogs/purge_dialog.cpp dialogs/purge_dialog.h
    forms/config_diff.cpp forms/config_diff.h
    forms/config_field.cpp forms/config_field.h
    forms/config_form.cpp forms/config_form.h
    forms/consumer_fields.cpp
    forms/consumer_form.cpp forms/consumer_form.h
    forms/eliding_label.cpp forms/eliding_label.h
    forms/flow_layout.cpp forms/flow_layout.h
    forms/same_as_view.cpp forms/same_as_view.h
    forms/stream_fields.cpp forms/stream_fields.h
    forms/stream_form.cpp forms/stream_form.h
    forms/tone.cpp forms/tone.h
    forms/units.cpp forms/units.h
    pages/consume_held_model.cpp pages/consume_held_model.h
    pages/consume_choice.cpp
    pages/consume_keys.cpp
    pages/consume_page.cpp pages/consume_page.h
    pages/consume_parts.cpp pages/consume_parts.h
    pages/header_table.cpp pages/header_table.h
    pages/held_list.cpp pages/held_list.h
    pages/publish_history_model.cpp pages/publish_history_model.h
    pages/publish_page.cpp pages/publish_page.h
    pages/replay_page.cpp pages/replay_page.h
)
