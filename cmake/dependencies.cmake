# Every third-party library and the one room that may use it (tests/architecture checks includes).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(simdjson REQUIRED)
find_package(Boost 1.81 REQUIRED)  # headers of Boost.Describe alone
pkg_check_modules(RDKAFKA REQUIRED IMPORTED_TARGET rdkafka)

set(MILLRACE_API_LIBRARIES Boost::headers)
set(MILLRACE_STREAM_LIBRARIES fmt double-conversion xxhash re2 utf8proc crypto z)
set(MILLRACE_FORMATS_LIBRARIES simdjson::simdjson double-conversion fmt)
set(MILLRACE_STATE_LIBRARIES xxhash fmt)
set(MILLRACE_CONNECTORS_LIBRARIES PkgConfig::RDKAFKA fmt)
set(MILLRACE_ACTORS_LIBRARIES caf_core Threads::Threads fmt)
set(MILLRACE_SQL_LIBRARIES pg_query fmt)
