#pragma once

#include "formats/record_decoder.hpp"
#include "formats/record_encoder.hpp"

namespace millrace::formats {

/// The record's value as it is, as its one column of type bytes: nothing is checked. (A column of
/// type string is TextDecoder's, whatever the format is called.)
class RawDecoder final : public RecordDecoder {
 public:
  void decode(const Column& values, Batch& out, Arena& arena, std::vector<BadRow>& bad) override;
};

/// One column of type string or bytes as the record's value, byte for byte; null stays null, empty
/// stays empty.
class RawEncoder final : public RecordEncoder {
 public:
  explicit RawEncoder(std::size_t column) : column_(column) {}
  void encode(const Batch& rows, Column& values, Arena& arena) override;

 private:
  std::size_t column_;
};

}  // namespace millrace::formats
