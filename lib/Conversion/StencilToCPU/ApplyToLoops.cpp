//===- ApplyToLoops.cpp - Applies to tiled, vectorised loops --------------===//
//
//   stencil.apply ... to <[0, 0], [n, m]>
//     ==> parallel loop over tiles
//           loop over (groups of) rows of the tile
//             loop over vectors of the row, then over its last points
//
// Outputs that are larger than the cache are written around it: a plain store
// first reads the line that it is going to overwrite, a third of the traffic of
// a stencil that reads one field.
//
//===----------------------------------------------------------------------===//

#include "CPUSchedule.h"
#include "LoopNest.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

/// Rows of fewer elements are not written around the cache.
static constexpr int64_t kMinStreamedRow = 2048;

namespace {

/// Emits the loops of one apply.
class NestEmitter {
public:
  NestEmitter(ApplyOp op, ValueRange args, ValueRange dests,
              const CPULoweringOptions &options)
      : op(op), loc(op.getLoc()), args(args), dests(dests), options(options),
        schedule(chooseCPUSchedule(op, options)),
        unroll(op.getUnrollFactors()) {
    for (Value dest : op.getDest())
      inPlace |= llvm::is_contained(op.getArgs(), dest);
  }

  LogicalResult emit(OpBuilder &builder);

private:
  /// How a row is walked at some place.
  struct Lanes {
    /// Points at once; 1: no vectors.
    int64_t count = 1;
    /// Vectors are aligned in the output, and stored around the cache.
    bool stream = false;
    /// Lanes to be stored; null: all.
    Value mask = {};
  };

  LogicalResult emitNest(OpBuilder &builder, const LoopBox &box, bool stream);
  LogicalResult emitTile(OpBuilder &builder, const LoopBox &tile, bool stream);
  LogicalResult emitRows(OpBuilder &builder, const LoopBox &tile,
                         ArrayRef<SmallVector<Value>> rows, bool stream);
  LogicalResult emitAt(OpBuilder &builder, ArrayRef<SmallVector<Value>> points,
                       const Lanes &lanes);
  void store(OpBuilder &builder, ValueRange point, ArrayRef<LaneValue> results,
             const Lanes &lanes);

  SmallVector<Value> indicesOf(OpBuilder &builder, GridType type,
                               ValueRange point, ArrayRef<int64_t> position);
  bool canStream();
  Value paysToStream(OpBuilder &builder);
  Value countToAlignment(OpBuilder &builder, ValueRange point);
  void prefetchRowEnds(OpBuilder &builder, const LoopBox &tile, ValueRange row);

