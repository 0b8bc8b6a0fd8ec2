#pragma once

#include "millrace/arena.hpp"
#include "millrace/column.hpp"
#include "millrace/schema.hpp"
#include "millrace/strong.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace millrace {

class BatchPool;

/// A batch has at most this many rows.
inline constexpr std::size_t kBatchRowsMax = 1024;
/// A source ends a batch early once its bytes pass this (a single larger record still fits).
inline constexpr std::size_t kBatchBytesMax = 256 * 1024;

/// Where a batch's rows were read. A borrow of the source task's constant; null when unknown
/// (after an exchange). `position` of a row (its offset) is in Batch::positions.
struct Origin {
  std::string source;          ///< the source's name in the plan
  std::string label;           ///< for messages: "topic clicks, partition 3"
  std::int32_t partition = 0;  ///< source partition
};

/// The memory of a batch, recycled by the pool that made it. Used through `Batch`.
struct BatchBody {
  SchemaRef schema;
  std::vector<std::unique_ptr<Column>> columns;
  std::size_t rows = 0;
  std::vector<std::int64_t> positions;
  Arena arena;
  const Origin* origin = nullptr;
  SteadyTime ingest{};
  BatchPool* pool = nullptr;
  BatchBody* next = nullptr;  ///< link in the pool's free list
};

/// A few rows in columns, moved from hand to hand: the one way rows travel. Move-only; the
/// destructor gives the memory back to its pool from any thread. Not thread-safe: one owner.
class Batch {
 public:
  Batch() = default;
  explicit Batch(BatchBody* body) : body_(body) {}
  Batch(Batch&& other) noexcept : body_(other.body_) { other.body_ = nullptr; }
  Batch& operator=(Batch&& other) noexcept {
    std::swap(body_, other.body_);
    return *this;
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() { release(); }

  /// False for a moved-from or default-made batch; nothing else may be called on it then.
  explicit operator bool() const { return body_ != nullptr; }

  [[nodiscard]] const Schema& schema() const { return *body_->schema; }
  [[nodiscard]] std::size_t rows() const { return body_->rows; }
  [[nodiscard]] std::size_t column_count() const { return body_->columns.size(); }
  [[nodiscard]] Column& column(std::size_t index) { return *body_->columns[index]; }
  [[nodiscard]] const Column& column(std::size_t index) const { return *body_->columns[index]; }
  [[nodiscard]] Arena& arena() { return body_->arena; }

  /// Says how many rows there are, without touching the columns: each must have this size.
  void set_rows(std::size_t rows) { body_->rows = rows; }
  /// Sets rows and resizes every column and `positions`.
  void resize(std::size_t rows);

  /// Position of each row in its source partition (Kafka: the offset). Empty when unknown.
  [[nodiscard]] std::span<std::int64_t> positions() { return body_->positions; }
  [[nodiscard]] std::span<const std::int64_t> positions() const { return body_->positions; }
  void set_positions(std::span<const std::int64_t> positions);
  [[nodiscard]] const Origin* origin() const { return body_->origin; }
  void set_origin(const Origin* origin) { body_->origin = origin; }
  /// When the engine took the newest of these rows from its source.
  [[nodiscard]] SteadyTime ingest() const { return body_->ingest; }
  void set_ingest(SteadyTime time) { body_->ingest = time; }

  /// Keeps only the named rows of every column and of positions, in place; `rows` ascends.
  void gather(std::span<const std::uint32_t> rows);
  /// Exchanges a column with `other`'s of the same type: the way to pass one on without a copy.
  /// Its strings stay in their arena: take that too (adopt).
  void swap_column(std::size_t index, Batch& other, std::size_t other_index);
  /// Takes over rows, positions, origin, ingest time and the arena of the batch this one is made
  /// from. Call it once the columns are in place; the views into `source`'s arena stay valid here.
  void adopt(Batch& source);

 private:
  void release();
  BatchBody* body_ = nullptr;
};

/// Makes and recycles batches of one schema. `take` on the owning thread only; batches come back
/// from any thread without a lock. Must outlive its batches (asserted at destruction).
class BatchPool {
 public:
  explicit BatchPool(SchemaRef schema);
  ~BatchPool();
  BatchPool(const BatchPool&) = delete;
  BatchPool& operator=(const BatchPool&) = delete;

  [[nodiscard]] const SchemaRef& schema() const { return schema_; }
  /// An empty batch: no rows, columns of the schema with their old memory, arena reset.
  [[nodiscard]] Batch take();
  /// Batches made so far (they are kept for ever): a bound on memory, for tests and metrics.
  [[nodiscard]] std::size_t made() const { return made_; }

 private:
  friend class Batch;
  void give_back(BatchBody* body);
  BatchBody* make();

  SchemaRef schema_;
  BatchBody* free_ = nullptr;                  ///< owner's own list
  std::atomic<BatchBody*> returned_{nullptr};  ///< pushed by any thread, taken whole by the owner
  std::size_t made_ = 0;
};

}  // namespace millrace
