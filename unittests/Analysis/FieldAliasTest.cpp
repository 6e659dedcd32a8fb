//===- FieldAliasTest.cpp -------------------------------------------------===//

#include "StencilDialect/Analysis/FieldAlias.h"
#include "ParseTest.h"

namespace {

struct FieldAliasTest : ParseTest {
  bool may(llvm::StringRef a, llvm::StringRef b) {
    bool result = alias.mayAlias((*this)[a], (*this)[b]);
    EXPECT_EQ(result, alias.mayAlias((*this)[b], (*this)[a]));
    return result;
  }
  bool must(llvm::StringRef a, llvm::StringRef b) {
    return alias.mustAlias((*this)[a], (*this)[b]);
  }
  stencil::FieldAliasAnalysis alias;
};

TEST_F(FieldAliasTest, Sources) {
  parse(R"mlir(
!f = !stencil.field<[0,8]xf64>
func.func private @make() -> !f
func.func @f(%a: !f, %b: !stencil.field<?xf64>, %m: memref<8xf64>, %n: memref<8xf64>) {
  %c = stencil.cast %b : !stencil.field<?xf64> -> !f
  %d = stencil.cast %b : !stencil.field<?xf64> -> !f
  %x = stencil.external_load %m : memref<8xf64> -> !f
  %y = stencil.external_load %m : memref<8xf64> -> !f
  %z = stencil.external_load %n : memref<8xf64> -> !f
  %u = call @make() : () -> !f
  %new = stencil.alloc : !f
  %new2 = stencil.alloc : !f
  %v = call @make() : () -> !f
  "test.name"(%a) {n = "a"} : (!f) -> ()
  "test.name"(%b) {n = "b"} : (!stencil.field<?xf64>) -> ()
  "test.name"(%c) {n = "c"} : (!f) -> ()
  "test.name"(%d) {n = "d"} : (!f) -> ()
  "test.name"(%x) {n = "x"} : (!f) -> ()
  "test.name"(%y) {n = "y"} : (!f) -> ()
  "test.name"(%z) {n = "z"} : (!f) -> ()
  "test.name"(%u) {n = "u"} : (!f) -> ()
  "test.name"(%v) {n = "v"} : (!f) -> ()
  "test.name"(%new) {n = "new"} : (!f) -> ()
  "test.name"(%new2) {n = "new2"} : (!f) -> ()
  return
})mlir");
  EXPECT_FALSE(may("a", "b"));
  EXPECT_TRUE(must("c", "d"));
  EXPECT_TRUE(must("b", "c"));
  EXPECT_FALSE(may("a", "c"));
  EXPECT_TRUE(must("x", "y"));
  EXPECT_FALSE(may("x", "z"));
  EXPECT_TRUE(may("a", "u"));
  EXPECT_FALSE(must("a", "u"));
  EXPECT_TRUE(may("u", "v"));
  EXPECT_FALSE(may("new", "a"));
  EXPECT_FALSE(may("new", "new2"));
  // What a call returns cannot be memory made after it, but memory made before.
  EXPECT_FALSE(may("u", "new"));
  EXPECT_TRUE(may("v", "new"));
}

TEST_F(FieldAliasTest, TimeLoop) {
  parse(R"mlir(
!f = !stencil.field<[0,8]xf64>
func.func @f(%a: !f, %b: !f, %c: !f, %e: !f, %n: index) {
  %r:4 = scf.for %i = %n to %n step %n iter_args(%u = %a, %v = %b, %w = %c, %t = %n) -> (!f, !f, !f, index) {
    "test.name"(%u) {n = "u"} : (!f) -> ()
    "test.name"(%v) {n = "v"} : (!f) -> ()
    "test.name"(%w) {n = "w"} : (!f) -> ()
    scf.yield %v, %u, %w, %t : !f, !f, !f, index
  }
  "test.name"(%a) {n = "a"} : (!f) -> ()
  "test.name"(%b) {n = "b"} : (!f) -> ()
  "test.name"(%c) {n = "c"} : (!f) -> ()
  "test.name"(%e) {n = "e"} : (!f) -> ()
  "test.name"(%r#0) {n = "r0"} : (!f) -> ()
  "test.name"(%r#1) {n = "r1"} : (!f) -> ()
  "test.name"(%r#2) {n = "r2"} : (!f) -> ()
  return
})mlir");
  EXPECT_FALSE(may("u", "v"));
  EXPECT_TRUE(may("u", "a"));
  EXPECT_TRUE(may("u", "b"));
  EXPECT_FALSE(may("u", "c"));
  EXPECT_FALSE(may("u", "e"));
  EXPECT_FALSE(must("u", "a"));
  EXPECT_TRUE(must("w", "c"));
  EXPECT_TRUE(must("r2", "c"));
  EXPECT_FALSE(may("r0", "r1"));
  EXPECT_TRUE(may("r0", "b"));
  EXPECT_FALSE(may("r0", "e"));
}

TEST_F(FieldAliasTest, LoopThatStartsTwiceFromOneField) {
  parse(R"mlir(
!f = !stencil.field<[0,8]xf64>
func.func @f(%a: !f, %n: index) {
  %r:2 = scf.for %i = %n to %n step %n iter_args(%u = %a, %v = %a) -> (!f, !f) {
    "test.name"(%u) {n = "u"} : (!f) -> ()
    "test.name"(%v) {n = "v"} : (!f) -> ()
    scf.yield %v, %u : !f, !f
  }
  return
})mlir");
  EXPECT_TRUE(may("u", "v"));
}

TEST_F(FieldAliasTest, NestedLoopsAndBranches) {
  parse(R"mlir(
!f = !stencil.field<[0,8]xf64>
func.func @f(%a: !f, %b: !f, %n: index, %p: i1) {
  %r:2 = scf.for %i = %n to %n step %n iter_args(%u = %a, %v = %b) -> (!f, !f) {
    %s:2 = scf.for %j = %n to %n step %n iter_args(%x = %u, %y = %v) -> (!f, !f) {
      "test.name"(%x) {n = "x"} : (!f) -> ()
      "test.name"(%y) {n = "y"} : (!f) -> ()
      scf.yield %y, %x : !f, !f
    }
    %t:2 = scf.if %p -> (!f, !f) {
      scf.yield %s#0, %s#1 : !f, !f
    } else {
      scf.yield %s#1, %s#0 : !f, !f
    }
    %q0 = arith.select %p, %t#0, %t#1 : !f
    %q1 = arith.select %p, %t#1, %t#0 : !f
    %o = scf.for %j = %n to %n step %n iter_args(%one = %q0) -> (!f) {
      "test.name"(%one) {n = "one"} : (!f) -> ()
      "test.name"(%q1) {n = "q1"} : (!f) -> ()
      scf.yield %one : !f
    }
    "test.name"(%t#0) {n = "t0"} : (!f) -> ()
    "test.name"(%t#1) {n = "t1"} : (!f) -> ()
    "test.name"(%u) {n = "u"} : (!f) -> ()
    scf.yield %o, %q1 : !f, !f
  }
  "test.name"(%r#0) {n = "r0"} : (!f) -> ()
  "test.name"(%r#1) {n = "r1"} : (!f) -> ()
  return
})mlir");
  EXPECT_FALSE(may("x", "y"));
  EXPECT_FALSE(may("t0", "t1"));
  EXPECT_FALSE(may("one", "q1"));
  EXPECT_TRUE(may("t0", "u"));
  EXPECT_FALSE(may("r0", "r1"));
}

TEST_F(FieldAliasTest, While) {
  parse(R"mlir(
!f = !stencil.field<[0,8]xf64>
func.func @f(%a: !f, %b: !f, %p: i1) {
  %r:2 = scf.while (%u = %a, %v = %b) : (!f, !f) -> (!f, !f) {
    scf.condition(%p) %v, %u : !f, !f
  } do {
  ^bb0(%x: !f, %y: !f):
    "test.name"(%x) {n = "x"} : (!f) -> ()
    "test.name"(%y) {n = "y"} : (!f) -> ()
    scf.yield %x, %y : !f, !f
  }
  "test.name"(%r#0) {n = "r0"} : (!f) -> ()
  "test.name"(%r#1) {n = "r1"} : (!f) -> ()
  "test.name"(%a) {n = "a"} : (!f) -> ()
  return
})mlir");
  EXPECT_FALSE(may("x", "y"));
  EXPECT_TRUE(may("x", "a"));
  EXPECT_FALSE(may("r0", "r1"));
  EXPECT_TRUE(may("r0", "a"));
}

/// Answers are remembered: chains that double the work at every link, and loops
/// that carry many fields, take no time.
TEST_F(FieldAliasTest, LongChains) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "!f = !stencil.field<[0,8]xf64>\n"
     << "func.func @f(%a: !f, %b: !f, %n: index, %p: i1) {\n"
     << "  %x0 = scf.if %p -> (!f) { scf.yield %a : !f } else { scf.yield %a : "
        "!f }\n";
  for (int i = 1; i <= 100; ++i)
    os << "  %x" << i << " = scf.if %p -> (!f) { scf.yield %x" << i - 1
       << " : !f } else { scf.yield %x" << i - 1 << " : !f }\n";
  auto list = [&](const char *prefix, int first) {
    for (int i = 0; i < 40; ++i)
      os << (i ? ", " : "") << prefix << (first + i) % 40;
  };
  os << "  \"test.name\"(%a) {n = \"a\"} : (!f) -> ()\n"
     << "  \"test.name\"(%b) {n = \"b\"} : (!f) -> ()\n"
     << "  \"test.name\"(%x100) {n = \"x\"} : (!f) -> ()\n"
     << "  return\n}\nfunc.func @g(%n: index, ";
  for (int i = 0; i < 40; ++i)
    os << (i ? ", " : "") << "%a" << i << ": !f";
  os << ") {\n";
  for (int loop = 0; loop < 10; ++loop) {
    os << "  %r" << loop << ":40 = scf.for %i = %n to %n step %n iter_args(";
    for (int i = 0; i < 40; ++i) {
      os << (i ? ", " : "") << "%u" << i << " = ";
      if (loop)
        os << "%r" << loop - 1 << '#' << i;
      else
        os << "%a" << i;
    }
    os << ") -> (";
    for (int i = 0; i < 40; ++i)
      os << (i ? ", !f" : "!f");
    os << ") {\n    scf.yield ";
    list("%u", 1);
    os << " : ";
    for (int i = 0; i < 40; ++i)
      os << (i ? ", !f" : "!f");
    os << "\n  }\n";
  }
  os << "  \"test.name\"(%r9#3) {n = \"r3\"} : (!f) -> ()\n"
     << "  \"test.name\"(%r9#5) {n = \"r5\"} : (!f) -> ()\n"
     << "  \"test.name\"(%a7) {n = \"a7\"} : (!f) -> ()\n"
     << "  return\n}\n";
  parse(text);
  EXPECT_TRUE(must("x", "a"));
  EXPECT_FALSE(may("x", "b"));
  EXPECT_FALSE(may("r3", "r5"));
  EXPECT_TRUE(may("r3", "a7"));
}

TEST_F(FieldAliasTest, NoPermutation) {
  parse(R"mlir(
!f = !stencil.field<[0,8]xf64>
func.func @f(%a: !f, %b: !f, %n: index) {
  %r:2 = scf.for %i = %n to %n step %n iter_args(%u = %a, %v = %b) -> (!f, !f) {
    "test.name"(%u) {n = "u"} : (!f) -> ()
    "test.name"(%v) {n = "v"} : (!f) -> ()
    scf.yield %u, %u : !f, !f
  }
  return
})mlir");
  EXPECT_TRUE(may("u", "v"));
  mlir::Operation *loop = (*this)["u"].getParentBlock()->getParentOp();
  EXPECT_EQ(alias.getCarriedFields(loop).culprit->getOperandNumber(), 1u);
}

} // namespace
