//===- MapApply.cpp - Applies to kernels of one tile ----------------------===//
//
//   stencil.apply(%x = %u) outs (%v) { ... } to <[0, 0], [n, m]>
//     ==> tile.kernel @apply0(%a = %u, %b = %v) grid <...> {
//           %x = tile.source %a
//           tile.where {
//             %r = stencil.apply(%x) { ... }
//             tile.store %r to %b
//           }
//         }
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/PeriodicImages.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilToTile.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace stencil;

/// True if no input is what is stored.
static bool isReadApart(ApplyOp op, FieldAliasAnalysis &aliases) {
  return llvm::none_of(op.getArgs(), [&](Value input) {
    return isa<GridType>(input.getType()) &&
           llvm::any_of(op.getDest(), [&](Value dest) {
             return aliases.mayAlias(input, dest);
           });
  });
}

/// What is given holds; what was chosen does if it can pay.
static bool keepsLines(ApplyOp op, const GPUSchedule &schedule,
                       FieldAliasAnalysis &aliases) {
  ScheduleAttr given = ScheduleAttr::of(op);
  bool isGiven = given && given.getEviction();
  return schedule.keepsLines() && (isGiven || isReadApart(op, aliases));
}

/// The axes along which a boundary op fills the halo with images.
static DenseI64ArrayAttr getImages(BoundaryOp boundary) {
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < boundary.getBounds().getRank(); ++axis)
    if (getHaloRule(boundary.getCondition(axis, /*upper=*/false)).wraps())
      axes.push_back(axis);
  return DenseI64ArrayAttr::get(boundary.getContext(), axes);
}

/// Has the next tile's farthest rows asked for, of what the apply reads ahead.
static void addPrefetch(OpBuilder &builder, ApplyOp op, tile::KernelOp kernel,
                        int64_t along) {
  llvm::MapVector<Value, int64_t> ahead;
  Footprint(op).forEachRead([&](const InputRead &read) {
    Value input = op.getInput(read.input);
    if (readsComputedPoints(read.op) ||
        cast<GridType>(input.getType()).getRank() !=
            static_cast<int64_t>(op.getRank()))
      return;
    int64_t upper = read.upper[along];
    int64_t &farthest =
        ahead.try_emplace(getArgument(kernel, input), upper).first->second;
    farthest = std::max(farthest, upper);
  });
  if (!ahead.empty())
    tile::PrefetchOp::create(
        builder, op.getLoc(), llvm::to_vector(llvm::make_first_range(ahead)),
        llvm::to_vector(llvm::make_second_range(ahead)), along);
}

LogicalResult stencil::mapApply(ApplyOp op, const TargetInfo &target,
                                FieldAliasAnalysis &aliases, StringRef name,
                                SmallVectorImpl<Operation *> &done) {
  if (!op.isBufferised())
    return op.emitOpError("expected a bufferised apply; run stencil-bufferize");
  FailureOr<GPUSchedule> schedule = readApplySchedule(op, target);
  if (failed(schedule))
    return failure();
  auto images = findStoredImages(op, aliases);
  if (failed(images))
    return failure();
  done.append(images->begin(), images->end());
  SmallVector<int64_t> points(schedule->points);
  SmallVector<int64_t> unroll = op.getUnrollFactors();
  for (auto [count, factor] : llvm::zip_equal(points, unroll))
    count *= factor;
  // A body that returns several points has them at fixed distances from where
  // the domain begins.
  tile::GridAttr grid =
      makeGrid(op, op.getDomain(), *schedule, points,
               unroll.back() == 1 ? points.back() & -points.back() : 1);
  if (!grid)
    return failure();
  SmallVector<Value> operands(op->getOperands());
  tile::KernelOp kernel = makeKernel(op, name, grid, operands);
  bool keeps = keepsLines(op, *schedule, aliases);
  OpBuilder builder = OpBuilder::atBlockEnd(kernel.getBodyBlock());
  Location loc = op.getLoc();
  SmallVector<Value> inputs, sources(op.getArgs());
  llvm::DenseMap<Value, Value> known;
  for (Value input : sources) {
    Value &source = known[input];
    if (!source)
      source = isa<FieldType>(input.getType())
                   ? makeSource(builder, loc, getArgument(kernel, input), {})
                         .getRes()
                   : getArgument(kernel, input);
    inputs.push_back(source);
  }
  SmallVector<Type> results = op.getTempTypes(grid.getTileBox());
  auto where = tile::WhereOp::create(builder, loc, TypeRange(), BoundsAttr());
  builder.createBlock(&where.getBody());
  if (schedule->prefetchAxis)
    addPrefetch(builder, op, kernel, *schedule->prefetchAxis);
  ApplyOp stage = moveStage(builder, op, results, inputs);
  for (auto [result, dest] : llvm::zip_equal(stage.getRes(), op.getDest())) {
    auto store =
        tile::StoreOp::create(builder, loc, result, getArgument(kernel, dest));
    for (BoundaryOp boundary : *images)
      if (boundary.getField() == dest)
        store.setImagesAttr(getImages(boundary));
  }
  tile::YieldOp::create(builder, loc);
  return keeps ? keepLines(op, kernel, aliases) : success();
}
