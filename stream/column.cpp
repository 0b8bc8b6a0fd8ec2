#include "millrace/column.hpp"

#include <algorithm>

namespace millrace {

namespace {

// Two steps of growth reach a full batch, so that a pool is warm after very few batches.
constexpr std::size_t kFirstCapacity = 64;
constexpr std::size_t kSecondCapacity = 1024;

bool is_list(TypeKind kind) { return kind == TypeKind::kArray || kind == TypeKind::kMap; }

std::size_t words_for(std::size_t rows) { return (rows + 63) / 64; }

template <typename T>
void gather_values(std::byte* target, const std::byte* source,
                   std::span<const std::uint32_t> rows) {
  auto* to = reinterpret_cast<T*>(target);
  const auto* from = reinterpret_cast<const T*>(source);
  for (std::size_t i = 0; i < rows.size(); ++i) to[i] = from[rows[i]];
}

/// Sixteen bytes moved as they are: a string_view, a decimal or an interval.
struct Wide {
  std::uint64_t words[2];
};

void gather_buffer(std::byte* target, const std::byte* source, std::size_t width,
                   std::span<const std::uint32_t> rows) {
  switch (width) {
    case 1:
      return gather_values<std::uint8_t>(target, source, rows);
    case 4:
      return gather_values<std::uint32_t>(target, source, rows);
    case 8:
      return gather_values<std::uint64_t>(target, source, rows);
    case 16:
      return gather_values<Wide>(target, source, rows);
    default:
      return;  // a struct has no values of its own
  }
}

/// Target and source may be one bitmap when rows ascend strictly: word w is complete before it is
/// written, and no later word reads below it.
void gather_bits(std::uint64_t* target, const std::uint64_t* source,
                 std::span<const std::uint32_t> rows) {
  for (std::size_t begin = 0; begin < rows.size(); begin += 64) {
    const std::size_t count = std::min<std::size_t>(64, rows.size() - begin);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t row = rows[begin + i];
      word |= ((source[row / 64] >> (row % 64)) & 1U) << i;
    }
    target[begin / 64] = word;
  }
}

}  // namespace

Column::Column(DataType type) : type_(std::move(type)), width_(width_of(type_.kind())) {
  for (const Field& field : type_.fields()) children_.emplace_back(field.type);
}

void Column::resize(std::size_t rows) {
  if (rows > capacity_) [[unlikely]]
    reserve(rows);
  size_ = rows;
  may_have_nulls_ = false;
  if (children_.empty()) [[likely]]
    return;
  const bool holds_lists = is_list(kind());
  // No entry may point behind the end of its children.
  if (holds_lists && rows != 0) std::memset(data_.get(), 0, rows * width_);
  for (Column& each : children_) each.resize(holds_lists ? 0 : rows);
}

void Column::restore(std::size_t rows) {
  MILLRACE_DEBUG_ASSERT(rows <= capacity_);
  size_ = rows;
  if (children_.empty()) [[likely]]
    return;
  for (Column& each : children_) each.restore(is_list(kind()) ? elements_end() : rows);
}

/// Behind the last element of a list, elements lying in the order of their rows.
std::size_t Column::elements_end() const {
  const auto entries = values<ListEntry>();
  const auto last = std::find_if(entries.rbegin(), entries.rend(),
                                 [](const ListEntry& entry) { return entry.length != 0; });
  return last == entries.rend() ? 0 : last->offset + last->length;
}

void Column::reserve(std::size_t rows) {
  const std::size_t step = capacity_ == 0 && rows <= kFirstCapacity ? kFirstCapacity
                           : rows <= kSecondCapacity                ? kSecondCapacity
                                                                    : capacity_ * 2;
  const std::size_t capacity = std::max(rows, step);
  if (width_ != 0) {
    // Zeroes make every string_view an empty one: never wild, whatever is read before it is set.
    auto grown = std::make_unique<std::byte[]>(capacity * width_);
    if (size_ != 0) std::memcpy(grown.get(), data_.get(), size_ * width_);
    data_ = std::move(grown);
  }
  validity_.reserve(words_for(capacity));
  // Room for two elements a row from the start: a column that is gathered late has warmed up too.
  if (is_list(kind())) element_rows_.reserve(2 * capacity);
  capacity_ = capacity;
}

void Column::set_null(std::size_t row) {
  MILLRACE_DEBUG_ASSERT(row < size_);
  mutable_validity()[row / 64] &= ~(std::uint64_t{1} << (row % 64));
  // What an earlier life of this buffer left there may point into memory that is gone.
  if (width_ == sizeof(std::string_view) || is_list(kind()))
    std::memset(data_.get() + row * width_, 0, width_);
  if (kind() == TypeKind::kStruct) {
    for (Column& each : children_) each.set_null(row);
  }
}

void Column::set_all_null() {
  validity_.assign(words_for(size_), 0);
  may_have_nulls_ = true;
  if (size_ != 0 && width_ != 0) std::memset(data_.get(), 0, size_ * width_);
  if (kind() == TypeKind::kStruct) {
    for (Column& each : children_) each.set_all_null();
  }
}

