#include "stream/function_registry.hpp"

#include <cstring>

// =, <>, <, <=, >, >= over every scalar type. Doubles are totally ordered: NaN equals NaN and is
// above everything; 0.0 equals -0.0. Texts compare by bytes, false is below true.

namespace millrace::stream {

namespace {

std::uint8_t flag(bool condition) { return condition ? 1 : 0; }

// Written with & and | on integers, without branches, so that the loop over doubles is vectorised.

struct Equal {
  template <typename T>
  static std::uint8_t holds(const T& left, const T& right) {
    if constexpr (std::is_same_v<T, double>)
      return flag(left == right) | (flag(left != left) & flag(right != right));
    else if constexpr (std::is_same_v<T, std::string_view>)
      return flag(left.size() == right.size() &&
                  (left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0));
    else
      return flag(left == right);
  }
};

struct Less {
  template <typename T>
  static std::uint8_t holds(const T& left, const T& right) {
    if constexpr (std::is_same_v<T, double>)
      return flag(!(left >= right)) & flag(left == left);
    else
      return flag(left < right);
  }
};

template <typename Base>
struct Not {
  template <typename T>
  static std::uint8_t holds(const T& left, const T& right) {
    return Base::template holds<T>(left, right) ^ 1U;
  }
};

template <typename Base>
struct Swapped {
  template <typename T>
  static std::uint8_t holds(const T& left, const T& right) {
    return Base::template holds<T>(right, left);
  }
};

template <typename T, typename Comparison>
void compare(KernelCall& call) {
  const T* __restrict left = call.arguments[0]->values<T>().data();
  const T* __restrict right = call.arguments[1]->values<T>().data();
  std::uint8_t* __restrict result = call.result.values<std::uint8_t>().data();
  const std::size_t rows = call.rows;
  for (std::size_t row = 0; row < rows; ++row)
    result[row] = Comparison::template holds<T>(left[row], right[row]);
}

template <typename Comparison>
Kernel kernel_for(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBoolean:
      return compare<std::uint8_t, Comparison>;
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return compare<std::int32_t, Comparison>;
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return compare<std::int64_t, Comparison>;
    case TypeKind::kDouble:
      return compare<double, Comparison>;
    default:
      return compare<std::string_view, Comparison>;
  }
}

template <typename Comparison>
void add_comparison(FunctionRegistry& registry, const char* name, const char* description) {
  for (const TypeKind kind :
       {TypeKind::kInt32, TypeKind::kInt64, TypeKind::kDouble, TypeKind::kString, TypeKind::kBytes,
        TypeKind::kBoolean, TypeKind::kDate, TypeKind::kTimestamp}) {
    FunctionOverload overload;
    overload.name = name;
    overload.arguments = {kind, kind};
    overload.result = TypeKind::kBoolean;
    overload.kernel = kernel_for<Comparison>(kind);
    overload.description = description;
    registry.add(std::move(overload));
  }
}

}  // namespace

void add_comparison_functions(FunctionRegistry& registry) {
  for (const char* name : {"=", "=="})
    add_comparison<Equal>(registry, name, "True if both sides are equal; NaN equals NaN.");
  for (const char* name : {"<>", "!="})
    add_comparison<Not<Equal>>(registry, name, "True if the sides differ.");
  add_comparison<Less>(registry, "<", "True if the left side is below the right.");
  add_comparison<Not<Swapped<Less>>>(registry, "<=", "True if the left side is not above.");
  add_comparison<Swapped<Less>>(registry, ">", "True if the left side is above the right.");
  add_comparison<Not<Less>>(registry, ">=", "True if the left side is not below.");
}

}  // namespace millrace::stream
