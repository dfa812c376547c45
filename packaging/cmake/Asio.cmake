# SPDX-License-Identifier: GPL-3.0-or-later
# Asio ships no package file. Its implementation is compiled once, in broker/net/asio_impl.cpp.
find_path(ASIO_INCLUDE_DIR asio.hpp REQUIRED)
find_package(Threads REQUIRED)
add_library(jetglass_asio INTERFACE)
target_include_directories(jetglass_asio SYSTEM INTERFACE "${ASIO_INCLUDE_DIR}")
target_compile_definitions(jetglass_asio INTERFACE
    ASIO_STANDALONE ASIO_NO_DEPRECATED ASIO_SEPARATE_COMPILATION)
target_link_libraries(jetglass_asio INTERFACE Threads::Threads)
