#include "bench/latency/output_audit.hpp"

#include "bench/latency/clicks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::bench {

Status check_output(std::uint64_t faults) {
  if (faults == 0) return {};
  return fail(ErrorCode::kDataLoss,
              fmt::format("{} records were missing, doubled or unexpected in the output; what is "
                          "expected of a job, --help says",
                          faults));
}

OutputAudit::OutputAudit(const Schedule& schedule) : schedule_(schedule), seen_(schedule.count) {
  for (std::uint64_t seq = 0; seq < schedule.count; ++seq) {
    const bool is_measured = seq >= schedule.warm_up;
    measured_inputs_ += is_measured ? 1 : 0;
    if (!is_passed_on(seq)) continue;
    ++expected_;
    measured_expected_ += is_measured ? 1 : 0;
  }
}

void OutputAudit::note(std::string_view record, std::int64_t arrival_ns) {
  note_arrival(arrival_ns);
  const auto found = seq_of(record);
  const auto seq = static_cast<std::uint64_t>(found);
  if (found < 0 || seq >= schedule_.count || !is_passed_on(seq)) {
    ++unexpected_;
    return;
  }
  if (seen_[seq]) {
    ++doubled_;
    return;
  }
  seen_[seq] = true;
  if (seq >= schedule_.warm_up) {
    latency_.record(arrival_ns - schedule_.due_ns(seq));
    ++measured_;
  }
  arrived_.fetch_add(1, std::memory_order_release);
}

void OutputAudit::note_arrival(std::int64_t arrival_ns) {
  if (has_arrival_) longest_gap_ns_ = std::max(longest_gap_ns_, arrival_ns - last_arrival_ns_);
  has_arrival_ = true;
  last_arrival_ns_ = arrival_ns;
}

double OutputAudit::achieved_rate() const {
  const auto elapsed_ns = last_arrival_ns_ - schedule_.due_ns(schedule_.warm_up);
  if (elapsed_ns <= 0 || measured_expected_ == 0) return 0;
  const auto inputs = static_cast<double>(measured_) * static_cast<double>(measured_inputs_) /
                      static_cast<double>(measured_expected_);
  return inputs * 1e9 / static_cast<double>(elapsed_ns);
}

}  // namespace millrace::bench
