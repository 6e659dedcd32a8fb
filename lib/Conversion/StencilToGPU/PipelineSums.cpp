//===- PipelineSums.cpp - Long sums over a tile in shared memory ----------===//
//
// All threads compute the sums of all of their points, also of those beyond the
// box: what is not there is zero in the window. A thread at the edge would take
// as long as a block if it computed its points one by one.
//
//===----------------------------------------------------------------------===//

#include "PipelineKernel.h"
#include "StencilDialect/Conversion/SumLoops.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

/// The sum at all points of the thread, row by row.
LogicalResult PipelineKernel::emitSumLoop(ApplyOp stage, WeightedSumOp sum,
                                          const PipelineStep &step) {
  OpBuilder &builder = kernel.body();
  Location loc = sum.getLoc();
  auto argument = cast<BlockArgument>(sum.getInput());
  auto window =
      stage.getArgs()[argument.getArgNumber()].getDefiningOp<WindowOp>();
  if (context.getWalk() || !window || !rings.contains(window) ||
      isOfStage(window))
    return sum.emitOpError("expected a shared window of memory in a pipeline "
                           "without a walk for a loop over taps");
  const SharedRing &ring = *rings[window];
  DenseElementsAttr values = getTapWeights(sum);
  Value weights = kernels.getConstants(builder, loc, values);
  Value base = ring.getBase(step, 0);
  SumLoopOptions options;
  options.areNeighbours = true;
  options.math = kernels.getOptions().math;
  ArrayRef<PointOffset> rest = points;
  while (!rest.empty()) {
    PointOffset first = rest.front();
    auto row = rest.take_while([&](const PointOffset &point) {
      return std::equal(point.begin(), point.end() - 1, first.begin());
    });
    rest = rest.drop_front(row.size());
    options.points = row.size();
    auto sums = stencil::emitSumLoops(
        builder, sum, weights, options,
        [&](OpBuilder &inner, unsigned, const TapOffset &tap) -> Value {
          PointOffset offset = first;
          for (auto [along, further] : llvm::zip_equal(offset, tap.constant))
            along += further;
          Arithmetic here(inner, loc, inner.getIndexType());
          Value position = base;
          for (auto [stride, further] :
               llvm::zip_equal(ring.getStrides(), tap.variable))
            if (further)
              position = here.add(position, here.mul(further, stride));
          return memref::LoadOp::create(
              inner, loc, ring.getElements(),
              here.add(position, ring.getOffset(offset)));
        });
    for (auto [point, value] : llvm::zip_equal(row, sums))
      group->values[sum.getRes()][point] = {value, {}};
  }
  return success();
}

LogicalResult PipelineKernel::emitSumLoops(ApplyOp stage,
                                           const PipelineStep &step) {
  for (auto sum : stage.getBodyBlock()->getOps<WeightedSumOp>())
    if (hasTapLoop(sum) && failed(emitSumLoop(stage, sum, step)))
      return failure();
  return success();
}
