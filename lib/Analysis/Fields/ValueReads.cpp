//===- ValueReads.cpp - Who reads which value -----------------------------===//

#include "MemoryTimeline.h"
#include "StencilDialect/Analysis/ProgramCheck.h"

using namespace mlir;
using namespace stencil;

/// Notes what the owner of `use` reads of the grid.
LogicalResult ValueReads::note(OpOperand &use, OperandDemands &needs) {
  Value grid = use.get();
  Operation *op = use.getOwner();
  GridBox box;
  bool isRead = false, isPointwise = !isa<FoldOp>(op);
  auto boxOf = [](Value value) {
    return cast<GridType>(value.getType()).getBounds();
  };
  needs.forEach(
      use, boxOf,
      [&](Operation *by, const GridBox &needed, const InputRead *read) {
        isRead = true;
        box.join(needed);
        if (read)
          isPointwise &= read->isPointwise(cast<ApplyOp>(op).getRank());
        else
          isPointwise &= by == op;
      });
  if (!isRead)
    return success();
  auto bounds = BoundsAttr::get(op->getContext(), box.lb, box.ub);
  if (!isa<TempType>(grid.getType())) {
    timeline.add(timeline.getPosition(op),
                 {grid, bounds, op, /*isWrite=*/false, isPointwise});
    return success();
  }
  BoundsAttr known = boxOf(grid);
  if (!known.contains(bounds)) {
    InFlightDiagnostic diag = op->emitOpError("reads ")
                              << bounds << " of a value that is known on "
                              << known << " only";
    diag.attachNote(grid.getLoc()) << "it is defined here";
    return diag;
  }
  reads[grid].push_back({op, bounds, isPointwise});
  return success();
}

ArrayRef<Read> ValueReads::get(Value value) const {
  auto found = reads.find(value);
  return found == reads.end() ? ArrayRef<Read>() : found->second;
}

LogicalResult ValueReads::note(Operation *op) {
  auto apply = dyn_cast<ApplyOp>(op);
  MutableArrayRef<OpOperand> inputs = op->getOpOperands();
  if (isa<LoadOp, StoreOp>(op))
    inputs = inputs.take_front(isa<StoreOp>(op) ? 1 : 0);
  else if (apply)
    inputs = inputs.take_front(apply.getArgs().size());
  OperandDemands needs(op);
  for (OpOperand &input : inputs)
    if (isa<GridType>(input.get().getType()) && failed(note(input, needs)))
      return failure();
  return success();
}

bool ValueReads::isOverwritten(Value memory, Block *home, const Read &read,
                               unsigned from, Operation *except) {
  unsigned last = timeline.getLastPosition(read.op, home);
  bool isRepeated = last != timeline.getPosition(read.op);
  return timeline.any(
      memory, read.box, from + 1, last, [&](const MemoryAccess &access) {
        if (!access.isWrite || access.op == except)
          return false;
        // What an op reads of a point before it writes there is intact.
        bool isSafe = access.op == read.op && !isRepeated && read.isPointwise &&
                      timeline.haveSamePlaces(memory, access.memory);
        return !isSafe;
      });
}

bool ValueReads::storesInPartTo(Value memory, const Read &read) {
  auto apply = dyn_cast<ApplyOp>(read.op);
  if (!apply)
    return false;
  auto isInTheWay = [&](const Read &use) {
    auto store = dyn_cast<StoreOp>(use.op);
    return store && timeline.getAliases().mayAlias(store.getField(), memory) &&
           !(read.isPointwise &&
             timeline.haveSamePlaces(store.getField(), memory));
  };
  return llvm::any_of(apply->getResults(), [&](OpResult result) {
    return mayBeEmpty(result) && llvm::any_of(get(result), isInTheWay);
  });
}
