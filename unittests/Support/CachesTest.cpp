//===- CachesTest.cpp - The caches of the machine at hand -----------------===//

#include "StencilDialect/Support/Machine.h"

#include "TestSupport.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace stencil;

namespace {
/// A directory as /sys/devices/system/cpu.
class Caches : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("caches", directory));
  }
  void TearDown() override {
    EXPECT_FALSE(llvm::sys::fs::remove_directories(directory));
  }

  void add(unsigned cpu, unsigned index, const char *level, const char *type,
           const char *size, const char *sharedBy) {
    std::string cache = (directory + "/cpu" + llvm::Twine(cpu) +
                         "/cache/index" + llvm::Twine(index))
                            .str();
    ASSERT_FALSE(llvm::sys::fs::create_directories(cache));
    auto write = [&](const char *name, const char *text) {
      std::error_code code;
      llvm::raw_fd_ostream os(cache + "/" + name, code);
      os << text << "\n";
    };
    write("level", level);
    write("type", type);
    write("size", size);
    write("shared_cpu_list", sharedBy);
  }

  llvm::SmallString<128> directory;
};
} // namespace

TEST_F(Caches, AreCountedByWhoSharesThem) {
  for (unsigned cpu = 0; cpu < 4; ++cpu) {
    add(cpu, 0, "1", "Data", "32K", cpu < 2 ? "0-1" : "2-3");
    add(cpu, 1, "1", "Instruction", "64K", cpu < 2 ? "0-1" : "2-3");
    add(cpu, 2, "3", "Unified", "16M", cpu % 2 ? "1,3" : "0,2");
  }
  auto caches = readCaches(directory, /*numCpus=*/4);
  ASSERT_EQ(caches.size(), 2u);
  EXPECT_EQ(caches[0].level, 1u);
  EXPECT_EQ(caches[0].bytes, 32u << 10);
  EXPECT_EQ(caches[0].sharedBy, 2u);
  EXPECT_EQ(caches[0].totalBytes, 64u << 10);
  EXPECT_EQ(caches[1].level, 3u);
  EXPECT_EQ(caches[1].sharedBy, 2u);
  EXPECT_EQ(caches[1].totalBytes, 32u << 20);
}

TEST_F(Caches, OfASystemThatSaysNothingAreUnknown) {
  EXPECT_TRUE(readCaches(directory, /*numCpus=*/4).empty());
  EXPECT_TRUE(readCaches((directory + "/none").str(), /*numCpus=*/4).empty());
}

TEST_F(Caches, OfSizesThatAreNoNumbersAreUnknown) {
  add(0, 0, "1", "Data", "large", "0");
  EXPECT_TRUE(readCaches(directory, /*numCpus=*/1).empty());
}
