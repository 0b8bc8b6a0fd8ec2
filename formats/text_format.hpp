#pragma once

#include "formats/record_decoder.hpp"

namespace millrace::formats {

/// The record's value as one column of text. Line ends in it stay as they are: a record is one row,
/// whatever it holds. A value that is not UTF-8 is malformed. (Text is written as 'raw' writes it.)
class TextDecoder final : public RecordDecoder {
 public:
  /// `is_read`: the column is wanted, not only the verdict.
  explicit TextDecoder(bool is_read) : is_read_(is_read) {}

  void decode(const Column& values, Batch& out, Arena& arena, std::vector<BadRow>& bad) override;

 private:
  const bool is_read_;
};

}  // namespace millrace::formats
