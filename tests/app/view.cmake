# SPDX-License-Identifier: GPL-3.0-or-later
foreach(test tst_chart_feed tst_embedded_source tst_event_log_model tst_explain_text tst_flow_fold tst_lane_feed tst_message_notes tst_quantity
        tst_stream_tree_model)
    add_jetglass_test(${test} LINK jetglass::app LABEL gui)
endforeach()
