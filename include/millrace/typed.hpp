#pragma once

#include "millrace/channel.hpp"
#include "millrace/data_frame.hpp"
#include "millrace/described.hpp"
#include "millrace/typed_function.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace millrace {

/// Reads rows of batches as structs; text is viewed where it lies. For one batch after the other,
/// on one thread. Views of lists that it gave hold while it stays where it is.
template <Described T>
class RowReader {
 public:
  /// Looks at a batch: column `places[i]` is member i. kBadRecord when one that is no std::optional
  /// is null somewhere. The batch is a borrow until the next call.
  [[nodiscard]] Status open(const Batch& rows, std::span<const std::size_t> places) {
    Status status;
    for_each_member<T>([&](auto index, auto member) {
      using Declared = typename decltype(member)::Declared;
      const Column& column = rows.column(places[index]);
      std::get<index>(members_).open(column);
      if (status && !DeclaredMember<Declared>::always_fits(column)) [[unlikely]]
        status = check<Declared>(column, member.name());
    });
    return status;
  }

  /// One row of it.
  [[nodiscard]] T read(std::size_t row) const {
    T result{};
    for_each_member<T>([&](auto index, auto member) {
      decltype(member)::of(result) = std::get<index>(members_).read(row);
    });
    return result;
  }

 private:
  template <typename Declared>
  static Status check(const Column& column, const std::string& member) {
    for (std::size_t row = 0; row < column.size(); ++row)
      if (!DeclaredMember<Declared>::fits(column, row))
        return fail(null_in(name_of<T>(),
                            column.is_null(row) ? member : std::string(member) + " (inside)", row));
    return {};
  }

  typename DescribedParts<T>::Readers members_;
};

/// Writes structs into the columns of a batch, whose column i is member i.
template <Described T>
class RowWriter {
 public:
  /// Makes room for so many rows; text that must be kept goes into `arena`, which comes along with
  /// the rows.
  void open(Batch& rows, std::size_t count, Arena& arena) {
    for_each_member<T>([&](auto index, auto) {
      rows.column(index).resize(count);
      std::get<index>(members_).open(rows.column(index), arena);
    });
  }

  /// Sets one row. Views of text are kept as they are: what they point to must live as long as the
  /// batch. Rows with lists are written in order.
  void write(std::size_t row, const T& value) {
    for_each_member<T>([&](auto index, auto member) {
      std::get<index>(members_).write(row, decltype(member)::of(value));
    });
  }

 private:
  typename DescribedParts<T>::Writers members_;
};

/// Adds a struct at the end of the columns of a batch, text and all. `places[i]` is the column of
/// member i.
template <Described T>
void append_row(const T& value, std::span<const std::size_t> places, Batch& to) {
  for_each_member<T>([&](auto index, auto member) {
    decltype(member)::Type::append(decltype(member)::of(value), to.column(places[index]),
                                   to.arena(), false);
  });
}

/// A user function that always gives the same for the same rows: declared so with `reproducible`.
template <typename Function>
struct ReproducibleFunction {
  Function function;
};

/// Declares that a function depends on its arguments alone: no clock, no chance, no state. Exactly
/// once by resuming rests on it. What is not declared counts as not reproducible.
template <typename Function>
[[nodiscard]] ReproducibleFunction<Function> reproducible(Function function) {
  return {std::move(function)};
}

/// Takes the rows that flat_map and map_batch make. Views among their members must point into the
/// input's rows or to text that is never freed; text that is made belongs into a std::string
/// member.
template <Described R>
class Collector {
 public:
  /// Memory that is kept from batch to batch.
  struct Buffers {
    RowWriter<R> writer;
    std::vector<std::uint32_t> made_from;
    std::vector<std::uint32_t> numbers;
  };

  Collector(Buffers& buffers, TypedOutput& out) : buffers_(buffers), out_(out) { begin(); }

