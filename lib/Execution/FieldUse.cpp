//===- FieldUse.cpp - What a program does with an array -------------------===//

#include "FieldUse.h"
#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Follows the memory of one field through the values that may name it.
class UseFinder {
public:
  explicit UseFinder(Value field) { names.insert(field); }

  FieldUse run() {
    for (size_t i = 0; i < names.size(); ++i)
      for (OpOperand &use : names[i].getUses())
        visit(use);
    return found;
  }

private:
  void visit(OpOperand &use);
  void visitLoop(LoopLikeOpInterface loop, OpOperand &use);
  void visitTerminator(Operation *op, unsigned index);
  void visitReturn(func::ReturnOp op, unsigned index);
  void visitCall(func::CallOp call, unsigned index);
  void visitOther(OpOperand &use);

  void follow(Value name) { names.insert(name); }
  void read() { found.isRead = true; }
  void write() { found.isWritten = true; }
  void readAndWrite() { found = {true, true}; }

  llvm::SetVector<Value> names;
  FieldUse found;
};

} // namespace

void UseFinder::visit(OpOperand &use) {
  unsigned index = use.getOperandNumber();
  llvm::TypeSwitch<Operation *>(use.getOwner())
      .Case<CastOp, ExternalLoadOp, memref::CastOp>(
          [&](Operation *op) { follow(op->getResult(0)); })
      .Case<memref::DimOp>([](Operation *) {})
      // What is not in the box of a store stays: it is not read by that.
      .Case<ExternalStoreOp>(
          [&](Operation *) { index == 0 ? read() : write(); })
      // The halo gets values of the interior.
      .Case<BoundaryOp>([&](Operation *) { readAndWrite(); })
      .Case<scf::ForOp, scf::WhileOp>(
          [&](LoopLikeOpInterface loop) { visitLoop(loop, use); })
      .Case<scf::YieldOp, scf::ConditionOp>(
          [&](Operation *op) { visitTerminator(op, index); })
      .Case<func::ReturnOp>([&](func::ReturnOp op) { visitReturn(op, index); })
      .Case<func::CallOp>([&](func::CallOp call) { visitCall(call, index); })
      .Default([&](Operation *) { visitOther(use); });
}

void UseFinder::visitLoop(LoopLikeOpInterface loop, OpOperand &use) {
  if (BlockArgument carried = loop.getTiedLoopRegionIterArg(&use))
    follow(carried);
  if (OpResult result = loop.getTiedLoopResult(&use))
    follow(result);
  // What scf.while passes on is another list.
  if (auto op = dyn_cast<scf::WhileOp>(loop.getOperation()))
    follow(op.getBeforeArguments()[use.getOperandNumber()]);
}

void UseFinder::visitTerminator(Operation *op, unsigned index) {
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
    follow(loop.getRegionIterArg(index));
    return follow(loop.getResult(index));
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp())) {
    if (isa<scf::YieldOp>(op))
      return follow(loop.getBeforeArguments()[index]);
    // The first operand is the condition.
    follow(loop.getAfterArguments()[index - 1]);
    return follow(loop.getResult(index - 1));
  }
  if (isa<scf::IfOp, scf::ExecuteRegionOp, scf::IndexSwitchOp>(
          op->getParentOp()))
    return follow(op->getParentOp()->getResult(index));
  readAndWrite();
}

void UseFinder::visitReturn(func::ReturnOp op, unsigned index) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto uses = SymbolTable::getSymbolUses(function,
                                         function->getParentOfType<ModuleOp>());
  if (!uses)
    return readAndWrite();
  for (SymbolTable::SymbolUse use : *uses)
    if (auto call = dyn_cast<func::CallOp>(use.getUser()))
      follow(call.getResult(index));
}

void UseFinder::visitCall(func::CallOp call, unsigned index) {
  auto callee = dyn_cast_or_null<func::FuncOp>(
      SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr()));
  if (!callee || callee.isExternal())
    return readAndWrite();
  follow(callee.getArgument(index));
}

/// Ops that say what they do with their operand, such as loads and stores.
void UseFinder::visitOther(OpOperand &use) {
  auto op = dyn_cast<MemoryEffectOpInterface>(use.getOwner());
  if (!op || use.getOwner()->getNumRegions() > 0 ||
      llvm::any_of(use.getOwner()->getResultTypes(), isFieldLike))
    return readAndWrite();
  llvm::SmallVector<MemoryEffects::EffectInstance> effects;
  op.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    // Of something that is not named: it may be this.
    if (effect.getValue() && effect.getValue() != use.get())
      continue;
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      read();
    else if (isa<MemoryEffects::Write>(effect.getEffect()))
      write();
    else
      readAndWrite();
  }
}

FieldUse stencil::getFieldUse(BlockArgument argument) {
  return UseFinder(argument).run();
}
