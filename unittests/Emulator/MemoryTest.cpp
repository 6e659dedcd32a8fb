//===- MemoryTest.cpp - Memory of the emulated device ---------------------===//

#include "EmulatorTest.h"

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace stencil::runtime;

namespace {

/// From now on this process has room for so many bytes more.
void limitMemory(uint64_t bytes) {
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limits;
  getrlimit(RLIMIT_AS, &limits);
  limits.rlim_cur = pages * sysconf(_SC_PAGESIZE) + bytes;
  setrlimit(RLIMIT_AS, &limits);
}

/// What is known about each 8 bytes takes 49.
TEST_F(EmulatorTest, NoRoomForWhatIsKnownOfMemory) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "AddressSanitizer needs the address space itself";
#endif
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr uint64_t bytes = 8 << 20;
  auto allocate = [this] {
    limitMemory(4 * bytes);
    bool isSmallThere = backend->allocate(bytes / 8, nullptr, false);
    bool isLargeThere = backend->allocate(bytes, nullptr, false);
    std::_Exit(isSmallThere && !isLargeThere ? 0 : 1);
  };
  EXPECT_EXIT(allocate(), testing::ExitedWithCode(0), "");
}

} // namespace
