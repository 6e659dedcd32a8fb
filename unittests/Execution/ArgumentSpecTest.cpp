//===- ArgumentSpecTest.cpp - Arguments as a command line gives them ------===//

#include "StencilDialect/Execution/ArgumentSpec.h"
#include "StencilDialect/Execution/Arguments.h"

#include "gtest/gtest.h"

using namespace stencil;

static ArgumentSpec parse(llvm::StringRef text) {
  auto spec = parseArgumentSpec(text);
  if (spec)
    return *spec;
  ADD_FAILURE() << llvm::toString(spec.takeError());
  return {};
}

static bool isRefused(llvm::StringRef text) {
  auto spec = parseArgumentSpec(text);
  return llvm::errorToBool(spec.takeError());
}

TEST(ArgumentSpec, SaysWhereTheValueComesFrom) {
  EXPECT_EQ(parse("0=in.npy").kind, ArgumentSpec::File);
  EXPECT_EQ(parse("0=zeros").kind, ArgumentSpec::Zeros);
  EXPECT_EQ(parse("0=random:7").kind, ArgumentSpec::Random);
  EXPECT_EQ(parse("0=random:18446744073709551615").seed, UINT64_MAX);
  EXPECT_EQ(parse("0=random:7").low, 1.0 / 64);
  EXPECT_FALSE(parse("0=random:7").hasRange);
  ArgumentSpec range = parse("0=random:7:-1e-3:0.5");
  EXPECT_EQ(range.seed, 7u);
  EXPECT_EQ(range.low, -1e-3);
  EXPECT_EQ(range.high, 0.5);
  EXPECT_TRUE(range.hasRange);
  EXPECT_EQ(parse("12=3").index, 12u);
  for (const char *number : {"3", "-3.5", "+1", ".5", "-.5e3", "0x1p3", "inf",
                             "-inf", "nan", "NaN", "1.5.2", "3x"})
    EXPECT_EQ(parse(std::string("0=") + number).kind, ArgumentSpec::Number)
        << number;
  // Files may be called almost anything.
  for (const char *file : {"3.npy", "-x", "../a", ".hidden", "info", "a=b",
                           "randomly", "zeros.npy", "/dev/stdin"})
    EXPECT_EQ(parse(std::string("0=") + file).kind, ArgumentSpec::File) << file;
}

TEST(ArgumentSpec, RefusesWhatIsIncomplete) {
  for (const char *text : {"",
                           "=",
                           "0",
                           "0=",
                           "zeros",
                           "-1=3",
                           "x=3",
                           "1.0=3",
                           "4294967296=3",
                           "0=random",
                           "0=random:",
                           "0=random:-1",
                           "0=random:18446744073709551616",
                           "0=random:1:",
                           "0=random:1:2",
                           "0=random:1:2:",
                           "0=random:1::2",
                           "0=random:1:2:2",
                           "0=random:1:3:2",
                           "0=random:1:0:inf",
                           "0=random:1:nan:1",
                           "0=random:1:-1e308:1e308",
                           "0=random:1:0:1:2"})
    EXPECT_TRUE(isRefused(text)) << text;
}

TEST(Extents, AreSeparatedByCommasOrCrosses) {
  using List = llvm::SmallVector<int64_t>;
  EXPECT_EQ(llvm::cantFail(parseExtents("5")), List({5}));
  EXPECT_EQ(llvm::cantFail(parseExtents("5,6,7")), List({5, 6, 7}));
  EXPECT_EQ(llvm::cantFail(parseExtents("5x6")), List({5, 6}));
  for (const char *text : {"", ",", "5,", "0", "-1", "5x6,7", "5 6", "1e3",
                           "99999999999999999999", "2000000000000"})
    EXPECT_TRUE(llvm::errorToBool(parseExtents(text).takeError())) << text;
}

TEST(RandomElement, StaysInItsRange) {
  bool seen[2] = {false, false};
  double least = 1, most = 0;
  for (uint64_t i = 0; i < 100000; ++i) {
    double value = getRandomElement(42, i, ElementKind::F64);
    least = std::min(least, value);
    most = std::max(most, value);
    double integer = getRandomElement(42, i, ElementKind::I8);
    EXPECT_TRUE(integer >= 1 && integer <= 100 && integer == int(integer));
    seen[int(getRandomElement(42, i, ElementKind::I1))] = true;
  }
  EXPECT_GE(least, 1.0 / 64);
  EXPECT_LT(least, 0.02);
  EXPECT_LT(most, 1);
  EXPECT_GT(most, 0.99);
  EXPECT_TRUE(seen[0] && seen[1]);
  EXPECT_NE(getRandomElement(1, 0, ElementKind::F64),
            getRandomElement(2, 0, ElementKind::F64));
}
