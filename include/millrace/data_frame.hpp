#pragma once

#include "millrace/error.hpp"
#include "millrace/expression.hpp"
#include "millrace/options.hpp"
#include "millrace/query.hpp"
#include "millrace/schema.hpp"

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

namespace stream {
class HostTable;
}
struct SessionShared;  // the implementation's parts
struct FrameNode;
class HostTable;
class StreamWriter;
class TypedFunction;
template <typename T>
class TypedFrame;

/// Which rows of two frames a join brings together, and what becomes of those without a partner.
enum class JoinKind {
  kInner,     ///< pairs for which the condition is true
  kCross,     ///< every pair
  kLeft,      ///< the pairs, and rows of the left without one beside nulls
  kRight,     ///< the same for rows of the right
  kFull,      ///< the same for both sides
  kLeftSemi,  ///< rows of the left that are in some pair, each once
  kLeftAnti,  ///< rows of the left that are in none
};

/// Gives the SQL spelling in lower case ("left outer").
[[nodiscard]] const char* to_string(JoinKind kind);

/// A table to be: rows that a query will read, and what is to be done with them. An immutable
/// value; every verb gives a new frame, copying is cheap. Nothing is read or checked until the
/// query starts (or `schema` is asked); errors show there, naming the column and what is near it.
///
///     auto clicks = session.read_stream("kafka")
///                       .option("bootstrap_servers", "127.0.0.1:9092").option("topic", "clicks")
///                       .option("format", "json")
///                       .schema({{"user_id", TypeKind::kInt32}, {"event_type",
///                       TypeKind::kString}}) .load();
///     auto users = session.read("csv").option("header", "true")
///                      .schema({{"user_id", TypeKind::kInt32}, {"country", TypeKind::kString}})
///                      .load("users.csv");
///     auto query = clicks.where(col("event_type") != lit("purchase"))
///                      .join(users, col("clicks.user_id") == col("users.user_id"))
///                      .select({star("clicks"), col("country")})
///                      .write_stream().format("kafka")
///                      .option("bootstrap_servers", "127.0.0.1:9092").option("topic", "enriched")
///                      .option("format", "json")
///                      .start();
class DataFrame {
 public:
  DataFrame(std::shared_ptr<SessionShared> session, std::shared_ptr<const FrameNode> node)
      : session_(std::move(session)), node_(std::move(node)) {}

  /// Keeps these columns and expressions, in this order; `star()` stands for every column.
  [[nodiscard]] DataFrame select(std::vector<Expr> expressions) const;
  /// The same for plain columns by name.
  [[nodiscard]] DataFrame select(std::initializer_list<std::string_view> columns) const;
  /// Keeps the rows for which the condition is true (not false, not null).
  [[nodiscard]] DataFrame where(Expr condition) const;
  /// Adds a column behind the others, or makes the one of that name anew in its place.
  [[nodiscard]] DataFrame with_column(std::string name, Expr expression) const;
  /// Leaves these columns out.
  [[nodiscard]] DataFrame drop(std::vector<std::string> columns) const;
  /// Calls a column by another name.
  [[nodiscard]] DataFrame rename(std::string from, std::string to) const;
  /// Join of a stream with a static table. The stream must be on the side whose rows are kept
  /// (left: on the left). Output: this frame's columns, then the other's; of semi and anti joins
  /// this frame's alone. A row's matches come in the table's row order. A condition without an
  /// equality compares every row with the whole table.
  [[nodiscard]] DataFrame join(const DataFrame& other, Expr condition,
                               JoinKind kind = JoinKind::kInner) const;
  /// The same on equality of the columns of these names, which come once, and first.
  [[nodiscard]] DataFrame join(const DataFrame& other, std::vector<std::string> using_columns,
                               JoinKind kind = JoinKind::kInner) const;
  /// Every row beside every row of a static table.
  [[nodiscard]] DataFrame cross_join(const DataFrame& other) const;
  /// A row for every element of an array, which becomes column `name` behind the others; a row
  /// without elements is gone. Of a map: columns key and value, and `name` is not asked.
  [[nodiscard]] DataFrame explode(Expr list, std::string name) const;
  /// The same, but a row without elements stays, beside null.
  [[nodiscard]] DataFrame explode_outer(Expr list, std::string name) const;
  /// The rows of both, duplicates included. Columns go by their place and are called as here; types
  /// widen to one that holds both. Both are streams.
  [[nodiscard]] DataFrame union_all(const DataFrame& other) const;
  /// Gives the frame a name, to be used as qualifier: `col("u.country")` after `.as("u")`.
  [[nodiscard]] DataFrame as(std::string name) const;

