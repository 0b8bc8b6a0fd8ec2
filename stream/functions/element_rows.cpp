#include "stream/functions/element_rows.hpp"

#include <algorithm>
#include <numeric>

namespace millrace::stream {

void ElementRows::take_all(const Column& lists) {
  begin();
  const auto entries = lists.values<ListEntry>();
  bool is_in_order = true;
  for (std::size_t row = 0; row < entries.size(); ++row) {
    const auto [offset, length] = entries[row];
    if (length == 0 || lists.is_null(row)) continue;
    const std::size_t begin = rows_.size();
    is_in_order = is_in_order && offset == begin;
    rows_.resize(begin + length, static_cast<std::uint32_t>(row));
    places_in_child_.resize(begin + length);
    std::iota(places_in_child_.begin() + static_cast<std::ptrdiff_t>(begin), places_in_child_.end(),
              offset);
  }
  is_whole_child_ = is_in_order && rows_.size() == lists.child(0).size();
}

const Column& ElementRows::values(const Column& lists, std::size_t child) {
  const Column& source = lists.child(child);
  if (is_whole_child_) return source;
  auto& gathered = gathered_[child];
  if (!gathered) gathered.emplace(source.type());
  gathered->gather_from(source, places_in_child_);
  return *gathered;
}

const Column& ElementRows::places(const Column& lists) {
  if (!places_) places_.emplace(TypeKind::kInt32);
  places_->resize(rows_.size());
  const auto entries = lists.values<ListEntry>();
  const auto places = places_->values<std::int32_t>();
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = static_cast<std::int32_t>(places_in_child_[i] - entries[rows_[i]].offset);
  return *places_;
}

void ElementRows::write_lists(const Column& lists, Column& result) const {
  const auto source = lists.values<ListEntry>();
  const auto target = result.values<ListEntry>();
  std::uint32_t offset = 0;
  for (std::size_t row = 0; row < source.size(); ++row) {
    if (lists.is_null(row)) continue;
    if (!result.is_null(row)) target[row] = {offset, source[row].length};
    offset += source[row].length;
  }
}

void ElementRows::write_kept(const Column& lists, const Column& is_kept, Column& result) {
  const auto truths = is_kept.values<std::uint8_t>();
  kept_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (truths[i] != 0 && !is_kept.is_null(i)) kept_.push_back(static_cast<std::uint32_t>(i));
  }
  for (std::size_t child = 0; child < result.child_count(); ++child)
    result.child(child).gather_from(values(lists, child), kept_);
  const auto target = result.values<ListEntry>();
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const std::uint32_t row = rows_[kept_[i]];
    if (result.is_null(row)) continue;
    if (target[row].length++ == 0) target[row].offset = static_cast<std::uint32_t>(i);
  }
}

}  // namespace millrace::stream
