#include "millrace/batch.hpp"

#include <algorithm>
#include <utility>

namespace millrace {

void Batch::resize(std::size_t rows) {
  body_->rows = rows;
  // A vector grows to just what is asked: all the way at once, or each batch that is a little
  // larger than any before it allocates.
  constexpr std::size_t kFewRows = 64;
  if (rows > body_->positions.capacity())
    body_->positions.reserve(rows <= kFewRows ? kFewRows : std::max(rows, kBatchRowsMax));
  body_->positions.resize(rows);
  for (auto& column : body_->columns) column->resize(rows);
}

void Batch::set_positions(std::span<const std::int64_t> positions) {
  if (positions.size() > body_->positions.capacity())
    body_->positions.reserve(std::max(positions.size(), kBatchRowsMax));
  body_->positions.assign(positions.begin(), positions.end());
}

void Batch::gather(std::span<const std::uint32_t> rows) {
  if (rows.size() == body_->rows) return;  // strictly ascending: all of them
  for (auto& column : body_->columns) column->gather(rows);
  auto& positions = body_->positions;
  if (!positions.empty()) {
    for (std::size_t i = 0; i < rows.size(); ++i) positions[i] = positions[rows[i]];
    positions.resize(rows.size());
  }
  body_->rows = rows.size();
}

void Batch::swap_column(std::size_t index, Batch& other, std::size_t other_index) {
  auto& mine = body_->columns[index];
  auto& theirs = other.body_->columns[other_index];
  MILLRACE_DEBUG_ASSERT(mine->type() == theirs->type());
  std::swap(mine, theirs);
}

void Batch::adopt(Batch& source) {
  BatchBody& from = *source.body_;
  body_->rows = from.rows;
  std::swap(body_->positions, from.positions);
  body_->origin = from.origin;
  body_->ingest = from.ingest;
  std::swap(body_->arena, from.arena);
}

void Batch::release() {
  if (body_ == nullptr) return;
  BatchBody* body = std::exchange(body_, nullptr);
  body->pool->give_back(body);
}

BatchPool::BatchPool(SchemaRef schema) : schema_(std::move(schema)) {}

BatchPool::~BatchPool() {
  std::size_t returned = 0;
  for (BatchBody* list : {free_, returned_.exchange(nullptr, std::memory_order_acquire)}) {
    while (list != nullptr) {
      delete std::exchange(list, list->next);
      ++returned;
    }
  }
  MILLRACE_ASSERT(returned == made_);  // a batch outlives its pool
}

Batch BatchPool::take() {
  if (free_ == nullptr && returned_.load(std::memory_order_relaxed) != nullptr)
    free_ = returned_.exchange(nullptr, std::memory_order_acquire);
  BatchBody* body = free_;
  if (body == nullptr) return Batch(make());
  free_ = body->next;
  body->rows = 0;
  for (auto& column : body->columns) column->resize(0);
  body->positions.clear();
  body->arena.reset();
  body->origin = nullptr;
  body->ingest = {};
  return Batch(body);
}

void BatchPool::give_back(BatchBody* body) {
  // Only whole-stack exchanges take from it, so a push cannot meet a node that was taken and
  // pushed again: no ABA.
  body->next = returned_.load(std::memory_order_relaxed);
  while (!returned_.compare_exchange_weak(body->next, body, std::memory_order_release,
                                          std::memory_order_relaxed)) {
  }
}

BatchBody* BatchPool::make() {
  auto body = std::make_unique<BatchBody>();
  body->schema = schema_;
  for (const Field& field : schema_->fields())
    body->columns.push_back(std::make_unique<Column>(field.type));
  body->pool = this;
  ++made_;
  return body.release();
}

}  // namespace millrace
