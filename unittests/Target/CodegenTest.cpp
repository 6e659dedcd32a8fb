//===- CodegenTest.cpp - What is known of processors ----------------------===//

#include "StencilDialect/Target/Codegen.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace stencil;

static unsigned getLevelOf(llvm::StringRef cpu) {
  auto machine = createTargetMachine(cpu);
  if (!machine) {
    ADD_FAILURE() << llvm::toString(machine.takeError());
    return 0;
  }
  return getWindowCacheLevel(**machine);
}

static bool streamsRows(llvm::StringRef cpu) {
  auto machine = createTargetMachine(cpu);
  if (!machine) {
    ADD_FAILURE() << llvm::toString(machine.takeError());
    return false;
  }
  return prefersStreamedRows(**machine);
}

#if defined(__x86_64__)
TEST(Codegen, PlanesAreKeptInTheCacheThatIsNear) {
  EXPECT_EQ(getLevelOf("znver3"), 3u);
  EXPECT_EQ(getLevelOf("znver4"), 3u);
  EXPECT_EQ(getLevelOf("sapphirerapids"), 2u);
  EXPECT_EQ(getLevelOf("x86-64-v3"), 2u);
}

TEST(Codegen, RowsGoAroundTheCacheOfBothVendors) {
  EXPECT_TRUE(streamsRows("znver4"));
  EXPECT_TRUE(streamsRows("sapphirerapids"));
}
#endif
