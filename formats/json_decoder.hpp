#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include "formats/json_scanner.hpp"
#include "formats/record_decoder.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace millrace::formats {

/// Reads JSON objects into columns. Only the fields asked for are built, but every byte of every
/// record is validated, so a record is malformed or not whoever reads it.
///
/// What each type takes (null and a missing member give null; of two members of one name, at any
/// depth, the last counts, whatever the first is; names match byte for byte, once their escapes are
/// resolved):
///
///   boolean     true, false
///   int, bigint a number without point and exponent that fits: 7, never 7.0, 7e0 or "7"
///   double      any number that is finite as a double, and the strings "NaN", "Infinity",
///               "+Infinity", "-Infinity", "INF", "+INF", "-INF"
///   string      a string; any other value as the text it has in the record
///   bytes       a base64 string
///   date        a string that a cast to date takes ("2026-01-31")
///   timestamp   a string that a cast to timestamp takes (ISO 8601; UTC when it has no offset), or
///               an integer: seconds since 1970
///   decimal     a number, or a string that is one, with no more digits before the point than the
///               type has; those behind its scale are rounded half away from zero
///   interval    a string that a cast to interval takes ("1 day 2 hours")
///   array       an array whose elements the element's type takes
///   map         an object; every member is an entry, its name the key; one of a name that has
///               been gives that entry another value
///   struct      an object; members that are no field are passed over
///
/// A value that its column cannot take makes the record bad, naming the field; where bad records go
/// on, that field alone is null. Malformed are, among
/// others: an empty value, a leading byte order mark, anything but one object, invalid UTF-8, half
/// of a surrogate pair, more than 1,024 levels.
///
/// The members of a record usually come in the order of the record before; the decoder remembers
/// that order, so that a name is compared once and hashed never.
class JsonDecoder final : public RecordDecoder {
 public:
  /// kNotSupported names a field whose type JSON cannot fill (maps whose keys are no strings).
  [[nodiscard]] static Result<std::unique_ptr<JsonDecoder>> make(std::vector<Field> fields);

  void decode(const Column& values, Batch& out, Arena& arena, std::vector<BadRow>& bad) override;

 private:
  static constexpr std::size_t kLayoutMembersMax = 128;
  static constexpr std::size_t kLayoutNameBytesMax = 48;
  static constexpr std::int16_t kNotRead = -1;

  /// One field to fill, and how far it got in the record at hand.
  struct Slot {
    Field field;
    Column* column = nullptr;    ///< of the batch at hand
    void* values = nullptr;      ///< its value buffer
    std::uint64_t seen_in = 0;   ///< number of the record that had it last
    bool is_bad = false;         ///< its last value does not fit
    std::string_view bad_value;  ///< that value
  };

  /// The member that stood here in an earlier record, under its name as written.
  struct LayoutEntry {
    std::uint8_t length = 0;
    std::int16_t slot = kNotRead;
    std::array<char, kLayoutNameBytesMax> name{};  ///< zeroes behind it

    /// `bytes_readable` of the text may be read from the name on.
    [[nodiscard]] bool matches(std::string_view text_name, std::size_t bytes_readable) const;
    void become(std::string_view text_name, std::int16_t slot_number);
  };

  explicit JsonDecoder(std::vector<Field> fields);

  [[nodiscard]] bool decode_record(std::string_view text, std::size_t row);
  [[nodiscard]] std::int16_t slot_of(std::string_view name, bool escaped, std::size_t member);
  [[nodiscard]] std::int16_t find_slot(std::string_view name) const;
  [[nodiscard]] bool read_field(Slot& slot, std::size_t row);
  [[nodiscard]] bool read_value(Slot& slot, std::size_t row);
  [[nodiscard]] bool read_integer(Slot& slot, std::size_t row);
  [[nodiscard]] bool read_double(Slot& slot, std::size_t row);
  [[nodiscard]] bool read_boolean(Slot& slot, std::size_t row);
  [[nodiscard]] bool read_text(Slot& slot, std::size_t row);
  [[nodiscard]] bool read_decimal(Slot& slot, std::size_t row);
  [[nodiscard]] bool read_nested(Slot& slot, std::size_t row);
  [[nodiscard]] bool read_from_text(Slot& slot, std::size_t row);
  [[nodiscard]] bool read_null_or_refuse(Slot& slot, std::size_t row);
  [[nodiscard]] bool take_string(std::string_view& text);
  void refuse(Slot& slot, std::string_view value);
  [[nodiscard]] std::string reason() const;

  JsonScanner scanner_;
  std::vector<Slot> slots_;
  std::vector<LayoutEntry> layout_;
  std::vector<std::uint16_t> table_;  ///< slot + 1 by hash of name; 0: free
  std::uint64_t record_ = 0;          ///< counts records
  bool has_bad_field_ = false;        ///< in the record at hand
  Arena* arena_ = nullptr;            ///< of the batch at hand
};

}  // namespace millrace::formats
