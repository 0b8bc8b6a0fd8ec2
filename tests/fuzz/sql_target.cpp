#include "millrace/session.hpp"

#include "sql/program.hpp"
#include "tests/fuzz/fuzz_target.hpp"

#include <string>

namespace millrace::fuzz {
namespace {

std::optional<std::string> variable(std::string_view name) {
  if (name == "SERVERS") return "127.0.0.1:9092";
  if (name == "WORDS") return "it's \"a\" \\ $$ -- ${SERVERS}";
  if (name == "SECRET") return "hunter2";
  return std::nullopt;
}

void check_refusal(const Error& error) {
  require_readable(error);
  require(error.message.find("hunter2") == std::string::npos, "a variable's value is never shown");
}

}  // namespace

// A whole job, as far as it goes without connecting to anything.
void run_sql(std::string_view input) {
  auto program = sql::Program::parse(std::string(input), variable);
  if (!program) return check_refusal(program.error());
  Session session;
  const Status prepared = program->prepare(session);
  if (!prepared) return check_refusal(prepared.error());
  static_cast<void>(program->explanation(true));
}

}  // namespace millrace::fuzz
