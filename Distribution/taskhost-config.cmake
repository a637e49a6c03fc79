# find_package(taskhost) gives the target taskhost::taskhost, the headers of plugins.
get_filename_component(_taskhost_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET taskhost::taskhost)
    add_library(taskhost::taskhost INTERFACE IMPORTED)
    set_target_properties(taskhost::taskhost PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_taskhost_prefix}/include")
endif()
unset(_taskhost_prefix)
