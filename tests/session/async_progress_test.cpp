#include "session/async_progress.hpp"

#include "millrace/data_frame.hpp"
#include "millrace/expression.hpp"
#include "millrace/test.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace millrace::session {
namespace {

class AsyncProgressTest : public testing::Test {
 protected:
  static std::string refusal(const std::string& trigger, const std::string& delivery,
                             const std::string& location = "chk") {
    Session session;
    if (!location.empty()) EXPECT_TRUE(session.set("checkpoint_location", location));
    const auto explained = session.read_stream("kafka")
                               .option("bootstrap_servers", "b:1")
                               .option("topic", "clicks")
                               .option("format", "json")
                               .schema({{"id", TypeKind::kInt64}})
                               .load()
                               .write_stream()
                               .format("kafka")
                               .option("bootstrap_servers", "b:1")
                               .option("topic", "kept")
                               .option("format", "json")
                               .option("exactly_once", delivery)
                               .option("async_progress", "true")
                               .trigger(trigger)
                               .explain();
    return explained ? "accepted" : explained.error().message;
  }
};

TEST_F(AsyncProgressTest, IsRefusedWhereItWouldBreakAPromiseOrDoNothing) {
  EXPECT_EQ(refusal("processing_time", "none"), "accepted");
  EXPECT_EQ(refusal("available_now", "none"), "accepted");
  EXPECT_EQ(
      refusal("processing_time", "resume"),
      "async_progress = 'true' reads an epoch before it is written down what that is, so that "
      "a restart may cut it elsewhere, and exactly_once = 'resume' of table kept rests on an "
      "epoch being the same when it runs again; leave one of the two out");
  EXPECT_EQ(refusal("real_time 1 second", "none"),
            "async_progress = 'true' is for triggers that plan an epoch before they read it "
            "(processing_time, available_now, once): with real_time, rows never wait for the "
            "checkpoint's disk");
  EXPECT_EQ(refusal("processing_time", "none", ""),
            "async_progress = 'true' needs a checkpoint_location: without one nothing is written "
            "down");
}

TEST_F(AsyncProgressTest, LosesNothingWhateverIsNotWrittenDownAtACrash) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::TestBed bed({{}, 1, seed});
    MemorySource orders("orders", {{"id", TypeKind::kInt64}}, 2);
    MemorySink kept("kept");
    const Query query = bed.session()
                            .read_stream(orders)
                            .write_stream()
                            .to(kept)
                            .option("trigger", "processing_time")
                            .option("async_progress", "true")
                            .start()
                            .value();
    std::set<std::int64_t> expected;
    for (std::int64_t id = 0; id < 10; ++id) {
      ASSERT_TRUE(orders.add({Value::int64(id)}, static_cast<std::int32_t>(id % 2)));
      expected.insert(id);
      ASSERT_TRUE(id % 3 == 0 ? bed.restart() : bed.run());
    }
    ASSERT_TRUE(query.stop());
    std::set<std::int64_t> seen;
    for (const Row& row : kept.rows()) seen.insert(std::get<std::int64_t>(row[0].data));
    EXPECT_EQ(seen, expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace millrace::session
