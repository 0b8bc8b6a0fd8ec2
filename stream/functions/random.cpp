#include "stream/functions/exact_math.hpp"
#include "stream/functions/murmur_hash.hpp"
#include "stream/functions/row_kernel.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>

// Values drawn at random: none of these is reproducible. Each call has a generator of its own,
// seeded by the system or by a literal; one with a literal begins anew with each start and each
// task.

namespace millrace::stream {

namespace {

/// Marsaglia's shifts and exclusive ors over 64 bits, seeded and read as Spark does it, so that a
/// seed gives the numbers that it gives there.
class Generator : public CallState {
 public:
  void seed(std::int64_t number) {
    std::array<char, sizeof(number)> bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<char>(static_cast<std::uint64_t>(number) >> (56 - 8 * i));
    const std::string_view text(bytes.data(), bytes.size());
    constexpr std::uint32_t kHashSeed = 0x3C07'4A61;
    const std::uint32_t low = murmur3_of_bytes(text, kHashSeed);
    state_ = std::uint64_t{murmur3_of_bytes(text, low)} << 32 | low;
    spare_.reset();
  }

  /// From 0 to below 1.
  double fraction() {
    const std::uint64_t high = next(26);
    return static_cast<double>((high << 27) + next(27)) * 0x1.0p-53;
  }
  /// Of the normal distribution around 0 with deviation 1, two at a time by the polar method.
  double normal() {
    if (spare_) return *std::exchange(spare_, std::nullopt);
    double x = 0;
    double y = 0;
    double square = 0;
    do {
      x = 2 * fraction() - 1;
      y = 2 * fraction() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double factor = std::sqrt(-2 * exact_log(square) / square);
    spare_ = y * factor;
    return x * factor;
  }

 private:
  std::uint64_t next(int bits) {
    state_ ^= state_ << 21;
    state_ ^= state_ >> 35;
    state_ ^= state_ << 4;
    return state_ & ((std::uint64_t{1} << bits) - 1);
  }

  std::uint64_t state_ = 1;
  std::optional<double> spare_;
};

void seed_by_system(const PlannedCall&, CallMemory& memory) {
  std::random_device device;
  memory.get<Generator>().seed(static_cast<std::int64_t>(std::uint64_t{device()} << 32 | device()));
}

/// A null is the seed 0.
void seed_by_literal(const PlannedCall& call, CallMemory& memory) {
  const auto* number = std::get_if<std::int64_t>(&call.literals[0]->data);
  memory.get<Generator>().seed(number == nullptr ? 0 : *number);
}

template <double (Generator::*kDraw)()>
void draw(KernelCall& call) {
  auto& generator = call.state.get<Generator>();
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

/// For UUIDs, whose every bit has to be as good as any other.
struct BitSource : CallState {
  std::mt19937_64 engine;
};

void seed_bits_by_system(const PlannedCall&, CallMemory& memory) {
  std::random_device device;
  memory.get<BitSource>().engine.seed(std::uint64_t{device()} << 32 | device());
}

void draw_uuids(KernelCall& call) {
  constexpr std::size_t kSize = 36;
  auto& source = call.state.get<BitSource>();
  char* text = call.arena.allocate(kSize * call.rows);
  for (std::string_view& value : call.result.values<std::string_view>()) {
    const std::uint64_t high = source.engine();
    write_uuid(high, source.engine(), text);
    value = {text, kSize};
    text += kSize;
  }
}

FunctionOverload drawn_function(const char* name, DataType result, Kernel kernel,
                                const char* description) {
  FunctionOverload drawn = plain_function(name, {}, std::move(result), kernel, description);
  drawn.settle = seed_by_system;
  drawn.is_reproducible = false;
  drawn.is_drawn = true;
  drawn.is_strict = false;
  drawn.nulls = "never";
  return drawn;
}

/// The seed belongs to the call, not to a row.
std::optional<SettledTypes> seed_types(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0].is_literal) return std::nullopt;
  const DataType& type = arguments[0].type;
  const bool is_seed =
      type.is(TypeKind::kInt32) || type.is(TypeKind::kInt64) || type.is(TypeKind::kNull);
  if (!is_seed) return std::nullopt;
  return SettledTypes{{TypeKind::kInt64}, TypeKind::kDouble};
}

/// Adds the form without a seed, and the one with it.
void add_drawn_double(FunctionRegistry& registry, const char* name, Kernel kernel,
                      const char* description) {
  FunctionOverload drawn = drawn_function(name, TypeKind::kDouble, kernel, description);
  registry.add(drawn);
  drawn.rule = seed_types;
  drawn.signature = std::string(name) + "(bigint), a literal";
  drawn.settle = seed_by_literal;
  registry.add(std::move(drawn));
}

}  // namespace

void add_random_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  add_drawn_double(registry, "rand", draw<&Generator::fraction>,
                   "A number from 0 to below 1, every one as likely; the seed says where the "
                   "sequence begins, a null being 0.");
  registry.add_alias("random", "rand");
  add_drawn_double(registry, "randn", draw<&Generator::normal>,
                   "A number of the normal distribution around 0 with deviation 1.");
  FunctionOverload uuid = drawn_function("uuid", kString, draw_uuids,
                                         "A random UUID (version 4), as text of 36 characters.");
  uuid.settle = seed_bits_by_system;
  registry.add(std::move(uuid));
}

}  // namespace millrace::stream
