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
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

std::unique_ptr<InputReader> NestEmitter::makeReader(int64_t lanes) {
  return std::make_unique<MemRefReader>(op, args, extents, lanes);
}

LogicalResult NestEmitter::emitAt(ArrayRef<SmallVector<Value>> points,
                                  const Lanes &lanes) {
  std::unique_ptr<InputReader> reader = makeReader(lanes.count);
  SmallVector<BodyEmitter> emitters(
      points.size(), BodyEmitter(op, args, *reader, lanes.count, mode));
  JointPoints joint;
  joint.columns = lanes.columns;
  auto results = BodyEmitter::emitJointly(b, emitters, points, joint);
  if (failed(results))
    return failure();
  for (auto [point, result] : llvm::zip_equal(points, *results))
    store(point, result, lanes);
  return success();
}

/// Rows side by side from the tile's lower to its upper bound of the last axis.
/// `rows` lack the last coordinate. The ends of a row that do not fill a vector
/// are computed by a vector that reaches into its neighbour and stores the
/// lanes that are missing; rows shorter than a vector, point by point.
LogicalResult NestEmitter::emitRows(const LoopBox &tile,
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
  auto emitOne = [&](Value position, const Lanes &width) {
    moveTo(position);
    return emitAt(points, width);
  };
  Value lb = tile.lb.back(), ub = tile.ub.back();
  auto emitScalars = [&] {
    return b.emitLoop(
        lb, ub, unroll.back(),
        [&](Value position) { return emitOne(position, {}); },
        /*vectorise=*/lanes == 1);
  };
  if (lanes == 1)
    return emitScalars();

  Value width = b.constant(lanes);
  auto isNotZero = [&](Value count) {
    return b.compare(arith::CmpIPredicate::ne, count, b.constant(0));
  };
  auto maskType = VectorType::get({lanes}, b.getI1Type());
  auto firstLanes = [&](Value count) -> Value {
    return vector::CreateMaskOp::create(b, maskType, count);
  };
  auto emitHead = [&](Value head) -> LogicalResult {
    if (stream)
      return emitOne(lb, {lanes, false, {}, 1, head, false});
    std::optional<int64_t> number = getConstantIntValue(head);
    if (number == 0)
      return success();
    auto emitMasked = [&] {
      return emitOne(lb, {lanes, false, firstLanes(head)});
    };
    return number ? emitMasked() : b.emitIf(isNotZero(head), emitMasked);
  };
  auto emitVectors = [&]() -> LogicalResult {
    Value first = lb, head;
    if (stream || isAligned()) {
      // Up to the first aligned vector. No line is written both ways: a
      // streaming store to a line that is in the cache has to throw it out
      // first.
      points.front().back() = lb;
      head = countToAlignment(points.front());
      first = b.add(lb, head);
    }
    Value rest = b.remainder(b.subtract(ub, first), width);
    if (stream) {
      // Rows of whole vectors have no end that is stored in part.
      auto fetchEnds = [&] {
        for (const SmallVector<Value> &row : rows)
          prefetchRowEnds(tile, row);
        return success();
      };
      Value parts = arith::OrIOp::create(b, head, rest);
      if (failed(b.emitIf(isNotZero(parts), fetchEnds)))
        return failure();
    }
    if (head && failed(emitHead(head)))
      return failure();
    Value end = b.subtract(ub, rest);
    if (schedule.columns > 1) {
      // Several vectors per turn: the addresses of many rows do not fit the
      // registers, and are fetched from memory once per turn.
      int64_t step = lanes * schedule.columns;
      Value odd = b.remainder(b.subtract(end, first), b.constant(step));
      Value middle = b.subtract(end, odd);
      if (failed(b.emitLoop(first, middle, step, [&](Value position) {
            SmallVector<SmallVector<Value>> group;
            for (int64_t i = 0; i < schedule.columns; ++i)
              for (SmallVector<Value> point : points) {
                point.back() = b.add(position, i * lanes);
                group.push_back(point);
              }
            prefetchAhead(ArrayRef(group).take_front(points.size()), step,
                          stream);
            return emitAt(group, {lanes, stream, {}, schedule.columns});
          })))
        return failure();
      first = middle;
    }
    if (failed(b.emitLoop(first, end, lanes, [&](Value position) {
          if (schedule.columns == 1) {
            moveTo(position);
            prefetchAhead(points, lanes, stream);
          }
          return emitOne(position, {lanes, stream, {}});
        })))
      return failure();
    return b.emitIf(isNotZero(rest), [&] {
      Value position = b.subtract(ub, width);
      if (stream)
        return emitOne(position, {lanes, false, {}, 1, rest, true});
      Value all =
          arith::ConstantOp::create(b, DenseElementsAttr::get(maskType, true));
      Value last =
          arith::XOrIOp::create(b, firstLanes(b.subtract(width, rest)), all);
      return emitOne(position, {lanes, false, last});
    });
  };
  return b.emitIf(
      b.compare(arith::CmpIPredicate::sge, b.subtract(ub, lb), width),
      emitVectors, emitScalars);
}

