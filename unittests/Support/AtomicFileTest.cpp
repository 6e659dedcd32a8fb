//===- AtomicFileTest.cpp - Files that are whole or absent ----------------===//

#include "StencilDialect/Support/AtomicFile.h"

#include "TestSupport.h"

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace stencil;
using llvm::Error;

using Names = std::vector<std::string>;

static Error write(llvm::StringRef path, llvm::StringRef text) {
  return writeFileAtomically(path, [&](llvm::raw_ostream &os) {
    os << text;
    return Error::success();
  });
}

TEST(AtomicFile, WritesAndReplaces) {
  TemporaryDirectory directory;
  std::string path = directory / "out";
  EXPECT_EQ(message(write(path, "first")), "success");
  EXPECT_EQ(message(write(path, "2nd")), "success");
  EXPECT_EQ(readText(path), "2nd");
  EXPECT_EQ(directory.list(), Names{"out"});
}

TEST(AtomicFile, KeepsOldContentOnError) {
  TemporaryDirectory directory;
  std::string path = directory / "out";
  writeText(path, "old");
  Error error = writeFileAtomically(path, [](llvm::raw_ostream &os) {
    os << "half";
    os.flush();
    return llvm::createStringError("no more");
  });
  EXPECT_EQ(message(std::move(error)), "no more");
  EXPECT_EQ(readText(path), "old");
  EXPECT_EQ(directory.list(), Names{"out"});
}

TEST(AtomicFile, LeavesNothingOnError) {
  TemporaryDirectory directory;
  Error error = writeFileAtomically(directory / "out", [](llvm::raw_ostream &) {
    return llvm::createStringError("no");
  });
  EXPECT_EQ(message(std::move(error)), "no");
  EXPECT_EQ(directory.list(), Names{});
}

TEST(AtomicFile, ReportsFailingWrites) {
  // As on a full disk: the system refuses files beyond a size.
  TemporaryDirectory directory;
  rlimit old;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  auto *handler = signal(SIGXFSZ, SIG_IGN);
  rlimit small = {4096, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string path = directory / "out";
  std::string result = message(write(path, std::string(1 << 20, 'x')));
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(result, "'" + path + "': file too large");
  EXPECT_EQ(directory.list(), Names{});
}

TEST(AtomicFile, FollowsLinks) {
  TemporaryDirectory directory;
  std::string target = directory / "target", link = directory / "link";
  writeText(target, "old");
  ASSERT_EQ(symlink("target", link.c_str()), 0);
  EXPECT_EQ(message(write(link, "new")), "success");
  EXPECT_EQ(readText(target), "new");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(link));
}

TEST(AtomicFile, WritesToDevicesAsTheyAre) {
  EXPECT_EQ(message(checkWritable("/dev/null")), "success");
  EXPECT_EQ(message(write("/dev/null", "x")), "success");
  llvm::sys::fs::file_status status;
  ASSERT_FALSE(llvm::sys::fs::status("/dev/null", status));
  EXPECT_EQ(status.type(), llvm::sys::fs::file_type::character_file);
  EXPECT_EQ(message(write("/dev/full", "x")),
            "'/dev/full': no space left on device");
}

TEST(AtomicFile, RespectsUmask) {
  TemporaryDirectory directory;
  std::string path = directory / "out";
  mode_t old = umask(027);
  EXPECT_EQ(message(write(path, "x")), "success");
  umask(old);
  struct stat status;
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, mode_t(0640));
}

/// Paths that cannot be written, and why; both functions say the same.
static void expectUnwritable(const std::string &path,
                             const std::string &reason) {
  std::string expected = "'" + path + "': " + reason;
  EXPECT_EQ(message(checkWritable(path)), expected);
  EXPECT_EQ(message(write(path, "x")), expected);
}

TEST(AtomicFile, RefusesWhatCannotBeWritten) {
  TemporaryDirectory directory;
  writeText(directory / "file", "x");
  std::string fifo = directory / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  expectUnwritable("", "expected the name of a file");
  expectUnwritable(directory / "no/out", "no such file or directory");
  expectUnwritable(directory / "file/out", "not a directory");
  expectUnwritable(directory / ".", "expected a file, got a directory");
  // Opening it would wait for a reader.
  expectUnwritable(fifo, "expected a regular file, got a special one");
  expectUnwritable(directory / std::string(300, 'x'), "file name too long");
  EXPECT_EQ(directory.list(), (Names{"fifo", "file"}));
}

TEST(AtomicFile, RespectsPermissions) {
  // Where another user gets to; lit's directory is not such a place.
  ASSERT_EQ(setenv("TMPDIR", "/tmp", /*overwrite=*/1), 0);
  TemporaryDirectory directory;
  std::string file = directory / "file", open = directory / "open";
  writeText(file, "x");
  ASSERT_EQ(chmod(file.c_str(), 0444), 0);
  ASSERT_EQ(mkdir(open.c_str(), 0777), 0);
  ASSERT_EQ(chmod(open.c_str(), 0777), 0);
  writeText(open + "/file", "x");
  ASSERT_EQ(chmod((open + "/file").c_str(), 0444), 0);
  ASSERT_EQ(chmod((directory / ".").c_str(), 0555), 0);
  // Root may write everywhere: be nobody meanwhile.
  bool isRoot = geteuid() == 0;
  constexpr uid_t nobody = 65534;
  if (isRoot) {
    ASSERT_EQ(setresuid(nobody, nobody, 0), 0);
  }
  // The file is protected, the directory is, or both.
  expectUnwritable(open + "/file", "permission denied");
  expectUnwritable(directory / "new", "permission denied");
  expectUnwritable(file, "permission denied");
  EXPECT_EQ(message(checkWritable(open + "/new")), "success");
  if (isRoot) {
    ASSERT_EQ(setresuid(0, 0, 0), 0);
  }
  ASSERT_EQ(chmod((directory / ".").c_str(), 0755), 0);
  EXPECT_EQ(readText(file), "x");
  EXPECT_EQ(readText(open + "/file"), "x");
}

TEST(AtomicFile, CheckLeavesNoTrace) {
  TemporaryDirectory directory;
  std::string path = directory / "out";
  EXPECT_EQ(message(checkWritable(path)), "success");
  EXPECT_EQ(directory.list(), Names{});
  writeText(path, "old");
  EXPECT_EQ(message(checkWritable(path)), "success");
  EXPECT_EQ(readText(path), "old");
}
