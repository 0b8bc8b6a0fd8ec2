#include "cli/arguments.hpp"
#include "cli/checkpoint_command.hpp"
#include "cli/job_runner.hpp"
#include "stream/functions/reference.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <iostream>

namespace {

// Started without them, the first files and sockets would take the numbers 0 to 2, and what is said
// on standard error would go into one of these.
void open_standard_streams() {
  int opened = 0;
  while (opened >= 0 && opened <= STDERR_FILENO) opened = open("/dev/null", O_RDWR);
  if (opened > STDERR_FILENO) close(opened);
}

}  // namespace

int main(int count, char** values) {
  open_standard_streams();
  using namespace millrace::cli;
  const ParsedArguments parsed = parse_arguments(count, values);
  if (!parsed.arguments) return parsed.exit_code;
  switch (parsed.arguments->command) {
    case Arguments::Command::kRun:
      return run_job(*parsed.arguments);
    case Arguments::Command::kExplain:
      return explain_job(*parsed.arguments);
    case Arguments::Command::kCheckpoint:
      if (parsed.arguments->checkpoint->verb == CheckpointRequest::Verb::kCheck)
        return check_job(*parsed.arguments);
      return run_checkpoint_command(*parsed.arguments);
    case Arguments::Command::kFunctions:
      break;
  }
  std::cout << millrace::stream::function_reference(millrace::stream::FunctionRegistry::builtin());
  return kOk;
}
