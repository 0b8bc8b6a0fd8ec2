#include "cli/arguments.hpp"
#include "cli/job_runner.hpp"

int main(int count, char** values) {
  using namespace millrace::cli;
  const ParsedArguments parsed = parse_arguments(count, values);
  if (!parsed.arguments) return parsed.exit_code;
  return parsed.arguments->command == Arguments::Command::kRun ? run_job(*parsed.arguments)
                                                               : explain_job(*parsed.arguments);
}
