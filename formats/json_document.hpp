#pragma once

#include "millrace/assert.hpp"
#include "millrace/error.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace millrace::formats {

/// One JSON value as a tree, for the cold paths: option values, checkpoint files, parse trees,
/// progress. Records never pass through it (see JsonDecoder). A plain value: copying copies the
/// whole tree, reading is thread-safe.
///
/// Integers that fit int64 stay exact; every other number is a double. An object keeps its members
/// in the order of the text; of two members of one name the last value counts, in the first's
/// place.
///
///   MILLRACE_ASSIGN(const JsonValue document, JsonValue::parse(text));
///   MILLRACE_ASSIGN(const std::int64_t epoch, document.get_integer("epoch"));
class JsonValue {
 public:
  using Array = std::vector<JsonValue>;
  using Object = std::vector<std::pair<std::string, JsonValue>>;

  /// Deepest nesting that `parse` accepts.
  static constexpr std::size_t kDepthMax = 1024;

  JsonValue() = default;  ///< null
  JsonValue(std::nullptr_t) {}
  JsonValue(bool value) : data_(value) {}
  JsonValue(int value) : data_(std::int64_t{value}) {}
  JsonValue(long value) : data_(std::int64_t{value}) {}
  JsonValue(long long value) : data_(std::int64_t{value}) {}
  JsonValue(unsigned value) : data_(std::int64_t{value}) {}
  JsonValue(double value) : data_(value) {}
  JsonValue(const char* text) : data_(std::string(text)) {}
  JsonValue(std::string_view text) : data_(std::string(text)) {}
  JsonValue(std::string text) : data_(std::move(text)) {}
  JsonValue(Array elements) : data_(std::move(elements)) {}
  JsonValue(Object members) : data_(std::move(members)) {}
  static JsonValue array() { return JsonValue(Array{}); }
  static JsonValue object() { return JsonValue(Object{}); }

  /// Reads one value that fills the whole text. kInvalidArgument says what was expected and at
  /// which line and column.
  [[nodiscard]] static Result<JsonValue> parse(std::string_view text);

  /// Everything on one line, no spaces: {"a":1,"b":[true,null]}.
  [[nodiscard]] std::string dump() const;
  /// Two spaces a level, one member a line.
  [[nodiscard]] std::string dump_pretty() const;

  [[nodiscard]] bool is_null() const { return is<std::monostate>(); }
  [[nodiscard]] bool is_boolean() const { return is<bool>(); }
  [[nodiscard]] bool is_integer() const { return is<std::int64_t>(); }
  /// An integer or a double.
  [[nodiscard]] bool is_number() const { return is<std::int64_t>() || is<double>(); }
  [[nodiscard]] bool is_string() const { return is<std::string>(); }
  [[nodiscard]] bool is_array() const { return is<Array>(); }
  [[nodiscard]] bool is_object() const { return is<Object>(); }

  /// The value as its own type; the caller has tested it (asserted).
  [[nodiscard]] bool as_boolean() const { return as<bool>(); }
  [[nodiscard]] std::int64_t as_integer() const { return as<std::int64_t>(); }
  [[nodiscard]] double as_number() const;
  [[nodiscard]] const std::string& as_string() const { return as<std::string>(); }
  [[nodiscard]] const Array& as_array() const { return as<Array>(); }
  [[nodiscard]] Array& as_array() { return const_cast<Array&>(std::as_const(*this).as_array()); }
  [[nodiscard]] const Object& as_object() const { return as<Object>(); }
  [[nodiscard]] Object& as_object() {
    return const_cast<Object&>(std::as_const(*this).as_object());
  }

  /// The member of that name, or null when this is no object or has none.
  [[nodiscard]] const JsonValue* find(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  /// The member of that name and type; kCorrupt names what is missing or of another type.
  [[nodiscard]] Result<bool> get_boolean(std::string_view name) const;
  [[nodiscard]] Result<std::int64_t> get_integer(std::string_view name) const;
  [[nodiscard]] Result<double> get_number(std::string_view name) const;
  [[nodiscard]] Result<std::string> get_string(std::string_view name) const;
  [[nodiscard]] Result<const Array*> get_array(std::string_view name) const;
  /// The member as a value that is an object; iterate its as_object().
  [[nodiscard]] Result<const JsonValue*> get_object(std::string_view name) const;

  /// Sets a member, in its old place if there is one. A null value becomes an object first.
  JsonValue& set(std::string_view name, JsonValue value);
  /// Adds an element. A null value becomes an array first.
  JsonValue& append(JsonValue value);
  /// Members or elements; 0 for scalars.
  [[nodiscard]] std::size_t size() const;

  friend bool operator==(const JsonValue&, const JsonValue&) = default;

 private:
  using Data = std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object>;

  template <typename T>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<T>(data_);
  }
  template <typename T>
  [[nodiscard]] const T& as() const {
    MILLRACE_ASSERT(is<T>());
    return *std::get_if<T>(&data_);
  }

  Data data_;
};

}  // namespace millrace::formats
