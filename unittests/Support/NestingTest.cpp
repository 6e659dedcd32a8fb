//===- NestingTest.cpp ----------------------------------------------------===//

#include "StencilDialect/Support/Nesting.h"

#include "gtest/gtest.h"

using namespace stencil;

namespace {

constexpr size_t kNone = -1;

size_t find(llvm::StringRef text, llvm::StringRef marker = {}) {
  return findDeepNesting(text, /*limit=*/3, marker).value_or(kNone);
}

TEST(Nesting, CountsAllBracketsTogether) {
  EXPECT_EQ(find("([{}])"), kNone);
  EXPECT_EQ(find("([{<"), 3u);
  EXPECT_EQ(find("(((())))"), 3u);
  EXPECT_EQ(find("()[]{}<>()[]{}<>"), kNone);
}

TEST(Nesting, KnowsWhatIsNoBracket) {
  EXPECT_EQ(find("\"((((\\\"((((\""), kNone);
  EXPECT_EQ(find("// ((((\n()"), kNone);
  EXPECT_EQ(find("d0 <= 1, d0 <= 2, d0 <= 3, d0 <= 4"), kNone);
  // An arrow closes nothing.
  EXPECT_EQ(find("<() -> <() -> <() -> <"), 15u);
}

TEST(Nesting, ClosesWhatWasOpenedWithin) {
  EXPECT_EQ(find("(<<)(<<)(<<)"), kNone);
  EXPECT_EQ(find("(>(>(>("), 6u);
}

TEST(Nesting, CountsSigns) {
  EXPECT_EQ(find("-1, -2, -3, -4"), kNone);
  EXPECT_EQ(find("- - - - d0"), 6u);
}

// The parser makes a level of each.
TEST(Nesting, CountsOperators) {
  EXPECT_EQ(find("d0 + 1, d0 - 1, d0 * 2, d0 mod 2, d0 + d0"), kNone);
  EXPECT_EQ(find("d0 + d0 + d0 + d0 + d0"), 18u);
  EXPECT_EQ(find("d0 * 2 - d0 mod 2 floordiv 2"), 18u);
  EXPECT_EQ(find("d0 ceildiv 2 +\n d0 + d0 + d0 >= 0"), 24u);
  EXPECT_EQ(find("%mod @mod %floordiv foo.mod mod_ mod2"), kNone);
  EXPECT_EQ(find("[-1,?+1] x [-1,?+1] x [-1,?+1] : *xf32 = -1"), kNone);
}

TEST(Nesting, LooksThroughAliases) {
  EXPECT_EQ(find("#a = [1]\n#b = [#a]\n#c = [#b]\n"), kNone);
  EXPECT_EQ(find("#a = [1]\n#b = [#a]\n#c = [#b]\n#d = [#c]\n"), 35u);
  EXPECT_EQ(find("!a = tuple<>\n!b =\n tuple<tuple<!a>>\n(!b)"), 37u);
  // What comes behind an alias is no part of it.
  EXPECT_EQ(find("#a = [1]\n(#a) (#a) (#a) (#a)"), kNone);
}

TEST(Nesting, BeginsAnewWhereATextIsSplit) {
  EXPECT_EQ(find("((\n// -----\n(("), 13u);
  EXPECT_EQ(find("((\n// -----\n((", "// -----"), kNone);
}

} // namespace
