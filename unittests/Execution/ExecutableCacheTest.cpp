//===- ExecutableCacheTest.cpp - Compiled programs on disk ----------------===//

#include "../../lib/Execution/ExecutableCache.h"
#include "ExecutableTest.h"
#include "StencilDialect/Tools/Source.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace stencil;
namespace fs = llvm::sys::fs;

/// Without the one on systems that do not tell of their caches.
static llvm::StringRef getOtherRemarks(const Executable &executable) {
  llvm::StringRef remarks = executable.getRemarks();
  if (remarks.starts_with("remark: the system does not tell of this processor"))
    remarks = remarks.split('\n').second;
  return remarks;
}

namespace {

class CacheTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(fs::createUniqueDirectory("stencil-cache", path));
    directory = path.str().str();
    options.cacheDirectory = directory + "/cache";
  }
  void TearDown() override { EXPECT_FALSE(fs::remove_directories(directory)); }

  ExecutablePtr compile(llvm::StringRef program = kAverage) {
    return compileOrFail(program, options);
  }
  bool hits(llvm::StringRef program = kAverage) {
    ExecutablePtr executable = compile(program);
    return executable && executable->wasCached();
  }

  std::vector<std::string> listFiles() const {
    std::vector<std::string> files;
    std::error_code code;
    for (fs::directory_iterator it(options.cacheDirectory, code), end;
         it != end && !code; it.increment(code))
      if (llvm::sys::path::filename(it->path()) != "llvmcache.timestamp")
        files.push_back(it->path());
    return files;
  }

  std::string read(const std::string &path) const {
    auto file = llvm::MemoryBuffer::getFile(path);
    return file ? (*file)->getBuffer().str() : "";
  }
  void write(const std::string &path, const std::string &content) const {
    std::ofstream(path, std::ios::binary) << content;
  }

  std::string directory;
  ExecutableOptions options;
};

} // namespace

static void expectWorks(const Executable &executable) {
  std::vector<double> u = {1, 2, 3, 4, 5}, v(5);
  int64_t shape[] = {5};
  ASSERT_EQ("",
            callError(executable, {makeArray(u, shape), makeArray(v, shape)}));
  EXPECT_EQ((std::vector<double>{0, 2, 3, 4, 0}), v);
}

TEST_F(CacheTest, FindsAgain) {
  for (const char *target : {"cpu", "emulator"}) {
    options.target = target;
    ExecutablePtr first = compile();
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->wasCached());
    ExecutablePtr second = compile();
    ASSERT_TRUE(second);
    EXPECT_TRUE(second->wasCached());
    expectWorks(*second);
    // All that is known of the program is there again.
    const ExecutableSignature &a = first->getSignature(),
                              &b = second->getSignature();
    EXPECT_EQ(a.name, b.name);
    ASSERT_EQ(a.parameters.size(), b.parameters.size());
    for (size_t i = 0; i < a.parameters.size(); ++i) {
      EXPECT_EQ(a.parameters[i].name, b.parameters[i].name);
      EXPECT_EQ(a.parameters[i].shape, b.parameters[i].shape);
      EXPECT_EQ(a.parameters[i].isRead, b.parameters[i].isRead);
      EXPECT_EQ(a.parameters[i].isWritten, b.parameters[i].isWritten);
    }
    EXPECT_EQ(callError(*first, {}), callError(*second, {}));
  }
}

TEST_F(CacheTest, HasMessagesAndResults) {
  constexpr llvm::StringLiteral program = R"mlir(
func.func @f(%a: i32, %b: i32, %x: f32) -> (i32, f32) {
  %0 = arith.divsi %a, %b : i32
  return %0, %x : i32, f32
}
)mlir";
  EXPECT_FALSE(hits(program));
  ExecutablePtr executable = compile(program);
  ASSERT_TRUE(executable && executable->wasCached());
  auto number = [](int64_t value) { return ScalarArgument(value); };
  std::vector<ScalarArgument> results;
  llvm::Error error =
      executable->call({number(7), number(2), ScalarArgument(0.5)}, results);
  ASSERT_EQ("", llvm::toString(std::move(error)));
  EXPECT_EQ((std::vector<ScalarArgument>{int64_t(3), 0.5}), results);
  EXPECT_EQ(
      "program.mlir:3:8: error: integer division by zero, or of the "
      "smallest number by -1",
      callError(*executable, {number(7), number(0), ScalarArgument(0.5)}));
}

