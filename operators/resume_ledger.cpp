#include "operators/resume_ledger.hpp"

#include <fmt/format.h>

#include <utility>

namespace millrace::operators {

ResumedWriter::ResumedWriter(std::shared_ptr<ResumeLedger> shared,
                                     const stream::WriterPlace& place)
    : shared_(std::move(shared)), position_(shared_->position) {
  position_.writer = place.number;
  position_.source = formats::source_id(place.source, place.partition);
  const auto found = shared_->tail.find({position_.writer, position_.source});
  if (found != shared_->tail.end()) filter_ = stream::ReplayFilter(found->second);
  has_passed_ = filter_.has_passed();
  if (!has_passed_) shared_->behind.fetch_add(1);
}

Status ResumedWriter::check(const Batch& rows) const {
  if (rows.rows() == 0 || filter_.may_follow(rows.positions()[0])) return {};
  return fail(
      ErrorCode::kDataLoss,
      fmt::format("{} began anew at offset {} (was its topic created anew?), and what is "
                  "written exactly once by resuming is known by its offset: start the query "
                  "again, it then takes the partition for another one",
                  rows.origin() == nullptr ? "a source partition" : rows.origin()->label,
                  rows.positions()[0]));
}

void ResumedWriter::note_passed() {
  if (has_passed_ || !filter_.has_passed()) return;
  has_passed_ = true;
  shared_->behind.fetch_sub(1);
}

}  // namespace millrace::operators
