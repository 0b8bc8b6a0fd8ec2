#include "session/async_progress.hpp"

#include "triggers/trigger.hpp"

#include <fmt/format.h>

#include <string_view>
#include <variant>

namespace millrace::session {
namespace {

tl::unexpected<Error> refuse(std::string_view reason) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("async_progress = 'true' {}", reason));
}

}  // namespace

Status check_async_progress(const stream::PhysicalPlan& plan, const QuerySettings& settings) {
  if (!settings.async_progress) return {};
  MILLRACE_ASSIGN(const triggers::Trigger trigger, triggers::parse_trigger(settings.trigger));
  if (!triggers::is_planned(trigger)) {
    return refuse(
        "is for triggers that plan an epoch before they read it (processing_time, available_now, "
        "once): with real_time, rows never wait for the checkpoint's disk");
  }
  if (settings.checkpoint_folder.empty())
    return refuse("needs a checkpoint_location: without one nothing is written down");
  for (const stream::ChainSpec& chain : plan.chains)
    for (const stream::ChainNode& node : chain.nodes)
      if (const auto* sink = std::get_if<stream::SinkSpec>(&node.spec))
        if (sink->delivery != "none") {
          return refuse(fmt::format(
              "reads an epoch before it is written down what that is, so that a restart may cut it "
              "elsewhere, and exactly_once = '{}' of table {} rests on an epoch being the same "
              "when "
              "it runs again; leave one of the two out",
              sink->delivery, sink->table.name));
        }
  return {};
}

}  // namespace millrace::session
