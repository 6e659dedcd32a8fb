//===- FoldToKernel.cpp - Reductions to kernels ---------------------------===//
//
// A first kernel folds the points to one partial result per block, a second, of
// one block, folds those. Which points are folded in which order depends on the
// extents only, so the result is the same in every run.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "Patterns.h"
#include "StencilDialect/Conversion/FoldMath.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

static constexpr int64_t kThreads = 256;
/// Enough blocks for any GPU; more partial results would only take longer.
static constexpr int64_t kMaxBlocks = 2048;

/// Folds what `getTerm` gives for the numbers from this thread's on, in steps
/// of `step`, below `end`, and then the threads of the block. The first thread
/// stores the result at `place` of `target`.
static void emitBlock(
    KernelBuilder &kernel, const Folder &folder, Value begin, Value end,
    Value step, Value target, Value place,
    llvm::function_ref<Value(OpBuilder &, const Arithmetic &, Value)> getTerm) {
  OpBuilder &builder = kernel.body();
  Location loc = kernel.getLoc();
  Value identity = folder.getIdentity(builder);
  auto loop = scf::ForOp::create(
      builder, loc, begin, end, step, identity,
      [&](OpBuilder &inner, Location, Value number, ValueRange carried) {
        Arithmetic math(inner, loc, number.getType());
        Value term = getTerm(inner, math, number);
        scf::YieldOp::create(inner, loc,
                             folder.combine(inner, carried.front(), term));
      });
  // Half of the threads fold what the other half has, then half of those. (The
  // lowering of gpu.all_reduce has several threads store one element at once.)
  Arithmetic math = kernel.math();
  Value thread = kernel.getThread(gpu::Dimension::x);
  Value shared = kernel.addShared(kThreads, folder.getAccumulatorType());
  Value own = math.toIndex(thread);
  memref::StoreOp::create(builder, loc, loop.getResult(0), shared, own);
  for (int64_t half = kThreads / 2; half >= 1; half /= 2) {
    gpu::BarrierOp::create(builder, loc);
    Value isFolder = math.less(thread, math.constant(half));
    auto branch = scf::IfOp::create(builder, loc, isFolder);
    OpBuilder inner = branch.getThenBodyBuilder();
    Arithmetic wide(inner, loc, inner.getIndexType());
    Value a = memref::LoadOp::create(inner, loc, shared, own);
    Value b = memref::LoadOp::create(inner, loc, shared, wide.add(own, half));
    memref::StoreOp::create(inner, loc, folder.combine(inner, a, b), shared,
                            own);
  }
  // The thread that did the last step.
  Value isFirst =
      math.compare(arith::CmpIPredicate::eq, thread, math.constant(0));
  auto branch = scf::IfOp::create(builder, loc, isFirst);
  OpBuilder inner = branch.getThenBodyBuilder();
  Value folded = memref::LoadOp::create(inner, loc, shared, own);
  memref::StoreOp::create(inner, loc, folded, target, place);
}

