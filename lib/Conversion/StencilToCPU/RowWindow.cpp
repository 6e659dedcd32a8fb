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

void stencil::blockRows(LoopBuilder &b, const LoopBox &box,
                        CPUBlocksAttr blocks, ArrayRef<int64_t> units,
                        SmallVectorImpl<Value> &tile) {
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
