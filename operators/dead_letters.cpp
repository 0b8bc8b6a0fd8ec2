#include "operators/dead_letters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace millrace::operators {
namespace {

const DataType& headers_type() {
  static const DataType type = DataType::array(
      DataType::structure({{"key", TypeKind::kString}, {"value", TypeKind::kBytes}}));
  return type;
}

/// What the record has of its own, in the order of `columns_`.
enum Part : std::size_t { kValue, kKey, kHeaders, kTimestamp, kTopic };

std::array<std::optional<std::size_t>, 5> parts_of(const stream::DeadLetterSpec& spec) {
  return {spec.value_column, spec.key_column, spec.headers_column, spec.timestamp_column,
          spec.topic_column};
}

DataType type_of(std::size_t part) {
  switch (part) {
    case kHeaders:
      return headers_type();
    case kTimestamp:
      return TypeKind::kTimestamp;
    case kTopic:
      return TypeKind::kString;
    default:
      return TypeKind::kBytes;
  }
}

std::string target_of(const stream::TableDefinition& table) {
  if (const auto topic = table.options.get("topic")) return "topic " + *topic;
  return "file " + table.options.get_or("path", "");
}

std::optional<std::string_view> copied(const Column& column, std::size_t row, Arena& arena) {
  if (row >= column.size() || column.is_null(row)) return std::nullopt;
  return arena.store(column.text(row));
}

void put_text(Column& column, std::size_t row, const std::optional<std::string_view>& text) {
  if (text)
    column.values<std::string_view>()[row] = *text;
  else
    column.set_null(row);
}

}  // namespace

DeadLetters::DeadLetters(const stream::DeadLetterSpec& spec,
                         std::unique_ptr<stream::SinkWriter> writer, Epoch epoch)
    : spec_(spec),
      target_(target_of(spec.sink.table)),
      writer_(std::move(writer)),
      pool_(spec.sink.schema),
      epoch_(epoch) {
  for (std::size_t part = 0; part < parts_of(spec_).size(); ++part)
    columns_.emplace_back(type_of(part));
  positions_.reserve(kBatchRowsMax);
  writer_->on_unwritable(
      [this](const Batch&, std::size_t row, stream::BadRecordReason kind,
             const std::string& reason) { return note_refused(row, kind, reason); });
  begin_epoch(epoch);
}

void DeadLetters::begin_epoch(Epoch epoch) {
  epoch_ = epoch;
  writer_->begin_epoch(epoch);
}

void DeadLetters::keep(const Batch& input) {
  const auto parts = parts_of(spec_);
  for (std::size_t part = 0; part < parts.size(); ++part)
    if (parts[part]) columns_[part].copy_from(input.column(*parts[part]));
  positions_.assign(input.positions().begin(), input.positions().end());
  origin_ = input.origin();
  taken_.clear_to(input.rows());
}

DeadLetters::Outcome DeadLetters::add(const Batch& rows, std::size_t row,
                                      stream::BadRecordReason reason, std::string_view detail) {
  if (row >= rows.positions().size()) return Outcome::kGone;
  const auto found = std::ranges::lower_bound(positions_, rows.positions()[row]);
  if (found == positions_.end() || *found != rows.positions()[row]) return Outcome::kGone;
  const auto record = static_cast<std::size_t>(found - positions_.begin());
  if (taken_.contains(record)) return Outcome::kKnown;
  taken_.insert(record);
  if (!pending_) pending_ = pool_.take();
  formats::DeadLetter letter = copy_of(record, pending_.arena());
  letter.kind = stream::to_string(reason);
  letter.reason = pending_.arena().store(detail);
  letters_.push_back(std::move(letter));
  return Outcome::kAdded;
}

formats::DeadLetter DeadLetters::copy_of(std::size_t record, Arena& arena) const {
  formats::DeadLetter letter;
  letter.value = copied(columns_[kValue], record, arena);
  letter.key = copied(columns_[kKey], record, arena);
  letter.topic = copied(columns_[kTopic], record, arena).value_or("");
  letter.partition = origin_ == nullptr ? 0 : origin_->partition;
  letter.offset = positions_[record];
  const Column& times = columns_[kTimestamp];
  if (record < times.size() && !times.is_null(record))
    letter.timestamp_us = times.value<std::int64_t>(record);
  const Column& headers = columns_[kHeaders];
  if (record >= headers.size() || headers.is_null(record)) return letter;
  const auto entries = headers.value<ListEntry>(record);
  for (std::size_t i = entries.offset; i < entries.offset + entries.length; ++i)
    letter.headers.push_back({copied(headers.child(0).child(0), i, arena).value_or(""),
                              copied(headers.child(0).child(1), i, arena)});
  return letter;
}

