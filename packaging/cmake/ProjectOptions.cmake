# SPDX-License-Identifier: GPL-3.0-or-later
# One place for language level, warnings, sanitizers, linker and compiler cache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
endif()

# Linking is memory-hungry: one link at a time; lld where it is installed.
set_property(GLOBAL PROPERTY JOB_POOLS link=1)
set(CMAKE_JOB_POOL_LINK link)
find_program(LLD_PROGRAM ld.lld)
if(LLD_PROGRAM)
    add_link_options(-fuse-ld=lld)
endif()

add_library(jetglass_options INTERFACE)
target_compile_options(jetglass_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
    -Wnon-virtual-dtor -Woverloaded-virtual
    $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
    # GCC 12 reports false positives from inlined std::string and std::variant code when optimising.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds>)
if(JETGLASS_WERROR)
    target_compile_options(jetglass_options INTERFACE -Werror)
endif()
target_compile_definitions(jetglass_options INTERFACE JETGLASS_VERSION="${PROJECT_VERSION}")

set(JETGLASS_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined or thread")
if(JETGLASS_SANITIZE)
    add_compile_options(-fsanitize=${JETGLASS_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${JETGLASS_SANITIZE})
    if(JETGLASS_SANITIZE MATCHES undefined)
        add_compile_options(-fno-sanitize-recover=undefined)
    endif()
endif()

# moc of Qt 6.4 stumbles over libstdc++'s <compare> and <concepts>, which it does not need: their guards skip them.
set(CMAKE_AUTOMOC_MOC_OPTIONS -D_COMPARE -D_GLIBCXX_CONCEPTS)
