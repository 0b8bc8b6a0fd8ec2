# find_package(millrace) gives millrace::millrace: the library and everything that it needs.
include(${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/millrace-targets.cmake)
