#include "millrace/data_frame.hpp"

#include "millrace/host_table.hpp"

#include "session/query_planning.hpp"
#include "session/query_settings.hpp"
#include "session/session_shared.hpp"
#include "stream/host_table.hpp"
#include "stream/plan/typed_rows.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace millrace {
namespace {

using stream::LogicalPlan;
using stream::make_plan;

// Formats that files come in: reader and writer take them for "connector file, format that".
constexpr auto kFileFormats = std::to_array<std::string_view>({"csv", "json", "text"});

void set_format(std::string_view name, std::string& connector, Options& options) {
  const bool is_file_format = std::ranges::find(kFileFormats, name) != kFileFormats.end();
  connector = is_file_format ? "file" : name;
  if (is_file_format) options.set("format", name);
}

// What people call a table that they gave no name: what it is read from or written to.
std::string natural_name(const std::string& connector, const Options& options) {
  for (const std::string_view key : {"topic", "subscribe", "subscribe_pattern"}) {
    if (const auto value = options.get(key)) return *value;
  }
  const std::string path = options.get_or("path", "");
  return path.empty() ? connector : std::filesystem::path(path).stem().string();
}

DataFrame frame_of(const std::shared_ptr<SessionShared>& session, LogicalPlan plan) {
  return {session, std::make_shared<const FrameNode>(FrameNode{std::move(plan)})};
}

stream::WriteNode write_of(const FrameNode& node, const std::string& connector,
                           const Options& options, std::shared_ptr<stream::HostTable> host) {
  std::string name = host ? host->name() : natural_name(connector, options);
  stream::TableDefinition table{name, connector, {}, options, std::move(host)};
  return {node.plan, std::move(name), std::move(table)};
}

Result<session::PlannedQuery> planned(const std::shared_ptr<SessionShared>& session,
                                      stream::WriteNode write, const Options& settings) {
  return session::plan_query(*session, make_plan(std::move(write)), settings);
}

Result<Query> started(const std::shared_ptr<SessionShared>& session,
                      Result<session::PlannedQuery> plan) {
  if (!plan) return fail(std::move(plan).error());
  MILLRACE_ASSIGN(auto query, session::start_query(*session, std::move(*plan)));
  return Query(std::move(query));
}

}  // namespace

DataFrame DataFrame::select(std::vector<Expr> expressions) const {
  return frame_of(session_, make_plan(stream::ProjectNode{node_->plan, std::move(expressions)}));
}

DataFrame DataFrame::select(std::initializer_list<std::string_view> columns) const {
  std::vector<Expr> expressions;
  for (const std::string_view column : columns) expressions.push_back(col(std::string(column)));
  return select(std::move(expressions));
}

DataFrame DataFrame::where(Expr condition) const {
  return frame_of(session_, make_plan(stream::FilterNode{node_->plan, std::move(condition)}));
}

DataFrame DataFrame::with_column(std::string name, Expr expression) const {
  return frame_of(session_, make_plan(stream::WithColumnNode{node_->plan, std::move(name),
                                                             std::move(expression)}));
}

DataFrame DataFrame::drop(std::vector<std::string> columns) const {
  return frame_of(session_, make_plan(stream::DropNode{node_->plan, std::move(columns)}));
}

DataFrame DataFrame::rename(std::string from, std::string to) const {
  return frame_of(session_,
                  make_plan(stream::RenameNode{node_->plan, std::move(from), std::move(to)}));
}

DataFrame DataFrame::join(const DataFrame& other, Expr condition, JoinKind kind) const {
  return frame_of(session_, make_plan(stream::JoinNode{
                                node_->plan, other.node_->plan, std::move(condition), {}, kind}));
}

DataFrame DataFrame::join(const DataFrame& other, std::vector<std::string> using_columns,
                          JoinKind kind) const {
  return frame_of(session_, make_plan(stream::JoinNode{node_->plan, other.node_->plan, std::nullopt,
                                                       std::move(using_columns), kind}));
}

DataFrame DataFrame::cross_join(const DataFrame& other) const {
  return frame_of(session_,
                  make_plan(stream::JoinNode{
                      node_->plan, other.node_->plan, std::nullopt, {}, JoinKind::kCross}));
}

