//===- FieldUsesTest.cpp --------------------------------------------------===//

#include "StencilDialect/Analysis/FieldUses.h"
#include "ParseTest.h"

using namespace stencil;

namespace {

struct FieldUsesTest : ParseTest {
  /// "r", "w", "rw" or "-" for each argument of @f.
  std::string describe(llvm::StringRef text) {
    parse(("!f = !stencil.field<[0,8]xf64>\n!t = !stencil.temp<?xf64>\n" + text)
              .str());
    std::string result;
    for (FieldUse use :
         getFieldUses(module->lookupSymbol<mlir::func::FuncOp>("f"))) {
      std::string what = use.isRead ? "r" : "";
      what += use.isWritten ? "w" : "";
      result += (result.empty() ? "" : " ") + (what.empty() ? "-" : what);
    }
    return result;
  }
};

TEST_F(FieldUsesTest, LoadsAndStores) {
  EXPECT_EQ("r w - -", describe(R"mlir(
func.func @f(%a: !f, %b: !f, %c: !f, %n: index) {
  %t = stencil.load %a : !f -> !t
  stencil.store %t to %b(<[0], [8]>) : !t to !f
  return
})mlir"));
}

TEST_F(FieldUsesTest, WhatAWhileLoopCarries) {
  // The condition changes the places: %a is %x, %y and %last#0, %b is %w and
  // %z.
  EXPECT_EQ("rw r", describe(R"mlir(
func.func @f(%a: !f, %b: !f) {
  %last:2 = scf.while (%w = %b, %x = %a) : (!f, !f) -> (!f, !f) {
    %go = "test.go"() : () -> i1
    scf.condition(%go) %x, %w : !f, !f
  } do {
  ^bb0(%y: !f, %z: !f):
    %t = stencil.load %z : !f -> !t
    stencil.store %t to %y(<[0], [8]>) : !t to !f
    scf.yield %z, %y : !f, !f
  }
  %t = stencil.load %last#0 : !f -> !t
  return
})mlir"));
}

TEST_F(FieldUsesTest, WhatIsReturned) {
  EXPECT_EQ("rw -", describe(R"mlir(
func.func @f(%a: !f, %b: !f) -> !f {
  return %a : !f
})mlir"));
  // A callee hands it on; what other callers do with their fields is not @f's.
  EXPECT_EQ("r w", describe(R"mlir(
func.func private @swap(%a: !f, %b: !f) -> (!f, !f) {
  return %b, %a : !f, !f
}
func.func @f(%a: !f, %b: !f) {
  %c:2 = func.call @swap(%a, %b) : (!f, !f) -> (!f, !f)
  %t = stencil.load %c#1 : !f -> !t
  stencil.store %t to %c#0(<[0], [8]>) : !t to !f
  return
}
func.func @other(%a: !f, %b: !f) {
  %c:2 = func.call @swap(%a, %b) : (!f, !f) -> (!f, !f)
  %t = stencil.load %c#0 : !f -> !t
  stencil.store %t to %c#1(<[0], [8]>) : !t to !f
  return
})mlir"));
  // The return may be met before the second call.
  EXPECT_EQ("w", describe(R"mlir(
func.func private @same(%a: !f) -> !f {
  return %a : !f
}
func.func @f(%a: !f) {
  %b = func.call @same(%a) : (!f) -> !f
  %c = func.call @same(%b) : (!f) -> !f
  %v = "test.value"() : () -> !t
  stencil.store %v to %c(<[0], [8]>) : !t to !f
  return
})mlir"));
}

TEST_F(FieldUsesTest, OtherNames) {
  EXPECT_EQ("w r rw rw", describe(R"mlir(
func.func @f(%a: memref<8xf64>, %b: memref<8xf64>, %c: memref<8xf64>,
             %d: memref<8xf64>) {
  %i = arith.constant 0 : index
  %v = arith.constant 1.0 : f64
  %s = memref.subview %a[0] [4] [1] : memref<8xf64> to memref<4xf64, strided<[1]>>
  memref.store %v, %s[%i] : memref<4xf64, strided<[1]>>
  %yes = "test.yes"() : () -> i1
  %e = scf.if %yes -> memref<8xf64> {
    scf.yield %b : memref<8xf64>
  } else {
    %new = memref.alloc() : memref<8xf64>
    scf.yield %new : memref<8xf64>
  }
  %x = memref.load %e[%i] : memref<8xf64>
  "test.unknown"(%c) : (memref<8xf64>) -> ()
  %address = memref.extract_aligned_pointer_as_index %d : memref<8xf64> -> index
  return
})mlir"));
}

} // namespace