TEST_F(CacheTest, KnowsEachPartOfTheKey) {
  options.threads = 1;
  EXPECT_FALSE(hits());
  EXPECT_TRUE(hits());
  auto expectMiss = [&](llvm::StringRef what, auto change) {
    ExecutableOptions before = options;
    change();
    EXPECT_FALSE(hits()) << what.str();
    EXPECT_TRUE(hits()) << what.str();
    options = before;
  };
  expectMiss("threads", [&] { options.threads = 2; });
  expectMiss("math", [&] { options.math = "strict"; });
  expectMiss("extents", [&] { options.extents = {3}; });
  expectMiss("entry", [&] { options.entry = "average"; });
  expectMiss("target", [&] { options.target = "emulator"; });
  expectMiss("chip", [&] {
    options.target = "emulator";
    options.chip = "gfx90a";
  });
  expectMiss("schedule", [&] {
    options.target = "emulator";
    options.schedule = "default";
  });
  std::string database = directory + "/tuning.json";
  auto tune = [&](llvm::StringRef space) {
    write(database, ("{\"format\": \"stencil-tuning\", \"version\": 1," +
                     space + "\"entries\": []}")
                        .str());
    options.tuningDatabase = database;
  };
  expectMiss("database", [&] { tune(""); });
  expectMiss("content of the database", [&] { tune(" "); });
  // Messages of the program have its name, and its lines.
  auto other = Executable::compile(kAverage, "other.mlir", options);
  ASSERT_TRUE(bool(other)) << llvm::toString(other.takeError());
  EXPECT_FALSE((*other)->wasCached());
  EXPECT_FALSE(hits(std::string("\n") + kAverage));
  EXPECT_TRUE(hits());
}

TEST_F(CacheTest, RefusesWhatIsCorrupt) {
  EXPECT_FALSE(hits());
  ASSERT_EQ(1u, listFiles().size());
  std::string path = listFiles().front(), whole = read(path);
  auto expectAnew = [&](const std::string &content) {
    write(path, content);
    ExecutablePtr executable = compile();
    ASSERT_TRUE(executable);
    EXPECT_FALSE(executable->wasCached());
    EXPECT_TRUE(executable->getRemarks().contains("is compiled anew: "))
        << executable->getRemarks().str();
    expectWorks(*executable);
    EXPECT_TRUE(hits());
  };
  expectAnew("");
  expectAnew("something else\n");
  expectAnew(whole.substr(0, whole.size() - 1));
  expectAnew(whole + "x");
  for (size_t part = 0; part < 8; ++part) {
    std::string changed = whole;
    changed[part * whole.size() / 8 + 3] ^= 4;
    expectAnew(changed);
  }
}

/// Whole, but not what its name says.
TEST_F(CacheTest, RefusesAnotherProgram) {
  EXPECT_FALSE(hits());
  std::string first = listFiles().front(), content = read(first);
  options.math = "strict";
  EXPECT_FALSE(hits());
  for (const std::string &path : listFiles())
    if (path != first)
      write(path, content);
  ExecutablePtr executable = compile();
  ASSERT_TRUE(executable);
  EXPECT_FALSE(executable->wasCached());
  EXPECT_TRUE(executable->getRemarks().contains("that of another program"));
}

TEST_F(CacheTest, IsSharedByProcesses) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer has no threads after a fork";
#endif
#endif
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    pid_t child = fork();
    if (child == 0) {
      for (int round = 0; round < 3; ++round) {
        options.math = round % 2 ? "strict" : "contract";
        ExecutablePtr executable = compile();
        if (!executable || !getOtherRemarks(*executable).empty())
          _exit(1);
        expectWorks(*executable);
      }
      _exit(testing::Test::HasFailure());
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(0, status);
  }
  EXPECT_EQ(2u, listFiles().size());
  EXPECT_TRUE(hits());
}