Status DeadLetters::flush() {
  if (letters_.empty()) return {};
  // Steps find faults one after the other: the order is that of the records all the same.
  std::ranges::sort(letters_, {}, &formats::DeadLetter::offset);
  const Batch bytes = std::exchange(pending_, Batch());
  for (const Cut cut : {Cut::kNothing, Cut::kValue, Cut::kRecord}) {
    MILLRACE_TRY(write(cut));
    if (letters_.empty()) return {};
  }
  return fail(ErrorCode::kBadRecord,
              "a dead letter cannot be written to " + target_ + ": " + refusal_);
}

// Leaves those that were refused in letters_.
Status DeadLetters::write(Cut cut) {
  Batch out = pool_.take();
  cut_letters(cut);
  spec_.is_lines ? fill_lines(out) : fill_records(out);
  out.set_rows(letters_.size());
  out.set_origin(origin_);
  std::vector<std::int64_t> positions;
  for (const formats::DeadLetter& letter : letters_) positions.push_back(letter.offset);
  out.set_positions(positions);
  refused_.clear();
  MILLRACE_TRY(writer_->write(out, epoch_));
  std::vector<formats::DeadLetter> left;
  for (const std::size_t row : refused_) left.push_back(std::move(letters_[row]));
  letters_ = std::move(left);
  return {};
}

void DeadLetters::cut_letters(Cut cut) {
  for (formats::DeadLetter& letter : letters_) {
    if (cut == Cut::kValue) {
      letter.left_out = fmt::format("value of {} bytes", letter.value.value_or("").size());
      letter.value.reset();
    } else if (cut == Cut::kRecord) {
      letter.left_out += fmt::format(", key of {} bytes, {} headers",
                                     letter.key.value_or("").size(), letter.headers.size());
      letter.key.reset();
      letter.headers.clear();
    }
  }
}

Status DeadLetters::note_refused(std::size_t row, stream::BadRecordReason kind,
                                 const std::string& reason) {
  if (kind != stream::BadRecordReason::kOversized)
    return fail(ErrorCode::kBadRecord,
                "a dead letter cannot be written to " + target_ + ": " + reason);
  refused_.push_back(row);
  refusal_ = reason;
  return {};
}

void DeadLetters::fill_lines(Batch& out) const {
  Column& lines = out.column(0);
  lines.resize(letters_.size());
  for (std::size_t row = 0; row < letters_.size(); ++row)
    lines.values<std::string_view>()[row] = formats::dead_letter_line(letters_[row], out.arena());
}

void DeadLetters::fill_records(Batch& out) const {
  for (std::size_t i = 0; i < out.column_count(); ++i) out.column(i).resize(letters_.size());
  for (std::size_t row = 0; row < letters_.size(); ++row) {
    put_text(out.column(0), row, letters_[row].value);
    put_text(out.column(1), row, letters_[row].key);
    if (out.column_count() < 4) continue;
    if (letters_[row].timestamp_us)
      out.column(3).values<std::int64_t>()[row] = *letters_[row].timestamp_us;
    else
      out.column(3).set_null(row);
  }
  fill_headers(out.column(2), out.arena());
}

void DeadLetters::fill_headers(Column& column, Arena& arena) const {
  std::vector<formats::DeadLetterHeader> all;
  for (std::size_t row = 0; row < letters_.size(); ++row) {
    const auto first = static_cast<std::uint32_t>(all.size());
    all.insert(all.end(), letters_[row].headers.begin(), letters_[row].headers.end());
    for (const auto& header : formats::dead_letter_headers(letters_[row], arena))
      all.push_back(header);
    column.values<ListEntry>()[row] = {first, static_cast<std::uint32_t>(all.size()) - first};
  }
  Column& entries = column.child(0);
  entries.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    put_text(entries.child(0), i, all[i].name);
    put_text(entries.child(1), i, all[i].value);
  }
}

}  // namespace millrace::operators