  Value constant(OpBuilder &builder, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(OpBuilder &builder, Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  Value subtract(OpBuilder &builder, Value a, Value b) {
    return arith::SubIOp::create(builder, loc, a, b);
  }
  GridType destType(unsigned index) {
    return cast<GridType>(op.getDest()[index].getType());
  }

  ApplyOp op;
  Location loc;
  ValueRange args, dests;
  const CPULoweringOptions &options;
  CPUSchedule schedule;
  SmallVector<int64_t> unroll;
  Extents extents;
  /// An output is an input as well, read at this point only.
  bool inPlace = false;
};

struct ApplyLowering : OpConversionPattern<ApplyOp> {
  ApplyLowering(const TypeConverter &converter, MLIRContext *context,
                const CPULoweringOptions &options)
      : OpConversionPattern(converter, context), options(options) {}

  LogicalResult
  matchAndRewrite(ApplyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.isBufferised())
      return op.emitOpError("expected a bufferised apply; run "
                            "stencil-bufferize");
    NestEmitter emitter(op, adaptor.getArgs(), adaptor.getDest(), options);
    if (failed(emitter.emit(rewriter)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  const CPULoweringOptions &options;
};

} // namespace

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

SmallVector<Value> NestEmitter::indicesOf(OpBuilder &builder, GridType type,
                                          ValueRange point,
                                          ArrayRef<int64_t> position) {
  SmallVector<Value> indices;
  for (auto [axis, coordinate] : llvm::enumerate(point)) {
    Value lb =
        extents.getBound(builder, loc, type.getBounds().getLb()[axis], axis);
    Value shifted = add(builder, coordinate, constant(builder, position[axis]));
    indices.push_back(subtract(builder, shifted, lb));
  }
  return indices;
}

/// Stores the values of one evaluation at its points.
void NestEmitter::store(OpBuilder &builder, ValueRange point,
                        ArrayRef<LaneValue> results, const Lanes &lanes) {
  int64_t factor = llvm::product_of(unroll);
  for (auto [index, lane] : llvm::enumerate(results)) {
    Value set = lane.set;
    if (lanes.mask)
      set =
          set ? arith::AndIOp::create(builder, loc, set, lanes.mask).getResult()
              : lanes.mask;
    Value dest = dests[index / factor];
    // Position within the group of points, row-major.
    SmallVector<int64_t> position(unroll.size());
    int64_t rest = index % factor;
    for (int64_t axis = unroll.size() - 1; axis >= 0; --axis) {
      position[axis] = rest % unroll[axis];
      rest /= unroll[axis];
    }
    SmallVector<Value> indices =
        indicesOf(builder, destType(index / factor), point, position);
    if (lanes.count > 1 && set) {
      vector::MaskedStoreOp::create(builder, loc, dest, indices, set,
                                    lane.value);
    } else if (lanes.count > 1) {
      llvm::MaybeAlign align;
      if (lanes.stream)
        align = llvm::Align(options.vectorBits / 8);
      vector::StoreOp::create(builder, loc, lane.value, dest, indices,
                              lanes.stream, align);
    } else if (set) {
      auto branch = scf::IfOp::create(builder, loc, set);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
      memref::StoreOp::create(builder, loc, lane.value, dest, indices);
    } else {
      memref::StoreOp::create(builder, loc, lane.value, dest, indices);
    }
  }
}

/// Streaming stores need whole aligned vectors, which a run-time shift of the
/// vectors gives to one output row at a time; and they do not pay where the
/// line is read anyway.
bool NestEmitter::canStream() {
  if (!options.stream || schedule.lanes == 1 || schedule.rows > 1 || inPlace ||
      dests.size() != 1)
    return false;
  bool masked =
      llvm::any_of(op.getBodyBlock()->getTerminator()->getOperandTypes(),
                   [](Type type) { return isa<ResultType>(type); });
  unsigned bits = op.getOutputElementType(0).getIntOrFloatBitWidth();
  return !masked && schedule.lanes * bits == options.vectorBits;
}

/// The bytes of the fields that the apply reads and writes exceed the cache,
/// and rows are long enough for the ends, which are stored in part, not to
/// matter.
Value NestEmitter::paysToStream(OpBuilder &builder) {
  int64_t bytesPerPoint =
      op.getOutputElementType(0).getIntOrFloatBitWidth() / 8;
  for (Value arg : op.getArgs())
    if (auto type = dyn_cast<GridType>(arg.getType());
        type && type.getRank() == op.getRank())
      bytesPerPoint += type.getElementType().getIntOrFloatBitWidth() / 8;
  Value bytes = constant(builder, bytesPerPoint);
  for (int64_t axis = 0; axis < op.getRank(); ++axis)
    bytes = arith::MulIOp::create(
        builder, loc, bytes,
        memref::DimOp::create(builder, loc, dests.front(), axis));
  Value isLarge = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ugt, bytes,
      constant(builder, static_cast<int64_t>(options.cacheBytes)));
  Value row =
      memref::DimOp::create(builder, loc, dests.front(), op.getRank() - 1);
  Value isLong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                       row, constant(builder, kMinStreamedRow));
  return arith::AndIOp::create(builder, loc, isLarge, isLong);
}

/// Points from `point` on until the output is aligned to a vector.
Value NestEmitter::countToAlignment(OpBuilder &builder, ValueRange point) {
  Value dest = dests.front();
  SmallVector<int64_t> position(point.size(), 0);
  SmallVector<Value> indices = indicesOf(builder, destType(0), point, position);
  Value offset = indices.front();
  for (size_t axis = 1; axis < indices.size(); ++axis) {
    Value size = memref::DimOp::create(builder, loc, dest, axis);
    offset = add(builder, arith::MulIOp::create(builder, loc, offset, size),
                 indices[axis]);
  }
  unsigned elementBytes =
      op.getOutputElementType(0).getIntOrFloatBitWidth() / 8;
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, dest);
  Value first = arith::DivUIOp::create(builder, loc, base,
                                       constant(builder, elementBytes));
  Value element = add(builder, first, offset);
  // Minus the position, modulo the lanes, which are a power of two.
  Value negated = subtract(builder, constant(builder, 0), element);
  return arith::AndIOp::create(builder, loc, negated,
                               constant(builder, schedule.lanes - 1));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult NestEmitter::emitAt(OpBuilder &builder,
                                  ArrayRef<SmallVector<Value>> points,
                                  const Lanes &lanes) {
  SmallVector<BodyEmitter> emitters;
  for (size_t i = 0; i < points.size(); ++i)
    emitters.emplace_back(op, args, extents, lanes.count, options.math);
  auto results = BodyEmitter::emitJointly(builder, emitters, points);
  if (failed(results))
    return failure();
  for (auto [point, result] : llvm::zip_equal(points, *results))
    store(builder, point, result, lanes);
  return success();
}

/// Fetches the lines at both ends of a later row of the output. They are stored
/// in part, hence read first, and all streaming stores behind such a store wait
/// until its line has come.
void NestEmitter::prefetchRowEnds(OpBuilder &builder, const LoopBox &tile,
                                  ValueRange row) {
  if (row.empty())
    return;
  constexpr int64_t kRowsAhead = 2;
  Value last = subtract(builder, tile.ub[row.size() - 1], constant(builder, 1));
  SmallVector<Value> point(row);
  point.back() = arith::MinSIOp::create(
      builder, loc, add(builder, point.back(), constant(builder, kRowsAhead)),
      last);
  SmallVector<int64_t> position(row.size() + 1, 0);
  for (Value column : {tile.lb.back(), subtract(builder, tile.ub.back(),
                                                constant(builder, 1))}) {
    SmallVector<Value> target(point);
    target.push_back(column);
    memref::PrefetchOp::create(
        builder, loc, dests.front(),
        indicesOf(builder, destType(0), target, position),
        /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
  }
}

/// Rows side by side from the tile's lower to its upper bound of the last axis.
/// `rows` lack the last coordinate. The ends of a row that do not fill a vector
/// are computed by a vector that reaches into its neighbour and stores the
/// lanes that are missing; rows shorter than a vector, point by point.
LogicalResult NestEmitter::emitRows(OpBuilder &builder, const LoopBox &tile,
                                    ArrayRef<SmallVector<Value>> rows,
                                    bool stream) {
  SmallVector<SmallVector<Value>> points(rows);
  for (SmallVector<Value> &point : points)
    point.push_back({});
  int64_t lanes = schedule.lanes;
  auto emitOne = [&](OpBuilder &inner, Value position, const Lanes &width) {
    for (SmallVector<Value> &point : points)
      point.back() = position;
    return emitAt(inner, points, width);
  };
  Value lb = tile.lb.back(), ub = tile.ub.back();
  auto emitScalars = [&](OpBuilder &outer) {
    return emitLoop(
        outer, loc, lb, ub, unroll.back(),
        [&](OpBuilder &inner, Value position) {
          return emitOne(inner, position, {});
        },
        /*vectorise=*/lanes == 1);
  };
  if (lanes == 1)
    return emitScalars(builder);

  Value width = constant(builder, lanes);
  Value length = subtract(builder, ub, lb);
  Value isLong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       length, width);
  auto branch =
      scf::IfOp::create(builder, loc, isLong, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  if (failed(emitScalars(builder)))
    return failure();

  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  auto maskType = VectorType::get({lanes}, builder.getI1Type());
  auto firstLanes = [&](Value count) -> Value {
    return vector::CreateMaskOp::create(builder, loc, maskType, count);
  };
  Value first = lb;
  if (stream) {
    prefetchRowEnds(builder, tile, rows.front());
    // Up to the first aligned vector. No line is written both ways: a streaming
    // store to a line that is in the cache has to throw it out first.
    points.front().back() = lb;
    Value head = countToAlignment(builder, points.front());
    if (failed(emitOne(builder, lb, {lanes, false, firstLanes(head)})))
      return failure();
    first = add(builder, lb, head);
  }
  Value rest =
      arith::RemUIOp::create(builder, loc, subtract(builder, ub, first), width);
  Value end = subtract(builder, ub, rest);
  if (schedule.columns > 1) {
    // Several vectors per turn: the addresses of many rows do not fit the
    // registers, and are fetched from memory once per turn.
    int64_t step = lanes * schedule.columns;
    Value span = subtract(builder, end, first);
    Value odd =
        arith::RemUIOp::create(builder, loc, span, constant(builder, step));
    Value middle = subtract(builder, end, odd);
    if (failed(emitLoop(builder, loc, first, middle, step,
                        [&](OpBuilder &inner, Value position) {
                          SmallVector<SmallVector<Value>> group;
                          for (int64_t i = 0; i < schedule.columns; ++i)
                            for (SmallVector<Value> point : points) {
                              point.back() = add(inner, position,
                                                 constant(inner, i * lanes));
                              group.push_back(point);
                            }
                          return emitAt(inner, group, {lanes, stream, {}});
                        })))
      return failure();
    first = middle;
  }
  if (failed(emitLoop(builder, loc, first, end, lanes,
                      [&](OpBuilder &inner, Value position) {
                        return emitOne(inner, position, {lanes, stream, {}});
                      })))
    return failure();
  Value isRagged = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                         rest, constant(builder, 0));
  auto tail = scf::IfOp::create(builder, loc, isRagged);
  builder.setInsertionPoint(tail.thenBlock()->getTerminator());
  Value all = arith::ConstantOp::create(builder, loc,
                                        DenseElementsAttr::get(maskType, true));
  Value last = arith::XOrIOp::create(
      builder, loc, firstLanes(subtract(builder, width, rest)), all);
  return emitOne(builder, subtract(builder, ub, width), {lanes, false, last});
}

LogicalResult NestEmitter::emitTile(OpBuilder &builder, const LoopBox &tile,
                                    bool stream) {
  int64_t rank = op.getRank();
  int64_t group = schedule.rows;
  if (group == 1)
    return emitPoints(builder, loc, tile, ArrayRef(unroll).drop_back(),
                      [&](OpBuilder &inner, ValueRange outer) {
                        return emitRows(inner, tile, SmallVector<Value>(outer),
                                        stream);
                      });
  return emitPoints(
      builder, loc, tile, ArrayRef(unroll).drop_back(2),
      [&](OpBuilder &inner, ValueRange outer) -> LogicalResult {
        auto emitGroups = [&](Value lb, Value ub, int64_t count) {
          return emitLoop(inner, loc, lb, ub, count,
                          [&](OpBuilder &deeper, Value first) {
                            SmallVector<SmallVector<Value>> rows;
                            for (int64_t row = 0; row < count; ++row) {
                              rows.emplace_back(outer);
                              rows.back().push_back(
                                  add(deeper, first, constant(deeper, row)));
                            }
                            return emitRows(deeper, tile, rows, stream);
                          });
        };
        Value lb = tile.lb[rank - 2], ub = tile.ub[rank - 2];
        Value length = subtract(inner, ub, lb);
        Value rest =
            arith::RemUIOp::create(inner, loc, length, constant(inner, group));
        Value middle = subtract(inner, ub, rest);
        return failure(failed(emitGroups(lb, middle, group)) ||
                       failed(emitGroups(middle, ub, 1)));
      });
}

LogicalResult NestEmitter::emitNest(OpBuilder &builder, const LoopBox &box,
                                    bool stream) {
  return emitTiles(builder, loc, box, schedule.tile, schedule.parallel,
                   [&](OpBuilder &inner, const LoopBox &tile) -> LogicalResult {
                     if (failed(emitTile(inner, tile, stream)))
                       return failure();
                     // Streaming stores are not ordered with the signal that
                     // tells other threads that this one is done.
                     if (stream)
                       LLVM::FenceOp::create(inner, loc,
                                             LLVM::AtomicOrdering::seq_cst);
                     return success();
                   });
}

LogicalResult NestEmitter::emit(OpBuilder &builder) {
  for (auto [dest, buffer] : llvm::zip_equal(op.getDest(), dests))
    extents.learn(builder, loc, cast<GridType>(dest.getType()), buffer);
  for (auto [arg, buffer] : llvm::zip_equal(op.getArgs(), args))
    if (auto type = dyn_cast<GridType>(arg.getType()))
      extents.learn(builder, loc, type, buffer);
  BoundsAttr domain = op.getDomain();
  LoopBox box;
  for (int64_t axis = 0; axis < domain.getRank(); ++axis) {
    box.lb.push_back(
        extents.getBound(builder, loc, domain.getLb()[axis], axis));
    box.ub.push_back(
        extents.getBound(builder, loc, domain.getUb()[axis], axis));
  }
  if (!canStream())
    return emitNest(builder, box, /*stream=*/false);
  // Folds to one side when the extents are static.
  auto branch = scf::IfOp::create(builder, loc, paysToStream(builder),
                                  /*withElseRegion=*/true);
  for (bool stream : {true, false}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(
        (stream ? branch.thenBlock() : branch.elseBlock())->getTerminator());
    if (failed(emitNest(builder, box, stream)))
      return failure();
  }
  return success();
}

void stencil::populateApplyToLoops(const TypeConverter &converter,
                                   RewritePatternSet &patterns,
                                   const CPULoweringOptions &options) {
  patterns.add<ApplyLowering>(converter, patterns.getContext(), options);
}
