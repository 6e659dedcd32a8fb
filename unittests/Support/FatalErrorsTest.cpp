//===- FatalErrorsTest.cpp - A process that LLVM does not end -------------===//

#include "StencilDialect/Support/FatalErrors.h"
#include "gtest/gtest.h"

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace stencil;

static void fail(const char *reason) {
  llvm::report_fatal_error(reason, /*gen_crash_diag=*/false);
}

TEST(FatalErrors, AreErrors) {
  for (const char *reason : {"first", "second"}) {
    bool continued = false;
    llvm::Error error = catchFatalErrors([&] {
      fail(reason);
      continued = true;
    });
    EXPECT_EQ(llvm::toString(std::move(error)), reason);
    EXPECT_FALSE(continued);
  }
  EXPECT_FALSE(catchFatalErrors([] {}));
}

TEST(FatalErrors, OfSeveralThreadsAreApart) {
  std::vector<std::string> reasons(8);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < reasons.size(); ++i)
    threads.emplace_back([&reasons, i] {
      llvm::Error error =
          catchFatalErrors([i] { fail(std::to_string(i).c_str()); });
      reasons[i] = llvm::toString(std::move(error));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 0; i < reasons.size(); ++i)
    EXPECT_EQ(reasons[i], std::to_string(i));
}

TEST(FatalErrors, ACrashIsAnError) {
  llvm::Error error = catchFatalErrors([] { std::abort(); });
  EXPECT_EQ(llvm::toString(std::move(error)), "a crash in LLVM");
}

[[noreturn]] static void exitWithSeven(void *, const char *reason, bool) {
  std::fprintf(stderr, "outside: %s\n", reason);
  std::exit(7);
}

TEST(FatalErrorsDeathTest, OutsideGoToTheHandlerThatWasThere) {
  auto run = [] {
    setFatalErrorHandler(exitWithSeven);
    llvm::consumeError(catchFatalErrors([] { fail("within"); }));
    fail("afterwards");
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(7), "outside: afterwards");
}
