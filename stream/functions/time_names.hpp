#pragma once

#include <array>
#include <string_view>

namespace millrace::stream {

/// English names of months; the first three letters are the short ones.
inline constexpr std::array<std::string_view, 12> kMonthNames = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

/// From Monday on.
inline constexpr std::array<std::string_view, 7> kDayNames = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

inline constexpr std::size_t kShortNameSize = 3;

}  // namespace millrace::stream
