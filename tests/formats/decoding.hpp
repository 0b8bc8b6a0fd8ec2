#pragma once

#include "millrace/batch.hpp"

#include "formats/json_decoder.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::formats {

/// Decodes texts the way a chain does: the values in a batch of their own, whose arena the decoded
/// batch adopts.
class Decoding {
 public:
  explicit Decoding(const std::vector<Field>& fields)
      : value_pool_(make_schema({{"value", TypeKind::kBytes}})),
        out_pool_(make_schema(fields)),
        decoder_(JsonDecoder::make(fields).value()) {}

  /// An absent text is a null value.
  Batch decode(const std::vector<std::optional<std::string>>& texts) {
    bad.clear();
    Batch values = value_pool_.take();
    values.resize(texts.size());
    for (std::size_t row = 0; row < texts.size(); ++row) {
      if (!texts[row]) {
        values.column(0).set_null(row);
        continue;
      }
      values.column(0).values<std::string_view>()[row] = values.arena().store(*texts[row]);
    }
    Batch out = out_pool_.take();
    decoder_->decode(values.column(0), out, values.arena(), bad);
    out.adopt(values);
    return out;
  }

  std::vector<BadRow> bad;  ///< of the last call

 private:
  BatchPool value_pool_;
  BatchPool out_pool_;
  std::unique_ptr<JsonDecoder> decoder_;
};

/// Why one text is bad when these fields are read; empty when it is good.
inline std::string verdict(const std::vector<Field>& fields, const std::string& text) {
  Decoding decoding(fields);
  decoding.decode({text});
  return decoding.bad.empty() ? std::string() : decoding.bad[0].reason;
}

}  // namespace millrace::formats
