#include "connectors/file_table.hpp"

#include "formats/csv_reader.hpp"
#include "formats/json_table_reader.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

namespace millrace::connectors {
namespace {

// A static table is held in memory as a whole, so a file has a limit.
constexpr std::size_t kFileBytesMax = std::size_t{4} << 30;

std::vector<std::string_view> known_options() {
  std::vector<std::string_view> known = {"path", "format", "header", "reload"};
  known.insert(known.end(), formats::CsvSyntax::kKeys.begin(), formats::CsvSyntax::kKeys.end());
  return known;
}

// Below this the file would be looked at all the time.
constexpr std::int64_t kReloadMsMin = 100;

Status check_json_options(const Options& options) {
  std::vector<std::string_view> csv_only = {"header"};
  csv_only.insert(csv_only.end(), formats::CsvSyntax::kKeys.begin(),
                  formats::CsvSyntax::kKeys.end());
  for (const std::string_view key : csv_only) {
    if (!options.has(key)) continue;
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("option {} is for format csv and does nothing with format json", key));
  }
  return {};
}

Status check_reload(const Options& options) {
  MILLRACE_ASSIGN(const auto interval_ms, options.get_duration_ms("reload", kReloadMsMin));
  if (interval_ms >= kReloadMsMin) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("option reload must be {} ms or more, like '10 seconds', not '{}'",
                          kReloadMsMin, options.get_or("reload", "")));
}

Error io_error(const std::string& doing, const std::string& path, int number) {
  const auto code = number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo;
  return {code, fmt::format("{}: {}: {}", doing, std::strerror(number), path)};
}

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Result<std::string> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (!file) return fail(io_error("cannot open the table's file", path, errno));
  constexpr std::size_t kStep = 1 << 20;
  std::string text;
  std::size_t got = 0;
  do {
    text.resize(text.size() + kStep);
    got = std::fread(text.data() + text.size() - kStep, 1, kStep, file.get());
    text.resize(text.size() - kStep + got);
    if (text.size() > kFileBytesMax) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("the table's file is larger than {} bytes: {}", kFileBytesMax, path));
    }
  } while (got > 0);
  if (std::ferror(file.get()) != 0) {
    return fail(io_error("cannot read the table's file", path, errno));
  }
  return text;
}

}  // namespace

Result<stream::TableTraits> file_table_traits(const stream::TableDefinition& table) {
  MILLRACE_TRY(table.options.check_known("file table", known_options()));
  if (table.options.get_or("path", "").empty()) {
    return fail(ErrorCode::kInvalidArgument, "a file table needs the option path");
  }
  const auto format = table.options.get_or("format", "csv");
  constexpr auto kFormats = std::to_array<std::string_view>({"csv", "json"});
  if (std::ranges::find(kFormats, format) == kFormats.end()) {
    const auto nearest = nearest_name(format, kFormats);
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("option format of a file table must be csv or json, not {}{}", format,
                            nearest ? fmt::format("; did you mean {}?", *nearest) : ""));
  }
  MILLRACE_TRY(check_reload(table.options));
  if (table.columns.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("file table {} needs its columns with their types", table.name));
  }
  if (format == "json") MILLRACE_TRY(check_json_options(table.options));
  if (format == "csv") MILLRACE_TRY(formats::CsvOptions::parse(table.options));
  return stream::TableTraits{};
}

Result<formats::TableRows> load_file_table(const stream::TableDefinition& table) {
  MILLRACE_TRY(file_table_traits(table));
  const auto path = table.options.get_or("path", "");
  MILLRACE_ASSIGN(const auto text, read_file(path));
  if (table.options.get_or("format", "csv") == "json")
    return formats::read_json_table(make_schema(table.columns), text, path);
  MILLRACE_ASSIGN(const auto options, formats::CsvOptions::parse(table.options));
  return formats::CsvReader(make_schema(table.columns), options, path).read(text);
}

Result<std::string> file_table_stamp(const stream::TableDefinition& table) {
  const auto path = table.options.get_or("path", "");
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) {
    return fail(io_error("cannot look at the table's file", path, errno));
  }
  return fmt::format("{}.{:09} {} {}", file.st_mtim.tv_sec, file.st_mtim.tv_nsec, file.st_size,
                     file.st_ino);
}

}  // namespace millrace::connectors
