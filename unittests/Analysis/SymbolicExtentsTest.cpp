//===- SymbolicExtentsTest.cpp --------------------------------------------===//

#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "ParseTest.h"

namespace {

struct SymbolicExtentsTest : ParseTest {
  llvm::SmallVector<int64_t> extentsOf(llvm::StringRef text) {
    parse(text);
    return stencil::minimalExtents(
        *module->getOps<mlir::func::FuncOp>().begin());
  }
  using Extents = llvm::SmallVector<int64_t>;
};

TEST_F(SymbolicExtentsTest, StaticProgram) {
  EXPECT_EQ(extentsOf(R"mlir(
func.func @f(%a: !stencil.field<[0,8]x[0,8]xf64>) { return }
)mlir"),
            Extents({0, 0}));
}

TEST_F(SymbolicExtentsTest, BoxesAreNotEmpty) {
  // [3,N-2) and [-1,N+1)
  EXPECT_EQ(extentsOf(R"mlir(
!f = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
func.func @f(%a: !f) {
  %m = stencil.fold %a(<[3, 0], [?-2, ?]>) max : !f
  return
})mlir"),
            Extents({6, 1}));
}

TEST_F(SymbolicExtentsTest, WhatIsAccessedIsThere) {
  // [20,30) and its neighbours up to 31 lie in [-1,N+1), and in [-1,N).
  EXPECT_EQ(extentsOf(R"mlir(
!f = !stencil.field<[-1,?+1]xf64>
func.func @f(%a: !f, %b: !f) {
  %l = stencil.load %a : !f -> !stencil.temp<[-1,?]xf64>
  stencil.apply(%x = %l : !stencil.temp<[-1,?]xf64>) outs (%b : !f) {
    %v = stencil.access %x[1] : !stencil.temp<[-1,?]xf64>
    stencil.return %v : f64
  } to <[20], [30]>
  return
})mlir"),
            Extents({31}));
}

TEST_F(SymbolicExtentsTest, UpperEdge) {
  // [N-9,N) lies in [-1,N+1), also one point further down.
  EXPECT_EQ(extentsOf(R"mlir(
!f = !stencil.field<[-1,?+1]xf64>
func.func @f(%a: !f, %b: !f) {
  stencil.apply(%x = %a : !f) outs (%b : !f) {
    %v = stencil.access %x[-1] : !f
    stencil.return %v : f64
  } to <[?-9], [?]>
  return
})mlir"),
            Extents({9}));
}

TEST_F(SymbolicExtentsTest, CombineHasPointsOnBothSides) {
  EXPECT_EQ(extentsOf(R"mlir(
!f = !stencil.field<[-1,?+1]xf64>
func.func @f(%a: !f, %b: !f) {
  %l = stencil.load %a : !f -> !stencil.temp<[0,?]xf64>
  %m = stencil.load %b : !f -> !stencil.temp<[0,?]xf64>
  %c = stencil.combine 0 at 11 lower = (%l : !stencil.temp<[0,?]xf64>) upper = (%m : !stencil.temp<[0,?]xf64>) : !stencil.temp<[0,?]xf64>
  return
})mlir"),
            Extents({12}));
}

TEST_F(SymbolicExtentsTest, CombineHasPointsOnOneSide) {
  // [N-4,N) has no point below 11.
  EXPECT_EQ(extentsOf(R"mlir(
!f = !stencil.field<[-1,?+1]xf64>
!t = !stencil.temp<[?-4,?]xf64>
func.func @f(%a: !f) {
  %l = stencil.load %a : !f -> !t
  %c = stencil.combine 0 at 11 lower = (%l : !t) upper = (%l : !t) : !t
  return
})mlir"),
            Extents({15}));
}

TEST_F(SymbolicExtentsTest, BoundariesReadTheInterior) {
  EXPECT_EQ(extentsOf(R"mlir(
!f = !stencil.field<[-1,?+3]x[-1,?+3]x[-4,?+4]xf64>
func.func @f(%a: !f) {
  stencil.boundary %a(<[0, 0, 1], [?, ?, ?-1]>) [#stencil.neumann | #stencil.symmetric, #stencil.extrapolate<5>, #stencil.periodic] : !f
  return
})mlir"),
            Extents({4, 6, 3}));
}

TEST_F(SymbolicExtentsTest, WhatWasRecordedCounts) {
  EXPECT_EQ(extentsOf(R"mlir(
func.func @f(%a: !stencil.field<[0,?]x[0,?]xf64>) attributes {stencil.minimal_extents = array<i64: 7>} { return }
)mlir"),
            Extents({7, 1}));
}

} // namespace
