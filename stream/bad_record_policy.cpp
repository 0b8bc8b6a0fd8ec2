#include "stream/bad_record_policy.hpp"

#include "stream/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace millrace::stream {
namespace {

struct Word {
  std::string_view text;
  OnBadRecord choice;
};

constexpr auto kChoices = std::to_array<Word>({{"fail", OnBadRecord::kFail},
                                               {"skip", OnBadRecord::kSkip},
                                               {"null", OnBadRecord::kNull},
                                               {"dead_letter", OnBadRecord::kDeadLetter}});
constexpr auto kModes = std::to_array<Word>({{"failfast", OnBadRecord::kFail},
                                             {"dropmalformed", OnBadRecord::kSkip},
                                             {"permissive", OnBadRecord::kNull}});

tl::unexpected<Error> refuse(std::string message) {
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

Result<std::optional<Word>> read_word(const Options& options, std::string_view key,
                                      std::span<const Word> words) {
  const auto given = options.get(key);
  if (!given) return std::nullopt;
  const std::string text = lower_case(*given);
  std::vector<std::string_view> accepted;
  for (const Word& word : words) {
    if (word.text == text) return word;
    accepted.push_back(word.text);
  }
  const auto nearest = nearest_name(text, accepted);
  return refuse(fmt::format("option {} = '{}' is not known; accepted: {}{}", key, *given,
                            fmt::join(accepted, ", "),
                            nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""));
}

Status check_agreement(const std::optional<Word>& choice, const std::optional<Word>& mode) {
  if (!choice || !mode || choice->choice == mode->choice) return {};
  return refuse(
      fmt::format("options mode = '{}' and on_bad_record = '{}' contradict each other: mode = "
                  "'{}' goes with on_bad_record = '{}' or none",
                  mode->text, choice->text, mode->text, to_string(mode->choice)));
}

Status check_dead_letter_target(const BadRecordPolicy& policy) {
  const bool has_topic = !policy.dead_letter_topic.empty();
  const bool has_path = !policy.dead_letter_path.empty();
  if (policy.has_dead_letters()) {
    if (has_topic != has_path) return {};
    return refuse(
        fmt::format("on_bad_record = 'dead_letter' needs {} of the options dead_letter_topic and "
                    "dead_letter_path",
                    has_topic ? "only one" : "one"));
  }
  if (!has_topic && !has_path) return {};
  return refuse(fmt::format("option {} does nothing without on_bad_record = 'dead_letter'",
                            has_topic ? "dead_letter_topic" : "dead_letter_path"));
}

Status check_corrupt_column(const BadRecordPolicy& policy) {
  if (!policy.names_corrupt_column || policy.on_decode == OnBadRecord::kNull) return {};
  return refuse(
      "option column_name_of_corrupt_record does nothing without mode = 'permissive' or "
      "on_bad_record = 'null'");
}

}  // namespace

std::string_view to_string(OnBadRecord choice) {
  for (const Word& word : kChoices)
    if (word.choice == choice) return word.text;
  return "unknown";
}

std::string_view to_string(BadRecordReason reason) {
  constexpr std::array<std::string_view, kBadRecordReasons> kNames = {
      "malformed", "field", "expression", "oversized", "unwritable"};
  return kNames[static_cast<std::size_t>(reason)];
}

Result<BadRecordPolicy> BadRecordPolicy::parse(const Options& options) {
  MILLRACE_ASSIGN(const auto choice, read_word(options, "on_bad_record", kChoices));
  MILLRACE_ASSIGN(const auto mode, read_word(options, "mode", kModes));
  MILLRACE_TRY(check_agreement(choice, mode));
  BadRecordPolicy policy;
  if (choice) policy.on_row = choice->choice;
  policy.on_decode = mode ? mode->choice : policy.on_row;
  if (const auto name = options.get("column_name_of_corrupt_record")) {
    policy.corrupt_column = *name;
    policy.names_corrupt_column = true;
  }
  policy.dead_letter_topic = options.get_or("dead_letter_topic", "");
  policy.dead_letter_path = options.get_or("dead_letter_path", "");
  MILLRACE_TRY(check_dead_letter_target(policy));
  MILLRACE_TRY(check_corrupt_column(policy));
  return policy;
}

}  // namespace millrace::stream
