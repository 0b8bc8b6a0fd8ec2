#include "stream/row_kernel.hpp"

#include <cstdint>
#include <random>

// Values drawn at random: none of these is reproducible. Each call has a generator of its own,
// seeded by the system or by the argument; one with an argument begins anew with each start and
// each task.

namespace millrace::stream {

namespace {

class Generator : public CallState {
 public:
  /// Seeds it, the first time only.
  void seed_by_system() {
    if (is_seeded_) [[likely]]
      return;
    std::random_device device;
    seed(std::uint64_t{device()} << 32 | device());
  }
  void seed_by(std::int64_t number) {
    if (!is_seeded_) [[unlikely]]
      seed(static_cast<std::uint64_t>(number));
  }

  std::uint64_t bits() { return engine_(); }
  /// From 0 to below 1.
  double fraction() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  /// Of the normal distribution around 0 with deviation 1.
  double normal() { return normal_(engine_); }

 private:
  void seed(std::uint64_t number) {
    engine_.seed(number);
    is_seeded_ = true;
  }

  bool is_seeded_ = false;
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

Generator& generator_of(KernelCall& call) {
  auto& generator = call.state.get<Generator>();
  const bool has_seed = !call.arguments.empty() && call.rows > 0 && !call.arguments[0]->is_null(0);
  if (has_seed)
    generator.seed_by(call.arguments[0]->value<std::int64_t>(0));
  else
    generator.seed_by_system();
  return generator;
}

template <double (Generator::*kDraw)()>
void draw(KernelCall& call) {
  Generator& generator = generator_of(call);
  for (double& value : call.result.values<double>()) value = (generator.*kDraw)();
}

/// 128 bits in hexadecimal, with the marks of version 4.
void write_uuid(std::uint64_t high, std::uint64_t low, char* out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  high = (high & ~std::uint64_t{0xF000}) | 0x4000;
  low = (low & ~(std::uint64_t{3} << 62)) | std::uint64_t{2} << 62;
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) *out++ = '-';
    const std::uint64_t half = i < 16 ? high : low;
    *out++ = kHex[(half >> (60 - 4 * (i % 16))) & 15U];
  }
}

void draw_uuids(KernelCall& call) {
  constexpr std::size_t kSize = 36;
  Generator& generator = generator_of(call);
  char* text = call.arena.allocate(kSize * call.rows);
  for (std::string_view& value : call.result.values<std::string_view>()) {
    const std::uint64_t high = generator.bits();
    write_uuid(high, generator.bits(), text);
    value = {text, kSize};
    text += kSize;
  }
}

void add_drawn(FunctionRegistry& registry, const char* name, std::vector<DataType> arguments,
               DataType result, Kernel kernel, const char* description) {
  FunctionOverload drawn =
      plain_function(name, std::move(arguments), std::move(result), kernel, description);
  drawn.is_reproducible = false;
  drawn.is_strict = false;
  drawn.nulls = "never";
  registry.add(std::move(drawn));
}

}  // namespace

void add_random_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  constexpr const char* kFraction =
      "A number from 0 to below 1, every one as likely; the seed says where the sequence begins.";
  add_drawn(registry, "rand", {}, kDouble, draw<&Generator::fraction>, kFraction);
  add_drawn(registry, "rand", {kInt64}, kDouble, draw<&Generator::fraction>, kFraction);
  registry.add_alias("random", "rand");
  constexpr const char* kNormal = "A number of the normal distribution around 0 with deviation 1.";
  add_drawn(registry, "randn", {}, kDouble, draw<&Generator::normal>, kNormal);
  add_drawn(registry, "randn", {kInt64}, kDouble, draw<&Generator::normal>, kNormal);
  add_drawn(registry, "uuid", {}, kString, draw_uuids,
            "A random UUID (version 4), as text of 36 characters.");
}

}  // namespace millrace::stream
