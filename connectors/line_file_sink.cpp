#include "connectors/line_file_sink.hpp"

#include "stream/latency_histogram.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

// Tasks put lines into a buffer; the sink's thread takes the whole of it, writes, and reports:
//
//   task     write(lines of N) ──▶ buffer_ ─┐
//   coord.   seal(N) ──────────▶ sealed_ ───┴─▶ thread: write, fdatasync when an epoch was sealed,
//                                                on_flushed(N)

namespace millrace::connectors {
namespace {

/// A task waits when so much is not written yet.
constexpr std::size_t kBufferBytesMax = 8 << 20;

std::string path_of(const stream::TableDefinition& table) {
  return table.options.get_or("path", "");
}

Error io_error(std::string_view doing, const std::string& path) {
  const int number = errno;
  const auto code = number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo;
  return {code, fmt::format("{}: {}: {}", doing, std::strerror(number), path)};
}

class LineFileSink final : public stream::Sink {
 public:
  LineFileSink(std::string path, const Clock& clock) : path_(std::move(path)), clock_(clock) {}
  ~LineFileSink() override { close(); }

  void set_events(stream::SinkEvents events) override { events_ = std::move(events); }
  Result<std::unique_ptr<stream::SinkWriter>> open_writer(SchemaRef schema) override;
  Status prime() override;
  void seal(Epoch epoch) override;
  std::int64_t in_flight() const override { return taken_.load() - acknowledged_.load(); }
  std::int64_t acknowledged() const override { return acknowledged_.load(); }
  stream::LatencySnapshot acknowledge_latency() const override { return latency_.snapshot(); }
  void close() override;

  [[nodiscard]] bool is_ready();
  [[nodiscard]] Status take(const Batch& rows, std::size_t value_column);

 private:
  void run();
  bool write_all(const std::string& lines);
  void report(std::int64_t lines, SteadyTime since, const std::deque<Epoch>& sealed);

  const std::string path_;
  const Clock& clock_;
  stream::SinkEvents events_;
  stream::LatencyHistogram latency_;
  std::atomic<std::int64_t> taken_{0};
  std::atomic<std::int64_t> acknowledged_{0};
  std::atomic<bool> is_full_{false};
  int file_ = -1;
  std::thread thread_;

  std::mutex mutex_;  ///< guards what follows
  std::condition_variable changed_;
  std::string buffer_;
  std::int64_t buffered_lines_ = 0;
  SteadyTime oldest_{};  ///< when the first of them was taken
  std::deque<Epoch> sealed_;
  bool is_waited_for_ = false;
  bool is_closing_ = false;
};

class LineFileWriter final : public stream::SinkWriter {
 public:
  LineFileWriter(LineFileSink& sink, std::size_t value_column)
      : sink_(sink), value_column_(value_column) {}
  bool is_ready() override { return sink_.is_ready(); }
  Status write(const Batch& rows, Epoch /*epoch*/) override {
    return sink_.take(rows, value_column_);
  }

 private:
  LineFileSink& sink_;
  const std::size_t value_column_;
};

Result<std::unique_ptr<stream::SinkWriter>> LineFileSink::open_writer(SchemaRef schema) {
  const auto value = schema->find("value");
  if (!value) return fail(ErrorCode::kInternal, "a line file takes a column value");
  return std::make_unique<LineFileWriter>(*this, *value);
}

Status LineFileSink::prime() {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) return fail(io_error("cannot open the file of option dead_letter_path", path_));
  thread_ = std::thread([this] { run(); });
  return {};
}

// No lock while there is room: a task asks before every batch, however good its records are.
bool LineFileSink::is_ready() {
  if (!is_full_.load(std::memory_order_relaxed)) [[likely]]
    return true;
  const std::lock_guard lock(mutex_);
  is_waited_for_ = buffer_.size() >= kBufferBytesMax;
  return !is_waited_for_;
}

// Lines of N are in the buffer before N is sealed, so that whoever takes both writes them first.
Status LineFileSink::take(const Batch& rows, std::size_t value_column) {
  const auto count = static_cast<std::int64_t>(rows.rows());
  taken_.fetch_add(count);
  const std::lock_guard lock(mutex_);
  if (buffer_.empty()) oldest_ = clock_.steady();
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    buffer_ += rows.column(value_column).text(row);
    buffer_ += '\n';
  }
  buffered_lines_ += count;
  is_full_.store(buffer_.size() >= kBufferBytesMax, std::memory_order_relaxed);
  changed_.notify_one();
  return {};
}

void LineFileSink::seal(Epoch epoch) {
  const std::lock_guard lock(mutex_);
  sealed_.push_back(epoch);
  changed_.notify_one();
}

void LineFileSink::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_closing_ || !buffer_.empty() || !sealed_.empty(); });
    if (is_closing_) return;
    const std::string lines = std::exchange(buffer_, {});
    const std::int64_t count = std::exchange(buffered_lines_, 0);
    const std::deque<Epoch> sealed = std::exchange(sealed_, {});
    const SteadyTime since = oldest_;
    is_full_.store(false, std::memory_order_relaxed);
    const bool had_to_wait = std::exchange(is_waited_for_, false);
    lock.unlock();
    const bool is_written = write_all(lines) && (sealed.empty() || ::fdatasync(file_) == 0);
    if (!is_written) {
      events_.on_failure(io_error("cannot write dead letters", path_));
      return;
    }
    report(count, since, sealed);
    if (had_to_wait) events_.on_room();
    lock.lock();
  }
}

bool LineFileSink::write_all(const std::string& lines) {
  std::size_t done = 0;
  while (done < lines.size()) {
    const ssize_t written = ::write(file_, lines.data() + done, lines.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

void LineFileSink::report(std::int64_t lines, SteadyTime since, const std::deque<Epoch>& sealed) {
  acknowledged_.fetch_add(lines);
  if (lines > 0) latency_.record(clock_.steady().value - since.value);
  for (const Epoch epoch : sealed) events_.on_flushed(epoch);
}

void LineFileSink::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
  if (file_ >= 0) ::close(std::exchange(file_, -1));
}

}  // namespace

Result<stream::TableTraits> line_file_sink_traits(const stream::TableDefinition& table) {
  if (path_of(table).empty())
    return fail(ErrorCode::kInvalidArgument, "option dead_letter_path names no file");
  return stream::TableTraits{};
}

Result<std::unique_ptr<stream::Sink>> make_line_file_sink(const stream::SinkSpec& spec,
                                                          const ConnectorContext& context) {
  MILLRACE_TRY(line_file_sink_traits(spec.table));
  return std::make_unique<LineFileSink>(path_of(spec.table), context.clock);
}

}  // namespace millrace::connectors
