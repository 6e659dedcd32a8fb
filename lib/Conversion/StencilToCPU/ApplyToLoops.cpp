//===- ApplyToLoops.cpp - Applies to tiled, vectorised loops --------------===//
//
//   stencil.apply ... to <[0, 0], [n, m]>
//     ==> parallel loop over tiles
//           loop over (groups of) rows of the tile
//             loop over vectors of the row, then over its last points
//
//===----------------------------------------------------------------------===//

#include "NestEmitter.h"
#include "Patterns.h"
#include "RowWindow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

std::unique_ptr<InputReader> NestEmitter::makeReader(int64_t lanes) {
  return std::make_unique<MemRefReader>(op, args, extents, lanes);
}

LogicalResult NestEmitter::emitAt(OpBuilder &builder,
                                  ArrayRef<SmallVector<Value>> points,
                                  const Lanes &lanes) {
  std::unique_ptr<InputReader> reader = makeReader(lanes.count);
  SmallVector<BodyEmitter> emitters(
      points.size(), BodyEmitter(op, args, *reader, lanes.count, math));
  JointPoints joint;
  joint.columns = lanes.columns;
  auto results = BodyEmitter::emitJointly(builder, emitters, points, joint);
  if (failed(results))
    return failure();
  for (auto [point, result] : llvm::zip_equal(points, *results))
    store(builder, point, result, lanes);
  return success();
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
  auto moveTo = [&](Value position) {
    for (SmallVector<Value> &point : points)
      point.back() = position;
  };
  auto emitOne = [&](OpBuilder &inner, Value position, const Lanes &width) {
    moveTo(position);
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
  auto emitHead = [&](Value head) -> LogicalResult {
    if (stream)
      return emitOne(builder, lb, {lanes, false, {}, 1, head, false});
    std::optional<int64_t> number = getConstantIntValue(head);
    if (number == 0)
      return success();
    OpBuilder::InsertionGuard inner(builder);
    if (!number) {
      Value isAny = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ne, head, constant(builder, 0));
      auto some = scf::IfOp::create(builder, loc, isAny);
      builder.setInsertionPoint(some.thenBlock()->getTerminator());
    }
    return emitOne(builder, lb, {lanes, false, firstLanes(head)});
  };
  Value first = lb;
  if (stream || isAligned()) {
    if (stream)
      for (const SmallVector<Value> &row : rows)
        prefetchRowEnds(builder, tile, row);
    // Up to the first aligned vector. No line is written both ways: a streaming
    // store to a line that is in the cache has to throw it out first.
    points.front().back() = lb;
    Value head = countToAlignment(builder, points.front());
    if (failed(emitHead(head)))
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
                          prefetchAhead(
                              inner, ArrayRef(group).take_front(points.size()),
                              step, stream);
                          return emitAt(inner, group,
                                        {lanes, stream, {}, schedule.columns});
                        })))
      return failure();
    first = middle;
  }
  if (failed(emitLoop(builder, loc, first, end, lanes,
                      [&](OpBuilder &inner, Value position) {
                        if (schedule.columns == 1) {
                          moveTo(position);
                          prefetchAhead(inner, points, lanes, stream);
                        }
                        return emitOne(inner, position, {lanes, stream, {}});
                      })))
    return failure();
  Value isRagged = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                         rest, constant(builder, 0));
  auto tail = scf::IfOp::create(builder, loc, isRagged);
  builder.setInsertionPoint(tail.thenBlock()->getTerminator());
  Value position = subtract(builder, ub, width);
  if (stream)
    return emitOne(builder, position, {lanes, false, {}, 1, rest, true});
  Value all = arith::ConstantOp::create(builder, loc,
                                        DenseElementsAttr::get(maskType, true));
  Value last = arith::XOrIOp::create(
      builder, loc, firstLanes(subtract(builder, width, rest)), all);
  return emitOne(builder, position, {lanes, false, last});
}

LogicalResult NestEmitter::emitTile(OpBuilder &builder, const LoopBox &tile,
                                    bool stream) {
  int64_t rank = op.getRank();
  int64_t group = schedule.rows;
  if (planes > 1)
    return emitPlanes(builder, tile, stream);
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

/// Whether the rows of all planes of the output begin at the same place in a
/// vector.
Value NestEmitter::alignsPlanes(OpBuilder &builder) {
  int64_t rank = op.getRank();
  Value points = getStride(builder, dests.front(), rank - 3);
  Value rest = arith::AndIOp::create(builder, loc, points,
                                     constant(builder, schedule.lanes - 1));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                               constant(builder, 0));
}

/// Rows of several planes together: each plane that they read is read once for
/// all of them.
LogicalResult NestEmitter::emitPlanes(OpBuilder &builder, const LoopBox &tile,
                                      bool stream) {
  int64_t rank = op.getRank();
  return emitPoints(
      builder, loc, tile, ArrayRef(unroll).drop_back(3),
      [&](OpBuilder &inner, ValueRange outer) -> LogicalResult {
        auto emitGroups = [&](Value lb, Value ub, int64_t count) {
          return emitLoop(
              inner, loc, lb, ub, count, [&](OpBuilder &deeper, Value first) {
                return emitLoop(
                    deeper, loc, tile.lb[rank - 2], tile.ub[rank - 2], 1,
                    [&](OpBuilder &innermost, Value row) {
                      SmallVector<SmallVector<Value>> rows;
                      for (int64_t plane = 0; plane < count; ++plane) {
                        rows.emplace_back(outer);
                        rows.back().push_back(
                            add(innermost, first, constant(innermost, plane)));
                        rows.back().push_back(row);
                      }
                      return emitRows(innermost, tile, rows, stream);
                    });
              });
        };
        Value lb = tile.lb[rank - 3], ub = tile.ub[rank - 3];
        Value rest = arith::RemUIOp::create(inner, loc, subtract(inner, ub, lb),
                                            constant(inner, planes));
        Value middle = subtract(inner, ub, rest);
        return failure(failed(emitGroups(lb, middle, planes)) ||
                       failed(emitGroups(middle, ub, 1)));
      });
}