  void operator()(const R& row) {
    if (count_ == kBatchRowsMax) send_part();
    buffers_.writer.write(count_++, row);
    if (is_origin_known_) buffers_.made_from.push_back(origin_);
  }
  /// The input row that the next rows are made from.
  void set_origin(std::uint32_t row) {
    origin_ = row;
    is_origin_known_ = true;
  }
  [[nodiscard]] Status finish() {
    cut();
    if (!status_) return status_;
    return out_.send_last(buffers_.made_from);
  }

 private:
  void begin() {
    batch_ = &out_.begin();
    buffers_.writer.open(*batch_, kBatchRowsMax, out_.arena());
    buffers_.made_from.clear();
    count_ = 0;
  }
  // Column::resize would forget which rows are null; cutting off the end does not.
  void cut() {
    buffers_.numbers.resize(count_);
    std::iota(buffers_.numbers.begin(), buffers_.numbers.end(), 0U);
    batch_->set_rows(kBatchRowsMax);
    batch_->gather(buffers_.numbers);
  }
  void send_part() {
    cut();
    if (status_) status_ = out_.send_part(buffers_.made_from);
    begin();
  }

  Buffers& buffers_;
  TypedOutput& out_;
  Batch* batch_ = nullptr;
  Status status_;
  std::size_t count_ = 0;
  std::uint32_t origin_ = 0;
  bool is_origin_known_ = false;
};

/// The bodies of the typed verbs, a whole batch at a time: for TypedFrame.
namespace typed_steps {

template <Described T>
class Step : public TypedStep {
 protected:
  Step() { std::iota(places_.begin(), places_.end(), std::size_t{0}); }
  [[nodiscard]] Status open(const Batch& rows) { return reader_.open(rows, places_); }

  std::array<std::size_t, std::tuple_size_v<MembersOf<T>>> places_{};
  RowReader<T> reader_;
};

template <Described T, Described R, typename Function>
class Map final : public Step<T> {
 public:
  explicit Map(Function function) : function_(std::move(function)) {}
  Status run(const Batch& rows, TypedOutput& out) override {
    MILLRACE_TRY(this->open(rows));
    writer_.open(out.begin(), rows.rows(), out.arena());
    // Copies on the stack: the compiler knows that no write to a column moves them.
    const RowReader<T> reader = this->reader_;
    RowWriter<R> writer = writer_;
    for (std::size_t row = 0; row < rows.rows(); ++row)
      writer.write(row, function_(reader.read(row)));
    return out.send_mapped();
  }

 private:
  Function function_;
  RowWriter<R> writer_;
};

template <Described T, typename Function>
class Filter final : public Step<T> {
 public:
  explicit Filter(Function function) : function_(std::move(function)) {}
  Status run(const Batch& rows, TypedOutput& out) override {
    MILLRACE_TRY(this->open(rows));
    kept_.clear();
    const RowReader<T> reader = this->reader_;
    for (std::size_t row = 0; row < rows.rows(); ++row)
      if (function_(reader.read(row))) kept_.push_back(static_cast<std::uint32_t>(row));
    return out.keep(kept_);
  }

 private:
  Function function_;
  std::vector<std::uint32_t> kept_;
};

template <Described T, Described R, typename Function>
class FlatMap final : public Step<T> {
 public:
  explicit FlatMap(Function function) : function_(std::move(function)) {}
  Status run(const Batch& rows, TypedOutput& out) override {
    MILLRACE_TRY(this->open(rows));
    Collector<R> collector(buffers_, out);
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      collector.set_origin(static_cast<std::uint32_t>(row));
      function_(this->reader_.read(row), collector);
    }
    return collector.finish();
  }

 private:
  Function function_;
  typename Collector<R>::Buffers buffers_;
};

