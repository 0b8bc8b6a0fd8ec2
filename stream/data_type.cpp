#include "millrace/data_type.hpp"

#include "millrace/assert.hpp"
#include "millrace/column.hpp"
#include "millrace/options.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace millrace {

namespace {

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
    {"timestamp with time zone", TypeKind::kTimestamp},
});

/// Lower case, with runs of blanks as one blank and none at the ends.
std::string normalise(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool is_blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (is_blank && (result.empty() || result.back() == ' ')) continue;
    result += is_blank ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

std::string accepted_types() {
  std::string list;
  for (const TypeName& entry : kTypeNames) {
    if (!list.empty()) list += ", ";
    list += entry.name;
    if (entry.kind == TypeKind::kTimestamp) break;  // further entries are other spellings
  }
  return list;
}

}  // namespace

DataType::DataType(TypeKind kind) : kind_(kind) {
  MILLRACE_ASSERT(kind != TypeKind::kArray && kind != TypeKind::kStruct);
}

DataType DataType::array(DataType element) {
  DataType type;
  type.kind_ = TypeKind::kArray;
  type.fields_ = std::make_shared<const std::vector<Field>>(
      std::vector<Field>{Field{"element", std::move(element)}});
  return type;
}

DataType DataType::structure(std::vector<Field> fields) {
  DataType type;
  type.kind_ = TypeKind::kStruct;
  type.fields_ = std::make_shared<const std::vector<Field>>(std::move(fields));
  return type;
}

const std::vector<Field>& DataType::fields() const {
  static const std::vector<Field> none;
  return fields_ ? *fields_ : none;
}

std::string DataType::to_string() const {
  if (kind_ == TypeKind::kNull) return "null";
  if (kind_ == TypeKind::kArray) return "array<" + fields()[0].type.to_string() + ">";
  if (kind_ == TypeKind::kStruct) {
    std::string text = "struct<";
    for (const Field& field : fields()) {
      if (text.back() != '<') text += ", ";
      text += field.name + ": " + field.type.to_string();
    }
    return text + ">";
  }
  const auto* entry = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                                   [this](const TypeName& each) { return each.kind == kind_; });
  MILLRACE_ASSERT(entry != kTypeNames.end());
  return std::string(entry->name);
}

bool operator==(const DataType& left, const DataType& right) {
  if (left.kind_ != right.kind_) return false;
  return left.fields_ == right.fields_ || left.fields() == right.fields();
}

std::size_t width_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::kNull:
    case TypeKind::kBoolean:
      return 1;
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return sizeof(std::int32_t);
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return sizeof(std::int64_t);
    case TypeKind::kDouble:
      return sizeof(double);
    case TypeKind::kString:
    case TypeKind::kBytes:
      return sizeof(std::string_view);
    case TypeKind::kArray:
      return sizeof(ListEntry);
    case TypeKind::kStruct:
      return 0;
  }
  return 0;
}

bool is_numeric(TypeKind kind) {
  return kind == TypeKind::kInt32 || kind == TypeKind::kInt64 || kind == TypeKind::kDouble;
}

Result<DataType> parse_type(std::string_view name) {
  const std::string wanted = normalise(name);
  std::vector<std::string_view> candidates;
  for (const TypeName& entry : kTypeNames) {
    if (entry.name == wanted) return DataType(entry.kind);
    candidates.push_back(entry.name);
  }
  const auto nearest = nearest_name(wanted, candidates);
  return fail(ErrorCode::kInvalidArgument, "unknown type: " + std::string(name) +
                                               (nearest ? "; nearest: " + *nearest : "") +
                                               "; accepted: " + accepted_types());
}

}  // namespace millrace
