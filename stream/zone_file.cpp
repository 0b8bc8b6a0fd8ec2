#include "stream/zone_file.hpp"

#include "stream/ascii.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace millrace::stream {

namespace {

constexpr const char* kDatabase = "/usr/share/zoneinfo/";
constexpr std::size_t kHeaderSize = 44;
constexpr std::size_t kCountsBegin = 20;
constexpr std::size_t kTypeSize = 6;
constexpr std::size_t kFileSizeMax = std::size_t{1} << 20;

std::int64_t big_endian(std::string_view bytes) {
  std::uint64_t value = (static_cast<unsigned char>(bytes[0]) & 0x80U) != 0 ? ~std::uint64_t{0} : 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(value);
}

/// One of the two blocks of a file: how much of what it holds.
struct Block {
  std::size_t universal_count = 0;
  std::size_t standard_count = 0;
  std::size_t leap_count = 0;
  std::size_t change_count = 0;
  std::size_t type_count = 0;
  std::size_t letter_count = 0;

  [[nodiscard]] std::size_t size(std::size_t time_size) const {
    return change_count * (time_size + 1) + type_count * kTypeSize + letter_count +
           leap_count * (time_size + 4) + standard_count + universal_count;
  }
};

/// Reads a block's header off the front.
std::optional<Block> take_header(std::string_view& bytes) {
  if (bytes.size() < kHeaderSize || !bytes.starts_with("TZif") || bytes[4] < '2')
    return std::nullopt;
  Block block;
  std::size_t place = kCountsBegin;
  for (std::size_t* count : {&block.universal_count, &block.standard_count, &block.leap_count,
                             &block.change_count, &block.type_count, &block.letter_count}) {
    const std::int64_t value = big_endian(bytes.substr(place, 4));
    if (value < 0 || value > static_cast<std::int64_t>(kFileSizeMax)) return std::nullopt;
    *count = static_cast<std::size_t>(value);
    place += 4;
  }
  bytes.remove_prefix(kHeaderSize);
  return block;
}

/// The time types of a block: what a change leads to.
class Types {
 public:
  Types(std::string_view types, std::string_view letters) : types_(types), letters_(letters) {}

  [[nodiscard]] std::optional<ZoneChange> at(std::size_t index) const {
    if (index * kTypeSize >= types_.size()) return std::nullopt;
    const std::string_view type = types_.substr(index * kTypeSize, kTypeSize);
    const auto begin = static_cast<std::size_t>(static_cast<unsigned char>(type[5]));
    if (begin >= letters_.size()) return std::nullopt;
    const std::string_view rest = letters_.substr(begin);
    return ZoneChange{0, big_endian(type.substr(0, 4)),
                      std::string(rest.substr(0, rest.find('\0')))};
  }

 private:
  std::string_view types_;
  std::string_view letters_;
};

bool read_changes(const Block& block, std::string_view bytes, ZoneFile& file) {
  constexpr std::size_t kTimeSize = 8;
  const std::string_view indices = bytes.substr(block.change_count * kTimeSize);
  const std::string_view behind = indices.substr(block.change_count);
  const Types types(behind.substr(0, block.type_count * kTypeSize),
                    behind.substr(block.type_count * kTypeSize, block.letter_count));
  auto first = types.at(0);
  if (!first) return false;
  file.first = std::move(*first);
  for (std::size_t i = 0; i < block.change_count; ++i) {
    auto change = types.at(static_cast<unsigned char>(indices[i]));
    if (!change) return false;
    change->at_seconds = big_endian(bytes.substr(i * kTimeSize, kTimeSize));
    if (!file.changes.empty() && change->at_seconds <= file.changes.back().at_seconds) return false;
    file.changes.push_back(std::move(*change));
  }
  return true;
}

/// Letters, digits and a few signs, beginning with a capital letter: no way out of the folder, and
/// none of the files there that are no zones.
bool is_name(std::string_view name) {
  return !name.empty() && name.front() >= 'A' && name.front() <= 'Z' &&
         std::ranges::all_of(name, [](char c) {
           return is_letter(c) || is_digit(c) || c == '/' || c == '_' || c == '-' || c == '+';
         });
}

}  // namespace

std::optional<ZoneFile> ZoneFile::parse(std::string_view bytes) {
  const auto old = take_header(bytes);  // of 32 bits, for old readers
  if (!old || bytes.size() < old->size(4)) return std::nullopt;
  bytes.remove_prefix(old->size(4));
  const auto block = take_header(bytes);
  if (!block || bytes.size() < block->size(8)) return std::nullopt;
  ZoneFile file;
  if (!read_changes(*block, bytes, file)) return std::nullopt;
  bytes.remove_prefix(block->size(8));
  if (bytes.size() < 2 || bytes.front() != '\n' || bytes.back() != '\n') return std::nullopt;
  file.rule = ZoneRule::parse(bytes.substr(1, bytes.size() - 2));
  return file;
}

std::optional<ZoneFile> ZoneFile::load(const std::string& name) {
  if (!is_name(name)) return std::nullopt;
  const std::string path = kDatabase + name;
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(kFileSizeMax, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return parse(std::string_view(bytes).substr(0, static_cast<std::size_t>(stream.gcount())));
}

}  // namespace millrace::stream
