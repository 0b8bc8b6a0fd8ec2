#include "connectors/kafka_settings.hpp"

#include <gtest/gtest.h>

namespace millrace::connectors {
namespace {

constexpr std::pair<std::string_view, std::string_view> kServers{"bootstrap_servers", "h:9092"};

std::string refusal(const Options& options, KafkaRole role = KafkaRole::kSource) {
  const auto settings = kafka_settings(options, role);
  return settings ? "accepted" : settings.error().message;
}

TEST(KafkaSettings, NeedBootstrapServers) {
  EXPECT_EQ(refusal({}),
            "a kafka table needs the option bootstrap_servers (\"host:port,host:port\")");
}

TEST(KafkaSettings, TakeBootstrapServersUnderTheClientsName) {
  const auto settings =
      kafka_settings({{"kafka.bootstrap.servers", "a:1,b:2"}}, KafkaRole::kSource);

  ASSERT_TRUE(settings.has_value());
  EXPECT_EQ(setting_of(*settings, "bootstrap.servers"), "a:1,b:2");
}

TEST(KafkaSettings, PassTheUsersOnInAnySpellingOverOurDefaults) {
  const auto settings =
      kafka_settings({kServers, {"kafka.fetch.wait.max.ms", "7"}, {"kafka_Fetch_Min_Bytes", "9"}},
                     KafkaRole::kSource);

  ASSERT_TRUE(settings.has_value()) << settings.error().message;
  EXPECT_EQ(setting_of(*settings, "fetch.wait.max.ms"), "7");
  EXPECT_EQ(setting_of(*settings, "fetch.min.bytes"), "9");
}

TEST(KafkaSettings, AreTunedForLatency) {
  const auto source = kafka_settings({kServers}, KafkaRole::kSource);
  const auto sink = kafka_settings({kServers}, KafkaRole::kSink);

  ASSERT_TRUE(source && sink);
  EXPECT_EQ(setting_of(*source, "socket.nagle.disable"), "true");
  EXPECT_EQ(setting_of(*sink, "socket.nagle.disable"), "true");
  EXPECT_EQ(setting_of(*sink, "linger.ms"), "0");
  EXPECT_EQ(setting_of(*sink, "max.in.flight"), "2");
}

TEST(KafkaSettings, RefuseAnUnknownOneNamingTheNearest) {
  EXPECT_EQ(refusal({kServers, {"kafka.fetch.wait.max.m", "7"}}),
            "the Kafka client has no setting fetch.wait.max.m: option kafka.fetch.wait.max.m; "
            "the nearest is kafka.fetch.wait.max.ms");
  EXPECT_EQ(refusal({kServers, {"kafka.linger.mss", "7"}}),
            "the Kafka client has no setting linger.mss: option kafka.linger.mss; the nearest is "
            "kafka.linger.ms");
}

TEST(KafkaSettings, KnowTheClientsOtherNamesAndThoseThatHaveNoValueToBeginWith) {
  EXPECT_EQ(refusal({kServers, {"kafka.lingr.ms", "5"}}, KafkaRole::kSink),
            "the Kafka client has no setting lingr.ms: option kafka.lingr.ms; the nearest is "
            "kafka.linger.ms");
  EXPECT_EQ(refusal({kServers, {"kafka.sasl.pasword", "hunter2"}}),
            "the Kafka client has no setting sasl.pasword: option kafka.sasl.pasword; the nearest "
            "is kafka.sasl.password");
}

TEST(KafkaSettings, RefuseThoseOfTheOtherSide) {
  EXPECT_EQ(refusal({kServers, {"kafka.linger.ms", "5"}}),
            "option kafka.linger.ms is for a sink and does nothing in a source");
  EXPECT_EQ(refusal({kServers, {"kafka.fetch.wait.max.ms", "5"}}, KafkaRole::kSink),
            "option kafka.fetch.wait.max.ms is for a source and does nothing in a sink");
  EXPECT_EQ(refusal({kServers, {"kafka.message.max.bytes", "5000"}}), "accepted");
  EXPECT_EQ(refusal({kServers, {"kafka.message.max.bytes", "5000"}}, KafkaRole::kSink), "accepted");
}

TEST(KafkaSettings, TakeTheBrokersOnce) {
  EXPECT_EQ(refusal({kServers, {"kafka.bootstrap.servers", "other:1"}}),
            "options bootstrap_servers and kafka.bootstrap.servers are the same: give one");
  EXPECT_EQ(refusal({kServers, {"kafka.metadata.broker.list", "other:1"}}),
            "option kafka.metadata.broker.list cannot be set: use the option bootstrap_servers");
}

TEST(KafkaSettings, RefuseABadValueNamingTheOption) {
  EXPECT_EQ(refusal({kServers, {"kafka.fetch.min.bytes", "many"}}),
            "option kafka.fetch.min.bytes is not accepted: Invalid value for configuration "
            "property \"fetch.min.bytes\"");
}

TEST(KafkaSettings, RefuseWhatTheEngineOwns) {
  EXPECT_EQ(refusal({kServers, {"kafka.group.id", "g"}}),
            "option kafka.group.id cannot be set: positions are kept in the checkpoint");
  EXPECT_EQ(refusal({kServers, {"kafka.auto.offset.reset", "earliest"}}),
            "option kafka.auto.offset.reset cannot be set: use the option starting_offsets");
  EXPECT_EQ(refusal({kServers, {"kafka.value.deserializer", "x"}}),
            "option kafka.value.deserializer cannot be set: keys and values are read as bytes; "
            "use the option format");
  EXPECT_EQ(refusal({kServers, {"kafka.offset.store.method", "file"}}),
            "option kafka.offset.store.method cannot be set: positions are kept in the checkpoint");
  EXPECT_EQ(refusal({kServers, {"kafka.retries", "1"}}, KafkaRole::kSink),
            "option kafka.retries cannot be set: a record waits for its broker for as long as it "
            "takes");
  EXPECT_EQ(refusal({kServers, {"kafka.acks", "1"}}, KafkaRole::kSink),
            "option kafka.acks cannot be set: every Kafka sink is idempotent");
}

TEST(KafkaSettings, RefuseMoreRequestsInFlightThanIdempotenceAllows) {
  EXPECT_EQ(refusal({kServers, {"kafka.max.in.flight", "6"}}, KafkaRole::kSink),
            "option kafka.max.in.flight is not accepted: at most 5 requests may be in flight when "
            "no record may be doubled, not 6");
}

TEST(KafkaSettings, DoNotRepeatAPassword) {
  const auto text = refusal({kServers,
                             {"kafka.sasl.password", "secret"},
                             {"kafka.sasl.mechanism", "no such"},
                             {"kafka.security.protocol", "no such"}});

  EXPECT_EQ(text.find("secret"), std::string::npos) << text;
  EXPECT_NE(text, "accepted");
}

}  // namespace
}  // namespace millrace::connectors
