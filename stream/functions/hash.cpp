#include "stream/functions/digest.hpp"
#include "stream/functions/murmur_hash.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/xx_hash.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

// Hashes of values of any type (xxhash64, hash), digests of bytes, checksums, and Kafka's
// partitioner. A hash of several values runs through them, each hash being the next one's seed; a
// null leaves it as it is.

namespace millrace::stream {

namespace {

constexpr int kSeed = 42;
constexpr int kLongDigitsMax = 18;  // decimals of more digits are hashed as bytes

struct XxHash {
  using Result = std::int64_t;
  static Result of_int(std::int32_t value, Result seed) { return of(&value, sizeof(value), seed); }
  static Result of_long(std::int64_t value, Result seed) { return of(&value, sizeof(value), seed); }
  static Result of_bytes(std::string_view bytes, Result seed) {
    return of(bytes.data(), bytes.size(), seed);
  }

 private:
  static Result of(const void* bytes, std::size_t size, Result seed) {
    return static_cast<Result>(xxh64(bytes, size, static_cast<std::uint64_t>(seed)));
  }
};

struct MurmurHash {
  using Result = std::int32_t;
  static Result of_int(std::int32_t value, Result seed) {
    return static_cast<Result>(murmur3_of_int(value, static_cast<std::uint32_t>(seed)));
  }
  static Result of_long(std::int64_t value, Result seed) {
    return static_cast<Result>(murmur3_of_long(value, static_cast<std::uint32_t>(seed)));
  }
  static Result of_bytes(std::string_view bytes, Result seed) {
    return static_cast<Result>(murmur3_of_bytes(bytes, static_cast<std::uint32_t>(seed)));
  }
};

/// One zero, one NaN.
std::int64_t bits_of(double value) {
  if (value == 0.0) return 0;
  if (std::isnan(value)) return 0x7FF8000000000000;
  return std::bit_cast<std::int64_t>(value);
}

/// The fewest bytes of two's complement, the highest first.
std::string_view bytes_of(Int128 number, std::array<char, 16>& bytes) {
  std::size_t size = 0;
  bool is_complete = false;
  while (!is_complete) {
    ++size;
    const auto lowest = static_cast<signed char>(number & 0xFF);
    bytes[16 - size] = lowest;
    number >>= 8;
    is_complete = size == 16 || (number == 0 && lowest >= 0) || (number == -1 && lowest < 0);
  }
  return {bytes.data() + 16 - size, size};
}

template <typename Hash>
typename Hash::Result hash_decimal(const Column& column, std::size_t row,
                                   typename Hash::Result seed) {
  const Int128 unscaled = column.value<Decimal>(row).unscaled;
  if (column.type().precision() <= kLongDigitsMax)
    return Hash::of_long(static_cast<std::int64_t>(unscaled), seed);
  std::array<char, 16> bytes;
  return Hash::of_bytes(bytes_of(unscaled, bytes), seed);
}

template <typename Hash>
typename Hash::Result hash_value(const Column& column, std::size_t row,
                                 typename Hash::Result seed) {
  if (column.is_null(row)) return seed;
  switch (column.kind()) {
    case TypeKind::kBoolean:
      return Hash::of_int(column.value<std::uint8_t>(row) != 0 ? 1 : 0, seed);
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return Hash::of_int(column.value<std::int32_t>(row), seed);
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return Hash::of_long(column.value<std::int64_t>(row), seed);
    case TypeKind::kDouble:
      return Hash::of_long(bits_of(column.value<double>(row)), seed);
    case TypeKind::kString:
    case TypeKind::kBytes:
      return Hash::of_bytes(column.text(row), seed);
    case TypeKind::kDecimal:
      return hash_decimal<Hash>(column, row, seed);
    case TypeKind::kInterval: {
      const auto& interval = column.value<Interval>(row);
      const auto hash = Hash::of_int(interval.days, Hash::of_long(interval.microseconds, seed));
      return Hash::of_int(interval.months, hash);
    }
    case TypeKind::kArray: {
      const ListEntry list = column.value<ListEntry>(row);
      for (std::uint32_t i = 0; i < list.length; ++i)
        seed = hash_value<Hash>(column.child(0), list.offset + i, seed);
      return seed;
    }
    case TypeKind::kStruct:
      for (std::size_t i = 0; i < column.child_count(); ++i)
        seed = hash_value<Hash>(column.child(i), row, seed);
      return seed;
    case TypeKind::kNull:
    case TypeKind::kMap:
      break;
  }
  return seed;
}

template <typename Hash>
void hash_rows(KernelCall& call) {
  const auto result = call.result.values<typename Hash::Result>();
  std::fill(result.begin(), result.end(), kSeed);
  for (const Column* column : call.arguments) {
    for (std::size_t row = 0; row < call.rows; ++row)
      result[row] = hash_value<Hash>(*column, row, result[row]);
  }
}

/// Maps have no order, so they have no hash.
bool holds_map(const DataType& type) {
  if (type.is(TypeKind::kMap)) return true;
  for (const Field& field : type.fields()) {
    if (holds_map(field.type)) return true;
  }
  return false;
}

template <TypeKind kResult>
std::optional<SettledTypes> hashed_types(const Arguments& arguments) {
  SettledTypes settled{{}, kResult};
  for (const Argument& argument : arguments) {
    if (holds_map(argument.type)) return std::nullopt;
    // A bare null is hashed as nothing, of whatever type.
    settled.arguments.push_back(argument.type.is(TypeKind::kNull) ? DataType(TypeKind::kString)
                                                                  : argument.type);
  }
  if (arguments.empty()) return std::nullopt;
  return settled;
}

// --- digests
// --------------------------------------------------------------------------------------

/// One digest of each kind, made when first used.
class Digests : public CallState {
 public:
  Digest& of(DigestKind kind) {
    auto& digest = digests_[static_cast<std::size_t>(kind)];
    if (!digest) digest.emplace(kind);
    return *digest;
  }

