// The main job through the C++ API: clicks from Kafka, without purchases, joined with a table of
// users, to Kafka. Only public headers.
//
//     build/bin/millrace_enrich 127.0.0.1:9092 users.csv chk
//
// users.csv begins with the line user_id,country,tier; topics clicks and enriched exist.

#include "millrace/session.hpp"

#include <iostream>
#include <string_view>

namespace {

millrace::Status run(std::string_view servers, std::string_view users_file,
                     std::string_view checkpoint) {
  using millrace::col;
  using millrace::lit;
  using millrace::TypeKind;

  millrace::SessionConfig config;
  config.log = [](millrace::LogLevel, std::string_view line) { std::cerr << line << '\n'; };
  millrace::Session session(std::move(config));
  MILLRACE_TRY(session.set("checkpoint_location", checkpoint));

  const auto clicks = session.read_stream("kafka")
                          .option("bootstrap_servers", servers)
                          .option("topic", "clicks")
                          .option("format", "json")
                          .schema({{"seq", TypeKind::kInt64},
                                   {"user_id", TypeKind::kInt32},
                                   {"event_type", TypeKind::kString},
                                   {"price", TypeKind::kDouble}})
                          .load();
  const auto users = session.read("csv")
                         .option("header", "true")
                         .schema({{"user_id", TypeKind::kInt32},
                                  {"country", TypeKind::kString},
                                  {"tier", TypeKind::kInt32}})
                         .load(users_file);

  const auto enriched = clicks.as("c")
                            .where(col("event_type") != lit("purchase"))
                            .join(users.as("u"), col("c.user_id") == col("u.user_id"))
                            .select({millrace::star("c"), col("country"), col("tier")});
  MILLRACE_ASSIGN(const millrace::Query query, enriched.write_stream()
                                                   .format("kafka")
                                                   .option("bootstrap_servers", servers)
                                                   .option("topic", "enriched")
                                                   .option("format", "json")
                                                   .trigger("real_time 1 second")
                                                   .start());
  std::cerr << query.explain() << "\nready; press Enter, or end the input, to stop\n";
  std::cin.get();
  return query.stop();
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 4) {
    std::cerr << "usage: millrace_enrich SERVERS USERS.CSV CHECKPOINT\n";
    return 2;
  }
  if (const millrace::Status status = run(arguments[1], arguments[2], arguments[3]); !status) {
    std::cerr << "enrich: " << status.error().message << '\n';
    return 1;
  }
  return 0;
}
