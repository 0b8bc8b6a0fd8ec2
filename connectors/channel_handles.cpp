#include "millrace/channel.hpp"

#include "connectors/channel_lane.hpp"
#include "connectors/channel_source.hpp"
#include "connectors/row_check.hpp"
#include "stream/arena_text.hpp"

#include <utility>

// The handles that the host program holds; the work is done by what stands behind them.

namespace millrace {
namespace {

connectors::ChannelStream& stream_of(const ChannelSource& source) {
  return static_cast<connectors::ChannelStream&>(*source.host());
}

connectors::ChannelTarget& target_of(const ChannelSink& sink) {
  return static_cast<connectors::ChannelTarget&>(*sink.host());
}

// By way of columns of their own, so that the text of any type can be brought into the batch.
void append_rows(const void* rows, std::size_t first, std::size_t count, Batch& to) {
  const Row* const from = static_cast<const Row*>(rows) + first;
  for (std::size_t column = 0; column < to.column_count(); ++column) {
    Column values(to.column(column).type());
    for (std::size_t row = 0; row < count; ++row) append_value(values, from[row][column]);
    stream::own_text(values, to.arena());
    for (std::size_t row = 0; row < count; ++row) to.column(column).append_from(values, row);
  }
}

Status check_rows(const ChannelSource& source, const Row* rows, std::size_t count) {
  for (std::size_t row = 0; row < count; ++row)
    MILLRACE_TRY(connectors::check_row(rows[row], source.name(), stream_of(source).columns()));
  return {};
}

}  // namespace

// -- ChannelSource --------------------------------------------------------------------------------

ChannelSource::ChannelSource(std::string name, std::vector<Field> columns,
                             ChannelSourceOptions options)
    : HostTable(std::make_shared<connectors::ChannelStream>(std::move(name), std::move(columns),
                                                            options)) {}

Result<std::int64_t> ChannelSource::send(const Row& row) const {
  MILLRACE_TRY(check_rows(*this, &row, 1));
  return send_filled({&row, append_rows}, 1);
}

Result<std::optional<std::int64_t>> ChannelSource::try_send(const Row& row) const {
  MILLRACE_TRY(check_rows(*this, &row, 1));
  return try_send_one({&row, append_rows});
}

Result<std::int64_t> ChannelSource::send_rows(const std::vector<Row>& rows) const {
  MILLRACE_TRY(check_rows(*this, rows.data(), rows.size()));
  return send_filled({rows.data(), append_rows}, rows.size());
}

Result<std::size_t> ChannelSource::try_send_rows(const std::vector<Row>& rows) const {
  MILLRACE_TRY(check_rows(*this, rows.data(), rows.size()));
  return try_send_filled({rows.data(), append_rows}, rows.size());
}

Result<std::int64_t> ChannelSource::send_filled(const ChannelFill& fill, std::size_t rows) const {
  return stream_of(*this).give_all(fill, rows);
}

Result<std::size_t> ChannelSource::try_send_filled(const ChannelFill& fill,
                                                   std::size_t rows) const {
  MILLRACE_ASSIGN(const connectors::ChannelStream::Given given,
                  stream_of(*this).give_some(fill, rows));
  return given.rows;
}

Result<std::optional<std::int64_t>> ChannelSource::try_send_one(const ChannelFill& fill) const {
  MILLRACE_ASSIGN(const connectors::ChannelStream::Given given,
                  stream_of(*this).give_some(fill, 1));
  if (given.rows == 0) return std::nullopt;
  return given.first;
}

std::int64_t ChannelSource::next_sequence() const { return stream_of(*this).next_sequence(); }

std::int64_t ChannelSource::committed_up_to() const { return stream_of(*this).committed_up_to(); }

void ChannelSource::on_committed(std::function<void(std::int64_t)> callback) const {
  stream_of(*this).on_committed(std::move(callback));
}

std::size_t ChannelSource::rows_waiting() const { return stream_of(*this).rows_waiting(); }

// -- ChannelSink ----------------------------------------------------------------------------------

ChannelSink::ChannelSink(std::string name, ChannelSinkOptions options)
    : HostTable(std::make_shared<connectors::ChannelTarget>(std::move(name), options, nullptr)) {}

ChannelSink::ChannelSink(std::string name, std::function<void(const Batch&)> callback)
    : HostTable(std::make_shared<connectors::ChannelTarget>(std::move(name), ChannelSinkOptions{},
                                                            std::move(callback))) {}

Result<ReceivedRows> ChannelSink::receive() const {
  Result<std::optional<ReceivedRows>> received = target_of(*this).receive(std::nullopt);
  if (!received) return fail(std::move(received).error());
  return std::move(**received);
}

Result<std::optional<ReceivedRows>> ChannelSink::receive(std::chrono::nanoseconds limit) const {
  return target_of(*this).receive(std::chrono::steady_clock::now() + limit);
}

std::optional<ReceivedRows> ChannelSink::try_receive() const {
  return target_of(*this).try_receive();
}

// -- ReceivedRows ---------------------------------------------------------------------------------

ReceivedRows::ReceivedRows(std::shared_ptr<ChannelLane> lane, Batch rows, Epoch epoch,
                           SteadyTime since)
    : lane_(std::move(lane)), rows_(std::move(rows)), epoch_(epoch), since_(since) {}

ReceivedRows& ReceivedRows::operator=(ReceivedRows&& other) noexcept {
  if (this == &other) return *this;
  deliver();
  lane_ = std::move(other.lane_);
  rows_ = std::move(other.rows_);
  epoch_ = other.epoch_;
  since_ = other.since_;
  return *this;
}

ReceivedRows::~ReceivedRows() { deliver(); }

Row ReceivedRows::row(std::size_t number) const {
  Row values;
  for (std::size_t column = 0; column < rows_.column_count(); ++column)
    values.push_back(value_of(rows_.column(column), number));
  return values;
}

void ReceivedRows::deliver() {
  if (lane_ == nullptr) return;
  const std::size_t rows = rows_.rows();
  rows_ = Batch();  // back to the lane's pool, while that is there
  lane_->delivery->deliver(epoch_, rows, since_);
  lane_.reset();
}

}  // namespace millrace
