#pragma once

#include "stream/plan/physical_plan.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

/// The connector of the sink that a SELECT of its own has while its plan is shown: it is never run.
inline constexpr std::string_view kResultConnector = "result";

/// What a plan's text says beside the plan itself.
struct ExplainContext {
  std::string trigger = "real_time 5 seconds";
  std::string wait_policy = "park";
  std::string threads;                            ///< worker threads; empty: the default, unsaid
  std::string expressions;                        ///< how they differ from the default; or empty
  std::string checkpoint_folder;                  ///< empty: nothing is kept
  std::map<std::string, std::size_t> partitions;  ///< per source, where they are known
};

/// Tells a person what runs: the chains with every step and its columns, what the decoder builds
/// and skips, tasks, exchanges, static tables, delivery and when a row becomes visible, trigger,
/// waiting and checkpoint. Of a plan into kResultConnector, the chains alone. The same plan always
/// gives the same text. Option values are not shown, for they may hold secrets.
[[nodiscard]] std::string explain(const PhysicalPlan& plan, const ExplainContext& context);

/// The steps of one chain, as they stand in the plan's text: a line each, the indented ones about
/// the step before them.
[[nodiscard]] std::vector<std::string> explain_steps(const ChainSpec& chain);

}  // namespace millrace::stream