/// Several rows, or planes, along an axis together, and one by one what is left
/// of them.
LogicalResult NestEmitter::emitGroups(
    const LoopBox &tile, int64_t axis, int64_t count,
    llvm::function_ref<LogicalResult(Value first, int64_t count)> emit) {
  Value lb = tile.lb[axis], ub = tile.ub[axis];
  Value rest = b.remainder(b.subtract(ub, lb), b.constant(count));
  Value middle = b.subtract(ub, rest);
  auto emitLoop = [&](Value from, Value to, int64_t step) {
    return b.emitLoop(from, to, step,
                      [&](Value first) { return emit(first, step); });
  };
  return success(succeeded(emitLoop(lb, middle, count)) &&
                 succeeded(emitLoop(middle, ub, 1)));
}

LogicalResult NestEmitter::emitTile(const LoopBox &tile, bool stream) {
  int64_t rank = op.getRank();
  if (planes > 1)
    return emitPlanes(tile, stream);
  if (schedule.rows == 1)
    return b.emitPoints(
        tile, ArrayRef(unroll).drop_back(), [&](ValueRange outer) {
          return emitRows(tile, SmallVector<Value>(outer), stream);
        });
  return b.emitPoints(
      tile, ArrayRef(unroll).drop_back(2), [&](ValueRange outer) {
        return emitGroups(tile, rank - 2, schedule.rows,
                          [&](Value first, int64_t count) {
                            SmallVector<SmallVector<Value>> rows;
                            for (int64_t row = 0; row < count; ++row) {
                              rows.emplace_back(outer);
                              rows.back().push_back(b.add(first, row));
                            }
                            return emitRows(tile, rows, stream);
                          });
      });
}

/// Whether the rows of all planes of the output begin at the same place in a
/// vector.
Value NestEmitter::alignsPlanes() {
  Value points = getStride(dests.front(), op.getRank() - 3);
  Value rest = b.both(points, b.constant(schedule.lanes - 1));
  return b.compare(arith::CmpIPredicate::eq, rest, b.constant(0));
}

/// Rows of several planes together: each plane that they read is read once for
/// all of them.
LogicalResult NestEmitter::emitPlanes(const LoopBox &tile, bool stream) {
  int64_t rank = op.getRank();
  return b.emitPoints(
      tile, ArrayRef(unroll).drop_back(3), [&](ValueRange outer) {
        return emitGroups(
            tile, rank - 3, planes, [&](Value first, int64_t count) {
              return b.emitLoop(
                  tile.lb[rank - 2], tile.ub[rank - 2], 1, [&](Value row) {
                    SmallVector<SmallVector<Value>> rows;
                    for (int64_t plane = 0; plane < count; ++plane) {
                      rows.emplace_back(outer);
                      rows.back().push_back(b.add(first, plane));
                      rows.back().push_back(row);
                    }
                    return emitRows(tile, rows, stream);
                  });
            });
      });
}

/// Replaces the tile's sizes along the planes and along the rows by blocks
/// whose window fits the cache, if it does not for whole planes and a block of
/// some rows does. `units` divide the sizes. All this is computed when the
/// program runs, and folds where extents are static.
///
/// A star of radius 4 in a volume reads nine planes. Whole planes of them do
/// not fit a core's own cache, and each point is then read nine times from the
/// cache behind it, or from memory: in more streams than the hardware
/// prefetches, if there are several fields. Blocks of rows that are walked
/// along the planes read it once, but for the rows that blocks share.
static void blockRows(LoopBuilder &b, const LoopBox &box, CPUBlocksAttr blocks,
                      ArrayRef<int64_t> units, SmallVectorImpl<Value> &tile) {
  int64_t rank = box.lb.size(), rowAxis = rank - 2, planeAxis = rank - 3;
  auto lengthOf = [&](int64_t axis) {
    return b.larger(b.subtract(box.ub[axis], box.lb[axis]), b.constant(1));
  };
  auto ceilDiv = [&](Value value, Value by) {
    // value >= 1
    return b.add(b.divide(b.subtract(value, b.constant(1)), by), 1);
  };
  auto alignTo = [&](Value value, int64_t factor) {
    if (factor == 1)
      return value;
    return b.multiply(ceilDiv(value, b.constant(factor)), b.constant(factor));
  };

  // Bytes per element of a row that fit, then rows of a block.
  Value rowLength = lengthOf(rank - 1), numRows = lengthOf(rowAxis);
  Value budget = b.divide(b.constant(blocks.getCache()), rowLength);
  Value rest = b.subtract(budget, b.constant(blocks.getHalo()));
  rest = b.larger(rest, b.constant(0));
  Value fit = b.divide(rest, b.constant(blocks.getRow()));
  Value pays = b.both(
      b.compare(arith::CmpIPredicate::sge, fit, b.constant(blocks.getRows())),
      b.compare(arith::CmpIPredicate::slt, fit, numRows));

  // Blocks of about the same size.
  Value count = ceilDiv(numRows, b.larger(fit, b.constant(blocks.getRows())));
  Value rows = alignTo(ceilDiv(numRows, count), units[rowAxis]);
  Value tiles = b.constant(blocks.getTiles());
  Value planes = ceilDiv(b.multiply(lengthOf(planeAxis), count), tiles);
  planes = b.larger(planes, b.constant(blocks.getPlanes().front()));
  planes = b.smaller(planes, b.constant(blocks.getPlanes().back()));
  // Threads get equal numbers of tiles, which are therefore to be of one size.
  Value numPlanes = lengthOf(planeAxis);
  planes = ceilDiv(numPlanes, ceilDiv(numPlanes, planes));
  planes = alignTo(planes, units[planeAxis]);

  auto choose = [&](int64_t axis, Value size) {
    Value otherwise = tile[axis] ? tile[axis] : lengthOf(axis);
    tile[axis] = arith::SelectOp::create(b, pays, size, otherwise);
  };
  choose(rowAxis, rows);
  choose(planeAxis, planes);
}

