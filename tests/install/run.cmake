# Installs the library under PREFIX, then configures, builds and runs the consumer against it alone.
# Variables: BUILD, PREFIX, CONSUMER_SOURCE, CONSUMER_BUILD, RELEASE_BUILD, SOURCE, GENERATOR.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

file(REMOVE_RECURSE ${PREFIX} ${CONSUMER_BUILD})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} --component library)

# Nothing but the public headers is installed, and nothing of it names this source folder.
file(GLOB_RECURSE headers RELATIVE ${PREFIX}/include ${PREFIX}/include/*)
foreach(header ${headers})
  if(NOT header MATCHES "^millrace/[a-z_]+[.]hpp$")
    message(FATAL_ERROR "installed, and no public header: ${header}")
  endif()
endforeach()
file(GLOB_RECURSE package_files ${PREFIX}/*.cmake)
foreach(package_file ${package_files})
  file(READ ${package_file} text)
  string(FIND "${text}" "${SOURCE}" place)
  if(NOT place EQUAL -1)
    message(FATAL_ERROR "${package_file} names the source folder ${SOURCE}")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${CONSUMER_SOURCE} -B ${CONSUMER_BUILD} -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${PREFIX} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${CONSUMER_BUILD})
run(${CONSUMER_BUILD}/consumer)

# A build without tests, as docs/embedding.md says it, has no places where a test may kill the
# process; this one, with tests, has: so the string is the right one to look for.
function(expect_stop_points archive expected)
  file(STRINGS ${archive} found REGEX "MILLRACE_STOP_AT" LIMIT_COUNT 1)
  if(expected AND NOT found)
    message(FATAL_ERROR "no stop points in a build with tests: ${archive}")
  elseif(found AND NOT expected)
    message(FATAL_ERROR "stop points in a build without tests: ${archive}")
  endif()
endfunction()
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${RELEASE_BUILD} -G ${GENERATOR} --log-level=WARNING
    -DMILLRACE_TESTS=OFF -DMILLRACE_BENCH=OFF -DCMAKE_OPTIMIZE_DEPENDENCIES=ON)
run(${CMAKE_COMMAND} --build ${RELEASE_BUILD} --target millrace_state)
expect_stop_points(${BUILD}/libmillrace_state.a TRUE)
expect_stop_points(${RELEASE_BUILD}/libmillrace_state.a FALSE)
