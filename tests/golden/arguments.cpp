#include "tests/golden/arguments.hpp"

#include "millrace/batch.hpp"

#include "stream/scalar_text.hpp"

#include <sstream>

namespace millrace::golden {

namespace {

/// Reads the words one after another.
class ArgumentReader {
 public:
  explicit ArgumentReader(std::span<const std::string> words) : words_(words) {}

  Result<Arguments> read() {
    while (next_ < words_.size()) MILLRACE_TRY(read_word(words_[next_++]));
    if (arguments_.paths.empty()) return fail(ErrorCode::kInvalidArgument, "no path is given");
    return std::move(arguments_);
  }

 private:
  Status read_word(const std::string& word) {
    RunSettings& settings = arguments_.settings;
    if (word == "--drive") return take_one_of({"planned", "open"}, settings.drive);
    if (word == "--store") return take_one_of({"memory", "rocksdb"}, settings.store);
    if (word == "--batch-rows") return take_count(kBatchRowsMax, settings.batch_rows);
    if (word == "--parallelism") return take_count(1000, settings.parallelism);
    if (word == "--may-skip") return take_names(arguments_.allowances.may_skip);
    if (word == "--exceptions") return take_exceptions(arguments_.allowances.exceptions);
    if (word == "--report") return take_text(arguments_.report);
    if (word == "--strict") {
      arguments_.allowances.is_strict = true;
    } else if (word == "--restart-every-epoch") {
      settings.restarts_every_epoch = true;
    } else if (word == "--without-state") {
      arguments_.leaves_state_out = true;
    } else if (word.starts_with("--")) {
      return fail(ErrorCode::kInvalidArgument, "unknown option " + word);
    } else {
      arguments_.paths.push_back(word);
    }
    return {};
  }

  Result<std::string> take() {
    if (next_ == words_.size())
      return fail(ErrorCode::kInvalidArgument, "a value is missing behind " + words_[next_ - 1]);
    return words_[next_++];
  }

  Status take_text(std::string& target) {
    MILLRACE_ASSIGN(target, take());
    return {};
  }

  Status take_names(std::set<std::string>& target) {
    MILLRACE_ASSIGN(const std::string text, take());
    std::istringstream names(text);
    for (std::string name; std::getline(names, name, ',');) target.insert(name);
    return {};
  }

  Status take_exceptions(std::map<std::string, std::string>& target) {
    MILLRACE_ASSIGN(const std::string path, take());
    MILLRACE_ASSIGN(target, read_exceptions(path));
    return {};
  }

  Status take_one_of(std::initializer_list<std::string_view> accepted, std::string& target) {
    MILLRACE_ASSIGN(target, take());
    for (const std::string_view one : accepted)
      if (target == one) return {};
    return fail(ErrorCode::kInvalidArgument, "unknown value " + target);
  }

  Status take_count(std::size_t most, std::size_t& target) {
    MILLRACE_ASSIGN(const std::string text, take());
    const auto number = stream::read_int64(text);
    if (!number || *number < 1 || *number > static_cast<std::int64_t>(most))
      return fail(ErrorCode::kInvalidArgument, "not a number in range: " + text);
    target = static_cast<std::size_t>(*number);
    return {};
  }

  std::span<const std::string> words_;
  std::size_t next_ = 0;
  Arguments arguments_;
};

}  // namespace

Result<Arguments> read_arguments(std::span<const std::string> words) {
  return ArgumentReader(words).read();
}

}  // namespace millrace::golden