LogicalResult stencil::lowerFold(FoldOp op, KernelSet &kernels) {
  Location loc = op.getLoc();
  Folder folder(op, /*wide=*/true);
  BoundsAttr bounds = op.getBounds();
  int64_t rank = bounds.getRank();
  SmallVector<GridType> types;
  for (Value temp : op.getTemps()) {
    if (!isa<FieldType>(temp.getType()))
      return op.emitOpError("expected fields; run stencil-bufferize");
    types.push_back(cast<GridType>(temp.getType()));
  }
  Type element = folder.getAccumulatorType();
  // Halo and all, the first field has more points than are folded.
  auto size = DeviceLayout::getStaticSize(types.front());
  Type intType =
      chooseIndexType(op.getContext(), types,
                      size.value_or(kSymbolBase) + kThreads * kMaxBlocks);

  // The points, on the host.
  OpBuilder builder(op);
  Arithmetic hostMath(builder, loc, builder.getIndexType());
  Value count = hostMath.constant(1);
  for (int64_t axis = 0; axis < rank; ++axis)
    count = hostMath.mul(
        count, hostMath.sub(
                   kernels.getBound(builder, loc, bounds.getUb()[axis], axis),
                   kernels.getBound(builder, loc, bounds.getLb()[axis], axis)));
  Value blocks = hostMath.ceilDiv(count, kThreads);
  blocks = builder.createOrFold<arith::MinSIOp>(loc, blocks,
                                                hostMath.constant(kMaxBlocks));
  Value partial =
      kernels.allocateScratch(loc, MemRefType::get({kMaxBlocks}, element));
  Value result = kernels.allocateScratch(loc, MemRefType::get({1}, element));

  {
    KernelBuilder kernel(kernels, op, "fold", intType, {kThreads, 1, 1});
    auto getBound = [&](int64_t bound, int64_t axis) {
      return kernel.getBound(bound, axis);
    };
    SmallVector<Value> buffers;
    SmallVector<DeviceLayout> layouts;
    for (auto [temp, type] : llvm::zip_equal(op.getTemps(), types)) {
      buffers.push_back(kernel.addField(
          temp, KernelAccess::Read, {/*isolated=*/true, /*readOnly=*/true}));
      layouts.emplace_back(kernel.math(), type, kernels.getRows(), getBound);
    }
    Value target =
        kernel.addMemory(partial, KernelAccess::Write, {/*isolated=*/true});
    Arithmetic math = kernel.math();
    SmallVector<Value> extents;
    Value points = math.constant(1);
    for (int64_t axis = 0; axis < rank; ++axis) {
      extents.push_back(math.sub(getBound(bounds.getUb()[axis], axis),
                                 getBound(bounds.getLb()[axis], axis)));
      points = math.mul(points, extents.back());
    }
    Value grid = math.fromIndex(kernel.addScalar(blocks));
    Value block = kernel.getBlock();
    Value begin = math.add(math.mul(block, kThreads),
                           kernel.getThread(gpu::Dimension::x));
    emitBlock(
        kernel, folder, begin, points, math.mul(grid, kThreads), target,
        math.toIndex(block),
        [&](OpBuilder &inner, const Arithmetic &at, Value number) {
          SmallVector<Value> point(rank), values;
          Value rest = number;
          for (int64_t axis = rank - 1; axis >= 0; --axis) {
            Value position = axis == 0 ? rest : at.rem(rest, extents[axis]);
            rest = at.div(rest, extents[axis]);
            point[axis] =
                at.add(kernel.getBound(bounds.getLb()[axis], axis), position);
          }
          for (auto [buffer, layout] : llvm::zip_equal(buffers, layouts))
            values.push_back(memref::LoadOp::create(
                inner, loc, buffer, at.toIndex(layout.getPosition(at, point))));
          return folder.getTerm(inner, values);
        });
    kernel.launch(blocks);
  }
  {
    KernelBuilder kernel(kernels, op, "fold", intType, {kThreads, 1, 1});
    Value source = kernel.addMemory(partial, KernelAccess::Read,
                                    {/*isolated=*/true, /*readOnly=*/true});
    Value target =
        kernel.addMemory(result, KernelAccess::Write, {/*isolated=*/true});
    Arithmetic math = kernel.math();
    Value grid = math.fromIndex(kernel.addScalar(blocks));
    emitBlock(kernel, folder, kernel.getThread(gpu::Dimension::x), grid,
              math.constant(kThreads), target, math.toIndex(math.constant(0)),
              [&](OpBuilder &inner, const Arithmetic &at, Value number) {
                return memref::LoadOp::create(inner, loc, source,
                                              at.toIndex(number))
                    .getResult();
              });
    kernel.launch(hostMath.constant(1));
  }

  Value folded = FetchOp::create(builder, loc, element, result);
  op.getRes().replaceAllUsesWith(
      folder.finish(builder, folded, count, op.getRes().getType()));
  return success();
}
