//===- Fma.cpp - Stages as they are written -------------------------------===//
//
// The body of a stage, op by op, at each of a thread's points.
//
//===----------------------------------------------------------------------===//

#include "Engines.h"
#include "StencilDialect/IR/Footprint.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <set>

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

/// The offsets that a thread reads of each input, for a row of points.
class ReadOffsets {
public:
  explicit ReadOffsets(int64_t points) : points(points) {}

  void add(Value input, ArrayRef<int64_t> offset) {
    for (int64_t point = 0; point < points; ++point) {
      std::vector<int64_t> at(offset.begin(), offset.end());
      if (!at.empty())
        at.back() += point;
      offsets.emplace(input.getAsOpaquePointer(), std::move(at));
    }
  }
  auto count() const { return static_cast<int64_t>(offsets.size()); }

private:
  int64_t points;
  std::set<std::pair<const void *, std::vector<int64_t>>> offsets;
};

struct Fma : EngineAttrInterface::ExternalModel<Fma, FmaAttr> {
  LogicalResult check(Attribute, ApplyOp, KernelOp) const { return success(); }

  OperandAccess getOperandAccess(Attribute, ApplyOp, unsigned) const {
    return {kSectorBytes};
  }

  LayoutAttr getResultLayout(Attribute, ApplyOp stage, KernelOp kernel) const {
    return getStageLayout(stage, kernel);
  }

  EngineCount count(Attribute, ApplyOp stage, int64_t points) const {
    EngineCount count;
    ReadOffsets reads(points);
    stage.getRegion().walk([&](Operation *op) {
      if (auto access = dyn_cast<AccessOp>(op))
        reads.add(access.getTemp(), access.getOffset().getValues());
      else if (isa<arith::MulFOp, math::FmaOp>(op))
        count.products += points;
      else if (auto sum = dyn_cast<WeightedSumOp>(op))
        forEachTap(sum, [&](int64_t tap, bool isUnit) {
          count.products += isUnit ? 0 : points;
          if (sum.isOverInput())
            reads.add(sum.getInput(), sum.getOffset(tap));
        });
    });
    count.values = reads.count();
    return count;
  }

  LogicalResult emit(Attribute, StageEmission &emission) const {
    return emission.emitPointwise();
  }
};

} // namespace

void tile::attachFma(MLIRContext *context) {
  FmaAttr::attachInterface<Fma>(*context);
}