std::span<std::uint64_t> Column::mutable_validity() {
  if (!may_have_nulls_) {
    validity_.assign(words_for(size_), ~std::uint64_t{0});
    may_have_nulls_ = true;
  }
  return validity_;
}

void Column::copy_validity(const Column& source) {
  MILLRACE_DEBUG_ASSERT(source.size_ == size_);
  may_have_nulls_ = source.may_have_nulls_;
  if (may_have_nulls_) validity_.assign(source.validity_.begin(), source.validity_.end());
}

void Column::grow_by_one() {
  if (size_ == capacity_) reserve(size_ + 1);
  if (may_have_nulls_) {
    if (validity_.size() < words_for(size_ + 1)) validity_.push_back(0);
    validity_[size_ / 64] |= std::uint64_t{1} << (size_ % 64);
  }
  if (width_ != 0) std::memset(data_.get() + size_ * width_, 0, width_);
  ++size_;
  if (kind() == TypeKind::kStruct) {
    for (Column& each : children_) {
      if (each.size_ < size_) each.grow_by_one();
    }
  }
}

void Column::append_from(const Column& source, std::size_t row) {
  MILLRACE_DEBUG_ASSERT(source.type_ == type_);
  if (source.is_null(row)) return append_null();
  if (kind() == TypeKind::kStruct) {
    for (std::size_t i = 0; i < children_.size(); ++i)
      children_[i].append_from(source.children_[i], row);
    return grow_by_one();
  }
  grow_by_one();
  if (is_list(kind())) return copy_elements(size_ - 1, source, row);
  std::memcpy(data_.get() + (size_ - 1) * width_, source.data_.get() + row * width_, width_);
}

void Column::copy_elements(std::size_t row, const Column& source, std::size_t source_row) {
  const ListEntry entry = source.value<ListEntry>(source_row);
  values<ListEntry>()[row] = {static_cast<std::uint32_t>(children_[0].size()), entry.length};
  for (std::size_t i = 0; i < children_.size(); ++i) {
    for (std::uint32_t element = 0; element < entry.length; ++element)
      children_[i].append_from(source.children_[i], entry.offset + element);
  }
}

void Column::assign(std::size_t row, const Column& source, std::size_t source_row) {
  MILLRACE_DEBUG_ASSERT(&source != this && source.type_ == type_);
  if (source.is_null(source_row)) return set_null(row);
  if (may_have_nulls_) validity_[row / 64] |= std::uint64_t{1} << (row % 64);
  if (kind() == TypeKind::kStruct) {
    for (std::size_t i = 0; i < children_.size(); ++i)
      children_[i].assign(row, source.children_[i], source_row);
  } else if (is_list(kind())) {
    copy_elements(row, source, source_row);
  } else {
    std::memcpy(data_.get() + row * width_, source.data_.get() + source_row * width_, width_);
  }
}

void Column::gather(std::span<const std::uint32_t> rows) {
  MILLRACE_DEBUG_ASSERT(rows.size() <= size_);
  if (rows.size() == size_) return;  // strictly ascending: all of them
  gather_buffer(data_.get(), data_.get(), width_, rows);
  if (may_have_nulls_) gather_bits(validity_.data(), validity_.data(), rows);
  size_ = rows.size();
  if (kind() == TypeKind::kStruct) {
    for (Column& each : children_) each.gather(rows);
  }
}

void Column::gather_from(const Column& source, std::span<const std::uint32_t> rows) {
  MILLRACE_DEBUG_ASSERT(&source != this && source.type_ == type_);
  resize(rows.size());
  gather_buffer(data_.get(), source.data_.get(), width_, rows);
  if (source.may_have_nulls_) {
    validity_.resize(words_for(size_));
    gather_bits(validity_.data(), source.validity_.data(), rows);
    may_have_nulls_ = true;
  }
  if (is_list(kind())) return gather_elements(source);
  for (std::size_t i = 0; i < children_.size(); ++i)
    children_[i].gather_from(source.children_[i], rows);
}

/// Brings over what the entries, just copied from `source`, refer to there, without gaps.
void Column::gather_elements(const Column& source) {
  element_rows_.clear();
  const auto entries = values<ListEntry>();
  for (std::size_t row = 0; row < size_; ++row) {
    const ListEntry from = is_null(row) ? ListEntry{} : entries[row];
    entries[row] = {static_cast<std::uint32_t>(element_rows_.size()), from.length};
    for (std::uint32_t i = 0; i < from.length; ++i) element_rows_.push_back(from.offset + i);
  }
  for (std::size_t i = 0; i < children_.size(); ++i)
    children_[i].gather_from(source.children_[i], element_rows_);
}

void Column::copy_from(const Column& source) {
  resize(source.size_);
  if (size_ != 0 && width_ != 0) std::memcpy(data_.get(), source.data_.get(), size_ * width_);
  copy_validity(source);
  for (std::size_t i = 0; i < children_.size(); ++i) children_[i].copy_from(source.children_[i]);
}

}  // namespace millrace
