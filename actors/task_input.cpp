#include "actors/task_input.hpp"

namespace millrace::actors {

void TaskInput::connect(Waker& /*waker*/) {}

void TaskInput::close_epoch(const CloseEpoch& /*request*/) {}

void TaskInput::run_epoch(const PlannedEpoch& /*epoch*/) {}

}  // namespace millrace::actors
