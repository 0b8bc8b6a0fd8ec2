// The examples in SQL, as they lie in the repository. They name their topics themselves.

#include "tests/broker/job_fixture.hpp"

namespace millrace::support {
namespace {

using Header = KafkaProbeRecord::Header;

class ExampleTest : public JobTest {
 protected:
  void take(const std::string& file) {
    const std::filesystem::path path = "examples/" + file;
    std::filesystem::copy_file(path, folder_ / path.filename(),
                               std::filesystem::copy_options::overwrite_existing);
  }
  // One that another test has deleted may not be quite gone.
  void create_named(const std::vector<std::string>& topics) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (const auto& topic : topics)
      while (!probe_->create_topic(topic, 1)) ASSERT_LT(std::chrono::steady_clock::now(), limit);
  }
  std::unique_ptr<EngineProcess> run(const std::string& job) {
    return std::make_unique<EngineProcess>(
        std::vector<std::string>{"run", job, "--set", "SERVERS=" + broker().bootstrap_servers()},
        folder_);
  }
  /// Topics that other tests use too.
  void remove(const std::vector<std::string>& topics) {
    for (const auto& topic : topics) EXPECT_TRUE(probe_->delete_topic(topic));
  }
};

// I-6
TEST_F(ExampleTest, RoutesByAHeaderAndPassesEverythingOnUnchanged) {
  create_named({"events", "orders", "payments", "unrouted"});
  take("header_routing/routing.sql");
  const auto event = [](std::string value, std::vector<Header> headers) {
    KafkaProbeRecord record{"k", std::move(value), std::move(headers)};
    record.partition = 0;
    record.timestamp_ms = 1'700'000'000'123;
    return record;
  };
  const std::vector<KafkaProbeRecord> orders = {
      event("{\"n\":1}", {{"trace", std::nullopt}, {"kind", "order"}, {"trace", ""}}),
      event("\xff\xfe", {{"kind", "order"}, {"kind", "payment"}})};
  const auto payment = event("2", {{"kind", "payment"}});
  const std::vector<KafkaProbeRecord> unrouted = {
      event("3", {}), event("4", {{"kind", std::nullopt}}), event("5", {{"kind", "\xff"}}),
      event("6", {{"other", "order"}})};
  write("events",
        {orders[0], unrouted[0], payment, unrouted[1], orders[1], unrouted[2], unrouted[3]});

  const auto engine = run("routing.sql");
  ASSERT_TRUE(engine->await_ready()) << engine->said();

  const auto numbered = [](std::vector<KafkaProbeRecord> records) {
    for (std::size_t i = 0; i < records.size(); ++i)
      records[i].offset = static_cast<std::int64_t>(i);
    return records;
  };
  await("orders", 2);
  await("payments", 1);
  await("unrouted", 4);
  stop(*engine);
  EXPECT_EQ(read("orders"), numbered(orders)) << engine->said();
  EXPECT_EQ(read("payments"), numbered({payment}));
  EXPECT_EQ(read("unrouted"), numbered(unrouted));
}

TEST_F(ExampleTest, EnrichesClicksInSql) {
  create_named({"clicks", "enriched"});
  take("enrich/clicks.sql");
  take("enrich/users.csv");
  const auto engine = run("clicks.sql");
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  for (const char* event : {"purchase", "view"})
    ASSERT_TRUE(probe_->write("clicks", {"k", click(2, 3, event), {}, 0}));
  ASSERT_TRUE(probe_->flush());

  await("enriched", 1);
  stop(*engine);

  const Records out = read("enriched");
  ASSERT_EQ(out.size(), 1U) << engine->said();
  EXPECT_EQ(out[0].value,
            R"({"ts":1,"seq":2,"user_id":3,"event_type":"view","price":1.5,"qty":2,"symbol":"A",)"
            R"("note":"n","country":"Côte d'Ivoire","tier":2})");
  remove({"clicks", "enriched"});
}

TEST_F(ExampleTest, EnrichesClicksTheSameInCpp) {
  create_named({"clicks", "enriched"});
  EngineProcess example({broker().bootstrap_servers(), "users.csv", "chk-cpp"}, folder_, {},
                        "millrace_enrich");
  ASSERT_TRUE(example.await_line("ready; press Enter")) << example.said();
  for (const char* event : {"purchase", "view"})
    ASSERT_TRUE(probe_->write("clicks", {"k", click(2, 3, event), {}, 0}));
  ASSERT_TRUE(probe_->flush());

  await("enriched", 1);
  example.close_input();
  EXPECT_EQ(example.wait(), 0) << example.said();

  const Records out = read("enriched");
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(
      out[0].value,
      R"({"seq":2,"user_id":3,"event_type":"view","price":1.5,"country":"Côte d'Ivoire","tier":2})");
  remove({"clicks", "enriched"});
}

}  // namespace
}  // namespace millrace::support
