#include "state/checkpoint_check.hpp"

#include "state/memory_disk.hpp"
#include "tests/state/checkpoint_fixture.hpp"

#include <gtest/gtest.h>

namespace millrace::state {
namespace {

constexpr const char* kIdentity = R"({"sources":{"clicks":{"topic":"clicks"}}})";

class CheckpointCheckTest : public CheckpointTest {
 protected:
  std::string checked(const std::string& identity = kIdentity, const std::string& details = "{}") {
    checkpoint_.reset();
    const auto text = check_checkpoint(disk_, kFolder, identity, details);
    return text ? *text : std::string("refused: ") + text.error().message;
  }
};

TEST_F(CheckpointCheckTest, SaysWhereAQueryGoesOn) {
  begin();
  EXPECT_EQ(checked(),
            "checkpoint chk/enrich: the job may go on from it\n"
            "  no epoch is committed: begins where it first began\n"
            "  source clicks goes on at\n"
            "    clicks-0  0\n");
  reopen();
  close_and_commit(0);
  close_and_commit(1);
  ASSERT_TRUE(checkpoint_->write_offsets(offsets(2)));
  EXPECT_EQ(checked(),
            "checkpoint chk/enrich: the job may go on from it\n"
            "  goes on behind epoch 1, generation 0\n"
            "  epoch 2 runs again\n"
            "  source clicks goes on at\n"
            "    clicks-0  20\n");
}

// R-1, R-3: other sources; all of them are named, not the first alone.
TEST_F(CheckpointCheckTest, RefusesAnotherQueryWithAllThatIsInTheWay) {
  begin();
  EXPECT_EQ(
      checked(R"({"sources":{"clicks":{"topic":"trades"},"orders":{}}})"),
      "refused: checkpoint chk/enrich belongs to another query: sources.clicks.topic is "
      "\"clicks\" there and \"trades\" here; run the query it was made for, or choose another "
      "checkpoint_location; all that is in the way:\n"
      "    sources.clicks.topic is \"clicks\" there and \"trades\" here\n"
      "    sources.orders is here and not there\n");
}

// R-5, R-6: other output, other steps.
TEST_F(CheckpointCheckTest, NamesEveryDifferenceThatIsAllowed) {
  begin();
  const std::string text = checked(kIdentity, R"({"chains":[["filter"]],"sinks":{}})");
  EXPECT_NE(text.find("  differs from the job that wrote it, which is allowed:\n"
                      "    chains is here and not there\n"
                      "    sinks is here and not there\n"
                      "  note: checkpoint chk/enrich was written by another form of this query"),
            std::string::npos)
      << text;
}

TEST_F(CheckpointCheckTest, LeavesTheFolderAsItIs) {
  begin();
  close_and_commit(0);
  ASSERT_TRUE(checkpoint_->write_offsets(offsets(1)));
  ASSERT_TRUE(disk_.write_file(path("offsets/.9.tmp"), "torn", Durability::kSynced));
  const std::string plan = *disk_.read_file(path("plan.json"));
  const Names before = list("/offsets");
  checked(kIdentity, R"({"chains":[]})");
  EXPECT_EQ(list("/offsets"), before);
  EXPECT_EQ(*disk_.read_file(path("plan.json")), plan);
}

TEST_F(CheckpointCheckTest, RefusesWhatAStartWouldRefuse) {
  begin();
  close_and_commit(0);
  const auto running = check_checkpoint(disk_, kFolder, kIdentity, "{}");
  ASSERT_FALSE(running);
  EXPECT_EQ(running.error().code, ErrorCode::kLocked);

  const std::string commit_path = path("commits/0");
  const std::string bytes = *disk_.read_file(commit_path);
  ASSERT_TRUE(disk_.write_file(commit_path, bytes.substr(0, 40), Durability::kSynced));
  checkpoint_.reset();
  const auto torn = check_checkpoint(disk_, kFolder, kIdentity, "{}");
  ASSERT_FALSE(torn);
  EXPECT_EQ(torn.error().code, ErrorCode::kCorrupt);

  const auto none = check_checkpoint(disk_, "nowhere", kIdentity, "{}");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace millrace::state
