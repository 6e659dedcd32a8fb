//===- PipelineToLoops.cpp - Pipelines to parallel loops ------------------===//
//
//   stencil.pipeline axis 0 { load u; apply 1; window; apply 2; store v }
//     ==> parallel loop over threads
//           buffers for what the stages make, in the core's own cache
//           loop over (parts of) tiles
//             loop over planes p, by the step of the walk
//               apply 1 on planes p + lead to p + lead + step - 1
//               apply 2 on planes p to p + step - 1
//
// as far as they are of the tile.
//
// A stage is computed on a tile and the halo of the stages that read it, so
// that threads do not wait for each other.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PipelineEmitter.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Fields and buffers
//===----------------------------------------------------------------------===//

LogicalResult PipelineEmitter::learnExtents(FactsOfFunctions &facts) {
  auto learn = [&](Value field) {
    extents.learn(b, b.getLoc(), cast<GridType>(field.getType()),
                  getMemory(field));
  };
  takeBoundExtents(op, facts, extents);
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
    learn(store.getField());
  for (LoadOp load : op.getBodyBlock()->getOps<LoadOp>())
    learn(load.getField());
  return completeExtents(op, walk.getDomain(), facts, extents);
}

static Type getElement(const StageResult &result) {
  return getElementType(result.value);
}

/// Elements from one row of a buffer to the next are a multiple of a line, and
/// what is stored begins at one.
int64_t PipelineEmitter::getLine(Type element) const {
  return std::max<int64_t>(1, loops.getLine() / getElementBytes(element));
}

/// Where the buffer of a result begins along an axis, from the tile: rows at a
/// line.
int64_t PipelineEmitter::getFirst(const PlannedStage &stage, Type element,
                                  int64_t along) const {
  int64_t lower = stage.needs.lower[along];
  if (along == axis || along + 1 < walk.getDomain().getRank())
    return lower;
  return -static_cast<int64_t>(llvm::alignTo(-lower, getLine(element)));
}

void PipelineEmitter::allocate(ArrayRef<Value> tile, Value copies) {
  int64_t rank = op.getRank();
  for (const PlannedStage &stage : walk.getStages())
    for (const StageResult &result : stage.results) {
      if (!result.isKept())
        continue;
      Type element = getElement(result);
      SmallVector<int64_t> shape(rank, ShapedType::kDynamic);
      SmallVector<Value> sizes;
      for (int64_t along = 0; along < rank; ++along) {
        if (along == axis) {
          shape[along] = result.planes;
          continue;
        }
        Value size = math.add(tile[along], stage.needs.upper[along] -
                                               getFirst(stage, element, along));
        if (along == rank - 1)
          size = math.alignTo(size, getLine(element));
        sizes.push_back(size);
      }
      if (copies) {
        shape.insert(shape.begin(), ShapedType::kDynamic);
        sizes.insert(sizes.begin(), copies);
      }
      StageBuffer buffer;
      buffer.axis = axis;
      buffer.planes = result.planes;
      buffer.memory =
          memref::AllocOp::create(b, MemRefType::get(shape, element), sizes,
                                  b.getI64IntegerAttr(loops.getLine()));
      buffers[result.value] = buffer;
      memories.push_back(buffer.memory);
    }
}

void PipelineEmitter::useCopy(Value number) {
  for (auto [entry, memory] : llvm::zip_equal(buffers, memories)) {
    auto type = cast<MemRefType>(memory.getType());
    int64_t rank = type.getRank();
    SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0)),
        strides(rank, b.getIndexAttr(1)),
        sizes = memref::getMixedSizes(b, b.getLoc(), memory);
    offsets.front() = number;
    sizes.front() = b.getIndexAttr(1);
    MemRefType copy = memref::SubViewOp::inferRankReducedResultType(
        type.getShape().drop_front(), type, offsets, sizes, strides);
    entry.second.memory =
        memref::SubViewOp::create(b, copy, memory, offsets, sizes, strides);
  }
}

void PipelineEmitter::release() {
  for (Value memory : memories)
    memref::DeallocOp::create(b, memory);
}

/// Says which points of a tile the buffers have.
void PipelineEmitter::place(const LoopBox &tile) {
  int64_t rank = op.getRank();
  for (const PlannedStage &stage : walk.getStages())
    for (const StageResult &result : stage.results) {
      if (!result.isKept())
        continue;
      StageBuffer &buffer = buffers[result.value];
      buffer.origin.clear();
      for (int64_t along = 0; along < rank; ++along)
        buffer.origin.push_back(math.add(
            tile.lb[along], getFirst(stage, getElement(result), along)));
    }
}

