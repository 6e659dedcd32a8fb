//===- FingerprintTest.cpp - Which program an entry is for ----------------===//

#include "StencilDialect/Tuning/Fingerprint.h"

#include "../Analysis/ParseTest.h"

using namespace stencil;

namespace {

struct FingerprintTest : ParseTest {
  /// Of a program with some of its parts replaced.
  ProgramFingerprint get(llvm::StringRef from = "", llvm::StringRef to = "") {
    std::string text = R"mlir(
!field = !stencil.field<[-1,65]x[-1,?+1]xf64>
func.func @smooth(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    %w = stencil.access %x[0, -1] : !field
    %e = stencil.access %x[0, 1] : !field
    %s = arith.addf %w, %e : f64
    %half = arith.constant 0.5 : f64
    %p = arith.mulf %s, %half : f64
    stencil.return %p : f64
  } to <[0, 0], [64, ?]>
  return
}
)mlir";
    for (size_t place = text.find(from.str());
         !from.empty() && place != std::string::npos;
         place = text.find(from.str(), place + to.size()))
      text.replace(place, from.size(), to.str());
    parse(text);
    return module ? getFingerprint(*module) : ProgramFingerprint();
  }
};

} // namespace

TEST_F(FingerprintTest, HasTheExtentsOfTheApplies) {
  ProgramFingerprint fingerprint = get();
  EXPECT_EQ(fingerprint.program.size(), 32u);
  EXPECT_EQ(fingerprint.extents, (std::vector<std::vector<int64_t>>{{64, -1}}));
}

TEST_F(FingerprintTest, DoesNotDependOnNamesAndSizes) {
  std::string program = get().program;
  EXPECT_EQ(get("smooth", "other").program, program);
  EXPECT_EQ(get("%w", "%left").program, program);
  EXPECT_EQ(get("func.func @", "func.func private @").program, program);
  EXPECT_EQ(get(") {\n    %w",
                ") attributes {stencil.schedule = #stencil.schedule<block = "
                "[1, 32]>} {\n    %w")
                .program,
            program);
  EXPECT_EQ(get("!field) {\n  stencil.apply",
                "!field) attributes {stencil.minimal_extents = array<i64: 1, "
                "1>} {\n  stencil.apply")
                .program,
            program);
  ProgramFingerprint larger = get("[-1,65]", "[-2,130]");
  EXPECT_EQ(larger.program, program);
  larger = get("[64, ?]", "[32, 16]");
  EXPECT_EQ(larger.program, program);
  EXPECT_EQ(larger.extents, (std::vector<std::vector<int64_t>>{{32, 16}}));
}

TEST_F(FingerprintTest, DependsOnWhatIsComputed) {
  std::string program = get().program;
  EXPECT_NE(get("[0, -1]", "[-1, 0]").program, program);
  EXPECT_NE(get("0.5", "0.25").program, program);
  EXPECT_NE(get("f64", "f32").program, program);
  EXPECT_NE(get("arith.addf", "arith.subf").program, program);
  EXPECT_NE(get("mulf %s, %half", "mulf %half, %s").program, program);
  EXPECT_NE(get("mulf %s, %half", "mulf %s, %s").program, program);
}

TEST_F(FingerprintTest, IsTheSameInEveryProcess) {
  EXPECT_EQ(get().program, "95c3b1b5c768a021a1cf079bf30e8b34");
}