template <Described T, Described R, typename Function>
class MapBatch final : public Step<T> {
 public:
  explicit MapBatch(Function function) : function_(std::move(function)) {}
  Status run(const Batch& rows, TypedOutput& out) override {
    MILLRACE_TRY(this->open(rows));
    structs_.clear();
    for (std::size_t row = 0; row < rows.rows(); ++row) structs_.push_back(this->reader_.read(row));
    Collector<R> collector(buffers_, out);
    function_(std::span<const T>(structs_), collector);
    return collector.finish();
  }

 private:
  Function function_;
  std::vector<T> structs_;
  typename Collector<R>::Buffers buffers_;
};

/// Makes a step for each task, with a copy of the function.
template <typename StepType, typename Function>
class FunctionOf final : public TypedFunction {
 public:
  explicit FunctionOf(Function function) : function_(std::move(function)) {}
  [[nodiscard]] std::unique_ptr<TypedStep> make_step() const override {
    return std::make_unique<StepType>(function_);
  }

 private:
  Function function_;
};

template <typename Function>
struct Declared {
  using Type = Function;
  static constexpr bool kIsReproducible = false;
  static Type take(Function function) { return function; }
};
template <typename Function>
struct Declared<ReproducibleFunction<Function>> {
  using Type = Function;
  static constexpr bool kIsReproducible = true;
  static Type take(ReproducibleFunction<Function> declared) { return declared.function; }
};

}  // namespace typed_steps

/// A frame whose rows are structs of the program: DataFrame::as. Its columns are the struct's
/// members. Functions run inside the query's tasks, each task with a copy of its own; what they
/// throw fails the query. An immutable value.
///
///     auto priced = orders.as<Order>()
///                       .filter([](const Order& order) { return order.quantity > 0; })
///                       .map([](const Order& order) { return Priced{order.id, 2 * order.price};
///                       });
///     auto query = priced.frame().where(col("price") > lit(10.0)).write_stream()....start();
///
/// Views among a result's members must point into the input row or to text that is never freed
/// (literals); text that is made belongs into a std::string member, which is copied.
template <typename T>
class TypedFrame {
 public:
  static_assert(Described<T>, "describe the struct with BOOST_DESCRIBE_STRUCT first");

  explicit TypedFrame(DataFrame frame) : frame_(std::move(frame)) {}

  /// One row for each row: `R function(const T&)`.
  template <typename Function>
  [[nodiscard]] auto map(Function function) const {
    using Declared = typed_steps::Declared<Function>;
    using R = std::remove_cvref_t<std::invoke_result_t<typename Declared::Type&, const T&>>;
    static_assert(Described<R>, "describe the struct that the function gives");
    return apply<R, typed_steps::Map<T, R, typename Declared::Type>>("map", std::move(function));
  }
  /// The rows for which it is true: `bool function(const T&)`.
  template <typename Function>
  [[nodiscard]] TypedFrame<T> filter(Function function) const {
    using Declared = typed_steps::Declared<Function>;
    return apply<T, typed_steps::Filter<T, typename Declared::Type>>("filter", std::move(function));
  }
  /// Any number of rows R for each row: `void function(const T&, Collector<R>&)`.
  template <Described R, typename Function>
  [[nodiscard]] TypedFrame<R> flat_map(Function function) const {
    using Declared = typed_steps::Declared<Function>;
    return apply<R, typed_steps::FlatMap<T, R, typename Declared::Type>>("flat_map",
                                                                         std::move(function));
  }
  /// Any number of rows R for each batch as it comes: `void function(std::span<const T>,
  /// Collector<R>&)`. Where batches are cut depends on time, so it is never reproducible.
  template <Described R, typename Function>
  [[nodiscard]] TypedFrame<R> map_batch(Function function) const {
    return apply<R, typed_steps::MapBatch<T, R, Function>>("map_batch", std::move(function));
  }

  /// The same rows for the verbs of DataFrame.
  [[nodiscard]] const DataFrame& frame() const { return frame_; }
  [[nodiscard]] StreamWriter write_stream() const { return frame_.write_stream(); }

