#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include "formats/dead_letter.hpp"
#include "stream/functions/call.hpp"
#include "stream/plan/physical_plan.hpp"
#include "stream/sink.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::operators {

/// The chain's output for records that went wrong: finds the record that a row was made from, as it
/// came, and hands it to a sink writer of its own, within the epoch of its row.
///
/// What it keeps of a batch are views: they hold as long as the batch, or one that took its arena
/// over, is on its way through the chain. Owned by the task's BadRecords.
class DeadLetters {
 public:
  enum class Outcome {
    kAdded,
    kKnown,  ///< it is a letter already
    kGone,   ///< its batch has left the chain: an operator has held the row back
  };

  DeadLetters(const stream::DeadLetterSpec& spec, std::unique_ptr<stream::SinkWriter> writer,
              Epoch epoch);

  /// Notes where the records of a source's batch are.
  void keep(const Batch& input);
  /// Takes the record that `row` of `rows` was made from. Its bytes are copied.
  [[nodiscard]] Outcome add(const Batch& rows, std::size_t row, stream::BadRecordReason reason,
                            std::string_view detail);
  /// Hands over what was added since the last flush. A letter that its topic does not take for its
  /// size goes again without its value, behind the others, and then without key and headers of its
  /// own, with a header that says what was left out.
  [[nodiscard]] Status flush();
  /// What is added from now on belongs to this epoch.
  void begin_epoch(Epoch epoch);
  /// For people: "topic clicks_bad".
  [[nodiscard]] const std::string& target() const { return target_; }

 private:
  /// What a letter is written without, so that its topic takes it.
  enum class Cut { kNothing, kValue, kRecord };

  [[nodiscard]] formats::DeadLetter copy_of(std::size_t record, Arena& arena) const;
  Status write(Cut cut);
  void cut_letters(Cut cut);
  Status note_refused(std::size_t row, stream::BadRecordReason kind, const std::string& reason);
  void fill_lines(Batch& out) const;
  void fill_records(Batch& out) const;
  void fill_headers(Column& column, Arena& arena) const;

  const stream::DeadLetterSpec spec_;
  const std::string target_;
  std::unique_ptr<stream::SinkWriter> writer_;
  BatchPool pool_;
  Epoch epoch_;

  std::vector<Column> columns_;          ///< of the batch under way: value, key, ... as in the spec
  std::vector<std::int64_t> positions_;  ///< of it
  const Origin* origin_ = nullptr;       ///< of it
  stream::RowSet taken_;                 ///< of it
  Batch pending_;                        ///< its arena holds the letters' bytes
  std::vector<formats::DeadLetter> letters_;
  std::vector<std::size_t> refused_;  ///< of letters_, while they are written
  std::string refusal_;               ///< why the last of them was
};

}  // namespace millrace::operators