TEST_F(CacheTest, IsSharedByThreads) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this, i] {
      ExecutableOptions own = options;
      for (int round = 0; round < 4; ++round) {
        own.math = (i + round) % 2 ? "strict" : "contract";
        ExecutablePtr executable = compileOrFail(kAverage, own);
        ASSERT_TRUE(executable);
        EXPECT_EQ("", getOtherRemarks(*executable).str());
        expectWorks(*executable);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(2u, listFiles().size());
  EXPECT_TRUE(hits());
}

TEST_F(CacheTest, IsTheUsersAlone) {
  EXPECT_FALSE(hits());
  struct stat status;
  ASSERT_EQ(0, stat(options.cacheDirectory.c_str(), &status));
  EXPECT_EQ(0700u, status.st_mode & 0777u);
  ASSERT_EQ(0, stat(listFiles().front().c_str(), &status));
  EXPECT_EQ(0u, status.st_mode & 0022u);
  for (mode_t mode : {0720, 0702}) {
    chmod(options.cacheDirectory.c_str(), mode);
    EXPECT_EQ("cache folder '" + options.cacheDirectory +
                  "': expected a folder that only its owner may write to",
              compileError(kAverage, options));
  }
  options.cacheDirectory = directory + "/file";
  write(options.cacheDirectory, "");
  EXPECT_NE("", compileError(kAverage, options));
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can make folders of other users";
  options.cacheDirectory = directory + "/foreign";
  ASSERT_EQ(0, mkdir(options.cacheDirectory.c_str(), 0700));
  ASSERT_EQ(0, chown(options.cacheDirectory.c_str(), 12345, 12345));
  EXPECT_EQ("cache folder '" + options.cacheDirectory +
                "': expected a folder of this user, got one of another",
            compileError(kAverage, options));
}

/// What was used last stays.
TEST_F(CacheTest, KeepsWhatWasUsedLast) {
  llvm::CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(0);
  policy.MaxSizeFiles = 2;
  auto cache = ExecutableCache::open(options.cacheDirectory, policy);
  ASSERT_TRUE(bool(cache)) << llvm::toString(cache.takeError());
  ExecutableImage image;
  image.object.object = std::string(1000, 'x');
  std::string remarks;
  auto setTime = [&](const char *key, int hours) {
    int file = -1;
    std::string path = options.cacheDirectory + "/llvmcache-" + key;
    ASSERT_FALSE(
        fs::openFileForWrite(path, file, fs::CD_OpenExisting, fs::OF_Append));
    auto time = std::chrono::system_clock::now() - std::chrono::hours(hours);
    ASSERT_FALSE(fs::setLastAccessAndModificationTime(file, time));
    close(file);
  };
  cache->store("a", image, remarks);
  cache->store("b", image, remarks);
  setTime("a", 3);
  setTime("b", 2);
  EXPECT_TRUE(cache->load("a", remarks));
  cache->store("c", image, remarks);
  EXPECT_EQ("", remarks);
  EXPECT_TRUE(cache->load("a", remarks));
  EXPECT_FALSE(cache->load("b", remarks));
  EXPECT_TRUE(cache->load("c", remarks));
}

/// Of a program that somebody else has parsed.
TEST_F(CacheTest, SaysWhatWasSaid) {
  Source source;
  ASSERT_TRUE(
      succeeded(source.load(llvm::MemoryBuffer::getMemBuffer(kAverage))));
  auto described = source.describeEntry("");
  ASSERT_TRUE(succeeded(described));
  CacheRequest request{options.cacheDirectory, kAverage, "average.mlir", ""};
  CompileOptions compile;
  auto cache = ExecutableCache::open(options.cacheDirectory);
  auto key = makeCacheKey(request, compile, {}, nullptr);
  ASSERT_TRUE(cache && key);
  // Nobody could check calls of it.
  LateOptions none;
  EXPECT_NE(*key, llvm::cantFail(makeCacheKey(request, compile, {}, &none)));
  ExecutableImage image;
  image.object.object = "machine code";
  image.remarks = "remark: of the compilation\n";
  std::string remarks, messages;
  cache->store(*key, image, remarks);
  auto found = compileCached(described->first, compile, request, messages);
  ASSERT_TRUE(succeeded(found));
  EXPECT_TRUE(found->wasCached);
  EXPECT_EQ("machine code", found->object.object);
  EXPECT_EQ("remark: of the compilation\n", found->remarks);
}

TEST(ExecutableCache, HasADefaultFolder) {
  auto get = [](const char *own, const char *xdg, const char *home) {
    setenv("STENCIL_CACHE_DIR", own, 1);
    setenv("XDG_CACHE_HOME", xdg, 1);
    setenv("HOME", home, 1);
    return getDefaultCacheDirectory();
  };
  EXPECT_EQ("/own", get("/own", "/xdg", "/home/u"));
  EXPECT_EQ("/xdg/stencil", get("", "/xdg", "/home/u"));
  EXPECT_EQ("/home/u/.cache/stencil", get("", "", "/home/u"));
  EXPECT_EQ("/home/u/.cache/stencil", get("", "relative", "/home/u"));
}
