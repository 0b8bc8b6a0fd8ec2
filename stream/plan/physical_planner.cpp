#include "stream/plan/physical_planner.hpp"

#include "millrace/assert.hpp"

#include "stream/plan/analysis.hpp"
#include "stream/plan/branch_planner.hpp"
#include "stream/plan/dead_letter_planning.hpp"
#include "stream/plan/union_branches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace millrace::stream {
namespace {

using Queries = std::vector<const OptimizedQuery*>;

const Relation& stream_of(const OptimizedQuery& query) {
  return query.query.relations[query.stream];
}

/// Plans the chain of one source, for all queries that read it: what any of them reads is built
/// once, then each has a branch of its own.
class ChainPlanner {
 public:
  ChainPlanner(Queries queries, const Dialect& dialect)
      : queries_(std::move(queries)), dialect_(dialect), stream_(stream_of(*queries_.front())) {}

  Result<ChainSpec> run();

 private:
  void add_source();
  void add_column_to_source(const Field& field, std::size_t column);
  void add_bad_records();
  void add_decode();
  void add_fork();
  Status add_branch(const OptimizedQuery& query);

  [[nodiscard]] bool reads_value() const;
  [[nodiscard]] bool passes_value(const OptimizedQuery& query) const;
  [[nodiscard]] bool is_corrupt_column(const RelationColumn& column) const;
  [[nodiscard]] bool is_read(std::size_t column) const;
  [[nodiscard]] RowLayout layout_for(const OptimizedQuery& query) const;

