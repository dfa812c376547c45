# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of what acts: clients, controllers, forms.
foreach(test tst_config_form tst_dialogs tst_fetch tst_message_template tst_replay_pace tst_replay_plan tst_same_as tst_units)
    add_jetglass_test(${test} LINK jetglass::app LABEL gui)
endforeach()
# Against the headless broker as a process of its own.
add_jetglass_test(tst_controllers LINK jetglass::app LABEL gui TIMEOUT 120)
find_package(Qt6 6.4 REQUIRED COMPONENTS Network)
target_include_directories(tst_controllers PRIVATE "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(tst_controllers PRIVATE Qt6::Network)
target_compile_definitions(tst_controllers PRIVATE JETGLASS_SERVER_PROGRAM="$<TARGET_FILE:jetglass-server>")
add_dependencies(tst_controllers jetglass-server)
