#include "formats/format_registry.hpp"

#include "formats/json_decoder.hpp"
#include "formats/json_encoder.hpp"
#include "formats/raw_format.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace millrace::formats {

namespace {

constexpr std::array<std::string_view, 2> kRecordFormats = {"json", "raw"};

tl::unexpected<Error> unknown_format(std::string_view name) {
  const auto nearest = nearest_name(name, kRecordFormats);
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("unknown format '{}'{} (accepted: json, raw)", name,
                          nearest ? fmt::format(", did you mean '{}'?", *nearest) : ""));
}

bool holds_text(const DataType& type) {
  return type.is(TypeKind::kString) || type.is(TypeKind::kBytes);
}

/// What becomes of a record that cannot be decoded. One policy so far; the others are refused by
/// name rather than ignored.
Status check_bad_record_policy(const Options& options) {
  const std::string policy = options.get_or("on_bad_record", "fail");
  if (policy == "fail") return {};
  const bool is_known = policy == "skip" || policy == "null" || policy == "dead_letter";
  return fail(is_known ? ErrorCode::kNotSupported : ErrorCode::kInvalidArgument,
              fmt::format("option on_bad_record = '{}' {} (accepted: fail)", policy,
                          is_known ? "is not built yet" : "is unknown"));
}

}  // namespace

Result<std::unique_ptr<RecordDecoder>> make_decoder(const stream::DecodeSpec& spec) {
  MILLRACE_TRY(check_bad_record_policy(spec.options));
  if (spec.format == "json") return JsonDecoder::make(spec.fields);
  if (spec.format != "raw") return unknown_format(spec.format);
  if (spec.fields.size() != 1 || !holds_text(spec.fields[0].type))
    return fail(
        ErrorCode::kInvalidArgument,
        "format raw gives one column of type string or bytes: " + Schema(spec.fields).to_string());
  return std::make_unique<RawDecoder>();
}

Result<std::unique_ptr<RecordEncoder>> make_encoder(const stream::EncodeSpec& spec) {
  if (spec.format == "json")
    return std::make_unique<JsonEncoder>(spec.value_columns, spec.value_names);
  if (spec.format != "raw") return unknown_format(spec.format);
  if (spec.value_columns.size() != 1)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("format raw takes one column of type string or bytes, not {}",
                            spec.value_columns.size()));
  return std::make_unique<RawEncoder>(spec.value_columns[0]);
}

}  // namespace millrace::formats
