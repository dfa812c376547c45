# SPDX-License-Identifier: GPL-3.0-or-later
# add_jetglass_test(tst_name [LINK targets...] [LABEL label] [TIMEOUT seconds] [SOURCES more...])
# One test class in one file, tst_name.cpp; the rule how tests are built and run is written here once.
function(add_jetglass_test name)
    cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "LINK;SOURCES" ${ARGN})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 60)
    endif()
    if(NOT ARG_LABEL)
        set(ARG_LABEL broker)
    endif()
    add_executable(${name} ${name}.cpp ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    target_link_libraries(${name} PRIVATE jetglass_options ${ARG_LINK} Qt6::Test)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES
        TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABEL}"
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;TZ=UTC;TSAN_OPTIONS=ignore_noninstrumented_modules=1")
endfunction()
