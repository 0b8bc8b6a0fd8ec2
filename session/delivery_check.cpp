#include "session/delivery_check.hpp"

#include "stream/functions/registry.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

namespace millrace::session {
namespace {

using stream::BoundExpr;

constexpr std::string_view kResume = "resume";
constexpr std::string_view kTransaction = "transaction";
constexpr const char* kTransactionTimeout = "kafka.transaction.timeout.ms";
constexpr std::int64_t kDefaultTimeoutMs = 60'000;
constexpr std::int64_t kCommitMs = 10'000;  // a broker may be away for a moment

/// How long a transaction must be allowed to take; an epoch of the planned drive has no limit.
std::int64_t transaction_timeout_ms(const triggers::Trigger& trigger) {
  if (trigger.kind != triggers::TriggerKind::kRealTime) return kDefaultTimeoutMs;
  return 2 * trigger.interval_ms + kCommitMs;
}

/// The first call in it that may give another result next time; null: there is none.
const BoundExpr* irreproducible_call(const BoundExpr& expression) {
  if (expression.kind == BoundExpr::Kind::kCall && !expression.function->is_reproducible)
    return &expression;
  for (const BoundExpr& child : expression.children)
    if (const BoundExpr* const found = irreproducible_call(child)) return found;
  return nullptr;
}

/// Looks through the steps of one chain for what would make another record next time.
class ReproducibilityCheck {
 public:
  explicit ReproducibilityCheck(std::string sink) : sink_(std::move(sink)) {}

  Status check(const stream::ChainSpec& chain) const {
    for (const stream::ChainNode& node : chain.nodes)
      MILLRACE_TRY(std::visit([this](const auto& step) { return this->step(step); }, node.spec));
    return {};
  }

 private:
  [[nodiscard]] Status step(const stream::FilterSpec& filter) const {
    return expression(filter.predicate);
  }
  [[nodiscard]] Status step(const stream::ProjectSpec& project) const {
    for (const BoundExpr& one : project.expressions) MILLRACE_TRY(expression(one));
    return {};
  }
  [[nodiscard]] Status step(const stream::StaticJoinSpec& join) const {
    for (const BoundExpr& key : join.stream_keys) MILLRACE_TRY(expression(key));
    if (join.residual) MILLRACE_TRY(expression(join.residual->predicate));
    if (!join.table.options.has("reload")) return {};
    return refuse(
        fmt::format("table {} is read anew while the query runs (option reload)", join.table.name));
  }
  [[nodiscard]] Status step(const stream::ExplodeSpec& explode) const {
    return expression(explode.list);
  }
  [[nodiscard]] Status step(const stream::TypedSpec& typed) const {
    if (typed.function->is_reproducible) return {};
    return refuse(
        fmt::format("a {} over {} is not declared reproducible (wrap the function in "
                    "millrace::reproducible if the same rows always give the same)",
                    typed.function->verb, typed.function->row_name));
  }
  template <typename Other>
  [[nodiscard]] Status step(const Other& /*decode, encode, sink*/) const {
    return {};
  }

  [[nodiscard]] Status expression(const BoundExpr& one) const {
    const BoundExpr* const call = irreproducible_call(one);
    if (call == nullptr) return {};
    return refuse(fmt::format("{} may give another result when it is evaluated again", call->text));
  }

  [[nodiscard]] tl::unexpected<Error> refuse(const std::string& reason) const {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("exactly_once = 'resume' of table {} rests on records that come out the "
                    "same when they are made again, and {}; leave that out, or deliver "
                    "at least once",
                    sink_, reason));
  }

