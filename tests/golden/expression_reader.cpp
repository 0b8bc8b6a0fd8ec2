#include "tests/golden/expression_reader.hpp"

#include "stream/functions/registry.hpp"
#include "tests/golden/case_json.hpp"
#include "tests/golden/value_reader.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace millrace::golden {

namespace {

using formats::JsonValue;

/// Functions that the cases call by another name than the engine.
const std::map<std::string, std::string, std::less<>>& engine_names() {
  static const std::map<std::string, std::string, std::less<>> names = {
      {"negate", "-"},
      {"concat_op", "||"},
  };
  return names;
}

bool is_known(std::string_view function) {
  if (function == "explode") return true;  // makes rows: no function of the registry
  const auto names = stream::FunctionRegistry::builtin().names();
  return std::ranges::find(names, function) != names.end();
}

/// Reads one tree.
class Reader {
 public:
  explicit Reader(const std::set<std::string>& qualifiers) : qualifiers_(qualifiers) {}

  Result<Expr> read(const JsonValue& json) const {
    if (json.has("col")) return col(text_member(json, "col"));
    if (json.has("lit")) return read_literal(json);
    if (json.has("fn")) return read_call(json);
    if (json.has("cast")) return read_cast(json, "cast");
    if (json.has("try_cast")) return read_cast(json, "try_cast");
    if (json.has("case")) return read_case(json);
    if (json.has("field")) return read_field(json);
    if (json.has("item")) return read_item(json);
    if (json.has("lambda")) return read_lambda(json);
    if (object_in(json).empty()) throw MalformedCase("an expression is empty");
    return fail(ErrorCode::kNotSupported,
                "expression " + json.as_object().front().first + " is not built");
  }

 private:
  static Result<Expr> read_literal(const JsonValue& json) {
    MILLRACE_ASSIGN(const DataType type, read_type(text_member(json, "type")));
    MILLRACE_ASSIGN(Value value, read_value(member_of(json, "lit"), type));
    return lit(std::move(value));
  }

  Result<std::vector<Expr>> read_list(const JsonValue& json) const {
    std::vector<Expr> list;
    for (const JsonValue& one : list_in(json)) {
      MILLRACE_ASSIGN(Expr expression, read(one));
      list.push_back(std::move(expression));
    }
    return list;
  }

  Result<Expr> read_call(const JsonValue& json) const {
    std::string function = text_member(json, "fn");
    if (json.has("distinct"))
      return fail(ErrorCode::kNotSupported, "distinct in a call is not built");
    MILLRACE_ASSIGN(std::vector<Expr> arguments, read_list(member_of(json, "args")));
    if (const auto found = engine_names().find(function); found != engine_names().end())
      function = found->second;
    if (is_known(function)) return call(std::move(function), std::move(arguments));
    // The name of a type is a cast.
    const auto type = parse_type(function);
    if (type && arguments.size() == 1) return arguments[0].cast(*type);
    return fail(ErrorCode::kNotSupported, "function " + function + " is not built");
  }

  Result<Expr> read_cast(const JsonValue& json, std::string_view kind) const {
    MILLRACE_ASSIGN(const Expr operand, read(member_of(json, kind)));
    MILLRACE_ASSIGN(const DataType type, read_type(text_member(json, "to")));
    return kind == "cast" ? operand.cast(type) : operand.try_cast(type);
  }

  Result<Expr> read_case(const JsonValue& json) const {
    std::vector<Expr> parts;
    for (const JsonValue& branch : list_member(json, "case")) {
      MILLRACE_ASSIGN(const std::vector<Expr> pair, read_list(branch));
      if (pair.size() != 2) throw MalformedCase("a branch of a case has a condition and a value");
      parts.insert(parts.end(), pair.begin(), pair.end());
    }
    if (const JsonValue* const otherwise = json.find("else")) {
      MILLRACE_ASSIGN(Expr expression, read(*otherwise));
      parts.push_back(std::move(expression));
    }
    return case_when(std::move(parts));
  }

  /// A column of a named frame, or a field of a struct.
  Result<Expr> read_field(const JsonValue& json) const {
    const JsonValue& of = member_of(json, "field");
    const std::string& name = text_member(json, "name");
    if (const JsonValue* const column = of.find("col"))
      if (qualifiers_.contains(text_in(*column))) return col(text_in(*column) + "." + name);
    MILLRACE_ASSIGN(Expr structure, read(of));
    return call("field", {std::move(structure), lit(name)});
  }

  /// An element of an array or the value of a map's key.
  Result<Expr> read_item(const JsonValue& json) const {
    MILLRACE_ASSIGN(Expr collection, read(member_of(json, "item")));
    MILLRACE_ASSIGN(Expr place, read(member_of(json, "at")));
    return call("item", {std::move(collection), std::move(place)});
  }

  Result<Expr> read_lambda(const JsonValue& json) const {
    std::vector<std::string> parameters;
    for (const JsonValue& name : list_member(json, "lambda")) parameters.push_back(text_in(name));
    MILLRACE_ASSIGN(const Expr body, read(member_of(json, "body")));
    return Lambda(std::move(parameters), body).expression();
  }

  const std::set<std::string>& qualifiers_;
};

}  // namespace

Result<Expr> read_expression(const JsonValue& json, const std::set<std::string>& qualifiers) {
  return Reader(qualifiers).read(json);
}

}  // namespace millrace::golden
