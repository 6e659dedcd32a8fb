//===- DiamondStep.cpp - What a step in diamonds does in a tile -----------===//

#include "DiamondStep.h"
#include "HaloSide.h"
#include "NestEmitter.h"
#include "StencilDialect/Analysis/PeriodicImages.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
    if (op.getRank() == 1)
      return NestEmitter::countToAlignment(point);
    Value row = getStride(dests.front(), op.getRank() - 2);
    Value rest = math.rem(row, math.constant(schedule.lanes));
    Value isSame =
        math.compare(arith::CmpIPredicate::eq, rest, math.constant(0));
    Value head = NestEmitter::countToAlignment(point);
    return math.select(isSame, head, math.constant(0));
  }
};

/// Fills the halo of a step where points of the step have been computed: a
/// point of the halo that is that of a point of the box. Whoever reads it reads
/// that point as well, or has it between what it reads, and so comes later; and
/// earlier than what is computed there two steps later. Axis by axis, as
/// `stencil.boundary` does: along those before over the halo as well, as far as
/// that is of points of the box.
class DiamondHalo {
public:
  DiamondHalo(const OpBuilder &builder, BoundaryOp op, const Extents &extents,
              const LoopBox &box, Value memory)
      : b(op.getLoc(), builder), op(op), extents(extents), box(box),
        memory(memory), rank(op.getBounds().getRank()) {}

  LogicalResult fill();

private:
  using Body =
      llvm::function_ref<LogicalResult(Value coordinate, Value source)>;

  int64_t getWidth(int64_t axis, bool upper);
  Value getEdge(int64_t axis, bool upper);
  HaloSide makeSide(int64_t axis, bool upper);
  LogicalResult forEachLayer(int64_t axis, bool upper, Body body);
  LogicalResult fillLayer(int64_t other);
  void fillPoint();

  LoopBuilder b;
  BoundaryOp op;
  const Extents &extents;
  const LoopBox &box;
  Value memory;
  int64_t rank;

  /// The layer that is filled, and the point of it so far.
  int64_t axis = 0;
  bool isUpper = false;
  Value source;
  SmallVector<Value> point;
};
} // namespace

//===----------------------------------------------------------------------===//
// Halos
//===----------------------------------------------------------------------===//

/// Layers of a side that change from step to step.
int64_t DiamondHalo::getWidth(int64_t along, bool upper) {
  HaloRule rule = getHaloRule(op.getCondition(along, upper));
  return rule.isFixed() ? 0 : getHaloWidth(op, along, upper);
}

/// The first point of the box, or the one behind the last.
Value DiamondHalo::getEdge(int64_t along, bool upper) {
  BoundsAttr interior = op.getBounds();
  return extents.getBound(
      b, b.getLoc(), upper ? interior.getUb()[along] : interior.getLb()[along],
      along);
}

HaloSide DiamondHalo::makeSide(int64_t along, bool upper) {
  Value lb = getEdge(along, false), ub = getEdge(along, true);
  return HaloSide(b, getHaloRule(op.getCondition(along, upper)), upper, lb, ub,
                  getWidth(along, upper));
}

/// Calls `body` where a layer is one of the box. Behind the second axis, a box
/// has whole rows.
LogicalResult DiamondHalo::forEachLayer(int64_t along, bool upper, Body body) {
  int64_t width = getWidth(along, upper);
  if (width == 0)
    return success();
  Value edge = getEdge(along, upper);
  Value first = upper ? edge : b.math.add(edge, -width);
  return b.emitLoop(
      first, b.math.add(first, width), /*step=*/1,
      [&](Value coordinate) -> LogicalResult {
        HaloLayer layer = makeSide(along, upper).makeLayerAt(coordinate);
        Value from = layer.sources.front();
        if (along > 1)
          return body(coordinate, from);
        Value isInside = b.both(b.math.lessEqual(box.lb[along], from),
                                b.math.less(from, box.ub[along]));
        return b.emitIf(isInside, [&] { return body(coordinate, from); });
      },
      /*vectorise=*/false);
}

void DiamondHalo::fillPoint() {
  auto type = cast<GridType>(op.getField().getType());
  HaloSide side = makeSide(axis, isUpper);
  SmallVector<Value> from(point);
  from[axis] = source;
  auto getIndices = [&](ValueRange at) {
    return extents.getIndices(b, b.getLoc(), type, at);
  };
  Value read = memref::LoadOp::create(b, memory, getIndices(from));
  Value value = side.makeValue({}, read, type.getElementType());
  memref::StoreOp::create(b, value, memory, getIndices(point));
}

/// Loops over the axes from `other` on, but that of the layer.
LogicalResult DiamondHalo::fillLayer(int64_t other) {
  if (other == axis)
    return fillLayer(other + 1);
  if (other == rank) {
    fillPoint();
    return success();
  }
  auto go = [&](Value coordinate) {
    point[other] = coordinate;
    return fillLayer(other + 1);
  };
  if (failed(b.emitLoop(box.lb[other], box.ub[other], /*step=*/1, go)))
    return failure();
  if (other < axis)
    for (bool upper : {false, true})
      if (failed(forEachLayer(other, upper, [&](Value coordinate, Value) {
            return go(coordinate);
          })))
        return failure();
  return success();
}

LogicalResult DiamondHalo::fill() {
  point.resize(rank);
  for (axis = 0; axis < rank; ++axis)
    for (bool upper : {false, true}) {
      isUpper = upper;
      if (failed(forEachLayer(axis, upper, [&](Value coordinate, Value from) {
            point[axis] = coordinate;
            source = from;
            return fillLayer(0);
          })))
        return failure();
    }
  return success();
}

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
    if (callsStepFunction(&op, kCountSteps))
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
