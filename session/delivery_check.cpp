#include "session/delivery_check.hpp"

#include "stream/functions/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

namespace millrace::session {
namespace {

using stream::BoundExpr;

constexpr std::string_view kResume = "resume";

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

const stream::SinkSpec* resuming_sink(const stream::ChainSpec& chain) {
  for (const stream::ChainNode& node : chain.nodes)
    if (const auto* const sink = std::get_if<stream::SinkSpec>(&node.spec))
      if (sink->delivery == kResume) return sink;
  return nullptr;
}

}  // namespace

Status check_delivery(const stream::PhysicalPlan& plan, bool has_checkpoint) {
  for (const stream::ChainSpec& chain : plan.chains) {
    const stream::SinkSpec* const sink = resuming_sink(chain);
    if (sink == nullptr) continue;
    if (!has_checkpoint) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("exactly_once = 'resume' of table {} needs a checkpoint_location: "
                              "without one nothing is known after a restart",
                              sink->table.name));
    }
    MILLRACE_TRY(ReproducibilityCheck(sink->table.name).check(chain));
  }
  return {};
}

void extend_delivery(stream::PhysicalPlan& plan) {
  for (stream::ChainSpec& chain : plan.chains) {
    if (!chain.bad_records.dead_letter || resuming_sink(chain) == nullptr) continue;
    stream::SinkSpec& letters = chain.bad_records.dead_letter->sink;
    if (letters.table.connector != "kafka") continue;
    letters.delivery = kResume;
    letters.table.options.set("exactly_once", kResume);
  }
}

bool has_resuming_sink(const stream::PhysicalPlan& plan) {
  return std::ranges::any_of(
      plan.chains, [](const stream::ChainSpec& chain) { return resuming_sink(chain) != nullptr; });
}

}  // namespace millrace::session