DataFrame DataFrame::explode(Expr list, std::string name) const {
  return frame_of(session_, make_plan(stream::ExplodeNode{
                                node_->plan, call("explode", {std::move(list)}), std::move(name)}));
}

DataFrame DataFrame::explode_outer(Expr list, std::string name) const {
  return frame_of(
      session_, make_plan(stream::ExplodeNode{node_->plan, call("explode_outer", {std::move(list)}),
                                              std::move(name)}));
}

DataFrame DataFrame::union_all(const DataFrame& other) const {
  return frame_of(session_, make_plan(stream::UnionNode{node_->plan, other.node_->plan}));
}

DataFrame DataFrame::as(std::string name) const {
  return frame_of(session_, make_plan(stream::AliasNode{node_->plan, std::move(name)}));
}

DataFrame DataFrame::typed(std::shared_ptr<const TypedFunction> function) const {
  const auto rows = std::make_shared<stream::TypedRows>(node_->plan, std::move(function));
  stream::ScanNode scan;
  scan.table = rows->name();
  scan.definition = stream::TableDefinition{
      rows->name(), std::string(rows->connector()), rows->columns(), {}, rows};
  scan.reading = stream::Reading::kStream;
  return frame_of(session_, make_plan(std::move(scan)));
}

Result<Schema> DataFrame::schema() const {
  MILLRACE_ASSIGN(stream::PlanShape shape, session::shape_of(*session_, node_->plan));
  return Schema(std::move(shape.columns));
}

StreamWriter DataFrame::write_stream() const { return {session_, node_}; }

TableReader& TableReader::format(std::string_view name) {
  set_format(name, connector_, options_);
  return *this;
}

TableReader& TableReader::option(std::string_view key, std::string_view value) {
  options_.set(key, value);
  return *this;
}

TableReader& TableReader::schema(std::vector<Field> columns) {
  columns_ = std::move(columns);
  return *this;
}

TableReader& TableReader::name(std::string name) {
  name_ = std::move(name);
  return *this;
}

DataFrame TableReader::load() const {
  stream::ScanNode scan;
  scan.table = name_.empty() ? natural_name(connector_, options_) : name_;
  scan.definition = stream::TableDefinition{scan.table, connector_, columns_, options_};
  scan.reading = is_stream_ ? stream::Reading::kStream : stream::Reading::kStatic;
  return frame_of(session_, make_plan(std::move(scan)));
}

DataFrame TableReader::load(std::string_view path) const {
  TableReader reader = *this;
  return reader.option("path", path).load();
}

StreamWriter& StreamWriter::format(std::string_view name) {
  host_.reset();  // where to() pointed, if it did
  set_format(name, connector_, options_);
  return *this;
}

StreamWriter& StreamWriter::option(std::string_view key, std::string_view value) {
  (session::is_setting(key) ? settings_ : options_).set(key, value);
  return *this;
}

StreamWriter& StreamWriter::to(const HostTable& sink) {
  host_ = sink.host();
  connector_ = host_->connector();
  return *this;
}

StreamWriter& StreamWriter::trigger(std::string_view text) { return option("trigger", text); }

StreamWriter& StreamWriter::query_name(std::string_view name) { return option("query_name", name); }

Result<Query> StreamWriter::start() const {
  return started(session_,
                 planned(session_, write_of(*node_, connector_, options_, host_), settings_));
}

Result<Query> StreamWriter::start(std::string_view table) const {
  if (!connector_.empty() || !options_.entries().empty()) {
    return fail(
        ErrorCode::kInvalidArgument,
        "a start into a table takes connector and options from the table: " + std::string(table));
  }
  return started(session_, planned(session_, stream::WriteNode{node_->plan, std::string(table), {}},
                                   settings_));
}

Result<std::string> StreamWriter::explain() const {
  MILLRACE_ASSIGN(session::PlannedQuery plan,
                  planned(session_, write_of(*node_, connector_, options_, host_), settings_));
  return std::move(plan.explanation);
}

}  // namespace millrace
