# SPDX-License-Identifier: GPL-3.0-or-later
# jetglass_part(name [COLD] SOURCES a.cpp ... [DEPENDS parts...] [LINK libraries...])
# A folder of the broker is a static library, so that a part may only use what it names: layering that does not link
# is layering that does not build.
# COLD: runs at a start or when somebody asks; optimizing it costs more of a build than it ever gives back.
function(jetglass_part name)
    cmake_parse_arguments(ARG "COLD" "" "SOURCES;DEPENDS;LINK" ${ARGN})
    add_library(jetglass_${name} STATIC ${ARG_SOURCES})
    add_library(jetglass::${name} ALIAS jetglass_${name})
    target_include_directories(jetglass_${name}
        PUBLIC "${PROJECT_SOURCE_DIR}/broker/include"
        PUBLIC "${PROJECT_SOURCE_DIR}/broker")
    target_link_libraries(jetglass_${name} PRIVATE jetglass_options)
    if(ARG_COLD)
        target_compile_options(jetglass_${name} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
    endif()
    foreach(part ${ARG_DEPENDS})
        target_link_libraries(jetglass_${name} PUBLIC jetglass_${part})
    endforeach()
    target_link_libraries(jetglass_${name} PUBLIC ${ARG_LINK})
endfunction()
