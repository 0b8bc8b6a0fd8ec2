#include "formats/format_registry.hpp"

#include "formats/csv_format.hpp"
#include "formats/json_decoder.hpp"
#include "formats/json_encoder.hpp"
#include "formats/raw_format.hpp"
#include "formats/text_format.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace millrace::formats {

namespace {

constexpr std::array<std::string_view, 4> kRecordFormats = {"csv", "json", "raw", "text"};

tl::unexpected<Error> unknown_format(std::string_view name) {
  const auto nearest = nearest_name(name, kRecordFormats);
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("unknown format '{}'{} (accepted: {})", name,
                          nearest ? fmt::format(", did you mean '{}'?", *nearest) : "",
                          fmt::join(kRecordFormats, ", ")));
}

/// An option that does nothing is a slip.
Status check_options(std::string_view format, const Options& options) {
  if (format == "csv") return {};
  for (const std::string_view key : CsvSyntax::kKeys) {
    if (!options.has(key)) continue;
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("option {} is for format csv and does nothing with format {}", key, format));
  }
  return {};
}

Result<std::unique_ptr<RecordDecoder>> make_raw_decoder(const std::vector<Field>& fields) {
  if (fields.size() == 1 && fields[0].type.is(TypeKind::kBytes))
    return std::make_unique<RawDecoder>();
  if (fields.size() == 1 && fields[0].type.is(TypeKind::kString))
    return std::make_unique<TextDecoder>(true);
  return fail(ErrorCode::kInvalidArgument,
              "format raw gives one column of type string or bytes: " + Schema(fields).to_string());
}

}  // namespace

Result<std::unique_ptr<RecordDecoder>> make_decoder(const stream::DecodeSpec& spec) {
  MILLRACE_TRY(check_options(spec.format, spec.options));
  if (spec.format == "csv") return CsvDecoder::make(spec);
  if (spec.format == "json") return JsonDecoder::make(spec.fields);
  if (spec.format == "raw") return make_raw_decoder(spec.fields);
  if (spec.format == "text") return std::make_unique<TextDecoder>(!spec.fields.empty());
  return unknown_format(spec.format);
}

Result<std::unique_ptr<RecordEncoder>> make_encoder(const stream::EncodeSpec& spec) {
  MILLRACE_TRY(check_options(spec.format, spec.options));
  if (spec.format == "csv") return CsvEncoder::make(spec);
  if (spec.format == "json")
    return std::make_unique<JsonEncoder>(spec.value_columns, spec.value_names);
  if (spec.format != "raw" && spec.format != "text") return unknown_format(spec.format);
  if (spec.value_columns.size() != 1)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("format {} takes one column of type string{}, not {}", spec.format,
                            spec.format == "raw" ? " or bytes" : "", spec.value_columns.size()));
  return std::make_unique<RawEncoder>(spec.value_columns[0]);
}

}  // namespace millrace::formats
