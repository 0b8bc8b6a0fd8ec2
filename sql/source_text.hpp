#pragma once

#include "millrace/error.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::sql {

/// Gives the value of a `${NAME}`, or nothing when there is none of that name.
using Variables = std::function<std::optional<std::string>(std::string_view)>;

/// The text of a job with its variables filled in, which still knows where each byte came from: an
/// error is shown on the line as the user wrote it, and where its message holds a value (a
/// password, say) of three bytes or more, the variable's name stands in its place; nor is shown
/// what is given to an option whose name speaks of a secret (secret_spans.hpp).
///
/// `${NAME}` is replaced everywhere but in comments. Within '...', E'...' or "..." the value's own
/// quotes of that kind (and backslashes in E'...') are doubled, so it stays one string or one name
/// whatever it holds; within $$...$$ it cannot hold a dollar sign; outside quotes it stands as it
/// is and may be any piece of SQL. A variable's name is letters, digits and underscores.
class SourceText {
 public:
  /// Fills the variables in. An unknown one is refused by name and place.
  [[nodiscard]] static Result<SourceText> make(std::string original, const Variables& variables);

  /// What is parsed.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// The error as people read it: "line 3, column 14: ...", the line, and a caret below the place.
  /// An error without a position keeps its message.
  [[nodiscard]] Error located(Error error) const;

 private:
  struct Piece {
    std::size_t text_begin = 0;      ///< first byte in text_
    std::size_t original_begin = 0;  ///< first byte in original_
    bool is_value = false;           ///< all of it stands for one place in the original
  };
  enum class Quote { kNone, kText, kEscaped, kName, kDollar };

  explicit SourceText(std::string original) : original_(std::move(original)) {}
  [[nodiscard]] std::size_t original_position(std::size_t position) const;
  [[nodiscard]] Error located_in_original(Error error, std::size_t position) const;
  Status fill(const Variables& variables);
  void hide_quotation(Error& error) const;
  void hide_values(std::string& message) const;
  [[nodiscard]] std::string shown(std::size_t begin, std::size_t end) const;
  [[nodiscard]] bool at_variable(std::size_t at) const;
  void check_length(std::size_t bytes, std::size_t place, std::size_t name_begin,
                    std::size_t name_end);
  void note_problem(std::string message, std::size_t at);
  void add_quoted(std::size_t& at, const Variables& variables);
  void add_name(std::size_t& at);
  void add_variable(std::size_t& at, Quote quote, const Variables& variables);

  std::string original_;
  std::string text_;
  std::vector<Piece> pieces_;
  std::optional<Error> problem_;  ///< the first one met while filling
  std::size_t problem_at_ = 0;
};

}  // namespace millrace::sql
