//===- FieldUses.cpp - Which arguments a program reads and writes ---------===//

#include "StencilDialect/Analysis/FieldUses.h"
#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Follows the memory of one field through the values that may name it.
class UseFinder {
public:
  UseFinder(func::FuncOp function, Value field) : function(function) {
    follow(field);
  }

  FieldUse run() {
    for (size_t i = 0; i < names.size(); ++i)
      for (OpOperand &use : names[i].getUses())
        visit(use);
    return found;
  }

private:
  void visit(OpOperand &use);
  void visitBranch(RegionBranchOpInterface op, OpOperand &use);
  void visitReturn(func::ReturnOp op, unsigned index);
  void visitCall(func::CallOp call, unsigned index);
  void visitOther(OpOperand &use);

  void follow(Value name) { names.insert(name); }
  void read() { found.isRead = true; }
  void write() { found.isWritten = true; }
  void readAndWrite() { found = {true, true}; }

  func::FuncOp function;
  llvm::SetVector<Value> names;
  /// Calls that get the field, by the function, and which results of a function
  /// it may be.
  llvm::DenseMap<Operation *, llvm::SetVector<func::CallOp>> calls;
  llvm::DenseMap<Operation *, llvm::SetVector<unsigned>> returned;
  FieldUse found;
};

} // namespace

void UseFinder::visit(OpOperand &use) {
  unsigned index = use.getOperandNumber();
  Operation *owner = use.getOwner();
  if (owner->hasTrait<FieldView>())
    return follow(owner->getResult(0));
  llvm::TypeSwitch<Operation *>(owner)
      .Case<memref::CastOp>([&](Operation *op) { follow(op->getResult(0)); })
      .Case<memref::DimOp>([](Operation *) {})
      // What is not in the box of a store stays: it is not read by that.
      .Case<ExternalStoreOp>(
          [&](Operation *) { index == 0 ? read() : write(); })
      // The halo gets values of the interior.
      .Case<BoundaryOp>([&](Operation *) { readAndWrite(); })
      .Case<scf::ForOp, scf::WhileOp>(
          [&](RegionBranchOpInterface op) { visitBranch(op, use); })
      .Case<scf::YieldOp, scf::ConditionOp>([&](Operation *op) {
        visitBranch(cast<RegionBranchOpInterface>(op->getParentOp()), use);
      })
      .Case<func::ReturnOp>([&](func::ReturnOp op) { visitReturn(op, index); })
      .Case<func::CallOp>([&](func::CallOp call) { visitCall(call, index); })
      .Default([&](Operation *) { visitOther(use); });
}

/// What a loop or branch hands on between its regions, and to its results.
void UseFinder::visitBranch(RegionBranchOpInterface op, OpOperand &use) {
  RegionBranchSuccessorMapping handedOn;
  op.getSuccessorOperandInputMapping(handedOn);
  llvm::for_each(handedOn.lookup(&use), [&](Value name) { follow(name); });
}

void UseFinder::visitReturn(func::ReturnOp op, unsigned index) {
  auto from = op->getParentOfType<func::FuncOp>();
  if (from == function)
    readAndWrite();
  returned[from].insert(index);
  for (func::CallOp call : calls[from])
    follow(call.getResult(index));
}

void UseFinder::visitCall(func::CallOp call, unsigned index) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || callee.isExternal())
    return readAndWrite();
  follow(callee.getArgument(index));
  calls[callee].insert(call);
  for (unsigned result : returned[callee])
    follow(call.getResult(result));
}

/// What an op says of itself; one that says nothing may do anything.
void UseFinder::visitOther(OpOperand &use) {
  Operation *op = use.getOwner();
  auto effectOp = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effectOp || op->getNumRegions() > 0)
    return readAndWrite();
  llvm::SmallVector<MemoryEffects::EffectInstance> effects;
  effectOp.getEffects(effects);
  if (effects.empty() && !llvm::all_of(op->getResultTypes(), isFieldLike))
    return readAndWrite(); // An address, for example.
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
  // Another name of the array, by what no case above knows.
  for (Value result : op->getResults())
    if (isFieldLike(result.getType()))
      follow(result);
}

llvm::SmallVector<FieldUse> stencil::getFieldUses(func::FuncOp function) {
  llvm::SmallVector<FieldUse> uses;
  for (BlockArgument argument : function.getArguments())
    uses.push_back(isFieldLike(argument.getType())
                       ? UseFinder(function, argument).run()
                       : FieldUse());
  return uses;
}
