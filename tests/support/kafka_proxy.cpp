#include "tests/support/kafka_proxy.hpp"

#include "millrace/assert.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

// Frames of the protocol, as far as they matter here (all numbers big-endian):
//
//   request: length:4 kind:2 version:2 number:4 ...        answer: length:4 number:4 ...

namespace millrace::support {
namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kKindAt = 4;
constexpr std::size_t kRequestNumberAt = 8;
constexpr std::size_t kAnswerNumberAt = 4;
constexpr std::int32_t kProduce = 0;
constexpr int kLookMs = 20;  ///< how soon the end is noticed

std::int32_t read_number(std::string_view frame, std::size_t at, std::size_t bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    number = (number << 8) | static_cast<std::uint8_t>(frame[at + i]);
  }
  return static_cast<std::int32_t>(number);
}

// Takes the first whole frame off; empty when there is none.
std::string take_frame(std::string& bytes) {
  if (bytes.size() < kLengthBytes) return "";
  const auto size = kLengthBytes + static_cast<std::size_t>(read_number(bytes, 0, kLengthBytes));
  if (bytes.size() < size) return "";
  std::string frame = bytes.substr(0, size);
  bytes.erase(0, size);
  return frame;
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

void prepare(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
}

// Both give false when the other side is gone.
bool receive(int socket, std::string& into) {
  std::array<char, 65536> bytes;
  const ssize_t count = ::recv(socket, bytes.data(), bytes.size(), 0);
  if (count > 0) into.append(bytes.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

bool send_some(int socket, std::string& from) {
  const ssize_t count = ::send(socket, from.data(), from.size(), MSG_NOSIGNAL);
  if (count > 0) from.erase(0, static_cast<std::size_t>(count));
  return count >= 0 || errno == EAGAIN || errno == EINTR;
}

short wanted(const std::string& outgoing) {
  return static_cast<short>(outgoing.empty() ? POLLIN : POLLIN | POLLOUT);
}

}  // namespace

KafkaProxy::KafkaProxy() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  MILLRACE_ASSERT(listener_ >= 0 && ::bind(listener_, any, size) == 0);
  MILLRACE_ASSERT(::listen(listener_, SOMAXCONN) == 0);
  MILLRACE_ASSERT(::getsockname(listener_, any, &size) == 0);
  port_ = ntohs(address.sin_port);
  prepare(listener_);
  thread_ = std::thread([this] { run(); });
}

KafkaProxy::~KafkaProxy() {
  is_ended_ = true;
  thread_.join();
  ::close(listener_);
  for (const Connection& connection : connections_) {
    ::close(connection.client);
    ::close(connection.broker);
  }
}

std::string KafkaProxy::bootstrap_servers() const { return "127.0.0.1:" + std::to_string(port_); }

void KafkaProxy::run() {
  std::vector<pollfd> sockets;
  while (!is_ended_) {
    sockets.assign(1, {listener_, POLLIN, 0});
    for (const Connection& connection : connections_) {
      sockets.push_back({connection.client, wanted(connection.answers.outgoing), 0});
      sockets.push_back({connection.broker, wanted(connection.requests.outgoing), 0});
    }
    if (::poll(sockets.data(), sockets.size(), kLookMs) <= 0) continue;
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      serve(connections_[i], sockets[2 * i + 1].revents, sockets[2 * i + 2].revents);
    }
    std::erase_if(connections_, [](const Connection& connection) {
      if (!connection.is_broken) return false;
      ::close(connection.client);
      ::close(connection.broker);
      return true;
    });
    if (sockets[0].revents != 0) accept_client();
  }
}

void KafkaProxy::accept_client() {
  Connection connection;
  connection.client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection.client < 0) return;
  prepare(connection.client);
  connection.broker = broker_port_ == 0 ? -1 : connect_to_broker();
  connection.is_broken = broker_port_ != 0 && connection.broker < 0;
  connections_.push_back(std::move(connection));
}

int KafkaProxy::connect_to_broker() const {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(broker_port_);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    ::close(socket);
    return -1;
  }
  prepare(socket);
  return socket;
}

void KafkaProxy::serve(Connection& connection, short client_events, short broker_events) {
  constexpr short kReadable = POLLIN | POLLHUP | POLLERR;
  if ((client_events & kReadable) != 0) {
    connection.is_broken |= !receive(connection.client, connection.requests.incoming);
  }
  if ((broker_events & kReadable) != 0) {
    connection.is_broken |= !receive(connection.broker, connection.answers.incoming);
  }
  if (connection.broker < 0) return;  // the broker that hangs
  pass_requests(connection);
  pass_answers(connection);
  if (!connection.requests.outgoing.empty()) {
    connection.is_broken |= !send_some(connection.broker, connection.requests.outgoing);
  }
  if (!connection.answers.outgoing.empty()) {
    connection.is_broken |= !send_some(connection.client, connection.answers.outgoing);
  }
}

void KafkaProxy::pass_requests(Connection& connection) {
  while (!connection.is_broken) {
    const std::string frame = take_frame(connection.requests.incoming);
    if (frame.empty()) return;
    if (read_number(frame, kKindAt, 2) == kProduce) {
      judge_produce(connection, read_number(frame, kRequestNumberAt, 4));
    }
    if (!connection.is_broken) connection.requests.outgoing += frame;
  }
}

void KafkaProxy::judge_produce(Connection& connection, std::int32_t number) {
  ++produced_;
  const int period = period_;
  if (period == 0 || produced_ % period != 0) return;
  const int hit = ++hits_;
  if (hit % 2 == 1) {
    connection.is_broken = true;
  } else {
    connection.lost_answer = number;
  }
}

void KafkaProxy::pass_answers(Connection& connection) {
  while (!connection.is_broken) {
    const std::string frame = take_frame(connection.answers.incoming);
    if (frame.empty()) return;
    connection.is_broken = read_number(frame, kAnswerNumberAt, 4) == connection.lost_answer;
    if (!connection.is_broken) connection.answers.outgoing += frame;
  }
}

}  // namespace millrace::support