StageOperands PipelineEmitter::getOperands(const PlannedStage &stage) {
  StageOperands operands;
  ApplyOp apply = stage.op;
  for (auto [arg, inner] :
       llvm::zip_equal(apply.getArgs(), apply.getBodyBlock()->getArguments())) {
    Value memory;
    const StageBuffer *kept = nullptr;
    if (!isa<GridType>(arg.getType())) {
      memory = getMemory(arg);
    } else if (auto load = getSource(arg).getDefiningOp<LoadOp>()) {
      memory = getMemory(load.getField());
      // Whose bounds say where its points are.
      inner.setType(load.getField().getType());
    } else {
      kept = &buffers[getSource(arg)];
    }
    operands.args.push_back(memory);
    operands.kept.push_back(kept);
  }
  for (const StageResult &result : stage.results) {
    operands.results.push_back(result.isKept() ? &buffers[result.value]
                                               : nullptr);
    operands.stores.emplace_back();
    for (StoreOp store : result.stores)
      operands.stores.back().emplace_back(
          cast<GridType>(store.getField().getType()),
          getMemory(store.getField()));
  }
  int64_t last = op.getRank() - 1;
  if (!stage.isClipped(last, /*upper=*/false))
    operands.margin = std::max<int64_t>(0, -stage.needs.lower[last]);
  return operands;
}

