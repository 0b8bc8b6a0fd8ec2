#include "stream/replay_filter.hpp"

#include <algorithm>
#include <utility>

namespace millrace::stream {

ReplayFilter::ReplayFilter(OutputMarks written) : written_(std::move(written)) {
  for (const auto& [partition, mark] : written_) written_up_to_ = std::max(written_up_to_, mark);
}

}  // namespace millrace::stream
