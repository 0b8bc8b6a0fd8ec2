#include "stream/functions/element_rows.hpp"
#include "stream/functions/list_rows.hpp"
#include "stream/functions/row_kernel.hpp"

#include <algorithm>
#include <numeric>

// Sorting arrays by a lambda that compares two elements. All lists of a batch are merged together,
// run by run: each evaluation of the lambda is for the elements that every merge at hand has to
// compare next.

namespace millrace::stream {

namespace {

/// Two sorted runs of one list that lie side by side, and where the next of them goes.
struct Merge {
  std::uint32_t row = 0;
  std::uint32_t left = 0;
  std::uint32_t left_end = 0;
  std::uint32_t right = 0;
  std::uint32_t right_end = 0;
  std::uint32_t out = 0;

  [[nodiscard]] bool is_open() const { return left < left_end && right < right_end; }
};

/// The order of the elements of a batch, as far as it is found. Keeps its memory.
class SortedElements : public CallState {
 public:
  void sort(LazyCall& call) {
    const Column& lists = call.evaluate(0, call.active());
    call.result().copy_validity(lists);
    elements_.take_all(lists);
    begin();
    for (std::uint32_t width = 1; width < longest_; width *= 2) {
      split(width);
      while (!merges_.empty()) step(call, elements_.values(lists));
      std::swap(order_, merged_);
    }
    call.result().child(0).gather_from(elements_.values(lists), order_);
    elements_.write_lists(lists, call.result());
  }

 private:
  void begin() {
    const auto rows = elements_.rows();
    order_.resize(rows.size());
    std::iota(order_.begin(), order_.end(), 0U);
    merged_.resize(rows.size());
    lists_.clear();
    longest_ = 0;
    for (std::uint32_t begin = 0, end = 0; begin < rows.size(); begin = end) {
      while (end < rows.size() && rows[end] == rows[begin]) ++end;
      lists_.push_back({rows[begin], begin, end, end, end, begin});
      longest_ = std::max(longest_, end - begin);
    }
  }

  /// Cuts every list into pairs of runs of so many elements; what has no second run stays.
  void split(std::uint32_t width) {
    merges_.clear();
    for (const Merge& list : lists_) {
      for (std::uint32_t begin = list.left; begin < list.left_end; begin += 2 * width) {
        const std::uint32_t middle = std::min(begin + width, list.left_end);
        const std::uint32_t end = std::min(middle + width, list.left_end);
        add({list.row, begin, middle, middle, end, begin});
      }
    }
  }

  void add(Merge merge) {
    if (merge.is_open())
      merges_.push_back(merge);
    else
      finish(merge);
  }

  void finish(Merge& merge) {
    while (merge.left < merge.left_end) merged_[merge.out++] = order_[merge.left++];
    while (merge.right < merge.right_end) merged_[merge.out++] = order_[merge.right++];
  }

  /// Takes one element in every merge, the left one unless it stands behind the right one.
  void step(LazyCall& call, const Column& values) {
    rows_.clear();
    lefts_.clear();
    rights_.clear();
    for (const Merge& merge : merges_) {
      rows_.push_back(merge.row);
      lefts_.push_back(order_[merge.left]);
      rights_.push_back(order_[merge.right]);
    }
    if (!left_) left_.emplace(values.type());
    if (!right_) right_.emplace(values.type());
    left_->gather_from(values, lefts_);
    right_->gather_from(values, rights_);
    const Column& compared = call.evaluate_lambda(1, rows_, {&*left_, &*right_});
    const auto signs = compared.values<std::int32_t>();
    std::size_t open = 0;
    for (std::size_t i = 0; i < merges_.size(); ++i) {
      Merge merge = merges_[i];
      if (take(call, merge, compared.is_null(i), signs[i])) merges_[open++] = merge;
    }
    merges_.resize(open);
  }

  /// Whether the merge goes on.
  bool take(LazyCall& call, Merge& merge, bool is_null, std::int32_t sign) {
    if (is_null) {
      call.errors().raise(merge.row, "the comparison of two elements gives null");
      call.result().set_null(merge.row);
    } else if (sign > 0) {
      merged_[merge.out++] = order_[merge.right++];
    } else {
      merged_[merge.out++] = order_[merge.left++];
    }
    if (!is_null && merge.is_open()) return true;
    finish(merge);
    return false;
  }

  ElementRows elements_;
  std::vector<Merge> lists_;  ///< each as one run
  std::uint32_t longest_ = 0;
  std::vector<Merge> merges_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> merged_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> lefts_;
  std::vector<std::uint32_t> rights_;
  std::optional<Column> left_;
  std::optional<Column> right_;
};

void sort_by_lambda(LazyCall& call) { call.state<SortedElements>().sort(call); }

std::optional<std::vector<DataType>> compared_parameters(const Arguments& before,
                                                         std::size_t count) {
  if (before.size() != 1 || count != 2) return std::nullopt;
  const auto array = array_type(before[0]);
  if (!array) return std::nullopt;
  return std::vector<DataType>(2, element_type(*array));
}

std::optional<SettledTypes> sorted_types(const Arguments& arguments) {
  if (arguments.size() != 2 || arguments[1].parameters == 0) return std::nullopt;
  const auto array = array_type(arguments[0]);
  const DataType& sign = arguments[1].type;
  if (!array || (!sign.is(TypeKind::kInt32) && !sign.is(TypeKind::kNull))) return std::nullopt;
  return SettledTypes{{*array, TypeKind::kInt32}, *array};
}

}  // namespace

void add_lambda_order_functions(FunctionRegistry& registry) {
  FunctionOverload sorted = list_function(
      "array_sort", "array_sort(array, (left, right) -> int)", sorted_types, nullptr,
      "The elements in the order that the lambda says: below 0 where the left one comes first, "
      "above 0 where the right one does, 0 where they stay as they are. Nulls are compared too.");
  sorted.parameters = compared_parameters;
  sorted.lazy = sort_by_lambda;
  registry.add(failing(std::move(sorted), "the lambda gives null"));
}

}  // namespace millrace::stream
