# millrace_room(name [DIR dir] USES rooms... [LIBRARIES libs...]): one static library per folder,
# with the folders right under it. A room without sources yet is an interface target, so that rooms
# above it can name it already.
function(millrace_room name)
  cmake_parse_arguments(ROOM "" "DIR" "USES;LIBRARIES" ${ARGN})
  if(NOT ROOM_DIR)
    set(ROOM_DIR ${name})
  endif()
  set(uses)
  foreach(used ${ROOM_USES})
    list(APPEND uses millrace_${used})
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${ROOM_DIR}/*.cpp
       ${CMAKE_SOURCE_DIR}/${ROOM_DIR}/*/*.cpp)
  if(sources)
    add_library(millrace_${name} STATIC ${sources})
    target_compile_options(millrace_${name} PRIVATE ${MILLRACE_WARNINGS})
    set(scope PUBLIC)
  else()
    add_library(millrace_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(millrace_${name} ${scope}
                             $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>
                             $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                             $<INSTALL_INTERFACE:include>)
  target_link_libraries(millrace_${name} ${scope} ${uses} ${ROOM_LIBRARIES})
endfunction()

# millrace_test(name rooms...): the gtest binary of tests/<name>/*.cpp over those rooms. Each run
# leaves its cases in test-results/<name>.xml, which `dev test` counts.
function(millrace_test name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(millrace_${name}_test ${sources})
  # A test's own code runs for moments and is compiled often; the rooms under it stay as users get them.
  target_compile_options(millrace_${name}_test PRIVATE ${MILLRACE_WARNINGS} -O0)
  set(rooms)
  foreach(room ${ARGN})
    list(APPEND rooms millrace_${room})
  endforeach()
  target_link_libraries(millrace_${name}_test PRIVATE ${rooms} gtest gtest_main)
  add_test(NAME ${name} COMMAND millrace_${name}_test
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT
                       "GTEST_OUTPUT=xml:${CMAKE_BINARY_DIR}/test-results/${name}.xml")
endfunction()
