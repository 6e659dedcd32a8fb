//===- Taps.cpp - Long sums, as loops over their taps ---------------------===//
//
// All threads compute the sums of all of their points, also of those beyond the
// domain: a thread at the edge would take as long as a block if it computed its
// points one by one.
//
//===----------------------------------------------------------------------===//

#include "Engines.h"
#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/Conversion/SumLoops.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "StencilDialect/Tile/OnlySum.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

struct Taps : EngineAttrInterface::ExternalModel<Taps, TapsAttr> {
  LogicalResult check(Attribute engine, ApplyOp stage, KernelOp kernel) const {
    auto fail = [&] {
      return stage.emitOpError("cannot be computed by ") << engine << ": ";
    };
    if (failed(checkOnlySum(stage, fail)))
      return failure();
    if (kernel.getGrid().getWalk())
      return fail() << "expected a kernel that does not walk, which has all "
                       "planes of its tile in one slot";
    return success();
  }

  bool takesAllThreads(Attribute) const { return true; }

  EngineCount count(Attribute, ApplyOp stage, int64_t points) const {
    EngineCount count;
    for (const TapBox &box : findTapBoxes(getOnlySum(stage))) {
      int64_t taps = llvm::product_of(box.shape);
      // A row of points reads as far as its last one.
      count.values += taps / box.shape.back() * (box.shape.back() + points - 1);
      count.weights += taps;
      count.products += taps * points;
    }
    return count;
  }

  LogicalResult emit(Attribute, StageEmission &emission) const;
};

} // namespace

LogicalResult Taps::emit(Attribute, StageEmission &emission) const {
  WeightedSumOp sum = getOnlySum(emission.getStage());
  Location loc = sum.getLoc();
  Value weights = emission.getConstants(loc, getTapWeights(sum));
  OperandMemory ring = emission.getMemory(0);
  ArrayRef<std::vector<int64_t>> points = emission.getPoints();
  SumLoopOptions options;
  options.areNeighbours = true;
  options.math = emission.getMath();
  options.points = points.size();
  auto sums = emitSumLoops(
      emission.getBuilder(), sum, weights, options,
      [&](OpBuilder &inner, unsigned, const TapOffset &tap) -> Value {
        Arithmetic here(inner, loc, inner.getIndexType());
        Value position = ring.own;
        int64_t constant = 0;
        for (auto [stride, first, along, further] :
             llvm::zip_equal(ring.places.strides, points.front(), tap.constant,
                             tap.variable)) {
          if (further)
            position = here.add(position, here.mul(further, stride));
          constant += (first + along) * stride;
        }
        return memref::LoadOp::create(inner, loc, ring.elements,
                                      here.add(position, constant));
      });
  for (auto [point, value] : llvm::zip_equal(points, sums))
    emission.setResult(0, point, value);
  return success();
}

void tile::attachTaps(MLIRContext *context) {
  TapsAttr::attachInterface<Taps>(*context);
}
