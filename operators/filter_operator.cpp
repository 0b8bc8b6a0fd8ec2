#include "operators/filter_operator.hpp"

#include <algorithm>

namespace millrace::operators {

FilterOperator::FilterOperator(const stream::FilterSpec& spec, BadRecords& bad_records)
    : predicate_(spec.predicate), bad_records_(bad_records), context_(bad_records.on_error()) {}

Status FilterOperator::on_batch(Port /*port*/, Batch&& rows, Emitter& out) {
  context_.begin(rows.rows());
  MILLRACE_ASSIGN(std::span<const std::uint32_t> kept,
                  predicate_.evaluate_predicate(rows, context_));
  if (context_.has_errors()) [[unlikely]] {
    MILLRACE_TRY(bad_records_.take(rows, context_));
    const auto end = std::ranges::lower_bound(kept, bad_records_.rows_to_go_on(rows));
    kept = {kept.begin(), end};
  }
  if (kept.empty()) return {};
  if (kept.size() < rows.rows()) rows.gather(kept);
  return out.emit(Port(0), std::move(rows));
}

}  // namespace millrace::operators
