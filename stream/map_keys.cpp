#include "stream/map_keys.hpp"

#include "stream/xx_hash.hpp"

#include <cstring>

namespace millrace::stream {

std::optional<std::size_t> MapKeys::find(std::string_view wanted) {
  if (count() <= kComparedMax) {
    for (std::size_t number = 0; number < count(); ++number)
      if (key(number) == wanted) return first_ + number;
    return std::nullopt;
  }
  index();
  const std::uint32_t found = at(place_of(wanted));
  if (found == 0) return std::nullopt;
  return first_ + found - 1;
}

// Takes in the keys that have come since.
void MapKeys::index() {
  constexpr std::size_t kGrowth = 4;
  if (2 * count() > places_) {
    places_ = places_ == 0 ? kGrowth * kComparedMax : kGrowth * places_;
    table_ = arena_.allocate(places_ * sizeof(std::uint32_t));
    std::memset(table_, 0, places_ * sizeof(std::uint32_t));
    indexed_ = 0;
  }
  for (; indexed_ < count(); ++indexed_) put(indexed_);
}

void MapKeys::put(std::size_t number) {
  const auto entry = static_cast<std::uint32_t>(number + 1);
  std::memcpy(table_ + place_of(key(number)) * sizeof entry, &entry, sizeof entry);
}

// Where the key is, or would be.
std::size_t MapKeys::place_of(std::string_view wanted) const {
  std::size_t place = xxh3(wanted) & (places_ - 1);
  while (at(place) != 0 && key(at(place) - 1) != wanted) place = (place + 1) & (places_ - 1);
  return place;
}

std::uint32_t MapKeys::at(std::size_t place) const {
  std::uint32_t entry = 0;
  std::memcpy(&entry, table_ + place * sizeof entry, sizeof entry);
  return entry;
}

}  // namespace millrace::stream
