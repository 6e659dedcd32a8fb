//===- DiamondStep.cpp - What a step in diamonds does in a tile -----------===//

#include "DiamondStep.h"
#include "DiamondHalo.h"
#include "NestEmitter.h"
#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/Conversion/StepCalls.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

namespace {
/// The loops of one apply over a box that is known when the program runs.
class BoxNest : public NestEmitter {
public:
  BoxNest(ApplyOp op, ValueRange args, ValueRange dests, const Extents &known,
          MathMode math)
      : NestEmitter(op, args, dests, math) {
    extents = known;
  }

  LogicalResult emitBox(OpBuilder &builder, const LoopBox &box) {
    return emitTile(builder, box, /*stream=*/false);
  }

private:
  bool isAligned() const override { return schedule.lanes > 1; }

  /// Rows that begin at different places of a line have unaligned loads in any
  /// case, and more of them at their ends if stores are aligned.
  Value countToAlignment(OpBuilder &builder, ValueRange point) override {
    Arithmetic arith(builder, loc, builder.getIndexType());
    Value row = getStride(builder, dests.front(), op.getRank() - 2);
    Value rest = arith.rem(row, arith.constant(schedule.lanes));
    Value isSame =
        arith.compare(arith::CmpIPredicate::eq, rest, arith.constant(0));
    Value head = NestEmitter::countToAlignment(builder, point);
    return arith.select(isSame, head, arith.constant(0));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Halos
//===----------------------------------------------------------------------===//

/// What the next step reads around the box, if there is one.
LogicalResult DiamondStep::fillHalo(OpBuilder &builder,
                                    const DiamondLoopHalo &halo,
                                    const LoopBox &box, Value step,
                                    Value memory) {
  Arithmetic arith = math(builder);
  auto branch =
      scf::IfOp::create(builder, loc, arith.less(arith.add(step, 1), steps));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  return DiamondHalo(halo.boundary, extents, box, memory).fill(builder);
}

/// A halo is at the place of the outermost points.
LogicalResult DiamondStep::emitHaloPhase(OpBuilder &builder,
                                         const DiamondPhase &phase,
                                         Value memory, const LoopBox &box) {
  auto boundary = cast<BoundaryOp>(phase.op);
  auto fill = [&](OpBuilder &inner, const LoopBox &image) {
    for (int64_t axis = phase.firstAxis; axis < phase.endAxis; ++axis)
      if (failed(emitBoundaryWithin(inner, boundary, memory, extents, axis,
                                    image)))
        return failure();
    return success();
  };
  return boxes.places.forEachImage(builder, box, fill);
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
void DiamondStep::allocate(OpBuilder &builder, Value copies) {
  SmallVector<Value> most = boxes.getMostPoints(builder);
  for (auto [emitter, kernel] : llvm::zip_equal(pipelines, found.kernels)) {
    if (!kernel.walk)
      continue;
    emitter.emplace(cast<PipelineOp>(kernel.op), *kernel.walk, mode,
                    findInStep);
    emitter->setDomain(extents, boxes.domain);
    emitter->allocate(builder, most, copies);
  }
}

void DiamondStep::useCopy(OpBuilder &builder, Value number) {
  for (std::optional<PipelineEmitter> &emitter : pipelines)
    if (emitter)
      emitter->useCopy(builder, number);
}

void DiamondStep::release(OpBuilder &builder) {
  for (std::optional<PipelineEmitter> &emitter : pipelines)
    if (emitter)
      emitter->release(builder);
}

/// Stages are computed around a box: where it has no points, there is nothing.
LogicalResult DiamondStep::emitPipeline(OpBuilder &builder,
                                        PipelineEmitter &emitter,
                                        const LoopBox &box) {
  Arithmetic arith = math(builder);
  Value hasPoints;
  for (auto [lb, ub] : llvm::zip_equal(box.lb, box.ub)) {
    Value isAny = arith.less(lb, ub);
    hasPoints = hasPoints ? arith.both(hasPoints, isAny) : isAny;
  }
  auto branch = scf::IfOp::create(builder, loc, hasPoints);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  return emitter.emitTile(builder, box);
}

/// A kernel of the step at the points of a box, and what follows from these
/// around the domain.
LogicalResult DiamondStep::emitKernel(OpBuilder &builder, unsigned number,
                                      Value step, const LoopBox &box) {
  const DiamondKernel &kernel = found.kernels[number];
  if (auto apply = dyn_cast<ApplyOp>(kernel.op)) {
    auto here = [&](Value value) { return find(value); };
    SmallVector<Value> args = llvm::map_to_vector(apply.getArgs(), here);
    SmallVector<Value> dests = llvm::map_to_vector(apply.getDest(), here);
    BoxNest nest(apply, args, dests, extents, mode);
    if (failed(nest.emitBox(builder, box)))
      return failure();
  } else if (failed(emitPipeline(builder, *pipelines[number], box))) {
    return failure();
  }
  for (const DiamondLoopHalo &halo : found.halos)
    if (halo.phase == number &&
        failed(fillHalo(builder, halo, box, step,
                        find(kernel.stored[halo.result]))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

LogicalResult DiamondStep::emit(OpBuilder &builder, const DiamondTile &tile,
                                Value step, ValueRange fields) {
  Arithmetic arith = math(builder);
  copies.clear();
  scf::ForOp loop = found.loop;
  copies.map(loop.getInductionVar(),
             arith.add(loop.getLowerBound(), arith.mul(step, loop.getStep())));
  for (auto [arg, field] : llvm::zip_equal(loop.getRegionIterArgs(), fields))
    copies.map(arg, field);
  Value phases = arith.constant(found.countPhases());
  Value phase = arith.mul(arith.sub(step, tile.base), phases);
  Value moved = arith.mul(arith.sub(step, tile.first), phases);
  unsigned number = 0, numKernels = 0;
  auto getPhaseBox = [&] {
    return boxes.getBox(builder, tile, arith.add(phase, number),
                        arith.add(moved, number));
  };
  auto isPhaseOf = [&](unsigned phase, Operation *op) {
    return phase < found.phases.size() && found.phases[phase].op == op;
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isStepCount(&op))
      continue;
    if (auto boundary = dyn_cast<BoundaryOp>(op)) {
      for (; isPhaseOf(number, boundary); ++number)
        if (failed(emitHaloPhase(builder, found.phases[number],
                                 find(boundary.getField()), getPhaseBox())))
          return failure();
      continue;
    }
    if (!isPhaseOf(number, &op)) {
      for (Value operand : op.getOperands())
        if (!copies.contains(operand))
          copies.map(operand, getMemory(operand));
      builder.clone(op, copies);
      continue;
    }
    auto emitImage = [&](OpBuilder &inner, const LoopBox &image) {
      return emitKernel(inner, numKernels, step, image);
    };
    if (failed(boxes.places.forEachImage(builder, getPhaseBox(), emitImage)))
      return failure();
    ++number;
    ++numKernels;
  }
  return success();
}