LogicalResult NestEmitter::emitNest(const LoopBox &box, bool stream) {
  SmallVector<int64_t> sizes(loops.getTile());
  sizes.resize(op.getRank(), 0);
  SmallVector<Value> tile = b.getTileSizes(sizes);
  if (CPUBlocksAttr blocks = loops.getBlocks()) {
    SmallVector<int64_t> units(unroll);
    units[units.size() - 2] *= schedule.rows;
    units[units.size() - 3] *= planes;
    blockRows(b, box, blocks, units, tile);
  }
  // What is written around the caches has many points.
  if (loops.getAlone() > 0 && !stream)
    b.joinTilesOfFewPoints(box, loops.getAlone(), tile);
  // Of what the caches keep, a core's own has its share of the last time.
  bool isDealt = stream || loops.getAround() == 0;
  return b.emitTiles(
      box, tile, /*parallel=*/loops.getThreads() > 0,
      [&](const LoopBox &tile) -> LogicalResult {
        if (failed(emitTile(tile, stream)))
          return failure();
        // Streaming stores are not ordered with the signal that
        // tells other threads that this one is done.
        if (stream)
          LLVM::FenceOp::create(b, LLVM::AtomicOrdering::seq_cst);
        return success();
      },
      isDealt ? loops.getDeal() : 0);
}

LogicalResult NestEmitter::emit(FactsOfFunctions &facts) {
  findFronts();
  for (auto [dest, buffer] : llvm::zip_equal(op.getDest(), dests))
    extents.learn(b, b.getLoc(), cast<GridType>(dest.getType()), buffer);
  for (auto [arg, buffer] : llvm::zip_equal(op.getArgs(), args))
    if (auto type = dyn_cast<GridType>(arg.getType()))
      extents.learn(b, b.getLoc(), type, buffer);
  BoundsAttr domain = op.getDomain();
  if (failed(completeExtents(op, domain, facts, extents)))
    return failure();
  LoopBox box = b.makeBox(domain, extents);
  if (loops.getAround() == 0)
    return emitPlain(box);
  // Folds to one side when the extents are static.
  return b.emitIf(
      paysToStream(), [&] { return emitAround(box); },
      [&] { return emitPlain(box); });
}

/// Of several planes there are registers for one vector each.
LogicalResult NestEmitter::emitPlain(const LoopBox &box) {
  planes = loops.getPlainPlanes();
  schedule.columns = planes > 1 ? 1 : loops.getColumns();
  return emitNest(box, /*stream=*/false);
}

LogicalResult NestEmitter::emitAround(const LoopBox &box) {
  schedule.rows = 1;
  if (loops.getAroundLanes() > 0)
    schedule.lanes = loops.getAroundLanes();
  auto emitPlanes = [&, lanes = schedule.lanes](int64_t together) {
    schedule.lanes = lanes;
    schedule.columns = together > 1 ? 1 : loops.getColumns();
    planes = together;
    return emitNest(box, /*stream=*/true);
  };
  if (loops.getPlanes() == 1)
    return emitPlanes(1);
  // Vectors of planes that begin at different places are not aligned together:
  // either rows one by one go around the caches, or planes do not.
  return b.emitIf(
      alignsPlanes(), [&] { return emitPlanes(loops.getPlanes()); },
      [&] {
        if (loops.getPlainPlanes() == 1)
          return emitPlanes(1);
        schedule.lanes = loops.getLanes();
        return emitPlain(box);
      });
}

LogicalResult stencil::lower(CPULowering &lowering, ApplyOp op,
                             ApplyOp::Adaptor operands) {
  if (!op.isBufferised())
    return op.emitOpError("expected a bufferised apply; run stencil-bufferize");
  NestEmitter emitter(lowering.rewriter, op, operands.getArgs(),
                      operands.getDest(), lowering.math);
  if (failed(emitter.emit(lowering.facts)))
    return failure();
  lowering.rewriter.eraseOp(op);
  return success();
}
