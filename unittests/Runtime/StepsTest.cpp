//===- StepsTest.cpp - How far the loops of a program are -----------------===//

#include "RuntimeTest.h"

using namespace stencil::runtime;

namespace {

TEST(Steps, AreNoneBeforeALoop) {
  resetStepProgress();
  StepProgress progress = getStepProgress();
  EXPECT_EQ(progress.total, 0);
  EXPECT_EQ(progress.part, 0);
}

TEST(Steps, AreThoseOfTheOutermostLoopWithPartsOfThem) {
  resetStepProgress();
  stencilBeginSteps(10, 0, 1);
  stencilCountSteps(3);
  stencilBeginSteps(4, 0, 1);
  stencilCountSteps(1);
  StepProgress progress = getStepProgress();
  EXPECT_EQ(progress.done, 3);
  EXPECT_EQ(progress.total, 10);
  EXPECT_DOUBLE_EQ(progress.part, 0.325);
  stencilEndSteps();
  stencilCountSteps(1);
  EXPECT_DOUBLE_EQ(getStepProgress().part, 0.4);
  stencilEndSteps();
  EXPECT_EQ(getStepProgress().part, 1);
}

TEST(Steps, GoOnFromLoopToLoop) {
  resetStepProgress();
  stencilBeginSteps(10, 0, 2);
  stencilCountSteps(10);
  stencilEndSteps();
  EXPECT_DOUBLE_EQ(getStepProgress().part, 0.5);
  stencilBeginSteps(4, 1, 2);
  stencilCountSteps(1);
  EXPECT_DOUBLE_EQ(getStepProgress().part, 0.625);
  EXPECT_EQ(getStepProgress().total, 4);
  stencilEndSteps();
}

TEST(Steps, SurviveLoopsWithoutStepsAndDeepOnes) {
  resetStepProgress();
  stencilBeginSteps(-3, 0, 1);
  EXPECT_EQ(getStepProgress().part, 0);
  for (int i = 0; i < 20; ++i)
    stencilBeginSteps(2, 0, 1);
  stencilCountSteps(1);
  for (int i = 0; i < 21; ++i)
    stencilEndSteps();
  EXPECT_EQ(getStepProgress().part, 1);
}

/// Steps that return at once: the stream is waited for after 1, 2, 4, ... of
/// them, and only what it was waited for is done.
TEST(Steps, OfADeviceAreDoneWhenItIsWaitedFor) {
  stencilSelectBackend(0);
  getBackend();
  void *stream = mgpuStreamCreate();
  takeLog("libcuda.so.1");
  resetStepProgress();
  constexpr int64_t steps = 1000;
  stencilBeginSteps(steps, 0, 1);
  stencilCountLaunchedSteps(1, stream);
  EXPECT_EQ(getStepProgress().done, 1);
  stencilCountLaunchedSteps(1, stream);
  int64_t waits = 1, last = 1;
  for (int64_t step = 2; step < steps; ++step) {
    stencilCountLaunchedSteps(1, stream);
    int64_t done = getStepProgress().done;
    EXPECT_LE(done, step + 1);
    waits += done > last;
    last = done;
  }
  stencilEndSteps();
  std::string log = takeLog("libcuda.so.1");
  int64_t lines = 0;
  for (char c : log)
    lines += c == '\n';
  EXPECT_EQ(lines, waits) << log;
  // Ten if nothing else uses the machine; each pause of 0.1 s is one more.
  EXPECT_GE(waits, 2);
  EXPECT_LT(waits, steps / 10);
  mgpuStreamDestroy(stream);
}

} // namespace