  const std::string sink_;
};

const stream::SinkSpec* sink_by(const stream::ChainSpec& chain, std::string_view delivery) {
  for (const stream::ChainNode& node : chain.nodes)
    if (const auto* const sink = std::get_if<stream::SinkSpec>(&node.spec))
      if (sink->delivery == delivery) return sink;
  return nullptr;
}

const stream::SinkSpec* sink_by(const stream::PhysicalPlan& plan, std::string_view delivery) {
  for (const stream::ChainSpec& chain : plan.chains)
    if (const stream::SinkSpec* const sink = sink_by(chain, delivery)) return sink;
  return nullptr;
}

/// An epoch is decided within its transaction, which the brokers abort when it takes too long.
Status check_timeout(const stream::SinkSpec& sink, const triggers::Trigger& trigger) {
  const auto given = sink.table.options.get(kTransactionTimeout);
  if (!given || trigger.kind != triggers::TriggerKind::kRealTime) return {};
  const std::int64_t least = transaction_timeout_ms(trigger);
  if (std::atoll(given->c_str()) >= least) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{} = {} of table {} is too short: with trigger {} an epoch and its "
                          "commit may take {} ms (twice the interval and {} ms); shorten the "
                          "trigger, or set it to at least that",
                          kTransactionTimeout, *given, sink.table.name,
                          triggers::to_string(trigger), least, kCommitMs));
}

}  // namespace

Status check_delivery(const stream::PhysicalPlan& plan, const triggers::Trigger& trigger,
                      bool has_checkpoint) {
  const stream::SinkSpec* const resuming = sink_by(plan, kResume);
  const stream::SinkSpec* const deciding = sink_by(plan, kTransaction);
  if (resuming != nullptr && deciding != nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("tables {} and {} are written by one query, exactly once in two ways "
                            "('resume' and 'transaction'): give both the same exactly_once",
                            resuming->table.name, deciding->table.name));
  }
  const stream::SinkSpec* const sink = resuming != nullptr ? resuming : deciding;
  if (sink == nullptr) return {};
  if (!has_checkpoint) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("exactly_once = '{}' of table {} needs a checkpoint_location: without "
                            "one nothing is known after a restart",
                            sink->delivery, sink->table.name));
  }
  if (deciding != nullptr) return check_timeout(*deciding, trigger);
  for (const stream::ChainSpec& chain : plan.chains)
    if (const stream::SinkSpec* const one = sink_by(chain, kResume))
      MILLRACE_TRY(ReproducibilityCheck(one->table.name).check(chain));
  return {};
}

void extend_delivery(stream::PhysicalPlan& plan) {
  for (stream::ChainSpec& chain : plan.chains) {
    if (!chain.bad_records.dead_letter) continue;
    stream::SinkSpec& letters = chain.bad_records.dead_letter->sink;
    if (letters.table.connector != "kafka") continue;
    for (const std::string_view delivery : {kResume, kTransaction}) {
      const stream::SinkSpec* const sink = sink_by(chain, delivery);
      if (sink == nullptr) continue;
      letters.delivery = delivery;
      letters.table.options.set("exactly_once", std::string(delivery));
      // One transaction holds both, so that they agree on what is about it.
      for (const char* option : {"transaction_prefix", "on_lost_mark", kTransactionTimeout})
        if (const auto value = sink->table.options.get(option))
          letters.table.options.set(option, *value);
    }
  }
}

void extend_timeouts(stream::PhysicalPlan& plan, const triggers::Trigger& trigger) {
  const std::int64_t least = transaction_timeout_ms(trigger);
  if (least <= kDefaultTimeoutMs) return;
  const auto extend = [&](stream::SinkSpec& sink) {
    if (sink.delivery == kTransaction && !sink.table.options.has(kTransactionTimeout))
      sink.table.options.set(kTransactionTimeout, std::to_string(least));
  };
  for (stream::ChainSpec& chain : plan.chains) {
    for (stream::ChainNode& node : chain.nodes)
      if (auto* const sink = std::get_if<stream::SinkSpec>(&node.spec)) extend(*sink);
    if (chain.bad_records.dead_letter) extend(chain.bad_records.dead_letter->sink);
  }
}

bool has_resuming_sink(const stream::PhysicalPlan& plan) {
  return sink_by(plan, kResume) != nullptr;
}

}  // namespace millrace::session
