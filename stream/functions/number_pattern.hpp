#pragma once

#include "millrace/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace millrace::stream {

/// The digits of a number that is not negative, as they stand before and behind the point, without
/// zeroes in front. Views of somebody's buffer.
struct NumberDigits {
  std::string_view whole;
  std::string_view fraction;
};

/// A pattern by which numbers are written: "#,##0.00". Of Java's DecimalFormat: # and 0 for digits,
/// commas for groups, a point, text before and behind; not %, per mille, E, currencies and a second
/// part for negative numbers. Immutable; thread-safe.
class NumberPattern {
 public:
  /// Most digits behind the point.
  static constexpr int kFractionMax = 340;

  [[nodiscard]] static Result<NumberPattern> parse(std::string_view text);
  /// Groups of three, at least one digit, and just so many behind the point: 0 to kFractionMax.
  [[nodiscard]] static NumberPattern with_places(int places);

  /// How many digits behind the point a number is rounded to before it is written.
  [[nodiscard]] int fraction_max() const { return fraction_max_; }
  /// Room that `write` needs at most.
  [[nodiscard]] std::size_t room(const NumberDigits& digits) const;
  /// Writes a number that has no more digits than fraction_max behind the point. Gives the length.
  std::size_t write(bool is_negative, NumberDigits digits, char* out) const;
  /// The same of a word instead of digits: the sign for what has no end.
  std::size_t write_word(bool is_negative, std::string_view word, char* out) const;

 private:
  Status take_digits(std::string_view digits);
  char* write_whole(std::string_view whole, char* out) const;

  std::string prefix_;
  std::string suffix_;
  int group_ = 0;  ///< digits in a group; 0: no groups
  int whole_min_ = 1;
  int fraction_min_ = 0;
  int fraction_max_ = 0;
};

}  // namespace millrace::stream
