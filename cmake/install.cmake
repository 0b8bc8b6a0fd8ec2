# What `cmake --install` gives others: the public headers, the rooms as static libraries, and a
# package that finds what they need: find_package(millrace), target millrace::millrace.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(MILLRACE_ROOMS api stream formats state triggers operators connectors actors session sql)
list(TRANSFORM MILLRACE_ROOMS PREPEND millrace_ OUTPUT_VARIABLE MILLRACE_ROOM_TARGETS)

# The whole library under one name; `millrace` alone is the binary's.
add_library(millrace_library INTERFACE)
set_target_properties(millrace_library PROPERTIES EXPORT_NAME millrace)
target_link_libraries(millrace_library INTERFACE millrace_sql)
target_compile_features(millrace_library INTERFACE cxx_std_20)
add_library(millrace::millrace ALIAS millrace_library)

set(MILLRACE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/millrace)
install(TARGETS millrace_library ${MILLRACE_ROOM_TARGETS} EXPORT millrace_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/millrace DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT library FILES_MATCHING PATTERN "*.hpp")
install(EXPORT millrace_targets FILE millrace-targets.cmake NAMESPACE millrace::
        DESTINATION ${MILLRACE_PACKAGE_DIR} COMPONENT library)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/millrace-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
# The package finds the third-party libraries just as this build does.
install(FILES ${CMAKE_SOURCE_DIR}/cmake/millrace-config.cmake
              ${CMAKE_SOURCE_DIR}/cmake/dependencies.cmake
              ${CMAKE_BINARY_DIR}/millrace-config-version.cmake
        DESTINATION ${MILLRACE_PACKAGE_DIR} COMPONENT library)