/// What the pipeline reads and stores is larger than the last cache.
Value PipelineEmitter::isLarge() {
  Value bytes;
  llvm::SetVector<Value> fields;
  for (LoadOp load : op.getBodyBlock()->getOps<LoadOp>())
    fields.insert(load.getField());
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
    fields.insert(store.getField());
  for (Value field : fields) {
    auto type = cast<GridType>(field.getType());
    Value size = b.constant(getElementBytes(type.getElementType()));
    for (int64_t along = 0; along < type.getRank(); ++along)
      size =
          b.multiply(size, memref::DimOp::create(b, getMemory(field), along));
    bytes = bytes ? b.add(bytes, size) : size;
  }
  return b.compare(arith::CmpIPredicate::ugt, bytes,
                   b.constant(loops.getAround()));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The points of a tile at which a stage is computed, and beyond.
StageBoxes PipelineEmitter::getBoxes(const PlannedStage &stage,
                                     const LoopBox &tile) {
  StageBoxes boxes;
  boxes.box = domain;
  if (!stage.op) {
    WindowOp window = stage.results.front().boundary;
    boxes.box = b.makeBox(*window.getBounds(), extents);
  }
  for (int64_t along = 0; along < op.getRank(); ++along) {
    Value lb = math.add(tile.lb[along], stage.needs.lower[along]);
    Value ub = math.add(tile.ub[along], stage.needs.upper[along]);
    boxes.whole.lb.push_back(lb);
    boxes.whole.ub.push_back(ub);
    if (stage.isClipped(along, /*upper=*/false))
      lb = math.max(lb, math.add(domain.lb[along], stage.limits.lower[along]));
    if (stage.isClipped(along, /*upper=*/true))
      ub = math.min(ub, math.add(domain.ub[along], stage.limits.upper[along]));
    boxes.inner.lb.push_back(lb);
    boxes.inner.ub.push_back(ub);
  }
  return boxes;
}

/// Runs `fill` for the halo of each result that has one.
LogicalResult PipelineEmitter::fillHalos(
    const PlannedStage &stage, const StageBoxes &boxes,
    llvm::function_ref<LogicalResult(StageHalo &)> fill) {
  for (const StageResult &result : stage.results) {
    WindowOp window = result.boundary;
    if (!window)
      continue;
    StageHalo halo(b, result, buffers[result.value], boxes, axis, extents);
    if (LoadOp load = halo.getKeeper())
      halo.setKeeper(getMemory(load.getField()));
    if (failed(fill(halo)))
      return failure();
  }
  return success();
}

LogicalResult PipelineEmitter::emitNest(const PlannedStage &stage,
                                        const StageBoxes &boxes,
                                        const LoopBox &box) {
  if (!stage.op)
    return fillHalos(stage, boxes,
                     [&](StageHalo &halo) { return halo.copyLoad(box); });
  StageOperands operands = getOperands(stage);
  auto makeNest = [&] {
    return StageNest(b, stage.op, operands, extents, mode);
  };
  auto emit = [&](bool stream) { return makeNest().emitBox(box, stream); };
  if (!storesAround || !makeNest().canStoreAround())
    return emit(/*stream=*/false);
  return b.emitIf(
      storesAround, [&] { return emit(/*stream=*/true); },
      [&] { return emit(/*stream=*/false); });
}

LogicalResult PipelineEmitter::emitStage(const PlannedStage &stage,
                                         const LoopBox &tile, Value plane) {
  StageBoxes boxes = getBoxes(stage, tile);
  if (!axis)
    return success(succeeded(emitNest(stage, boxes, boxes.inner)) &&
                   succeeded(fillHalos(stage, boxes, [&](StageHalo &halo) {
                     return halo.fillTile();
                   })));
  // The planes of the iteration that are in the box, and then those behind it.
  OpBuilder::InsertionGuard guard(b);
  auto step = static_cast<int64_t>(op.getStep());
  Value here = math.add(plane, stage.lead);
  Value first = boxes.inner.lb[*axis], last = boxes.inner.ub[*axis];
  LoopBox box = boxes.inner;
  Value isComputed;
  if (step == 1) {
    box.lb[*axis] = here;
    box.ub[*axis] = math.add(here, 1);
    isComputed = math.both(math.lessEqual(first, here), math.less(here, last));
  } else {
    box.lb[*axis] = math.max(here, first);
    box.ub[*axis] = math.min(math.add(here, step), last);
    isComputed = math.less(box.lb[*axis], box.ub[*axis]);
  }
  auto branch = scf::IfOp::create(b, isComputed);
  for (int64_t after = 0; after < step; ++after)
    if (failed(fillHalos(stage, boxes, [&](StageHalo &halo) {
          return halo.fillBehind(math.add(here, after));
        })))
      return failure();
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  if (failed(emitNest(stage, boxes, box)))
    return failure();
  return fillHalos(stage, boxes, [&](StageHalo &halo) {
    if (step == 1)
      return halo.fillAfter(here);
    return b.emitLoop(
        box.lb[*axis], box.ub[*axis], /*step=*/1,
        [&](Value at) { return halo.fillAfter(at); },
        /*vectorise=*/false);
  });
}

LogicalResult PipelineEmitter::emitTile(const LoopBox &tile) {
  place(tile);
  auto emitStages = [&](Value plane) -> LogicalResult {
    for (const PlannedStage &stage : walk.getStages())
      if (failed(emitStage(stage, tile, plane)))
        return failure();
    return success();
  };
  if (!axis)
    return emitStages({});
  int64_t first = 0;
  for (const PlannedStage &stage : walk.getStages())
    first = std::min(first, stage.needs.lower[*axis] - stage.lead);
  return b.emitLoop(math.add(tile.lb[*axis], first), tile.ub[*axis],
                    static_cast<int64_t>(op.getStep()), emitStages,
                    /*vectorise=*/false);
}

LogicalResult PipelineEmitter::emit(FactsOfFunctions &facts) {
  if (failed(learnExtents(facts)))
    return failure();
  domain = b.makeBox(walk.getDomain(), extents);
  if (loops.getAround() > 0)
    storesAround = isLarge();
  PipelineTiles tiles(b, walk, domain, loops);
  return tiles.emit([&] { allocate(tiles.getSizes()); },
                    [&](const LoopBox &tile) { return emitTile(tile); },
                    [&] {
                      release();
                      // Streaming stores are not ordered with the signal that
                      // tells other threads that this one is done.
                      LLVM::FenceOp::create(b, LLVM::AtomicOrdering::seq_cst);
                    });
}

LogicalResult stencil::lower(CPULowering &lowering, PipelineOp op,
                             PipelineOp::Adaptor) {
  FailureOr<PipelineWalk> walk = PipelineWalk::create(op);
  if (failed(walk))
    return failure();
  auto getMemory = [&](Value value) {
    return lowering.rewriter.getRemappedValue(value);
  };
  PipelineEmitter emitter(lowering.rewriter, op, *walk, lowering.math,
                          getMemory);
  if (failed(emitter.emit(lowering.facts)))
    return failure();
  lowering.rewriter.eraseOp(op);
  return success();
}
