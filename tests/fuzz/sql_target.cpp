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

// A variable may be a piece of SQL, and a name then appears in refusals; a password may not.
bool is_password_only(std::string_view input) {
  constexpr std::string_view kVariable = "${SECRET}";
  for (std::size_t at = input.find(kVariable); at != std::string_view::npos;
       at = input.find(kVariable, at + 1))
    if (!input.substr(0, at).ends_with("password = '")) return false;
  return true;
}

}  // namespace

// A whole job, as far as it goes without connecting to anything.
void run_sql(std::string_view input) {
  auto program = sql::Program::parse(std::string(input), variable);
  if (!program) {
    require_readable(program.error());
    require(
        !is_password_only(input) || program.error().message.find("hunter2") == std::string::npos,
        "a password is never shown");
    return;
  }
  Session session;
  const Status prepared = program->prepare(session);
  if (!prepared) return require_readable(prepared.error());
  static_cast<void>(program->shown(true));
}

}  // namespace millrace::fuzz
