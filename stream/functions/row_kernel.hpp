#pragma once

#include "stream/functions/call.hpp"
#include "stream/functions/registry.hpp"

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

// Makes kernels of functions of one row. A function without a Row is computed for every row, null
// or not, so that its loop can be vectorised: it has to bear any value. One with a Row is called
// only for rows that are not null so far.

namespace millrace::stream {

/// The longest text that a function makes out of a short one (lpad, repeat, ...).
inline constexpr std::size_t kMadeTextMax = std::size_t{64} * 1024 * 1024;

/// The row at hand: where its text goes, how it becomes null and how it fails.
class Row {
 public:
  Row(KernelCall& call, std::size_t index) : call_(call), index_(index) {}

  [[nodiscard]] std::size_t index() const { return index_; }
  [[nodiscard]] const EvaluationSettings& settings() const { return call_.settings; }
  [[nodiscard]] const TimeZone& zone() const { return *call_.settings.zone; }
  [[nodiscard]] char* allocate(std::size_t size) { return call_.arena.allocate(size); }
  /// Ends a text of which less was needed than allocated last.
  [[nodiscard]] std::string_view finish(char* begin, std::size_t allocated, std::size_t used) {
    if (used != allocated) call_.arena.shrink_last(begin, used);
    return {begin, used};
  }
  /// Room for a text whose length an argument decides; null, and the row fails, if it is too long.
  [[nodiscard]] char* allocate_made(std::size_t size) {
    if (size <= kMadeTextMax) [[likely]]
      return allocate(size);
    raise([&] {
      return "a text of " + std::to_string(size) + " bytes is longer than the limit of " +
             std::to_string(kMadeTextMax);
    });
    return nullptr;
  }

  void set_null() { call_.result.set_null(index_); }
  /// A text, or what gives the text and is asked for it only if somebody will read it.
  template <typename Message>
  void raise(Message&& message) {
    call_.errors.raise(index_, std::forward<Message>(message));
  }
  /// The same of a result that is out of range where ansi = 'false' keeps the one returned.
  template <std::invocable Message>
  void overflow(Message&& message) {
    call_.errors.overflow(index_, std::forward<Message>(message));
  }
  /// What the call keeps between rows and batches; made when first asked for.
  template <std::derived_from<CallState> State>
  [[nodiscard]] State& state() {
    return call_.state.get<State>();
  }

 private:
  KernelCall& call_;
  std::size_t index_;
};

/// What a value of T is in a column.
template <typename T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <auto kFunction, typename Signature = decltype(kFunction)>
struct RowKernel;

template <auto kFunction, typename Output, typename... Inputs>
struct RowKernel<kFunction, Output (*)(Inputs...)> {
  static void run(KernelCall& call) { run(call, std::index_sequence_for<Inputs...>()); }

  template <std::size_t... kIndex>
  static void run(KernelCall& call, std::index_sequence<kIndex...>) {
    [[maybe_unused]] const std::tuple inputs(
        call.arguments[kIndex]->template values<Stored<Inputs>>().data()...);
    Stored<Output>* __restrict result = call.result.values<Stored<Output>>().data();
    const std::size_t rows = call.rows;
    for (std::size_t row = 0; row < rows; ++row)
      result[row] = static_cast<Stored<Output>>(
          kFunction(static_cast<Inputs>(std::get<kIndex>(inputs)[row])...));
  }
};

template <auto kFunction, typename Output, typename... Inputs>
struct RowKernel<kFunction, Output (*)(Row&, Inputs...)> {
  static void run(KernelCall& call) { run(call, std::index_sequence_for<Inputs...>()); }

  template <std::size_t... kIndex>
  static void run(KernelCall& call, std::index_sequence<kIndex...>) {
    [[maybe_unused]] const std::tuple inputs(
        call.arguments[kIndex]->template values<Stored<Inputs>>().data()...);
    Stored<Output>* result = call.result.values<Stored<Output>>().data();
    for (std::size_t index = 0; index < call.rows; ++index) {
      if (call.result.is_null(index)) {
        result[index] = {};
        continue;
      }
      Row row(call, index);
      result[index] = static_cast<Stored<Output>>(
          kFunction(row, static_cast<Inputs>(std::get<kIndex>(inputs)[index])...));
    }
  }
};

/// The kernel of a function of one row, whose parameters are what columns hold (bool for boolean).
template <auto kFunction>
void each_row(KernelCall& call) {
  RowKernel<kFunction>::run(call);
}

/// An overload of fixed types that is strict and cannot fail.
inline FunctionOverload plain_function(const char* name, std::vector<DataType> arguments,
                                       DataType result, Kernel kernel, const char* description) {
  FunctionOverload overload;
  overload.name = name;
  overload.arguments = std::move(arguments);
  overload.result = std::move(result);
  overload.kernel = kernel;
  overload.description = description;
  return overload;
}

/// The same for a function of texts: other scalars are taken as text.
inline FunctionOverload text_function(const char* name, std::vector<DataType> arguments,
                                      DataType result, Kernel kernel, const char* description) {
  FunctionOverload overload =
      plain_function(name, std::move(arguments), std::move(result), kernel, description);
  overload.casts_to_string = true;
  return overload;
}

/// Adds the form for texts, which stand for their UTF-8 bytes, and the form for bytes.
inline void add_for_bytes(FunctionRegistry& registry, const FunctionOverload& overload) {
  for (const TypeKind first : {TypeKind::kString, TypeKind::kBytes}) {
    FunctionOverload each = overload;
    each.arguments[0] = first;
    each.casts_to_string = first == TypeKind::kString;
    registry.add(std::move(each));
  }
}

inline FunctionOverload failing(FunctionOverload overload, const char* errors) {
  overload.can_fail = true;
  overload.errors = errors;
  return overload;
}

inline FunctionOverload with_nulls(FunctionOverload overload, const char* nulls) {
  overload.nulls = nulls;
  return overload;
}

}  // namespace millrace::stream
