#pragma once

#include "stream/ascii.hpp"

// Which bytes of a job's text are parts of what.

namespace millrace::sql {

/// Of a word of SQL, or of a name without quotes and without letters beyond ASCII.
constexpr bool is_word_letter(char letter) {
  return (stream::lower_letter(letter) >= 'a' && stream::lower_letter(letter) <= 'z') ||
         stream::is_digit(letter) || letter == '_';
}

/// Whether a name without quotes may begin with it: any letter beyond ASCII too.
constexpr bool begins_name(char letter) {
  return (is_word_letter(letter) && !stream::is_digit(letter)) ||
         static_cast<unsigned char>(letter) >= 0x80;
}

}  // namespace millrace::sql
