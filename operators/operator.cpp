#include "operators/operator.hpp"

namespace millrace::operators {

Status Operator::on_timer(EventTime /*due*/, Emitter& /*out*/) { return {}; }
Status Operator::on_wake(Emitter& /*out*/) { return {}; }
Status Operator::on_epoch_end(const EpochInfo& /*info*/, Emitter& /*out*/) { return {}; }

}  // namespace millrace::operators
