//===- ApplyToLoops.cpp - Applies to tiled, vectorised loops --------------===//
//
//   stencil.apply ... to <[0, 0], [n, m]>
//     ==> parallel loop over tiles
//           loop over rows of the tile
//             loop over vectors of the row, then over its last points
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

namespace {

/// An apply with fewer points than this runs on one thread: waking the others
/// takes longer.
constexpr int64_t kMinParallelPoints = 8192;

/// Cache of one core that a tile's window of rows or planes should fit, in
/// bytes: half of a common second-level cache.
constexpr int64_t kWindowBytes = 512 * 1024;

struct ApplyLowering : OpConversionPattern<ApplyOp> {
  ApplyLowering(const TypeConverter &converter, MLIRContext *context,
                const CPULoweringOptions &options)
      : OpConversionPattern(converter, context), options(options) {}

  LogicalResult
  matchAndRewrite(ApplyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;

private:
  SmallVector<int64_t> chooseTile(ApplyOp op) const;
  const CPULoweringOptions &options;
};

} // namespace

/// Lanes of a vector that holds the widest element that the apply stores.
static int64_t countLanes(ApplyOp op, unsigned vectorBits) {
  if (!BodyEmitter::canVectorise(op))
    return 1;
  unsigned widest = 8;
  for (unsigned i = 0; i < op.getNumOutputs(); ++i)
    widest =
        std::max(widest, op.getOutputElementType(i).getIntOrFloatBitWidth());
  return std::max<int64_t>(1, vectorBits / widest);
}

static int64_t countPoints(ApplyOp op) {
  int64_t points = 1;
  for (int64_t extent : op.getDomain().getShape()) {
    if (ShapedType::isDynamic(extent))
      return ShapedType::kDynamic;
    points *= extent;
  }
  return points;
}

/// Bytes per point of a row or plane of everything that the apply touches, and
/// the number of planes along `axis` that stay in use.
static void measureWindow(ApplyOp op, int64_t axis, int64_t &bytes,
                          int64_t &planes) {
  int64_t lower = 0, upper = 0;
  bytes = 0;
  for (unsigned i = 0; i < op.getNumOutputs(); ++i)
    bytes += op.getOutputElementType(i).getIntOrFloatBitWidth() / 8;
  for (Value arg : op.getArgs())
    if (auto type = dyn_cast<GridType>(arg.getType()))
      bytes += std::max(8u, type.getElementType().getIntOrFloatBitWidth()) / 8;
  op.getRegion().walk([&](AccessOp access) {
    for (auto [position, offset] :
         llvm::zip_equal(access.getAxes(), access.getOffset().getValues())) {
      if (position != axis)
        continue;
      lower = std::min(lower, offset);
      upper = std::max(upper, offset);
    }
  });
  planes = upper - lower + 1;
}

/// Rank 1: chunks. Rank 2: some rows, of a width whose window of rows fits the
/// cache. Rank 3 and more: blocks of planes, cut along the axis before the last
/// so that the window of planes fits the cache; whole rows.
SmallVector<int64_t> ApplyLowering::chooseTile(ApplyOp op) const {
  int64_t rank = op.getRank();
  if (static_cast<int64_t>(options.tile.size()) == rank)
    return options.tile;
  SmallVector<int64_t> shape = op.getDomain().getShape();
  SmallVector<int64_t> tile(rank, 1);
  if (rank == 1) {
    tile[0] = 16384;
  } else {
    int64_t streamAxis = rank == 2 ? 0 : rank - 3;
    int64_t cutAxis = streamAxis + 1;
    int64_t bytes, planes;
    measureWindow(op, streamAxis, bytes, planes);
    int64_t row = rank == 2                             ? 1
                  : ShapedType::isDynamic(shape.back()) ? 512
                                                        : shape.back();
    int64_t cut = kWindowBytes / std::max<int64_t>(1, bytes * planes * row);
    tile[streamAxis] = rank == 2 ? 16 : 32;
    tile[cutAxis] = rank == 2 ? std::max<int64_t>(1024, cut & ~int64_t(63))
                              : std::clamp<int64_t>(cut, 4, 64);
    if (rank > 2)
      tile[rank - 1] = 0;
    if (!ShapedType::isDynamic(shape[cutAxis]) &&
        tile[cutAxis] >= shape[cutAxis])
      tile[cutAxis] = 0;
  }
  // Tiles hold whole groups of points that an unrolled body computes.
  for (auto [size, unroll] : llvm::zip_equal(tile, op.getUnrollFactors()))
    size = llvm::alignTo(size, unroll);
  return tile;
}

/// Stores the values of one evaluation at its points.
static LogicalResult storeResults(OpBuilder &builder, ApplyOp op,
                                  ValueRange dests, ValueRange point,
                                  ArrayRef<LaneValue> results,
                                  const Extents &extents, int64_t lanes,
                                  bool nontemporal) {
  Location loc = op.getLoc();
  SmallVector<int64_t> unroll = op.getUnrollFactors();
  int64_t factor = llvm::product_of(unroll);
  for (auto [index, lane] : llvm::enumerate(results)) {
    auto type = cast<GridType>(op.getDest()[index / factor].getType());
    Value dest = dests[index / factor];
    // Position within the group of points, row-major.
    SmallVector<int64_t> position(unroll.size());
    int64_t rest = index % factor;
    for (int64_t axis = unroll.size() - 1; axis >= 0; --axis) {
      position[axis] = rest % unroll[axis];
      rest /= unroll[axis];
    }
    SmallVector<Value> indices;
    for (auto [axis, coordinate] : llvm::enumerate(point)) {
      Value lb =
          extents.getBound(builder, loc, type.getBounds().getLb()[axis], axis);
      Value shift =
          arith::ConstantIndexOp::create(builder, loc, position[axis]);
      Value shifted = arith::AddIOp::create(builder, loc, coordinate, shift);
      indices.push_back(arith::SubIOp::create(builder, loc, shifted, lb));
    }
    if (lanes > 1 && lane.set)
      vector::MaskedStoreOp::create(builder, loc, dest, indices, lane.set,
                                    lane.value);
    else if (lanes > 1)
      vector::StoreOp::create(builder, loc, lane.value, dest, indices,
                              nontemporal);
    else if (lane.set) {
      auto branch = scf::IfOp::create(builder, loc, lane.set);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
      memref::StoreOp::create(builder, loc, lane.value, dest, indices);
    } else {
      memref::StoreOp::create(builder, loc, lane.value, dest, indices);
    }
  }
  return success();
}

LogicalResult
ApplyLowering::matchAndRewrite(ApplyOp op, OpAdaptor adaptor,
                               ConversionPatternRewriter &rewriter) const {
  if (!op.isBufferised())
    return op.emitOpError("expected a bufferised apply; run stencil-bufferize");
  Location loc = op.getLoc();
  Extents extents;
  for (auto [dest, buffer] : llvm::zip_equal(op.getDest(), adaptor.getDest()))
    extents.learn(rewriter, loc, cast<GridType>(dest.getType()), buffer);
  for (auto [arg, buffer] : llvm::zip_equal(op.getArgs(), adaptor.getArgs()))
    if (auto type = dyn_cast<GridType>(arg.getType()))
      extents.learn(rewriter, loc, type, buffer);

  BoundsAttr domain = op.getDomain();
  Box box;
  for (int64_t axis = 0; axis < domain.getRank(); ++axis) {
    box.lb.push_back(
        extents.getBound(rewriter, loc, domain.getLb()[axis], axis));
    box.ub.push_back(
        extents.getBound(rewriter, loc, domain.getUb()[axis], axis));
  }
  SmallVector<int64_t> unroll = op.getUnrollFactors();
  int64_t lanes = countLanes(op, options.vectorBits);
  int64_t points = countPoints(op);
  bool parallel = ShapedType::isDynamic(points) || points >= kMinParallelPoints;

  auto emitAt = [&](OpBuilder &builder, ValueRange point, int64_t width) {
    BodyEmitter emitter(op, adaptor.getArgs(), extents, width, options.math);
    FailureOr<SmallVector<LaneValue>> results = emitter.emit(builder, point);
    if (failed(results))
      return LogicalResult(failure());
    return storeResults(builder, op, adaptor.getDest(), point, *results,
                        extents, width, /*nontemporal=*/false);
  };
  auto emitRow = [&](OpBuilder &builder, const Box &tile,
                     ValueRange outer) -> LogicalResult {
    SmallVector<Value> point(outer);
    point.push_back({});
    Value lb = tile.lb.back(), ub = tile.ub.back();
    if (lanes > 1) {
      // Vectors up to the last multiple of their length.
      Value width = arith::ConstantIndexOp::create(builder, loc, lanes);
      Value length = arith::SubIOp::create(builder, loc, ub, lb);
      Value rest = arith::RemUIOp::create(builder, loc, length, width);
      Value middle = arith::SubIOp::create(builder, loc, ub, rest);
      if (failed(emitLoop(builder, loc, lb, middle, lanes,
                          [&](OpBuilder &inner, Value position) {
                            point.back() = position;
                            return emitAt(inner, point, lanes);
                          })))
        return failure();
      lb = middle;
    }
    return emitLoop(builder, loc, lb, ub, unroll.back(),
                    [&](OpBuilder &inner, Value position) {
                      point.back() = position;
                      return emitAt(inner, point, 1);
                    });
  };
  LogicalResult emitted = emitTiles(
      rewriter, loc, box, chooseTile(op), parallel,
      [&](OpBuilder &builder, const Box &tile) {
        return emitPoints(builder, loc, tile, ArrayRef(unroll).drop_back(),
                          [&](OpBuilder &inner, ValueRange outer) {
                            return emitRow(inner, tile, outer);
                          });
      });
  if (failed(emitted))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

void stencil::populateApplyToLoops(const TypeConverter &converter,
                                   RewritePatternSet &patterns,
                                   const CPULoweringOptions &options) {
  patterns.add<ApplyLowering>(converter, patterns.getContext(), options);
}