LogicalResult NestEmitter::emitNest(OpBuilder &builder, const LoopBox &box,
                                    bool stream) {
  SmallVector<int64_t> sizes(loops.getTile());
  sizes.resize(op.getRank(), 0);
  SmallVector<Value> tile = getTileSizes(builder, loc, sizes);
  if (CPUBlocksAttr blocks = loops.getBlocks()) {
    SmallVector<int64_t> units(unroll);
    units[units.size() - 2] *= schedule.rows;
    units[units.size() - 3] *= planes;
    blockRows(builder, loc, box, blocks, units, tile);
  }
  // What is written around the caches has many points.
  if (loops.getAlone() > 0 && !stream)
    joinTilesOfFewPoints(builder, loc, box, loops.getAlone(), tile);
  // Of what the caches keep, a core's own has its share of the last time.
  bool isDealt = stream || loops.getAround() == 0;
  return emitTiles(
      builder, loc, box, tile, /*parallel=*/loops.getThreads() > 0,
      [&](OpBuilder &inner, const LoopBox &tile) -> LogicalResult {
        if (failed(emitTile(inner, tile, stream)))
          return failure();
        // Streaming stores are not ordered with the signal that
        // tells other threads that this one is done.
        if (stream)
          LLVM::FenceOp::create(inner, loc, LLVM::AtomicOrdering::seq_cst);
        return success();
      },
      isDealt ? loops.getDeal() : 0);
}

LogicalResult NestEmitter::emit(OpBuilder &builder, FactsOfFunctions &facts) {
  findFronts();
  for (auto [dest, buffer] : llvm::zip_equal(op.getDest(), dests))
    extents.learn(builder, loc, cast<GridType>(dest.getType()), buffer);
  for (auto [arg, buffer] : llvm::zip_equal(op.getArgs(), args))
    if (auto type = dyn_cast<GridType>(arg.getType()))
      extents.learn(builder, loc, type, buffer);
  BoundsAttr domain = op.getDomain();
  if (failed(completeExtents(op, domain, facts, extents)))
    return failure();
  LoopBox box = makeBox(builder, loc, domain, extents);
  if (loops.getAround() == 0)
    return emitPlain(builder, box);
  // Folds to one side when the extents are static.
  auto branch = scf::IfOp::create(builder, loc, paysToStream(builder),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  if (failed(emitPlain(builder, box)))
    return failure();
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  return emitAround(builder, box);
}

/// Of several planes there are registers for one vector each.
LogicalResult NestEmitter::emitPlain(OpBuilder &builder, const LoopBox &box) {
  planes = loops.getPlainPlanes();
  schedule.columns = planes > 1 ? 1 : loops.getColumns();
  return emitNest(builder, box, /*stream=*/false);
}

LogicalResult NestEmitter::emitAround(OpBuilder &builder, const LoopBox &box) {
  schedule.rows = 1;
  schedule.columns = loops.getColumns();
  planes = 1;
  if (loops.getAroundLanes() > 0)
    schedule.lanes = loops.getAroundLanes();
  if (loops.getPlanes() == 1)
    return emitNest(builder, box, /*stream=*/true);
  auto aligned = scf::IfOp::create(builder, loc, alignsPlanes(builder),
                                   /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(aligned.thenBlock()->getTerminator());
  schedule.columns = 1;
  planes = loops.getPlanes();
  if (failed(emitNest(builder, box, /*stream=*/true)))
    return failure();
  // Vectors of planes that begin at different places are not aligned together:
  // either rows one by one go around the caches, or planes do not.
  builder.setInsertionPoint(aligned.elseBlock()->getTerminator());
  if (loops.getPlainPlanes() > 1) {
    schedule.lanes = loops.getLanes();
    return emitPlain(builder, box);
  }
  schedule.columns = loops.getColumns();
  planes = 1;
  return emitNest(builder, box, /*stream=*/true);
}

namespace {

struct ApplyLowering : OpConversionPattern<ApplyOp> {
  ApplyLowering(const TypeConverter &converter, MLIRContext *context,
                FactsOfFunctions &facts, MathMode math)
      : OpConversionPattern(converter, context), facts(facts), math(math) {}

  LogicalResult
  matchAndRewrite(ApplyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.isBufferised())
      return op.emitOpError("expected a bufferised apply; run "
                            "stencil-bufferize");
    NestEmitter emitter(op, adaptor.getArgs(), adaptor.getDest(), math);
    if (failed(emitter.emit(rewriter, facts)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  FactsOfFunctions &facts;
  MathMode math;
};

} // namespace

void stencil::populateApplyToLoops(const TypeConverter &converter,
                                   RewritePatternSet &patterns,
                                   FactsOfFunctions &facts, MathMode math) {
  patterns.add<ApplyLowering>(converter, patterns.getContext(), facts, math);
}
