#include "session/table_reloader.hpp"

#include <gtest/gtest.h>

namespace millrace::session {
namespace {

std::shared_ptr<const operators::StaticTable> table_of(std::size_t rows) {
  formats::TableRows table(make_schema({{"id", TypeKind::kInt64}}));
  for (std::size_t row = 0; row < rows; ++row)
    table.columns[0].append(static_cast<std::int64_t>(row));
  table.rows = rows;
  return operators::StaticTable::build(std::move(table), {0}).value();
}

/// A table whose file is played: its stamp, and how many rows it has (none: it cannot be read).
class TableReloaderTest : public testing::Test {
 protected:
  TableReloaderTest() {
    stream::StaticJoinSpec spec;
    spec.table.name = "users";
    reloader_.add(spec, versions_, "1", 100);
  }
  std::size_t rows_at(std::int64_t epoch) { return versions_->version(Epoch(epoch))->rows(); }

  std::string stamp_ = "1";
  std::optional<std::size_t> rows_ = 1;
  int loads_ = 0;
  std::vector<std::string> log_;
  std::shared_ptr<operators::TableVersions> versions_ =
      std::make_shared<operators::TableVersions>(table_of(1));
  TableReloader reloader_{
      {[this](const stream::TableDefinition&) -> Result<std::string> { return stamp_; },
       [this](
           const stream::StaticJoinSpec&) -> Result<std::shared_ptr<const operators::StaticTable>> {
         ++loads_;
         if (!rows_) return fail(ErrorCode::kBadRecord, "table users: users.csv, line 2: broken");
         return table_of(*rows_);
       }},
      [this](LogLevel, std::string_view line) { log_.emplace_back(line); }};
};

TEST_F(TableReloaderTest, ReadsNothingWhileTheFileIsTheSame) {
  reloader_.look();
  reloader_.look();

  EXPECT_EQ(loads_, 0);
}

TEST_F(TableReloaderTest, AnEpochKeepsTheVersionThatItBeganWith) {
  EXPECT_EQ(rows_at(7), 1U);

  stamp_ = "2";
  rows_ = 5;
  reloader_.look();

  EXPECT_EQ(rows_at(7), 1U);
  EXPECT_EQ(rows_at(8), 5U);
  EXPECT_EQ(rows_at(7), 1U);
  EXPECT_EQ(
      log_,
      (std::vector<std::string>{"table users was read anew: 5 rows, from the next epoch on"}));
}

TEST_F(TableReloaderTest, KeepsAVersionUntilItsEpochsMustBeCommitted) {
  std::weak_ptr<const operators::StaticTable> first = versions_->version(Epoch(7));
  stamp_ = "2";
  reloader_.look();

  static_cast<void>(versions_->version(Epoch(8)));
  static_cast<void>(versions_->version(Epoch(9)));
  EXPECT_FALSE(first.expired());
  static_cast<void>(versions_->version(Epoch(10)));
  EXPECT_TRUE(first.expired());
}

TEST_F(TableReloaderTest, KeepsTheOldTableWhenTheNewOneCannotBeReadAndSaysSoOnce) {
  stamp_ = "2";
  rows_ = std::nullopt;
  reloader_.look();
  reloader_.look();

  EXPECT_EQ(rows_at(1), 1U);
  EXPECT_EQ(log_, (std::vector<std::string>{
                      "table users: users.csv, line 2: broken; the table is kept as it was"}));

  stamp_ = "3";
  rows_ = 4;
  reloader_.look();
  EXPECT_EQ(rows_at(2), 4U);
}

}  // namespace
}  // namespace millrace::session