  Queries queries_;
  const Dialect& dialect_;
  const Relation& stream_;
  ChainSpec chain_;
  RowLayout layout_;  ///< of the rows before the branches; columns count within the stream
};

Result<ChainSpec> ChainPlanner::run() {
  add_source();
  add_bad_records();
  add_decode();
  if (queries_.size() > 1 && chain_.nodes.empty()) add_fork();
  for (const OptimizedQuery* query : queries_) MILLRACE_TRY(add_branch(*query));
  return std::move(chain_);
}

void ChainPlanner::add_source() {
  chain_.source.table = stream_.table;
  if (reads_value()) {
    const auto value = std::ranges::find(stream_.traits.record, "value", &Field::name);
    MILLRACE_ASSERT(value != stream_.traits.record.end());
    add_column_to_source(*value, RowLayout::kForeign);
  }
  for (std::size_t i = 0; i < stream_.columns.size(); ++i) {
    const auto& [field, is_record, computed] = stream_.columns[i];
    if (stream_.is_decoded && !is_record) continue;
    if (is_read(i)) add_column_to_source(field, i);
  }
  chain_.source.schema = make_schema(layout_.fields);
}

// JSON is decoded even when no field of it is read: the verdict on a record must not depend on what
// the query reads. A raw value has no verdict.
bool ChainPlanner::reads_value() const {
  if (!stream_.is_decoded) return false;
  return stream_.format != "raw" || is_read(0);
}

// A record with a null value deletes its key. Such a mark passes the chain, so the sink must know
// one when it comes: the value goes along as it is. With 'raw' and 'text' null stays null anyway.
bool ChainPlanner::passes_value(const OptimizedQuery& query) const {
  const auto has_fields = [](std::string_view format) {
    return format == "json" || format == "csv";
  };
  return reads_value() && has_fields(stream_.format) && has_fields(query.query.sink->format);
}

bool ChainPlanner::is_corrupt_column(const RelationColumn& column) const {
  return !column.is_record && stream_.bad_records.on_decode == OnBadRecord::kNull &&
         column.field.name == stream_.bad_records.corrupt_column;
}

// Dead letters are made of columns that the source may have to read for them alone.
void ChainPlanner::add_bad_records() {
  chain_.bad_records = plan_bad_records(stream_, chain_.source);
  for (std::size_t i = layout_.fields.size(); i < chain_.source.schema->size(); ++i) {
    layout_.fields.push_back(chain_.source.schema->field(i));
    layout_.columns.push_back(RowLayout::kForeign);
  }
}

void ChainPlanner::add_column_to_source(const Field& field, std::size_t column) {
  chain_.source.record_columns.push_back(field.name);
  layout_.fields.push_back(field);
  layout_.columns.push_back(column);
}

void ChainPlanner::add_decode() {
  if (!reads_value()) return;
  DecodeSpec decode;
  decode.format = stream_.format;
  decode.options = stream_.table.options;
  decode.value_column = 0;
  RowLayout next;
  std::optional<std::size_t> corrupt;
  for (std::size_t i = 0; i < stream_.columns.size(); ++i) {
    const auto& [field, is_record, computed] = stream_.columns[i];
    if (is_record) continue;
    const bool is_corrupt = is_corrupt_column(stream_.columns[i]);
    if (!is_corrupt) decode.declared.push_back(field);
    if (!is_read(i)) continue;
    if (is_corrupt) {
      corrupt = i;
      continue;
    }
    decode.fields.push_back(field);
    next.columns.push_back(i);
  }
  next.fields = decode.fields;
  if (corrupt) {
    decode.corrupt_column = next.fields.size();
    next.fields.push_back({stream_.bad_records.corrupt_column, TypeKind::kString});
    next.columns.push_back(*corrupt);
  }
  const bool is_value_passed = std::ranges::any_of(
      queries_, [&](const OptimizedQuery* query) { return passes_value(*query); });
  if (is_value_passed) {
    decode.passed_columns.push_back(decode.value_column);
    next.columns.push_back(RowLayout::kValue);
    next.fields.push_back(layout_.fields[decode.value_column]);
  }
  for (std::size_t place = 1; place < layout_.columns.size(); ++place) {
    if (layout_.columns[place] == RowLayout::kForeign) continue;
    decode.passed_columns.push_back(place);
    next.columns.push_back(layout_.columns[place]);
    next.fields.push_back(layout_.fields[place]);
  }
  decode.output = make_schema(next.fields);
  layout_ = std::move(next);
  chain_.nodes.push_back(ChainNode{std::move(decode), {}});
}

// Branches part behind a step, and there is none yet: one that hands every column on.
void ChainPlanner::add_fork() {
  ProjectSpec fork;
  for (std::size_t place = 0; place < layout_.fields.size(); ++place) {
    BoundExpr column;
    column.kind = BoundExpr::Kind::kColumn;
    column.type = layout_.fields[place].type;
    column.column = place;
    column.text = layout_.fields[place].name;
    fork.expressions.push_back(std::move(column));
  }
  fork.output = make_schema(layout_.fields);
  chain_.nodes.push_back(ChainNode{std::move(fork), {}});
}

Status ChainPlanner::add_branch(const OptimizedQuery& query) {
  MILLRACE_ASSIGN(std::vector<OperatorSpec> steps, plan_branch(query, layout_for(query), dialect_));
  const bool has_root = !chain_.nodes.empty();
  if (has_root) chain_.nodes.front().targets.push_back(chain_.nodes.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    chain_.nodes.push_back(ChainNode{std::move(steps[i]), {}});
    if (i + 1 < steps.size()) chain_.nodes.back().targets = {chain_.nodes.size()};
  }
  return {};
}

bool ChainPlanner::is_read(std::size_t column) const {
  return std::ranges::any_of(queries_, [&](const OptimizedQuery* query) {
    return query->columns_read.contains(stream_of(*query).first_column + column);
  });
}

RowLayout ChainPlanner::layout_for(const OptimizedQuery& query) const {
  RowLayout layout = layout_;
  for (std::size_t& column : layout.columns) {
    if (column == RowLayout::kForeign) continue;
    if (column == RowLayout::kValue) {
      if (!passes_value(query)) column = RowLayout::kForeign;
      continue;
    }
    column += stream_of(query).first_column;
    if (!query.columns_read.contains(column)) column = RowLayout::kForeign;
  }
  return layout;
}

bool is_same_table(const TableDefinition& left, const TableDefinition& right) {
  const auto is_same_entry = [](const Options::Entry& a, const Options::Entry& b) {
    return a.canonical == b.canonical && a.value == b.value;
  };
  return left.connector == right.connector && left.host == right.host &&
         left.columns == right.columns &&
         std::ranges::equal(left.options.entries(), right.options.entries(), is_same_entry);
}

/// The queries that read one source each, in the order in which sources are named first.
Result<std::vector<Queries>> by_source(std::span<const OptimizedQuery> queries) {
  std::vector<Queries> groups;
  for (const OptimizedQuery& query : queries) {
    const Relation& stream = stream_of(query);
    const auto group = std::ranges::find_if(groups, [&](const Queries& one) {
      return stream_of(*one.front()).table.name == stream.table.name;
    });
    if (group == groups.end()) {
      groups.push_back({&query});
      continue;
    }
    if (!is_same_table(stream_of(*group->front()).table, stream.table)) {
      return fail(
          Error{ErrorCode::kInvalidArgument,
                fmt::format("two sources are called {}: give one another name", stream.table.name),
                stream.position});
    }
    group->push_back(&query);
  }
  return groups;
}

/// Adds the optimized branches of one plan.
Status add_queries(const LogicalPlan& plan, const Catalog& catalog, const Dialect& dialect,
                   std::vector<OptimizedQuery>& queries) {
  MILLRACE_ASSIGN(const std::vector<LogicalPlan> branches, expand_unions(plan, catalog, dialect));
  for (const LogicalPlan& branch : branches) {
    MILLRACE_ASSIGN(ResolvedQuery resolved, analyze(branch, catalog, dialect));
    MILLRACE_ASSIGN(OptimizedQuery optimized, optimize(std::move(resolved), dialect));
    queries.push_back(std::move(optimized));
  }
  return {};
}

// A sink that takes columns, not records, takes the same ones from all.
Status check_shared_sinks(std::span<const OptimizedQuery> queries) {
  for (const OptimizedQuery& query : queries) {
    const ResolvedSink& sink = *query.query.sink;
    if (sink.traits.has_format) continue;
    const auto first = std::ranges::find_if(queries, [&](const OptimizedQuery& other) {
      return other.query.sink->table.name == sink.table.name;
    });
    const auto columns = columns_of(first->query.sink->payload);
    if (columns_of(sink.payload) == columns) continue;
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("two parts of one query write different columns to {}: {} and {}",
                            sink.table.name, Schema(columns).to_string(),
                            Schema(columns_of(sink.payload)).to_string()));
  }
  return {};
}

}  // namespace

