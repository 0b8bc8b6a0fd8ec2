#include "stream/plan/value_format.hpp"

#include "stream/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace millrace::stream {
namespace {

constexpr std::array<std::string_view, 4> kFormats = {"csv", "json", "raw", "text"};

}  // namespace

Result<std::string> value_format_of(const TableDefinition& table) {
  auto format = table.options.get("format");
  if (!format) {
    if (table.columns.empty()) return "raw";
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("table {} does not say how its columns lie in the value: add "
                            "format = 'json'",
                            table.name));
  }
  format = lower_case(*format);
  if (std::ranges::find(kFormats, *format) != kFormats.end()) return *format;
  std::string message = fmt::format("format '{}' of table {} is not known; accepted: {}", *format,
                                    table.name, fmt::join(kFormats, ", "));
  if (const auto nearest = nearest_name(*format, kFormats)) {
    message += fmt::format("; did you mean '{}'?", *nearest);
  }
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

}  // namespace millrace::stream
