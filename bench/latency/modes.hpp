#pragma once

#include "bench/latency/settings.hpp"

namespace millrace::bench {

// One function per mode of the program; each prints its table and, when asked, writes its JSON.

Status measure_latency(const Settings& settings);
Status measure_backlog(const Settings& settings);
Status measure_idle(const Settings& settings);
Status measure_ready(const Settings& settings);

/// Writes the text to the file of --output; does nothing when there is none.
Status write_output(const Settings& settings, const std::string& text);

}  // namespace millrace::bench
