#include "tests/golden/expected_error.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace millrace::golden {

namespace {

/// One kind of failure: the anchor's condition, how its message begins where the condition alone
/// says little, and what the engine says then.
struct ErrorPair {
  std::string_view condition;
  std::string_view says;
  ErrorCode code;
  std::string_view words;
};

const std::vector<ErrorPair>& error_pairs() {
  static const std::vector<ErrorPair> pairs = {
      {"ARITHMETIC_OVERFLOW", "", ErrorCode::kBadRecord, "overflow"},
      {"CAST_INVALID_INPUT", "", ErrorCode::kBadRecord, "cannot cast"},
      {"CAST_OVERFLOW", "", ErrorCode::kBadRecord, "cannot cast"},
      {"NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION", "", ErrorCode::kBadRecord, "overflow"},
      {"DIVIDE_BY_ZERO", "", ErrorCode::kBadRecord, "division by zero"},
      {"REMAINDER_BY_ZERO", "", ErrorCode::kBadRecord, "division by zero"},
      {"UNRESOLVED_COLUMN.WITH_SUGGESTION", "", ErrorCode::kNotFound, "column not found"},
      {"NUM_COLUMNS_MISMATCH", "", ErrorCode::kInvalidArgument, "as many columns"},
      {"DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "Cannot resolve \"explode",
       ErrorCode::kInvalidArgument, "takes an array or a map"},
      {"_LEGACY_ERROR_TEMP_3102", "RightOuter join with a streaming DataFrame/Dataset on the left",
       ErrorCode::kInvalidArgument, "right outer join keeps rows of its right side"},
      {"_LEGACY_ERROR_TEMP_3102", "FullOuter join", ErrorCode::kInvalidArgument,
       "full outer join of a stream with a table"},
      {"_LEGACY_ERROR_TEMP_3102", "LeftSemi join", ErrorCode::kInvalidArgument,
       "left semi join keeps rows of its left side"},
      {"_LEGACY_ERROR_TEMP_3102", "LeftAnti join", ErrorCode::kInvalidArgument,
       "left anti join keeps rows of its left side"},
      {"_LEGACY_ERROR_TEMP_3102", "Union between streaming and batch", ErrorCode::kInvalidArgument,
       "union of a stream with a table"},
      {"INVALID_ARRAY_INDEX", "", ErrorCode::kBadRecord, "out of bounds"},
      {"INVALID_INDEX_OF_ZERO", "", ErrorCode::kBadRecord, "index 0 is invalid"},
      {"MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "", ErrorCode::kBadRecord,
       "malformed JSON text"},
      {"AMBIGUOUS_REFERENCE", "", ErrorCode::kInvalidArgument, "column is ambiguous"},
  };
  return pairs;
}

std::string text_of(const formats::JsonValue& expected, std::string_view name) {
  return expected.get_string(name).value_or("");
}

}  // namespace

std::string mismatch_of(const formats::JsonValue& expected, Moment moment, const Error& error) {
  const std::string shown = std::string(to_string(error.code)) + ": " + error.message;
  if (text_of(expected, "when") != (moment == Moment::kStart ? "start" : "run"))
    return "an error at the wrong time: " + shown;
  const std::string condition = text_of(expected, "condition"), says = text_of(expected, "says");
  const auto is_meant = [&](const ErrorPair& pair) {
    return pair.condition == condition && says.starts_with(pair.says);
  };
  const auto found = std::ranges::find_if(error_pairs(), is_meant);
  if (found == error_pairs().end())
    return "no error of ours is named for " + condition + "; got " + shown;
  if (found->code == error.code && error.message.find(found->words) != std::string::npos) return "";
  return "expected an error for " + condition + ", got " + shown;
}

}  // namespace millrace::golden
