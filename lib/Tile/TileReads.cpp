//===- TileReads.cpp - What stages read of values that threads hold -------===//

#include "StencilDialect/IR/Footprint.h"
#include "TileChecks.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// The first read of an input at another point than a thread's own: along the
/// walk a thread has all planes.
static Operation *findNeighbour(ApplyOp stage, unsigned input,
                                std::optional<int64_t> walk) {
  Operation *found = nullptr;
  Footprint(stage).forEachRead(input, [&](const InputRead &read) {
    for (auto [axis, of, lower, upper] :
         llvm::enumerate(read.axes, read.lower, read.upper)) {
      bool isOwn = of == static_cast<int64_t>(axis) &&
                   (of == walk || (lower == 0 && upper == 0));
      if (!found && !isOwn)
        found = read.op;
    }
  });
  return found;
}

LogicalResult tile::verifyOwnPoints(ApplyOp stage, KernelOp kernel) {
  for (auto [index, operand] : llvm::enumerate(stage.getArgs())) {
    if (!isa<TempType>(operand.getType()) || operand.getDefiningOp<SourceOp>())
      continue;
    Operation *reader = findNeighbour(stage, index, kernel.getGrid().getWalk());
    if (!reader)
      continue;
    InFlightDiagnostic diagnostic = reader->emitOpError(
        "reads neighbours of values that other threads hold: expected offset "
        "0 along all axes but that of the walk");
    diagnostic.attachNote(operand.getLoc()) << "the values are these";
    return diagnostic;
  }
  return success();
}
