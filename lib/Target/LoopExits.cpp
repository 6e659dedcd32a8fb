//===- LoopExits.cpp - Loops that are left at their head ------------------===//
//
//   body; if (c) goto body;       ==>       while (true) {
//                                             if (!first && !c) break;
//                                             body
//                                           }
//
// LLVM tests at the end of a loop whether it goes on. What it hands on is then
// copied at the end of each iteration, beside what the next iteration has of
// it, and ptxas takes registers for both: of windows of rows, twice as many.
// At the head of a loop, both are the same.
//
//===----------------------------------------------------------------------===//

#include "KernelSerializer.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace stencil;

namespace {

/// The exit of a loop that is left behind its latch only.
class TailExit {
public:
  static std::optional<TailExit> find(const Loop &loop) {
    BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPreheader();
    BasicBlock *exit = loop.getExitBlock();
    if (!latch || !before || !exit || loop.getExitingBlock() != latch)
      return std::nullopt;
    auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
    if (!branch || !branch->isConditional())
      return std::nullopt;
    return TailExit(loop, latch, before, exit, branch);
  }

  void moveToHead();

private:
  TailExit(const Loop &loop, BasicBlock *latch, BasicBlock *before,
           BasicBlock *exit, BranchInst *branch)
      : loop(loop), header(loop.getHeader()), latch(latch), before(before),
        exit(exit), branch(branch) {}

  /// What `value` was at the end of the iteration before; `first` in the first.
  PHINode *carry(Value *value, Value *first) {
    PHINode *phi = PHINode::Create(value->getType(), 2, "", header->begin());
    phi->addIncoming(first, before);
    phi->addIncoming(value, latch);
    return phi;
  }

  /// What `value`, of an iteration, is at the head of the next.
  Value *getAtHead(Instruction *value) {
    for (PHINode &phi : header->phis())
      if (phi.getIncomingValueForBlock(latch) == value)
        return &phi;
    return carry(value, PoisonValue::get(value->getType()));
  }

  const Loop &loop;
  BasicBlock *header, *latch, *before, *exit;
  BranchInst *branch;
};

} // namespace

void TailExit::moveToHead() {
  SmallVector<std::pair<Use *, Instruction *>> outside;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &value : *block)
      for (Use &use : value.uses())
        if (!loop.contains(cast<Instruction>(use.getUser())))
          outside.emplace_back(&use, &value);
  BasicBlock *body = header->splitBasicBlock(header->getFirstNonPHIIt());
  if (latch == header)
    latch = body;
  for (auto [use, value] : outside)
    use->set(getAtHead(value));
  bool endsIfTrue = branch->getSuccessor(0) == exit;
  Value *condition = branch->getCondition();
  PHINode *test =
      carry(condition, ConstantInt::getBool(condition->getType(), !endsIfTrue));
  exit->replacePhiUsesWith(latch, header);
  header->getTerminator()->eraseFromParent();
  BranchInst::Create(endsIfTrue ? exit : body, endsIfTrue ? body : exit, test,
                     header);
  branch->eraseFromParent();
  BranchInst::Create(header, latch);
}

void stencil::leaveLoopsAtHead(Function &kernel) {
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      if (std::optional<TailExit> exit = TailExit::find(*loop))
        exit->moveToHead();
}
