//===- FieldUses.cpp - Which arguments a program reads and writes ---------===//

#include "StencilDialect/Analysis/FieldUses.h"
#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Follows one array through the values that name it.
struct UseCollector {
  llvm::SetVector<Value> names;
  FieldUse result;

  void visit(OpOperand &use);

private:
  void escape() { result.isRead = result.isWritten = true; }
  void follow(ValueRange values) {
    for (Value value : values)
      if (isFieldLike(value.getType()))
        names.insert(value);
  }
  void visitYield(OpOperand &use);
  void visitCall(func::CallOp call, unsigned index);
  void visitEffects(OpOperand &use);
};

} // namespace

void UseCollector::visitYield(OpOperand &use) {
  Operation *parent = use.getOwner()->getParentOp();
  unsigned index = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    follow({loop.getRegionIterArg(index), loop.getResult(index)});
  else if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(parent))
    follow(parent->getResult(index));
  else
    escape();
}

void UseCollector::visitCall(func::CallOp call, unsigned index) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || callee.isExternal())
    return escape();
  follow(callee.getArgument(index));
  // What is returned may be any of the fields.
  follow(call.getResults());
}

/// What an op says of itself; an op that says nothing may do anything.
void UseCollector::visitEffects(OpOperand &use) {
  auto op = dyn_cast<MemoryEffectOpInterface>(use.getOwner());
  if (!op)
    return escape();
  // Another name of the array, by what no case of ours knows.
  follow(op->getResults());
  llvm::SmallVector<MemoryEffects::EffectInstance> effects;
  op.getEffectsOnValue(use.get(), effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    result.isRead |= isa<MemoryEffects::Read>(effect.getEffect());
    result.isWritten |= !isa<MemoryEffects::Read>(effect.getEffect());
  }
}

void UseCollector::visit(OpOperand &use) {
  Operation *op = use.getOwner();
  llvm::TypeSwitch<Operation *>(op)
      .Case<CastOp, ExternalLoadOp, memref::CastOp>(
          [&](Operation *op) { follow(op->getResults()); })
      .Case([&](ExternalStoreOp store) {
        if (use.get() == store.getTemp())
          result.isRead = true;
        if (use.get() == store.getField())
          result.isWritten = true;
      })
      .Case([&](scf::ForOp loop) {
        follow({loop.getTiedLoopRegionIterArg(&use),
                loop.getTiedLoopResult(&use)});
      })
      .Case<scf::WhileOp, scf::ConditionOp>([&](Operation *) { escape(); })
      .Case([&](scf::YieldOp) { visitYield(use); })
      .Case([&](func::CallOp call) { visitCall(call, use.getOperandNumber()); })
      .Case([&](func::ReturnOp) {
        // Whoever gets it may do anything.
        escape();
      })
      .Default([&](Operation *) { visitEffects(use); });
}

llvm::SmallVector<FieldUse> stencil::getFieldUses(func::FuncOp function) {
  llvm::SmallVector<FieldUse> uses;
  for (BlockArgument argument : function.getArguments()) {
    UseCollector collector;
    if (isFieldLike(argument.getType()))
      collector.names.insert(argument);
    for (size_t next = 0; next < collector.names.size(); ++next)
      for (OpOperand &use : collector.names[next].getUses())
        collector.visit(use);
    uses.push_back(collector.result);
  }
  return uses;
}
