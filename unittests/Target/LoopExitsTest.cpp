//===- LoopExitsTest.cpp --------------------------------------------------===//
//
// Loops that are left at their head compute what they did before.
//
//===----------------------------------------------------------------------===//

#include "KernelSerializer.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

class LoopExits : public testing::Test {
protected:
  static void SetUpTestSuite() {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  }

  /// @f(1) to @f(5), as it stands or with its loops left at their head.
  std::vector<int64_t> run(const char *text, bool isAtHead) {
    auto context = std::make_unique<LLVMContext>();
    SMDiagnostic error;
    std::unique_ptr<Module> code = parseAssemblyString(text, error, *context);
    EXPECT_TRUE(code) << error.getMessage().str();
    Function &function = *code->getFunction("f");
    if (isAtHead)
      stencil::leaveLoopsAtHead(function);
    EXPECT_FALSE(verifyModule(*code, &errs()));
    branches = 0;
    for (BasicBlock &block : function)
      for (BasicBlock *next : successors(&block))
        branches += next->getName() == "loop" &&
                    cast<BranchInst>(block.getTerminator())->isConditional();
    std::unique_ptr<orc::LLJIT> jit = cantFail(orc::LLJITBuilder().create());
    cantFail(jit->addIRModule(
        orc::ThreadSafeModule(std::move(code), std::move(context))));
    auto *f = cantFail(jit->lookup("f")).toPtr<int64_t (*)(int64_t)>();
    std::vector<int64_t> results;
    for (int64_t n = 1; n <= 5; ++n)
      results.push_back(f(n));
    return results;
  }

  void expectSame(const char *text) {
    std::vector<int64_t> before = run(text, /*isAtHead=*/false);
    EXPECT_GT(branches, 0);
    EXPECT_NE(before.front(), before.back());
    EXPECT_EQ(run(text, /*isAtHead=*/true), before);
    EXPECT_EQ(branches, 0) << "the end of the loop still tests";
  }

  /// Conditional ones to the loop.
  int branches = 0;
};

TEST_F(LoopExits, HandsOnAWindow) {
  // Two rows that move on, the newest of which is the last one's value, too.
  expectSame(R"(
    define i64 @f(i64 %n) {
      br label %loop
    loop:
      %i = phi i64 [ 0, %0 ], [ %next, %loop ]
      %a = phi i64 [ 3, %0 ], [ %b, %loop ]
      %b = phi i64 [ 5, %0 ], [ %c, %loop ]
      %t = mul i64 %a, 7
      %c = add i64 %t, %b
      %next = add i64 %i, 1
      %more = icmp slt i64 %next, %n
      br i1 %more, label %loop, label %end
    end:
      %x = phi i64 [ %b, %loop ]
      %y = phi i64 [ %c, %loop ]
      %p = mul i64 %x, 1000
      %q = add i64 %p, %y
      ret i64 %q
    })");
}

TEST_F(LoopExits, HasValuesThatAreNotCarried) {
  // Of several blocks, left if the condition holds; %t and %a are used behind
  // it without a phi.
  expectSame(R"(
    define i64 @f(i64 %n) {
      br label %loop
    loop:
      %i = phi i64 [ 0, %0 ], [ %next, %join ]
      %a = phi i64 [ 1, %0 ], [ %t, %join ]
      %odd = trunc i64 %i to i1
      br i1 %odd, label %other, label %join
    other:
      %u = mul i64 %a, 11
      br label %join
    join:
      %s = phi i64 [ %a, %loop ], [ %u, %other ]
      %t = add i64 %s, 2
      %next = add i64 %i, 1
      %done = icmp sge i64 %next, %n
      br i1 %done, label %end, label %loop
    end:
      %q = mul i64 %a, 100000
      %r = add i64 %q, %t
      %z = add i64 %r, %i
      ret i64 %z
    })");
}

TEST_F(LoopExits, IsFollowedByAnother) {
  // The first is behind a guard, as LLVM leaves them.
  expectSame(R"(
    define i64 @f(i64 %n) {
      %some = icmp sgt i64 %n, 2
      br i1 %some, label %before, label %between
    before:
      br label %loop
    loop:
      %i = phi i64 [ 0, %before ], [ %next, %loop ]
      %a = phi i64 [ 3, %before ], [ %b, %loop ]
      %b = phi i64 [ 5, %before ], [ %c, %loop ]
      %c = add i64 %a, %i
      %next = add i64 %i, 1
      %done = icmp eq i64 %next, %n
      br i1 %done, label %left, label %loop
    left:
      br label %between
    between:
      %x = phi i64 [ 1, %0 ], [ %b, %left ]
      %y = phi i64 [ 2, %0 ], [ %c, %left ]
      br label %second
    second:
      %j = phi i64 [ 0, %between ], [ %then, %second ]
      %d = phi i64 [ %x, %between ], [ %e, %second ]
      %e = phi i64 [ %y, %between ], [ %g, %second ]
      %h = mul i64 %d, 3
      %g = add i64 %h, %e
      %then = add i64 %j, 2
      %more = icmp slt i64 %then, %n
      br i1 %more, label %second, label %end
    end:
      %p = mul i64 %d, 1000
      %q = add i64 %p, %g
      ret i64 %q
    })");
}

TEST_F(LoopExits, StaysWhereItIsNotAtTheEnd) {
  const char *text = R"(
    define i64 @f(i64 %n) {
      br label %loop
    loop:
      %i = phi i64 [ 0, %0 ], [ %next, %body ]
      %done = icmp sge i64 %i, %n
      br i1 %done, label %end, label %body
    body:
      %next = add i64 %i, 3
      %far = icmp sgt i64 %next, 8
      br i1 %far, label %end, label %loop
    end:
      %r = phi i64 [ %i, %loop ], [ %next, %body ]
      ret i64 %r
    })";
  std::vector<int64_t> before = run(text, /*isAtHead=*/false);
  EXPECT_EQ(run(text, /*isAtHead=*/true), before);
  EXPECT_EQ(branches, 1);
}

} // namespace
