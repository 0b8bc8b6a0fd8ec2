#include "millrace/data_type.hpp"
#include "millrace/options.hpp"

#include "stream/ascii.hpp"
#include "stream/schema_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

// The text of types, both ways. A type nested in others is read as it is written: one token after
// the other, by recursive descent.

namespace millrace {

namespace {

// Types come from users; deeper ones would only exhaust the stack.
constexpr int kDepthMax = 64;
constexpr int kDefaultPrecision = 10;

struct TypeName {
  std::string_view name;
  TypeKind kind;
};

// The first spelling of a kind is the one that we print.
constexpr auto kTypeNames = std::to_array<TypeName>({
    {"boolean", TypeKind::kBoolean},
    {"int", TypeKind::kInt32},
    {"bigint", TypeKind::kInt64},
    {"double", TypeKind::kDouble},
    {"string", TypeKind::kString},
    {"bytes", TypeKind::kBytes},
    {"date", TypeKind::kDate},
    {"timestamp", TypeKind::kTimestamp},
    {"decimal", TypeKind::kDecimal},
    {"interval", TypeKind::kInterval},
    {"array", TypeKind::kArray},
    {"struct", TypeKind::kStruct},
    {"map", TypeKind::kMap},
    {"bool", TypeKind::kBoolean},
    {"integer", TypeKind::kInt32},
    {"int4", TypeKind::kInt32},
    {"int32", TypeKind::kInt32},
    {"int8", TypeKind::kInt64},
    {"int64", TypeKind::kInt64},
    {"long", TypeKind::kInt64},
    {"double precision", TypeKind::kDouble},
    {"float8", TypeKind::kDouble},
    {"text", TypeKind::kString},
    {"varchar", TypeKind::kString},
    {"character varying", TypeKind::kString},
    {"bytea", TypeKind::kBytes},
    {"binary", TypeKind::kBytes},
    {"timestamptz", TypeKind::kTimestamp},
    {"timestamp_ltz", TypeKind::kTimestamp},
    {"timestamp with time zone", TypeKind::kTimestamp},
    {"numeric", TypeKind::kDecimal},
    {"dec", TypeKind::kDecimal},
});

constexpr std::string_view kAcceptedTypes =
    "boolean, int, bigint, double, string, bytes, date, timestamp, decimal(p,s), interval, "
    "array<t>, struct<name: t>, map<k, v>";

bool is_word_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

/// Whether the name of a field is read back without quotes.
bool is_word(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, is_word_character);
}

std::string field_name(const std::string& name) {
  if (is_word(name)) return name;
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

/// What else a text of types may hold.
enum class TypeForm {
  kPlain,
  kSchema,  ///< lengths of texts, NOT NULL and COMMENT, which say nothing of a value's type
};

/// Reads one type from the front of a text.
class TypeReader {
 public:
  explicit TypeReader(std::string_view text, TypeForm form = TypeForm::kPlain)
      : text_(text), rest_(text), form_(form) {}

  Result<DataType> read_all() {
    MILLRACE_ASSIGN(DataType type, read_type(0));
    if (!is_at_end()) return refuse("'" + std::string(rest_) + "' is left over");
    return type;
  }

 private:
  Result<DataType> read_type(int depth) {
    if (depth == kDepthMax) return refuse("it is nested too deeply");
    MILLRACE_ASSIGN(DataType type, read_unbounded(depth));
    while (take('[')) {
      while (!rest_.empty() && stream::is_digit(rest_.front())) rest_.remove_prefix(1);
      if (!take(']')) return refuse("] is missing");
      type = DataType::array(std::move(type));
    }
    return type;
  }

  /// A type without brackets behind it.
  Result<DataType> read_unbounded(int depth) {
    const std::string name = read_name();
    std::vector<std::string_view> candidates;
    if (form_ == TypeForm::kSchema && is_sized_text(name)) return read_sized_text();
    for (const TypeName& entry : kTypeNames) {
      if (entry.name == name) return read_kind(entry.kind, depth);
      candidates.push_back(entry.name);
    }
    const auto nearest = nearest_name(name, candidates);
    const std::string_view shown = name.empty() ? text_ : std::string_view(name);
    return fail(ErrorCode::kInvalidArgument, "unknown type: " + std::string(shown) +
                                                 (nearest ? "; nearest: " + *nearest : "") +
                                                 "; accepted: " + std::string(kAcceptedTypes));
  }

  Result<DataType> read_kind(TypeKind kind, int depth) {
    switch (kind) {
      case TypeKind::kDecimal:
        return read_decimal();
      case TypeKind::kArray:
        return read_array(depth);
      case TypeKind::kStruct:
        return read_struct(depth);
      case TypeKind::kMap:
        return read_map(depth);
      default:
        if (take('(')) return refuse("a length or precision is not supported");
        return DataType(kind);
    }
  }

  static bool is_sized_text(std::string_view name) {
    return name == "varchar" || name == "char" || name == "character" ||
           name == "character varying";
  }

  Result<DataType> read_sized_text() {
    if (take('(') && (!read_number() || !take(')'))) return refuse("write varchar(length)");
    return DataType(TypeKind::kString);
  }

  Result<DataType> read_decimal() {
    std::int64_t precision = kDefaultPrecision;
    std::int64_t scale = 0;
    if (take('(')) {
      const auto first = read_number();
      const auto second = take(',') ? read_number() : std::optional<std::int64_t>(0);
      if (!first || !second || !take(')')) return refuse("write decimal(precision, scale)");
      precision = *first;
      scale = *second;
    }
    if (precision < 1 || precision > DataType::kPrecisionMax)
      return refuse("the precision of a decimal is 1 to 38");
    if (scale < 0 || scale > precision)
      return refuse("the scale of a decimal is 0 to its precision");
    return DataType::decimal(static_cast<int>(precision), static_cast<int>(scale));
  }

  Result<DataType> read_array(int depth) {
    if (!take('<')) return refuse("write array<type>");
    MILLRACE_ASSIGN(DataType element, read_type(depth + 1));
    if (!take('>')) return refuse("> is missing");
    return DataType::array(std::move(element));
  }

  Result<DataType> read_map(int depth) {
    if (!take('<')) return refuse("write map<key type, value type>");
    MILLRACE_ASSIGN(DataType key, read_type(depth + 1));
    if (!take(',')) return refuse("write map<key type, value type>");
    MILLRACE_ASSIGN(DataType value, read_type(depth + 1));
    if (!take('>')) return refuse("> is missing");
    return DataType::map(std::move(key), std::move(value));
  }

  Result<DataType> read_struct(int depth) {
    if (!take('<')) return refuse("write struct<name: type, ...>");
    std::vector<Field> fields;
    if (take('>')) return DataType::structure(std::move(fields));
    do {
      MILLRACE_ASSIGN(std::string name, read_field_name());
      take(':');
      MILLRACE_ASSIGN(DataType type, read_type(depth + 1));
      MILLRACE_TRY(skip_remarks());
      fields.push_back({std::move(name), std::move(type)});
    } while (take(','));
    if (!take('>')) return refuse("> is missing");
    return DataType::structure(std::move(fields));
  }

  Result<std::string> read_field_name() {
    for (const char quote : {'"', '`'})
      if (take(quote)) return read_quoted(quote);
    std::string name = read_word();
    if (name.empty()) return refuse("the name of a field is missing");
    return name;
  }

  /// What is left of a text in quotes of which the first is taken; one within is doubled.
  Result<std::string> read_quoted(char quote) {
    std::string text;
    for (; !rest_.empty(); rest_.remove_prefix(1)) {
      if (rest_.front() == quote) {
        rest_.remove_prefix(1);
        if (!rest_.starts_with(quote)) return text;
      }
      text += rest_.front();
    }
    return refuse("a quote is not closed");
  }

  /// NOT NULL and COMMENT 'text' behind the type of a field.
  Status skip_remarks() {
    if (form_ == TypeForm::kPlain) return {};
    if (take_word("not") && !take_word("null")) return refuse("write NOT NULL");
    if (!take_word("comment")) return {};
    for (const char quote : {'\'', '"'}) {
      if (!take(quote)) continue;
      MILLRACE_TRY(read_quoted(quote));
      return {};
    }
    return refuse("write COMMENT 'text'");
  }

  bool take_word(std::string_view wanted) {
    const std::string_view before = rest_;
    if (stream::equals_ignoring_case(read_word(), wanted)) return true;
    rest_ = before;
    return false;
  }

  /// The words of a type's name in lower case, one blank between them: as many as some type has.
  std::string read_name() {
    std::string name = stream::lower_case(read_word());
    while (true) {
      const std::string_view before = rest_;
      const std::string word = read_word();
      std::string longer = name + ' ' + stream::lower_case(word);
      const bool goes_on = !word.empty() && std::ranges::any_of(kTypeNames, [&](const auto& entry) {
        return entry.name == longer || entry.name.starts_with(longer + ' ');
      });
      if (!goes_on) {
        rest_ = before;
        return name;
      }
      name = std::move(longer);
    }
  }

  std::string read_word() {
    skip_blanks();
    const auto* end = std::ranges::find_if_not(rest_, is_word_character);
    std::string word(rest_.begin(), end);
    rest_.remove_prefix(word.size());
    return word;
  }

  std::optional<std::int64_t> read_number() {
    const std::string digits = read_word();
    std::int64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(digits.data(), end, number);
    if (problem != std::errc() || stop != end) return std::nullopt;
    return number;
  }

  bool take(char wanted) {
    skip_blanks();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool is_at_end() {
    skip_blanks();
    return rest_.empty();
  }

  void skip_blanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
  }

  [[nodiscard]] tl::unexpected<Error> refuse(const std::string& problem) const {
    return fail(ErrorCode::kInvalidArgument, "not a type: " + std::string(text_) + ": " + problem);
  }

  std::string_view text_;
  std::string_view rest_;
  TypeForm form_;
};

}  // namespace

std::string DataType::to_string() const {
  switch (kind_) {
    case TypeKind::kNull:
      return "null";
    case TypeKind::kDecimal:
      return "decimal(" + std::to_string(precision_) + "," + std::to_string(scale_) + ")";
    case TypeKind::kArray:
      return "array<" + fields()[0].type.to_string() + ">";
    case TypeKind::kMap:
      return "map<" + fields()[0].type.to_string() + ", " + fields()[1].type.to_string() + ">";
    case TypeKind::kStruct: {
      std::string text = "struct<";
      for (const Field& field : fields()) {
        if (text.back() != '<') text += ", ";
        text += field_name(field.name) + ": " + field.type.to_string();
      }
      return text + ">";
    }
    default:
      return std::string(std::ranges::find(kTypeNames, kind_, &TypeName::kind)->name);
  }
}

Result<DataType> parse_type(std::string_view name) { return TypeReader(name).read_all(); }

namespace stream {

Result<DataType> parse_schema_text(std::string_view text) {
  auto type = TypeReader(text, TypeForm::kSchema).read_all();
  if (type && type->is_nested()) return type;
  const std::string fields = "struct<" + std::string(text) + ">";
  auto structure = TypeReader(fields, TypeForm::kSchema).read_all();
  if (structure) return structure;
  // Which of the two was meant shows by how it begins.
  return type || text.find('<') > text.find(' ') ? structure : type;
}

}  // namespace stream

}  // namespace millrace
