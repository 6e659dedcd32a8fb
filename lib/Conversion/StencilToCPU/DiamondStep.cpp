//===- DiamondStep.cpp - What a step in diamonds does in a tile -----------===//

#include "DiamondStep.h"
#include "DiamondHalo.h"
#include "NestEmitter.h"
#include "StencilDialect/Conversion/StepCalls.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

namespace {
/// The loops of one apply over a box that is known when the program runs.
class BoxNest : public NestEmitter {
public:
  BoxNest(const OpBuilder &builder, ApplyOp op, ValueRange args,
          ValueRange dests, const Extents &known, MathMode mode)
      : NestEmitter(builder, op, args, dests, mode) {
    extents = known;
  }

  LogicalResult emitBox(const LoopBox &box) {
    return emitTile(box, /*stream=*/false);
  }

private:
  bool isAligned() const override { return schedule.lanes > 1; }

  /// Rows that begin at different places of a line have unaligned loads in any
  /// case, and more of them at their ends if stores are aligned.
  Value countToAlignment(ValueRange point) override {
    const Arithmetic &math = b.math;
    Value row = getStride(dests.front(), op.getRank() - 2);
    Value rest = math.rem(row, math.constant(schedule.lanes));
    Value isSame =
        math.compare(arith::CmpIPredicate::eq, rest, math.constant(0));
    Value head = NestEmitter::countToAlignment(point);
    return math.select(isSame, head, math.constant(0));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Halos
//===----------------------------------------------------------------------===//

/// What the next step reads around the box, if there is one.
LogicalResult DiamondStep::fillHalo(const DiamondLoopHalo &halo,
                                    const LoopBox &box, Value step,
                                    Value memory) {
  return b.emitIf(math.less(math.add(step, 1), steps), [&] {
    return DiamondHalo(b, halo.boundary, extents, box, memory).fill();
  });
}

/// A halo is at the place of the outermost points.
LogicalResult DiamondStep::emitHaloPhase(const DiamondPhase &phase,
                                         Value memory, const LoopBox &box) {
  auto boundary = cast<BoundaryOp>(phase.op);
  auto fill = [&](const LoopBox &image) {
    for (int64_t axis = phase.firstAxis; axis < phase.endAxis; ++axis)
      if (failed(emitBoundaryWithin(b, boundary, memory, extents, axis, image)))
        return failure();
    return success();
  };
  return boxes.places.forEachImage(box, fill);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

bool DiamondStep::hasBuffers() const {
  return llvm::any_of(found.kernels, [](const DiamondKernel &kernel) {
    return kernel.walk.has_value();
  });
}

/// Buffers of what the stages of pipelines make of a tile: who shares diamonds
/// has a copy. Nothing is allocated between diamonds that wait for each other.
void DiamondStep::allocate(Value copies) {
  SmallVector<Value> most = boxes.getMostPoints();
  for (auto [emitter, kernel] : llvm::zip_equal(pipelines, found.kernels)) {
    if (!kernel.walk)
      continue;
    emitter.emplace(b, cast<PipelineOp>(kernel.op), *kernel.walk, mode,
                    findInStep);
    emitter->setDomain(extents, boxes.domain);
    emitter->allocate(most, copies);
  }
}

void DiamondStep::useCopy(Value number) {
  for (std::optional<PipelineEmitter> &emitter : pipelines)
    if (emitter)
      emitter->at(b).useCopy(number);
}

void DiamondStep::release() {
  for (std::optional<PipelineEmitter> &emitter : pipelines)
    if (emitter)
      emitter->at(b).release();
}

/// Stages are computed around a box: where it has no points, there is nothing.
LogicalResult DiamondStep::emitPipeline(PipelineEmitter &emitter,
                                        const LoopBox &box) {
  Value hasPoints;
  for (auto [lb, ub] : llvm::zip_equal(box.lb, box.ub))
    hasPoints = math.both(hasPoints, math.less(lb, ub));
  return b.emitIf(hasPoints, [&] { return emitter.at(b).emitTile(box); });
}

/// A kernel of the step at the points of a box, and what follows from these
/// around the domain.
LogicalResult DiamondStep::emitKernel(unsigned number, Value step,
                                      const LoopBox &box) {
  const DiamondKernel &kernel = found.kernels[number];
  if (auto apply = dyn_cast<ApplyOp>(kernel.op)) {
    auto here = [&](Value value) { return find(value); };
    SmallVector<Value> args = llvm::map_to_vector(apply.getArgs(), here);
    SmallVector<Value> dests = llvm::map_to_vector(apply.getDest(), here);
    BoxNest nest(b, apply, args, dests, extents, mode);
    if (failed(nest.emitBox(box)))
      return failure();
  } else if (failed(emitPipeline(*pipelines[number], box))) {
    return failure();
  }
  for (const DiamondLoopHalo &halo : found.halos)
    if (halo.phase == number &&
        failed(fillHalo(halo, box, step, find(kernel.stored[halo.result]))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

LogicalResult DiamondStep::emit(const DiamondTile &tile, Value step,
                                ValueRange fields) {
  copies.clear();
  scf::ForOp loop = found.loop;
  copies.map(loop.getInductionVar(),
             math.add(loop.getLowerBound(), math.mul(step, loop.getStep())));
  for (auto [arg, field] : llvm::zip_equal(loop.getRegionIterArgs(), fields))
    copies.map(arg, field);
  Value phases = math.constant(found.countPhases());
  Value phase = math.mul(math.sub(step, tile.base), phases);
  Value moved = math.mul(math.sub(step, tile.first), phases);
  unsigned number = 0, numKernels = 0;
  auto getPhaseBox = [&] {
    return boxes.getBox(tile, math.add(phase, number), math.add(moved, number));
  };
  auto isPhaseOf = [&](unsigned phase, Operation *op) {
    return phase < found.phases.size() && found.phases[phase].op == op;
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isStepCount(&op))
      continue;
    if (auto boundary = dyn_cast<BoundaryOp>(op)) {
      for (; isPhaseOf(number, boundary); ++number)
        if (failed(emitHaloPhase(found.phases[number],
                                 find(boundary.getField()), getPhaseBox())))
          return failure();
      continue;
    }
    if (!isPhaseOf(number, &op)) {
      for (Value operand : op.getOperands())
        if (!copies.contains(operand))
          copies.map(operand, getMemory(operand));
      b.clone(op, copies);
      continue;
    }
    auto emitImage = [&](const LoopBox &image) {
      return emitKernel(numKernels, step, image);
    };
    if (failed(boxes.places.forEachImage(getPhaseBox(), emitImage)))
      return failure();
    ++number;
    ++numKernels;
  }
  return success();
}
