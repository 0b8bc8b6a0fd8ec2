#pragma once

#include "millrace/batch.hpp"

#include <random>
#include <string>
#include <vector>

namespace millrace::bench {

/// Made-up click records, the same in every run: what the README's job reads.
inline std::vector<std::string> make_clicks(std::size_t count, std::size_t record_bytes) {
  static const char* const kEvents[] = {"view", "click", "purchase"};
  static const char* const kSymbols[] = {"AAPL", "MSFT", "NVDA", "AMZN", "GOOG"};
  std::mt19937 random(301);
  std::vector<std::string> records;
  for (std::size_t i = 0; i < count; ++i) {
    const auto cents = static_cast<int>(random() % 100'000);
    std::string record =
        "{\"ts\":" + std::to_string(1'767'225'600'000'000 + static_cast<long>(i) * 1000) +
        ",\"seq\":" + std::to_string(i) + ",\"user_id\":" + std::to_string(random() % 1000) +
        ",\"event_type\":\"" + kEvents[random() % 3] +
        "\",\"price\":" + std::to_string(cents / 100) + "." + std::to_string(cents % 100 / 10) +
        std::to_string(cents % 10) + ",\"qty\":" + std::to_string(1 + random() % 9) +
        ",\"symbol\":\"" + kSymbols[random() % 5] + "\",\"note\":\"";
    constexpr std::string_view kWords = "the quick brown fox jumps over the lazy dog, again and ";
    while (record.size() + 2 < record_bytes) record += kWords[record.size() % kWords.size()];
    records.push_back(record + "\"}");
  }
  return records;
}

/// Puts records [begin, begin + rows) into column 0 of an empty batch.
inline void fill_values(const std::vector<std::string>& records, std::size_t begin,
                        std::size_t rows, Batch& batch) {
  batch.resize(rows);
  const auto values = batch.column(0).values<std::string_view>();
  for (std::size_t row = 0; row < rows; ++row)
    values[row] = batch.arena().store(records[(begin + row) % records.size()]);
}

}  // namespace millrace::bench
