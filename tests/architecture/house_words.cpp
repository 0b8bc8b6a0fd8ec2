#include "tests/architecture/house_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace millrace::architecture {
namespace {

constexpr std::array<std::string_view, 5> kDrawers = {"_util", "_utils", "_helper", "_helpers",
                                                      "_common"};

/// A word that is not ours, in small letters without underscores, and ours for the same thing.
struct SecondWord {
  std::string_view word;
  std::string_view ours;
};

// Only what can hardly mean anything else: librdkafka's and CAF's names pass, and so does a word
// that a user may write (the trigger 'micro_batch'), which stands in quotes.
constexpr auto kSecondWords = std::to_array<SecondWord>({
    {"microbatch", "epoch"},
    {"minibatch", "epoch"},
    {"superstep", "epoch"},
    {"recordbatch", "batch"},
    {"rowgroup", "batch"},
    {"rowblock", "batch"},
    {"partitiontask", "source task"},
    {"readertask", "source task"},
    {"subtask", "task"},
    {"taskinstance", "task"},
    {"pipeline", "chain"},
    {"operatorgroup", "chain"},
    {"topology", "plan"},
    {"jobgraph", "plan"},
    {"taskqueue", "channel"},
    {"rowqueue", "channel"},
    {"epochmarker", "barrier"},
    {"checkpointmarker", "barrier"},
    {"checkpointbarrier", "barrier"},
    {"savepoint", "checkpoint"},
    {"keyrange", "key group"},
    {"keybucket", "key group"},
    {"partitiongroup", "key group"},
    {"vnode", "key group"},
    {"deltalog", "changelog"},
    {"redolog", "changelog"},
    {"writeaheadlog", "changelog"},
    {"changesnapshot", "changelog"},
    {"deltasnapshot", "changelog"},
    {"incarnation", "generation or attempt"},
});

std::string at(const SourceFile& file, std::size_t line) {
  return file.path + ":" + std::to_string(line) + ": ";
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(std::tolower(letter));
  return result;
}

void check_name(const SourceFile& file, std::vector<std::string>& breaches) {
  const auto stem = file.name().substr(0, file.name().find('.'));
  for (const auto drawer : kDrawers) {
    if (!stem.ends_with(drawer) && stem != drawer.substr(1)) continue;
    breaches.push_back(file.path + ": a file is named after the noun it holds, not \"" +
                       std::string(drawer.substr(1)) + "\"");
  }
}

// The one word that comments may not hold either.
void check_text(const SourceFile& file, std::vector<std::string>& breaches) {
  // Spelt in two halves so that this file keeps its own rule.
  const std::string word = std::string("chu") + "nk";
  const auto text = lower(file.text);
  const auto found = text.find(word);
  if (found == std::string::npos) return;
  const auto line = std::ranges::count(text.begin(), text.begin() + static_cast<long>(found), '\n');
  breaches.push_back(at(file, static_cast<std::size_t>(line) + 1) + "\"" + word +
                     "\" is not a word of ours; rows travel in batches");
}

void check_identifiers(const SourceFile& file, std::vector<std::string>& breaches) {
  for (const Identifier& identifier : identifiers_of(file)) {
    std::string plain = lower(identifier.name);
    std::erase(plain, '_');
    for (const SecondWord& second : kSecondWords) {
      if (plain.find(second.word) == std::string::npos) continue;
      breaches.push_back(at(file, identifier.line) + identifier.name +
                         ": one idea has one word, ours is \"" + std::string(second.ours) + "\"");
    }
  }
}

}  // namespace

std::vector<std::string> check_words(const std::vector<SourceFile>& files) {
  std::vector<std::string> breaches;
  for (const auto& file : files) {
    check_name(file, breaches);
    check_text(file, breaches);
    check_identifiers(file, breaches);
  }
  return breaches;
}

}  // namespace millrace::architecture
