//===- KernelEstimate.cpp - The cost of a fused kernel --------------------===//

#include "KernelEstimate.h"
#include "StencilDialect/IR/Elements.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Points and bytes
//===----------------------------------------------------------------------===//

/// What an extent that is not known is taken to be.
static int64_t getNominalExtent(int64_t rank) {
  return rank == 1 ? 1 << 24 : rank == 2 ? 1 << 12 : 1 << 8;
}

double stencil::countPoints(BoundsAttr box, ArrayRef<int64_t> low,
                            ArrayRef<int64_t> high) {
  double points = 1;
  int64_t nominal = getNominalExtent(box.getRank());
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    if (!low.empty() && low[axis] == kNoAxis)
      continue;
    double extent = static_cast<double>(resolve(box.getUb()[axis], nominal)) -
                    resolve(box.getLb()[axis], nominal);
    if (!low.empty())
      extent += high[axis] - low[axis];
    points *= std::max(extent, 1.0);
  }
  return points;
}

static double countPointBytes(Value grid) {
  return getElementBytes(cast<GridType>(grid.getType()).getElementType());
}

double FusionAnalysis::countBytes(Value value, BoundsAttr box) const {
  return box ? countPoints(box) * countPointBytes(value) : 0;
}

KernelCost &KernelCost::operator+=(const KernelCost &other) {
  bytes += other.bytes;
  flops += other.flops;
  cacheBytes += other.cacheBytes;
  time += other.time;
  registers = std::max(registers, other.registers);
  evaluations = std::max(evaluations, other.evaluations);
  isTooLarge |= other.isTooLarge;
  return *this;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void KernelEstimate::addBody(ApplyOp apply, const BodyCost &body,
                             Operation *inside) {
  cost.isTooLarge |= body.isTooLarge;
  cost.flops += body.flops / factor;
  cost.evaluations += body.evaluations / factor;
  cost.registers = std::max(cost.registers, body.registers);
  for (auto [value, offsets] : llvm::zip_equal(apply.getArgs(), body.reads)) {
    if (!isa<GridType>(value.getType()) || offsets.empty() ||
        (inside && value.getDefiningOp() == inside))
      continue;
    Value memory = value;
    if (auto load = value.getDefiningOp<LoadOp>())
      memory = load.getField();
    Input &input = inputs[memory];
    input.value = value;
    // Its axes are not those of the domain.
    input.isWhole |= apply.getRank() != domain.getRank();
    if (input.offsets.empty())
      input.offsets = offsets;
    else if (!input.isWhole)
      llvm::append_range(input.offsets, offsets);
  }
}

KernelCost KernelEstimate::finish() {
  double points = countPoints(domain);
  cost.flops *= points;
  for (auto &[memory, input] : inputs) {
    double bytes = countPointBytes(input.value);
    normalize(input.offsets);
    cost.cacheBytes += countLoads(input.offsets) * bytes * points / factor;
    if (input.isWhole) {
      cost.bytes +=
          analysis.countBytes(input.value, analysis.getBox(input.value));
      continue;
    }
    Offset low = input.offsets.front(), high = low;
    for (const Offset &offset : input.offsets)
      for (auto [axis, value] : llvm::enumerate(offset)) {
        low[axis] = std::min(low[axis], value);
        high[axis] = std::max(high[axis], value);
      }
    cost.bytes += countPoints(domain, low, high) * bytes;
  }
  const FusionLimits &limits = analysis.limits;
  double compute = cost.flops / limits.balance;
  double cache = cost.cacheBytes / limits.cacheBalance;
  double longest = std::max({cost.bytes, compute, cache});
  cost.time = longest + (cost.bytes + compute + cache - longest) / 4;
  return cost;
}
