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
    client/publish.cpp client/publish.h
    client/request.cpp client/request.h
    client/stream_admin.cpp client/stream_admin.h
    client/wire.cpp client/wire.h
)
