//===- LookupTest.cpp - The entry that suits a program --------------------===//

#include "StencilDialect/Tuning/Database.h"

#include "gtest/gtest.h"

using namespace stencil;

namespace {

struct LookupTest : testing::Test {
  LookupTest() {
    wanted.program = {"program", {{512, 512}}};
    wanted.math = "contract";
    wanted.target = "cuda";
    wanted.chip = "sm_90";
    wanted.toolchain = {"2", "22", "13", ""};
  }

  /// An entry that suits `wanted`, whose schedule is `name`.
  TuningEntry &add(const std::string &name) {
    TuningEntry &entry = database.entries.emplace_back();
    entry.key = wanted;
    entry.best = TuningBest{{name}, 1, {}, {}, "2026"};
    return entry;
  }

  std::string find() {
    match = lookUp(database, wanted);
    return match.entry ? match.entry->best->schedule[0] : "none";
  }

  TuningDatabase database;
  TuningKey wanted;
  TuningMatch match;
};

} // namespace

TEST_F(LookupTest, TakesWhatSuits) {
  EXPECT_EQ(find(), "none");
  EXPECT_EQ(match.remark, "the tuning database has no entry for this program");
  add("unfinished").best.reset();
  EXPECT_EQ(find(), "none");
  add("other").key.program.program = "other";
  add("right");
  EXPECT_EQ(find(), "right");
  EXPECT_EQ(match.remark, "");
}

TEST_F(LookupTest, SaysWhatThereIsInstead) {
  TuningEntry &entry = add("only");
  entry.key.chip = "gfx942";
  EXPECT_EQ(find(), "none");
  EXPECT_EQ(match.remark,
            "the tuning database has this program for gfx942, not sm_90");
  entry.key.chip = "sm_90";
  entry.key.math = "strict";
  EXPECT_EQ(find(), "none");
  EXPECT_EQ(
      match.remark,
      "the tuning database has this program for --math strict, not contract");
  entry.key.math = "contract";
  entry.key.program.extents = {{256, 256}};
  EXPECT_EQ(find(), "none");
  EXPECT_EQ(match.remark,
            "the tuning database has this program on 256x256, not 512x512");
  // A program with another number of applies is another program.
  entry.key.program.extents = {{512, 512}, {1, 1}};
  EXPECT_EQ(find(), "none");
}

TEST_F(LookupTest, TakesTheLargestIfExtentsAreNotKnown) {
  add("small").key.program.extents = {{64, 512}};
  add("large");
  add("none of these").key.program.extents = {{1024, 256}};
  wanted.program.extents = {{-1, 512}};
  EXPECT_EQ(find(), "large");
  EXPECT_EQ(match.remark, "tuned for 512x512; the extents are not known here");
}

TEST_F(LookupTest, PrefersTheSameToolchainDeviceAndTheLatest) {
  add("old compiler").key.toolchain.stencil = "1";
  EXPECT_EQ(find(), "old compiler");
  EXPECT_EQ(match.remark, "tuned with another compiler: 1, LLVM 22, ptxas 13");
  add("old ptxas").key.toolchain.assembler = "12";
  EXPECT_EQ(find(), "old ptxas");
  add("same");
  EXPECT_EQ(find(), "same");
  add("later").best->date = "2027";
  EXPECT_EQ(find(), "later");
  wanted.device = "H200";
  add("same device").key.device = "H200";
  EXPECT_EQ(find(), "same device");
  database.entries.pop_back();
  database.entries.back().key.device = "H100";
  EXPECT_EQ(find(), "later");
  EXPECT_EQ(match.remark, "tuned on H100, not H200");
}

TEST_F(LookupTest, TheEmulatorTakesEntriesOfTheGpuFirst) {
  add("emulated").key.target = "emulator";
  EXPECT_EQ(find(), "none");
  EXPECT_EQ(match.remark,
            "the tuning database has this program for --target emulator, not "
            "cuda");
  wanted.target = "emulator";
  EXPECT_EQ(find(), "emulated");
  add("real").key.target = "cuda";
  EXPECT_EQ(find(), "real");
}

TEST_F(LookupTest, ProcessorsHaveThreads) {
  wanted.target = "cpu";
  wanted.chip = "znver4";
  wanted.threads = 2;
  add("four").key.threads = 4;
  EXPECT_EQ(find(), "none");
  EXPECT_EQ(match.remark,
            "the tuning database has this program for threads: 4, not 2");
  add("two").key.threads = 2;
  EXPECT_EQ(find(), "two");
}
