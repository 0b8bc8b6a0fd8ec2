#include "state/posix_disk.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace millrace::state {
namespace {

using Names = std::vector<std::string>;

class PosixDiskTest : public ::testing::Test {
 protected:
  PosixDiskTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "millrace-disk-XXXXXX");
    folder_ = ::mkdtemp(pattern.data());
  }
  ~PosixDiskTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string in(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
  PosixDisk disk_;
};

TEST_F(PosixDiskTest, MakesAFolderWithItsParentsAndTakesOneThatIsThere) {
  ASSERT_TRUE(disk_.create_folders(in("a/b/c")));
  ASSERT_TRUE(disk_.create_folders(in("a/b/c")));
  ASSERT_TRUE(disk_.create_folders(in("a/b/c/")));

  EXPECT_EQ(disk_.list_folder(in("a/b")), Names{"c"});
}

TEST_F(PosixDiskTest, RefusesAFolderWhereAFileIs) {
  ASSERT_TRUE(disk_.write_file(in("a"), "", Durability::kCached));

  EXPECT_EQ(disk_.create_folders(in("a")).error(),
            Error({ErrorCode::kIo, "cannot make folder " + in("a") + ": not a directory"}));
}

TEST_F(PosixDiskTest, ReadsWhatWasWritten) {
  const std::string large(100'000, 'x');
  ASSERT_TRUE(disk_.write_file(in("a"), large, Durability::kSynced));
  EXPECT_EQ(disk_.read_file(in("a")), large);

  ASSERT_TRUE(disk_.write_file(in("a"), std::string_view("\0b", 2), Durability::kCached));
  EXPECT_EQ(disk_.read_file(in("a")), std::string("\0b", 2));
}

TEST_F(PosixDiskTest, NamesAFileThatIsNotThere) {
  EXPECT_EQ(
      disk_.read_file(in("a")).error(),
      Error({ErrorCode::kNotFound, "cannot read " + in("a") + ": no such file or directory"}));
  EXPECT_EQ(disk_.list_folder(in("a")).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(disk_.sync_folder(in("a")).error().code, ErrorCode::kNotFound);
}

TEST_F(PosixDiskTest, RenamesOntoAFreeNameOnly) {
  ASSERT_TRUE(disk_.write_file(in("a"), "new", Durability::kCached));
  ASSERT_TRUE(disk_.write_file(in("b"), "old", Durability::kCached));

  EXPECT_EQ(disk_.rename_new(in("a"), in("b")).error().code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(disk_.read_file(in("b")), "old");
  ASSERT_TRUE(disk_.rename_new(in("a"), in("c")));
  EXPECT_EQ(disk_.list_folder(folder_), (Names{"b", "c"}));
}

TEST_F(PosixDiskTest, ReplacesWhenAskedTo) {
  ASSERT_TRUE(disk_.write_file(in("a"), "new", Durability::kCached));
  ASSERT_TRUE(disk_.write_file(in("b"), "old", Durability::kCached));

  ASSERT_TRUE(disk_.rename_over(in("a"), in("b")));

  EXPECT_EQ(disk_.read_file(in("b")), "new");
  EXPECT_EQ(disk_.list_folder(folder_), Names{"b"});
}

TEST_F(PosixDiskTest, TakesAMissingFileForRemoved) {
  ASSERT_TRUE(disk_.write_file(in("a"), "", Durability::kCached));

  EXPECT_TRUE(disk_.remove_file(in("a")));
  EXPECT_TRUE(disk_.remove_file(in("a")));
  EXPECT_EQ(disk_.list_folder(folder_), Names{});
}

TEST_F(PosixDiskTest, TellsAFullDisk) {
  const Status written = disk_.write_file("/dev/full", "x", Durability::kCached);

  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(),
            Error({ErrorCode::kIo, "cannot write /dev/full: no space left on device"}));
  EXPECT_TRUE(is_disk_full(written.error()));
  EXPECT_FALSE(is_disk_full({ErrorCode::kIo, "cannot write a: input/output error"}));
}

TEST_F(PosixDiskTest, LocksUntilTheHandleIsGone) {
  auto lock = disk_.lock(in("lock"));
  ASSERT_TRUE(lock);

  const std::string process = std::to_string(::getpid());
  EXPECT_EQ(disk_.lock(in("lock")).error(), Error({ErrorCode::kLocked, process}));
  lock->reset();
  EXPECT_TRUE(disk_.lock(in("lock")));
}

TEST_F(PosixDiskTest, NamesTheProcessThatHoldsTheLockAndForgetsADeadOne) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = disk_.lock(in("lock"));
    const char answer = held ? 'y' : 'n';
    if (::write(ready[1], &answer, 1) == 1) ::pause();
    ::_exit(0);
  }
  char answer = 0;
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');

  EXPECT_EQ(disk_.lock(in("lock")).error(), Error({ErrorCode::kLocked, std::to_string(child)}));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(disk_.lock(in("lock")));

  ::close(ready[0]);
  ::close(ready[1]);
}

}  // namespace
}  // namespace millrace::state
