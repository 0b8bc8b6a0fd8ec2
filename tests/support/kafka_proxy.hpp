#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace millrace::support {

/// Stands between clients and one broker on 127.0.0.1 and takes connections away at chosen
/// requests, as a bad network does. It passes the bytes on as they are and reads no more of a frame
/// than its length, its kind and its number.
///
/// Of the Produce requests that are hit, every other one is lost before the broker sees it; of the
/// rest the broker writes the records and the answer is lost. The client cannot tell which, and
/// loses what else was under way on that connection.
///
/// Before forward_to() it is a broker that hangs: it takes connections and answers nothing.
/// Listens from the constructor to the destructor; a thread of its own does the work.
class KafkaProxy {
 public:
  KafkaProxy();
  ~KafkaProxy();
  KafkaProxy(const KafkaProxy&) = delete;
  KafkaProxy& operator=(const KafkaProxy&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string bootstrap_servers() const;
  /// Where bytes go from now on: a port of 127.0.0.1.
  void forward_to(std::uint16_t port) { broker_port_ = port; }
  /// From now on every `period`th Produce request, over all connections, is hit; 0: none.
  void hit_every(int period) { period_ = period; }
  /// How many requests were hit so far.
  [[nodiscard]] int hits() const { return hits_; }

 private:
  // One direction of a connection: what came in and is no whole frame yet, what goes out.
  struct Stream {
    std::string incoming;
    std::string outgoing;
  };
  struct Connection {
    int client = -1;
    int broker = -1;
    Stream requests;
    Stream answers;
    std::int32_t lost_answer = -1;  ///< the number of the request whose answer will be lost
    bool is_broken = false;
  };

  void run();
  void accept_client();
  void serve(Connection& connection, short client_events, short broker_events);
  void pass_requests(Connection& connection);
  static void pass_answers(Connection& connection);
  void judge_produce(Connection& connection, std::int32_t number);
  [[nodiscard]] int connect_to_broker() const;

  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<std::uint16_t> broker_port_{0};
  std::atomic<int> period_{0};
  std::atomic<int> hits_{0};
  std::atomic<bool> is_ended_{false};
  int produced_ = 0;  ///< requests seen; the thread's own, as is what follows
  std::vector<Connection> connections_;
  std::thread thread_;
};

}  // namespace millrace::support
