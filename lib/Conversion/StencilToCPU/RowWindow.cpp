//===- RowWindow.cpp - What a walk along planes keeps in a cache ----------===//
//
// A star of radius 4 in a volume reads nine planes. Whole planes of them do not
// fit a core's own cache, and each point is then read nine times from the cache
// behind it, or from memory: in more streams than the hardware prefetches, if
// there are several fields. Blocks of rows that are walked along the planes
// read it once, but for the rows that blocks share.
//
//===----------------------------------------------------------------------===//

#include "RowWindow.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <map>

using namespace mlir;
using namespace stencil;

std::optional<RowWindow> RowWindow::measure(ApplyOp op) {
  int64_t rank = op.getRank(), rowAxis = rank - 2, planeAxis = rank - 3;
  auto bytesOf = [](Value field) {
    return getElementBytes(cast<GridType>(field.getType()).getElementType());
  };
  // By field and position along the axes before the rows: the lowest and the
  // highest row.
  using Plane = std::pair<void *, std::vector<int64_t>>;
  std::map<Plane, std::pair<int64_t, int64_t>> planes;
  std::map<void *, int64_t> bytes;
  int64_t first = 0, last = 0;
  auto readRows = [&](Value field, std::vector<int64_t> position, int64_t lower,
                      int64_t upper) {
    bytes[field.getAsOpaquePointer()] = bytesOf(field);
    auto [rows, isNew] =
        planes.try_emplace({field.getAsOpaquePointer(), std::move(position)},
                           std::pair(lower, upper));
    if (!isNew)
      rows->second = {std::min(rows->second.first, lower),
                      std::max(rows->second.second, upper)};
  };
  Footprint(op).forEachRead([&](const InputRead &read) {
    // Others are small beside it.
    if (static_cast<int64_t>(read.axes.size()) != rank)
      return;
    first = std::min(first, read.lower[planeAxis]);
    last = std::max(last, read.upper[planeAxis]);
    Value field = op.getArgs()[read.input.getArgNumber()];
    // Every plane of the box; where it has several axes before the planes, one
    // position of theirs stands for all.
    for (int64_t z = read.lower[planeAxis]; z <= read.upper[planeAxis]; ++z) {
      std::vector<int64_t> position(read.lower.begin(),
                                    read.lower.begin() + planeAxis);
      position.push_back(z);
      readRows(field, std::move(position), read.lower[rowAxis],
               read.upper[rowAxis]);
    }
  });
  if (first == last)
    return std::nullopt;
  for (Value field : op.getDest())
    readRows(field, std::vector<int64_t>(planeAxis + 1), 0, 0);

  RowWindow window;
  window.depth = last - first;
  for (const auto &[plane, rows] : planes) {
    int64_t size = bytes[plane.first];
    window.perRow += size;
    window.halo += size * (rows.second - rows.first);
  }
  return window;
}

void stencil::blockRows(OpBuilder &builder, Location loc, const LoopBox &box,
                        CPUBlocksAttr blocks, ArrayRef<int64_t> units,
                        SmallVectorImpl<Value> &tile) {
  int64_t rank = box.lb.size(), rowAxis = rank - 2, planeAxis = rank - 3;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto lengthOf = [&](int64_t axis) -> Value {
    Value length =
        arith::SubIOp::create(builder, loc, box.ub[axis], box.lb[axis]);
    return arith::MaxSIOp::create(builder, loc, length, constant(1));
  };
  auto ceilDiv = [&](Value a, Value b) -> Value {
    // a >= 1
    Value less = arith::SubIOp::create(builder, loc, a, constant(1));
    Value quotient = arith::DivUIOp::create(builder, loc, less, b);
    return arith::AddIOp::create(builder, loc, quotient, constant(1));
  };
  auto clamp = [&](Value value, int64_t low, int64_t high) -> Value {
    Value raised = arith::MaxSIOp::create(builder, loc, value, constant(low));
    return arith::MinSIOp::create(builder, loc, raised, constant(high));
  };
  auto alignTo = [&](Value value, int64_t factor) -> Value {
    if (factor == 1)
      return value;
    return arith::MulIOp::create(builder, loc, ceilDiv(value, constant(factor)),
                                 constant(factor));
  };

  // Bytes per element of a row that fit, then rows of a block.
  Value rowLength = lengthOf(rank - 1), numRows = lengthOf(rowAxis);
  Value budget = arith::DivUIOp::create(builder, loc,
                                        constant(blocks.getCache()), rowLength);
  Value rest =
      arith::SubIOp::create(builder, loc, budget, constant(blocks.getHalo()));
  rest = arith::MaxSIOp::create(builder, loc, rest, constant(0));
  Value fit =
      arith::DivUIOp::create(builder, loc, rest, constant(blocks.getRow()));
  auto compare = [&](arith::CmpIPredicate predicate, Value a,
                     Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  Value pays = arith::AndIOp::create(
      builder, loc,
      compare(arith::CmpIPredicate::sge, fit, constant(blocks.getRows())),
      compare(arith::CmpIPredicate::slt, fit, numRows));

  // Blocks of about the same size.
  Value count =
      ceilDiv(numRows, arith::MaxSIOp::create(builder, loc, fit,
                                              constant(blocks.getRows())));
  Value rows = alignTo(ceilDiv(numRows, count), units[rowAxis]);
  Value tiles = constant(blocks.getTiles());
  Value planes = ceilDiv(
      arith::MulIOp::create(builder, loc, lengthOf(planeAxis), count), tiles);
  planes = clamp(planes, blocks.getPlanes().front(), blocks.getPlanes().back());
  // Threads get equal numbers of tiles, which are therefore to be of one size.
  Value numPlanes = lengthOf(planeAxis);
  planes = ceilDiv(numPlanes, ceilDiv(numPlanes, planes));
  planes = alignTo(planes, units[planeAxis]);

  auto choose = [&](int64_t axis, Value size) {
    Value otherwise = tile[axis] ? tile[axis] : lengthOf(axis);
    tile[axis] = arith::SelectOp::create(builder, loc, pays, size, otherwise);
  };
  choose(rowAxis, rows);
  choose(planeAxis, planes);
}
