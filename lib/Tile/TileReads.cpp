//===- TileReads.cpp - What stages read of values that threads hold -------===//

#include "StencilDialect/IR/Bounds.h"
#include "TileChecks.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

void StageReads::forEachRead(
    ApplyOp stage, unsigned input,
    llvm::function_ref<void(const InputRead &)> callback) {
  std::unique_ptr<Footprint> &footprint = known[stage];
  if (!footprint)
    footprint = std::make_unique<Footprint>(stage);
  footprint->forEachRead(input, callback);
}

/// The first read of an input at another point than a thread's own: along the
/// walk a thread has all planes.
static Operation *findNeighbour(ApplyOp stage, unsigned input,
                                std::optional<int64_t> walk,
                                StageReads &reads) {
  Operation *found = nullptr;
  reads.forEachRead(stage, input, [&](const InputRead &read) {
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

LogicalResult tile::verifyOwnPoints(ApplyOp stage, KernelOp kernel,
                                    StageReads &reads) {
  if (getEngine(stage).sharesValues())
    return success();
  for (auto [index, operand] : llvm::enumerate(stage.getArgs())) {
    if (!isa<TempType>(operand.getType()) || operand.getDefiningOp<SourceOp>())
      continue;
    Operation *reader =
        findNeighbour(stage, index, kernel.getGrid().getWalk(), reads);
    if (!reader)
      continue;
    return withNote(
        reader->emitOpError("reads neighbours of values that other threads "
                            "hold: expected offset "
                            "0 along all axes but that of the walk"),
        operand.getLoc(), "the values are these");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// Coordinates of the domain that a stage in a tile.where computes, and others
/// read, along an axis.
static std::pair<int64_t, int64_t> getComputed(WhereOp where, BoundsAttr domain,
                                               int64_t axis) {
  int64_t lower = domain.getLb()[axis], upper = domain.getUb()[axis];
  if (std::optional<BoundsAttr> needs = where.getNeeds()) {
    lower += needs->getLb()[axis];
    upper += needs->getUb()[axis] - 1;
  }
  return {lower, upper};
}

LogicalResult tile::verifyFieldReads(ApplyOp stage, KernelOp kernel,
                                     StageReads &reads) {
  auto where = stage->getParentOfType<WhereOp>();
  // A condition of planes leaves out no point of one.
  if (!where || where.getIteration())
    return success();
  bool isRight = true;
  for (auto [index, operand] : llvm::enumerate(stage.getArgs())) {
    auto source = operand.getDefiningOp<SourceOp>();
    auto field = source ? dyn_cast<FieldType>(source.getMemory().getType())
                        : FieldType();
    if (!field)
      continue;
    BoundsAttr bounds = field.getBounds();
    reads.forEachRead(stage, index, [&](const InputRead &read) {
      for (auto [own, axis] : llvm::enumerate(read.axes)) {
        // Planes of the iterations before the first one that is stored may lie
        // outside.
        if (axis == kernel.getGrid().getWalk() || !isRight)
          continue;
        auto [lower, upper] =
            getComputed(where, kernel.getGrid().getDomain(), axis);
        lower += read.lower[own];
        upper += read.upper[own] - (stage.getUnrollFactors()[axis] - 1);
        if (lower >= bounds.getLb()[own] && upper <= bounds.getUb()[own])
          continue;
        isRight = false;
        std::string text;
        llvm::raw_string_ostream os(text);
        os << "reads [";
        printBound(os, lower);
        os << ',';
        printBound(os, upper);
        os << ") of axis " << own << ", expected to stay in ";
        InFlightDiagnostic diagnostic = read.op->emitOpError(text)
                                        << Type(field);
        diagnostic.attachNote(where.getLoc())
            << "computed for the domain " << kernel.getGrid().getDomain()
            << " here";
      }
    });
  }
  return success(isRight);
}