 private:
  template <typename R, typename StepType, typename Function>
  [[nodiscard]] TypedFrame<R> apply(std::string verb, Function function) const {
    using Declared = typed_steps::Declared<Function>;
    auto made = std::make_shared<typed_steps::FunctionOf<StepType, typename Declared::Type>>(
        Declared::take(std::move(function)));
    made->verb = std::move(verb);
    made->row_name = name_of<T>();
    made->inputs = fields_of<T>();
    made->outputs = fields_of<R>();
    made->is_reproducible = Declared::kIsReproducible;
    return TypedFrame<R>(frame_.typed(std::move(made)));
  }

  DataFrame frame_;
};

template <typename T>
TypedFrame<T> DataFrame::as() const {
  return TypedFrame<T>(*this);
}

/// Hands structs into a channel: no values, no allocation once warm. A plain value; any thread.
template <Described T>
class ChannelSender {
 public:
  /// Matches the struct's members with the channel's columns by name; a column that the struct does
  /// not have is null. kInvalidArgument names the field and both types.
  [[nodiscard]] static Result<ChannelSender> open(ChannelSource channel) {
    ChannelSender sender(std::move(channel));
    MILLRACE_ASSIGN(sender.places_,
                    match_columns(name_of<T>(), fields_of<T>(), sender.channel_.columns()));
    for (std::size_t column = 0; column < sender.channel_.columns().size(); ++column)
      if (std::find(sender.places_.begin(), sender.places_.end(), column) == sender.places_.end())
        sender.absent_.push_back(column);
    return sender;
  }

  /// As for ChannelSource.
  [[nodiscard]] Result<std::int64_t> send(const T& row) const { return send(std::span(&row, 1)); }
  [[nodiscard]] Result<std::int64_t> send(std::span<const T> rows) const {
    const Rows from{this, rows.data()};
    return channel_.send_filled({&from, append}, rows.size());
  }
  [[nodiscard]] Result<std::optional<std::int64_t>> try_send(const T& row) const {
    const Rows from{this, &row};
    return channel_.try_send_one({&from, append});
  }
  [[nodiscard]] Result<std::size_t> try_send(std::span<const T> rows) const {
    const Rows from{this, rows.data()};
    return channel_.try_send_filled({&from, append}, rows.size());
  }

 private:
  struct Rows {
    const ChannelSender* sender;
    const T* rows;
  };

  explicit ChannelSender(ChannelSource channel) : channel_(std::move(channel)) {}

  static void append(const void* from, std::size_t first, std::size_t count, Batch& to) {
    const Rows& rows = *static_cast<const Rows*>(from);
    for (std::size_t row = first; row < first + count; ++row) {
      append_row(rows.rows[row], rows.sender->places_, to);
      for (const std::size_t column : rows.sender->absent_) to.column(column).append_null();
    }
  }

  ChannelSource channel_;
  std::vector<std::size_t> places_;
  std::vector<std::size_t> absent_;
};

/// Reads batches that come out of a channel as structs. Text is viewed: it lives as long as the
/// batch. Not thread-safe.
template <Described T>
class ChannelRows {
 public:
  /// Calls `function` with each row. kInvalidArgument when the columns do not fit the struct,
  /// naming field and types; kBadRecord for a null in a member that is no std::optional.
  template <typename Function>
  [[nodiscard]] Status for_each(const Batch& rows, Function&& function) {
    if (schema_ != &rows.schema()) {
      MILLRACE_ASSIGN(places_, match_columns(name_of<T>(), fields_of<T>(), rows.schema().fields()));
      schema_ = &rows.schema();
    }
    MILLRACE_TRY(reader_.open(rows, places_));
    for (std::size_t row = 0; row < rows.rows(); ++row) function(reader_.read(row));
    return {};
  }

 private:
  const Schema* schema_ = nullptr;
  std::vector<std::size_t> places_;
  RowReader<T> reader_;
};

}  // namespace millrace
