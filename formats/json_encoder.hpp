#pragma once

#include "millrace/error.hpp"

#include "formats/record_encoder.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::formats {

/// Writes every row as one JSON object on one line, its members in the order of the columns:
/// {"ts":1,"note":"a \"b\"","at":"2026-01-31T10:20:30.123Z"}.
///
///   null              the member is left out (an element of an array is null)
///   int, bigint       all digits
///   double            shortest text that reads back as the same double; NaN and the infinities as
///                     the strings "NaN", "Infinity", "-Infinity"
///   string            escaped as RFC 8259 demands and no further; a byte that is not UTF-8 becomes
///                     U+FFFD, so that the output is valid whatever came in
///   bytes             base64
///   date, timestamp   "2026-01-31", "2026-01-31T10:20:30.123Z" (six digits when µs are not whole
///                     ms)
///   array, struct     arrays and objects, by the same rules
class JsonEncoder final : public RecordEncoder {
 public:
  /// `columns[i]` of the rows becomes member `names[i]`.
  JsonEncoder(std::vector<std::size_t> columns, const std::vector<std::string>& names);

  void encode(const Batch& rows, Column& values, Arena& arena) override;

 private:
  struct Member {
    std::size_t column = 0;
    std::string prefix;  ///< ,"name": with the name escaped
  };

  std::vector<Member> members_;
};

}  // namespace millrace::formats
