//===- MapFold.cpp - Reductions to kernels over lists ---------------------===//
//
//   %m = stencil.fold %u(<box>) max
//     ==> %p = stencil.scratch ; at the function's entry
//         %r = stencil.scratch
//         tile.kernel @fold(%a = %u, %n = %p, %o = %r) grid <...> list <[box],
//         blocks = 2048> {
//           %x = tile.source %a
//           tile.fold max %x to %o through %n
//         }
//         %w = stencil.fetch %r ; then the type of the field, a mean, a root
//
// Which points are folded in which order depends on the extents only, so the
// result is the same in every run.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/Conversion/FoldMath.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilToTile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace stencil;

static constexpr int64_t kFoldThreads = 256;
/// Enough blocks for any GPU; more partial results would only take longer.
static constexpr int64_t kMaxBlocks = 2048;

/// The points of a box, on the host.
static Value countPoints(OpBuilder &builder, Location loc, BoundsAttr box) {
  Arithmetic math(builder, loc, builder.getIndexType());
  Value count = math.constant(1);
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    Extents extents;
    if (isSymbolic(box.getLb()[axis]) || isSymbolic(box.getUb()[axis]))
      extents.set(axis, ExtentOp::create(builder, loc, axis));
    count = math.mul(
        count,
        math.sub(extents.getBound(builder, loc, box.getUb()[axis], axis),
                 extents.getBound(builder, loc, box.getLb()[axis], axis)));
  }
  return count;
}

LogicalResult stencil::mapFold(FoldOp op) {
  if (!llvm::all_of(op.getTemps().getTypes(), llvm::IsaPred<FieldType>))
    return op.emitOpError("expected fields; run stencil-bufferize");
  Location loc = op.getLoc();
  Folder folder(op, /*wide=*/true);
  Type number = folder.getAccumulatorType();
  auto function = op->getParentOfType<func::FuncOp>();
  OpBuilder entry = OpBuilder::atBlockBegin(&function.front());
  for (Operation &first : function.front()) {
    if (!isa<ScratchOp, ErrorWordOp>(first))
      break;
    entry.setInsertionPointAfter(&first);
  }
  Value partial =
      ScratchOp::create(entry, loc, MemRefType::get({kMaxBlocks}, number));
  Value result = ScratchOp::create(entry, loc, MemRefType::get({1}, number));

  OpBuilder builder(op);
  BoundsAttr box = op.getBounds();
  auto list = tile::ListAttr::get(op.getContext(), box, {}, 1, kMaxBlocks);
  SmallVector<Value> operands(op.getTemps());
  operands.append({partial, result});
  tile::KernelOp kernel =
      makeKernel(op, "fold", makeListGrid(box, kFoldThreads), operands, list);
  OpBuilder inner = OpBuilder::atBlockEnd(kernel.getBodyBlock());
  SmallVector<Value> sources;
  for (Value temp : op.getTemps())
    sources.push_back(
        makeSource(inner, loc, getArgument(kernel, temp), /*plane=*/{}));
  tile::FoldOp::create(inner, loc, op.getKind(), sources,
                       getArgument(kernel, result),
                       getArgument(kernel, partial));

  Value folded = FetchOp::create(builder, loc, number, result);
  Value count;
  if (op.getKind() == FoldKind::Rms)
    count = countPoints(builder, loc, box);
  op.getRes().replaceAllUsesWith(
      folder.finish(builder, folded, count, op.getRes().getType()));
  return success();
}