 private:
  std::array<std::optional<Digest>, 6> digests_;
};

std::string_view digest_text(Row& row, std::string_view bytes, DigestKind kind) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const std::string_view digest = row.state<Digests>().of(kind).compute(bytes);
  if (digest.empty()) {
    row.raise("the system's OpenSSL does not compute this digest");
    return {};
  }
  char* const begin = row.allocate(digest.size() * 2);
  char* out = begin;
  for (const char byte : digest) {
    *out++ = kHex[static_cast<unsigned char>(byte) >> 4];
    *out++ = kHex[static_cast<unsigned char>(byte) & 15U];
  }
  return {begin, digest.size() * 2};
}

template <DigestKind kKind>
std::string_view digest(Row& row, std::string_view bytes) {
  return digest_text(row, bytes, kKind);
}

std::string_view sha2(Row& row, std::string_view bytes, std::int32_t bits) {
  switch (bits) {
    case 224:
      return digest_text(row, bytes, DigestKind::kSha224);
    case 0:
    case 256:
      return digest_text(row, bytes, DigestKind::kSha256);
    case 384:
      return digest_text(row, bytes, DigestKind::kSha384);
    case 512:
      return digest_text(row, bytes, DigestKind::kSha512);
    default:
      row.set_null();
      return {};
  }
}

std::int64_t crc32(Row&, std::string_view bytes) { return crc32_of(bytes); }

std::int32_t partition_of_key(Row& row, std::string_view key, std::int32_t partitions) {
  if (partitions > 0) return kafka_partition(key, partitions);
  row.raise("the number of partitions is not positive");
  return 0;
}

void add_value_hashes(FunctionRegistry& registry) {
  FunctionOverload hash = plain_function("xxhash64", {}, TypeKind::kInt64, hash_rows<XxHash>,
                                         "The values' 64-bit xxHash, seed 42, as Spark's.");
  hash.rule = hashed_types<TypeKind::kInt64>;
  hash.signature = "xxhash64(value, ...), no map among them";
  hash.is_strict = false;
  hash.nulls = "never; a null leaves the hash as it was";
  registry.add(hash);

  hash.name = "hash";
  hash.rule = hashed_types<TypeKind::kInt32>;
  hash.result = TypeKind::kInt32;
  hash.signature = "hash(value, ...), no map among them";
  hash.kernel = hash_rows<MurmurHash>;
  hash.description = "The values' 32-bit MurmurHash3, seed 42, as Spark's.";
  registry.add(hash);
  registry.add_alias("murmur3", "hash");
}

void add_digests(FunctionRegistry& registry) {
  using enum TypeKind;
  const auto add = [&](const char* name, Kernel kernel, const char* description) {
    add_for_bytes(registry,
                  failing(plain_function(name, {kBytes}, kString, kernel, description),
                          "the system's OpenSSL lacks the digest, as a FIPS build does MD5"));
  };
  add("md5", each_row<digest<DigestKind::kMd5>>, "The MD5 digest, in hexadecimal digits.");
  add("sha1", each_row<digest<DigestKind::kSha1>>, "The SHA-1 digest, in hexadecimal digits.");
  registry.add_alias("sha", "sha1");
  add("sha256", each_row<digest<DigestKind::kSha256>>,
      "The SHA-256 digest, in hexadecimal digits.");
  add_for_bytes(registry,
                with_nulls(failing(plain_function("sha2", {kBytes, kInt32}, kString, each_row<sha2>,
                                                  "The SHA-2 digest of so many bits (224, 256, "
                                                  "384, 512; 0 is 256), in hexadecimal digits."),
                                   "the system's OpenSSL lacks the digest"),
                           "an argument is null, or there is no digest of that size"));
}

}  // namespace

void add_hash_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  add_value_hashes(registry);
  add_digests(registry);
  add_for_bytes(registry, plain_function("crc32", {kBytes}, kInt64, each_row<crc32>,
                                         "The CRC-32 checksum (zlib's)."));
  add_for_bytes(registry,
                failing(plain_function(
                            "kafka_partition", {kBytes, kInt32}, kInt32, each_row<partition_of_key>,
                            "The partition, from 0, that Kafka's Java producer gives a record with "
                            "this key, in a topic of so many (murmur2)."),
                        "the number of partitions is not positive"));
}

}  // namespace millrace::stream