  /// The rows as structs of C++, for functions of the program: include typed.hpp.
  template <typename T>
  [[nodiscard]] TypedFrame<T> as() const;
  /// What a function of the program makes of the rows; for TypedFrame.
  [[nodiscard]] DataFrame typed(std::shared_ptr<const TypedFunction> function) const;

  /// The columns it will have, analysed now.
  [[nodiscard]] Result<Schema> schema() const;
  /// Describes where the rows go; `start` begins the query.
  [[nodiscard]] StreamWriter write_stream() const;

  /// The implementation's view of the plan.
  [[nodiscard]] const std::shared_ptr<const FrameNode>& node() const { return node_; }

 private:
  std::shared_ptr<SessionShared> session_;
  std::shared_ptr<const FrameNode> node_;
};

/// Describes a source: which connector, which columns, which options. Made by Session::read_stream
/// (read without end) and Session::read (a static table). A plain value; not thread-safe.
class TableReader {
 public:
  TableReader(std::shared_ptr<SessionShared> session, bool is_stream)
      : session_(std::move(session)), is_stream_(is_stream) {}

  /// The connector ("kafka", "file"); the name of a file format ("csv") means that format in files.
  TableReader& format(std::string_view name);
  /// Any setting of the connector or its format. Keys match without regard to case and underscores.
  TableReader& option(std::string_view key, std::string_view value);
  /// The columns in the data. Without them a stream gives the connector's own (key, value, ...).
  TableReader& schema(std::vector<Field> columns);
  /// How the query calls this source: the qualifier of its columns and its name in checkpoints.
  /// Default: the topic, or the file's name without folder and ending.
  TableReader& name(std::string name);
  /// The frame over it. Reads nothing yet.
  [[nodiscard]] DataFrame load() const;
  /// The same for a file: sets the option `path`.
  [[nodiscard]] DataFrame load(std::string_view path) const;

 private:
  std::shared_ptr<SessionShared> session_;
  bool is_stream_;
  std::string name_;
  std::string connector_;
  std::vector<Field> columns_;
  Options options_;
};

/// Describes a sink and starts the query. A plain value; not thread-safe.
class StreamWriter {
 public:
  StreamWriter(std::shared_ptr<SessionShared> session, std::shared_ptr<const FrameNode> node)
      : session_(std::move(session)), node_(std::move(node)) {}

  /// The connector ("kafka").
  StreamWriter& format(std::string_view name);
  /// Any setting of the connector or its format; also the query's own: checkpoint_location,
  /// trigger, wait_policy, stop_timeout, query_name.
  StreamWriter& option(std::string_view key, std::string_view value);
  /// Into a sink whose rows this program takes itself (memory.hpp, channel.hpp), in place of
  /// `format`.
  StreamWriter& to(const HostTable& sink);
  /// When epochs end: "real_time 5 seconds".
  StreamWriter& trigger(std::string_view text);
  /// The query's name, also of its folder under checkpoint_location. Default: the sink's name.
  StreamWriter& query_name(std::string_view name);

  /// Analyses, plans, connects and starts; returns when the query is ready. Every mistake in the
  /// query is reported here, before anything is read.
  [[nodiscard]] Result<Query> start() const;
  /// The same into a table of the session (Session::create_table or CREATE TABLE).
  [[nodiscard]] Result<Query> start(std::string_view table) const;
  /// What would run, without connecting to anything.
  [[nodiscard]] Result<std::string> explain() const;

 private:
  std::shared_ptr<SessionShared> session_;
  std::shared_ptr<const FrameNode> node_;
  std::string connector_;
  std::shared_ptr<stream::HostTable> host_;
  Options options_;
  Options settings_;  ///< the query's own
};

}  // namespace millrace
