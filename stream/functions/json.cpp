#include "stream/ascii.hpp"
#include "stream/functions/json_filler.hpp"
#include "stream/functions/json_writer.hpp"
#include "stream/functions/list_rows.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/schema_text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

// JSON texts: to values and back, and what is inside of them.

namespace millrace::stream {

namespace {

// --- options
// -------------------------------------------------------------------------------------

/// What the options, a map literal, say. Names go without regard to case, as the mode does.
struct JsonOptions {
  bool is_failfast = false;
  bool keeps_null_fields = false;
  std::string corrupt_column = "_corrupt_record";
  std::optional<TimePattern> timestamp;  ///< how they are written; otherwise as ISO 8601
  std::optional<TimePattern> date;
};

Status set_mode(const std::string& value, JsonOptions& options) {
  const std::string mode = lower_case(value);
  options.is_failfast = mode == "failfast";
  if (options.is_failfast || mode == "permissive") return {};
  return fail(ErrorCode::kInvalidArgument,
              "mode of from_json is PERMISSIVE or FAILFAST, not " + value);
}

Status set_ignored(const std::string& value, JsonOptions& options) {
  const std::string word = lower_case(value);
  options.keeps_null_fields = word == "false";
  if (options.keeps_null_fields || word == "true") return {};
  return fail(ErrorCode::kInvalidArgument, "ignoreNullFields is true or false, not " + value);
}

Status set_pattern(const std::string& value, bool is_reading, std::optional<TimePattern>& target) {
  auto pattern = is_reading ? TimePattern::for_reading(value) : TimePattern::for_writing(value);
  if (!pattern) return fail(std::move(pattern).error());
  target = std::move(*pattern);
  return {};
}

Status set_option(const std::string& name, const std::string& value, bool is_reading,
                  JsonOptions& options) {
  const std::string key = lower_case(name);
  if (key == "timestampformat") return set_pattern(value, is_reading, options.timestamp);
  if (key == "dateformat") return set_pattern(value, is_reading, options.date);
  if (is_reading && key == "mode") return set_mode(value, options);
  if (!is_reading && key == "ignorenullfields") return set_ignored(value, options);
  if (is_reading && key == "columnnameofcorruptrecord") {
    options.corrupt_column = value;
    return {};
  }
  return fail(ErrorCode::kNotSupported,
              "option " + name + " is not supported; there are: " +
                  (is_reading ? "mode, columnNameOfCorruptRecord" : "ignoreNullFields") +
                  ", timestampFormat, dateFormat");
}

Result<JsonOptions> read_options(const Value& map, bool is_reading) {
  JsonOptions options;
  const auto* entries = std::get_if<std::vector<Value>>(&map.data);
  for (std::size_t i = 0; entries != nullptr && i + 1 < entries->size(); i += 2) {
    const auto* value = std::get_if<std::string>(&(*entries)[i + 1].data);
    if (value == nullptr) continue;
    MILLRACE_TRY(
        set_option(std::get<std::string>((*entries)[i].data), *value, is_reading, options));
  }
  return options;
}

template <bool kIsReading>
Status check_options(std::span<const Value* const> literals) {
  const std::size_t place = kIsReading ? 2 : 1;
  if (literals.size() <= place || literals[place] == nullptr) return {};
  const auto options = read_options(*literals[place], kIsReading);
  if (!options) return fail(options.error().code, options.error().message);
  return {};
}

/// The options of a call, which have been checked.
JsonOptions options_of(const PlannedCall& call, std::size_t place) {
  if (call.literals.size() <= place || call.literals[place] == nullptr) return {};
  return read_options(*call.literals[place], place == 2).value_or(JsonOptions{});
}

const TimePattern* pointer_to(const std::optional<TimePattern>& pattern) {
  return pattern ? &*pattern : nullptr;
}

const DataType& options_type() {
  static const DataType type = DataType::map(TypeKind::kString, TypeKind::kString);
  return type;
}

bool is_options(const Argument& argument) {
  return argument.is_literal && argument.type == options_type();
}

// --- from_json
// -----------------------------------------------------------------------------------

struct FromJson : CallState {
  JsonFiller filler;
  JsonOptions options;
  std::optional<std::size_t> corrupt_field;
};

void settle_from_json(const PlannedCall& call, CallMemory& memory) {
  auto& state = memory.get<FromJson>();
  state.options = options_of(call, 2);
  const auto& fields = call.result.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == state.options.corrupt_column && fields[i].type.is(TypeKind::kString))
      state.corrupt_field = i;
  }
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

void finish_struct(FromJson& state, KernelCall& call, std::size_t row,
                   JsonFiller::Outcome outcome) {
  using enum JsonFiller::Outcome;
  if (outcome != kDone && outcome != kPartial) {
    for (std::size_t i = 0; i < call.result.child_count(); ++i) call.result.child(i).set_null(row);
  }
  if (!state.corrupt_field) return;
  Column& corrupt = call.result.child(*state.corrupt_field);
  if (outcome == kDone || outcome == kNull)
    corrupt.set_null(row);
  else
    corrupt.assign(row, *call.arguments[0], row);
}

void read_json(KernelCall& call) {
  using enum JsonFiller::Outcome;
  auto& state = call.state.get<FromJson>();
  state.filler.begin(call.arena, *call.settings.zone,
                     {pointer_to(state.options.timestamp), pointer_to(state.options.date)});
  each_present(call, [&](std::size_t row) {
    const std::string_view text = call.arguments[0]->text(row);
    if (is_blank(text)) return call.result.set_null(row);
    const auto outcome = state.filler.fill(text, call.result, row);
    if (state.options.is_failfast && outcome != kDone && outcome != kNull) {
      call.errors.raise(row, "a malformed JSON text");
      return call.result.set_null(row);
    }
    if (call.result.kind() == TypeKind::kStruct) return finish_struct(state, call, row, outcome);
    if (outcome != kDone) call.result.set_null(row);
  });
}

/// "array<int>", "struct<a int>", or the fields of a struct alone: "a int, b string".
std::optional<DataType> schema_of(const Argument& argument) {
  if (argument.literal == nullptr) return std::nullopt;
  const auto* text = std::get_if<std::string>(&argument.literal->data);
  if (text == nullptr) return std::nullopt;
  auto type = parse_schema_text(*text);
  if (!type || !type->is_nested() || !is_filled_from_json(*type)) return std::nullopt;
  return *type;
}

std::optional<SettledTypes> from_json_types(const Arguments& arguments) {
  if (arguments.size() != 2 && arguments.size() != 3) return std::nullopt;
  auto schema = schema_of(arguments[1]);
  if (!schema || (arguments.size() == 3 && !is_options(arguments[2]))) return std::nullopt;
  SettledTypes settled{{TypeKind::kString, TypeKind::kString}, std::move(*schema)};
  if (arguments.size() == 3) settled.arguments.push_back(options_type());
  return settled;
}

void add_from_json(FunctionRegistry& registry) {
  FunctionOverload overload = list_function(
      "from_json", "from_json(string, schema[, options])", from_json_types, read_json,
      "The value that a JSON text holds. The schema is a literal: fields ('a int, b string') or an "
      "array, map or struct, with no bytes in it. A field that is missing or does not fit is null, "
      "and so is every field of a text that is no JSON object; arrays and maps are null as a whole "
      "then. Options, a map literal: mode (PERMISSIVE, or FAILFAST, which fails such rows), "
      "columnNameOfCorruptRecord (a field of the schema that gets such texts; _corrupt_record), "
      "timestampFormat and dateFormat (patterns as date_format's; otherwise ISO 8601). "
      "Of several members of one name the last counts, also in a map. Single quotes are taken for "
      "double ones, and what follows the first value is not read.");
  overload.check_literals = check_options<true>;
  overload.settle = settle_from_json;
  registry.add(failing(with_nulls(overload,
                                  "the text is null or blank, or holds no array or map "
                                  "where the schema is one"),
                       "the mode is FAILFAST and the text or one of its fields does not fit"));
}

// --- to_json
// -------------------------------------------------------------------------------------

struct ToJson : CallState {
  JsonWriter writer;
  JsonOptions options;
};

void settle_to_json(const PlannedCall& call, CallMemory& memory) {
  memory.get<ToJson>().options = options_of(call, 1);
}

void write_json(KernelCall& call) {
  auto& state = call.state.get<ToJson>();
  const JsonOptions& options = state.options;
  const JsonWriter::Settings settings{call.settings.zone, options.keeps_null_fields,
                                      pointer_to(options.timestamp), pointer_to(options.date)};
  const auto result = call.result.values<std::string_view>();
  each_present(call, [&](std::size_t row) {
    result[row] = call.arena.store(state.writer.write(*call.arguments[0], row, settings));
  });
}

std::optional<SettledTypes> to_json_types(const Arguments& arguments) {
  if (arguments.size() != 1 && arguments.size() != 2) return std::nullopt;
  const DataType& type = arguments[0].type;
  if (!type.is_nested() || !is_written_as_json(type)) return std::nullopt;
  if (arguments.size() == 2 && !is_options(arguments[1])) return std::nullopt;
  SettledTypes settled{{type}, TypeKind::kString};
  if (arguments.size() == 2) settled.arguments.push_back(options_type());
  return settled;
}

void add_to_json(FunctionRegistry& registry) {
  FunctionOverload overload = list_function(
      "to_json", "to_json(struct, array or map[, options])", to_json_types, write_json,
      "The value as a JSON text; it holds no bytes, and the keys of its maps are texts. Fields "
      "that are null are left out. Timestamps have milliseconds and the offset of the session's "
      "time zone. Options, a map literal: ignoreNullFields ('false' keeps null fields), "
      "timestampFormat and dateFormat (patterns as date_format's).");
  overload.check_literals = check_options<false>;
  overload.settle = settle_to_json;
  registry.add(overload);
}

// --- inside of texts
// -----------------------------------------------------------------------------

struct JsonParts : CallState {
  JsonCursor cursor;
  std::string name;
  std::string text;
};

/// Takes one step of a path, ".name", "['name']" or "[0]", off its front. A name, or else a number.
struct PathStep {
  std::string_view name;
  std::size_t index = 0;
  bool is_index = false;
};

bool take_bracket(std::string_view& path, PathStep& step) {
  const std::size_t end = path.find(']');
  if (end == std::string_view::npos) return false;
  const std::string_view inside = path.substr(1, end - 1);
  path.remove_prefix(end + 1);
  if (inside.size() > 2 && inside.front() == '\'' && inside.back() == '\'') {
    step.name = inside.substr(1, inside.size() - 2);
    return true;
  }
  step.is_index = true;
  const auto [stop, error] =
      std::from_chars(inside.data(), inside.data() + inside.size(), step.index);
  return error == std::errc() && stop == inside.data() + inside.size();
}

bool take_step(std::string_view& path, PathStep& step) {
  step = {};
  if (path.front() == '[') return take_bracket(path, step);
  if (path.front() != '.') return false;
  path.remove_prefix(1);
  const std::size_t end = std::min(path.find_first_of(".["), path.size());
  step.name = path.substr(0, end);
  path.remove_prefix(end);
  return !step.name.empty() && step.name != "*";
}

/// Brings the cursor before the last member of that name, or the element of that number. What is
/// broken behind it is nobody's business.
bool descend(JsonCursor& cursor, const PathStep& step, std::string& name) {
  std::optional<std::size_t> found;
  if (step.is_index) {
    std::size_t index = 0;
    (void)cursor.each_element([&] {
      if (index++ != step.index) return cursor.skip_value();
      found = cursor.place();
      return false;  // the walk ends here
    });
  } else {
    (void)cursor.each_member(name, [&] {
      if (name == step.name) found = cursor.place();
      return cursor.skip_value();
    });
  }
  if (found) cursor.return_to(*found);
  return found.has_value();
}

/// What stands at the path: a text without its quotes, anything else as JSON. Nothing for a null.
bool find_at_path(JsonParts& state, std::string_view text, std::string_view path) {
  if (!path.starts_with('$')) return false;
  path.remove_prefix(1);
  JsonCursor& cursor = state.cursor;
  cursor.begin(text);
  while (!path.empty()) {
    PathStep step;
    if (!take_step(path, step) || !descend(cursor, step, state.name)) return false;
  }
  if (cursor.take_word("null")) return false;
  state.text.clear();
  return cursor.at_string() ? cursor.read_string(state.text) : cursor.copy_value(state.text);
}

std::string_view get_json_object(Row& row, std::string_view text, std::string_view path) {
  auto& state = row.state<JsonParts>();
  if (!find_at_path(state, text, path)) {
    row.set_null();
    return {};
  }
  char* const out = row.allocate(state.text.size());
  std::ranges::copy(state.text, out);
  return {out, state.text.size()};
}

Status check_path(std::span<const Value* const> literals) {
  if (literals[1] == nullptr) return {};
  std::string_view path = std::get<std::string>(literals[1]->data);
  bool is_path = path.starts_with('$');
  if (is_path) path.remove_prefix(1);
  PathStep step;
  while (is_path && !path.empty()) is_path = take_step(path, step);
  if (is_path) return {};
  return fail(ErrorCode::kInvalidArgument,
              "a JSON path is $ and then .name, ['name'] or [0], as often as needed");
}

std::int32_t json_array_length(Row& row, std::string_view text) {
  std::int32_t count = 0;
  JsonCursor& cursor = row.state<JsonParts>().cursor;
  cursor.begin(text);
  const bool is_array = cursor.each_element([&] {
    ++count;
    return cursor.skip_value();
  });
  if (!is_array) row.set_null();
  return is_array ? count : 0;
}

void json_object_keys(KernelCall& call) {
  auto& state = call.state.get<JsonParts>();
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    JsonCursor& cursor = state.cursor;
    cursor.begin(call.arguments[0]->text(row));
    const bool is_object = cursor.each_member(state.name, [&] {
      list.elements().append(call.arena.store(state.name));
      return cursor.skip_value();
    });
    if (!is_object) call.result.set_null(row);
  });
}

void add_parts(FunctionRegistry& registry) {
  using enum TypeKind;
  FunctionOverload at_path = plain_function(
      "get_json_object", {kString, kString}, kString, each_row<get_json_object>,
      "What stands in the JSON text at a path, $ and then .name, ['name'] or [0]: a text as it is, "
      "anything else as JSON. Of several members of one name the last counts. There are no "
      "wildcards.");
  at_path.check_literals = check_path;
  registry.add(with_nulls(at_path,
                          "an argument is null, nothing or null stands there, or the text "
                          "is no JSON up to there"));
  registry.add(
      with_nulls(plain_function("json_array_length", {kString}, kInt32, each_row<json_array_length>,
                                "How many elements the JSON array in the text has."),
                 "the text is null or no JSON array"));
  registry.add(with_nulls(
      plain_function("json_object_keys", {kString}, DataType::array(kString), json_object_keys,
                     "The names of the members of the JSON object in the text, as they stand: one "
                     "that stands there "
                     "twice comes twice."),
      "the text is null or no JSON object"));
}

}  // namespace

void add_json_functions(FunctionRegistry& registry) {
  add_from_json(registry);
  add_to_json(registry);
  add_parts(registry);
}

}  // namespace millrace::stream