Result<PhysicalPlan> plan_physically(std::span<const OptimizedQuery> queries, std::string name,
                                     const Dialect& dialect) {
  MILLRACE_ASSERT(!queries.empty() && queries.front().query.sink.has_value());
  PhysicalPlan plan;
  plan.name = name.empty() ? queries.front().query.sink->table.name : std::move(name);
  MILLRACE_ASSIGN(const std::vector<Queries> groups, by_source(queries));
  for (const Queries& group : groups) {
    MILLRACE_ASSIGN(ChainSpec chain, ChainPlanner(group, dialect).run());
    plan.chains.push_back(std::move(chain));
  }
  return plan;
}

Result<PhysicalPlan> plan_query(const LogicalPlan& plan, std::string name, const Catalog& catalog,
                                const Dialect& dialect) {
  return plan_query(std::span(&plan, 1), std::move(name), catalog, dialect);
}

Result<PhysicalPlan> plan_query(std::span<const LogicalPlan> plans, std::string name,
                                const Catalog& catalog, const Dialect& dialect) {
  std::vector<OptimizedQuery> queries;
  for (const LogicalPlan& plan : plans) {
    Status added = add_queries(plan, catalog, dialect, queries);
    if (added) continue;
    Error error = std::move(added).error();
    if (error.position < 0 && plans.size() > 1) error.position = plan->position;
    return fail(std::move(error));
  }
  MILLRACE_TRY(check_shared_sinks(queries));
  return plan_physically(queries, std::move(name), dialect);
}

}  // namespace millrace::stream
