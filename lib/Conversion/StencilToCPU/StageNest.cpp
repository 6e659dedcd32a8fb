//===- StageNest.cpp - The loops of one stage of a pipeline ---------------===//

#include "StageNest.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

SmallVector<Value> StageBuffer::getIndices(OpBuilder &builder, Location loc,
                                           ValueRange point,
                                           ArrayRef<int64_t> offset,
                                           ArrayRef<Value> further) const {
  SmallVector<Value> indices;
  for (auto [along, coordinate] : llvm::enumerate(point)) {
    Value index =
        arith::SubIOp::create(builder, loc, coordinate, origin[along]);
    if (offset[along] != 0)
      index = arith::AddIOp::create(
          builder, loc, index,
          arith::ConstantIndexOp::create(builder, loc, offset[along]));
    if (!further.empty() && further[along])
      index = arith::AddIOp::create(builder, loc, index, further[along]);
    // Planes before the first one are neither made nor read.
    if (axis == static_cast<int64_t>(along))
      index = arith::RemUIOp::create(
          builder, loc, index,
          arith::ConstantIndexOp::create(builder, loc, planes));
    indices.push_back(index);
  }
  return indices;
}

namespace {
/// Reads loads in memory, and what other stages have made where it is kept.
class StageReader : public MemRefReader {
public:
  StageReader(ApplyOp op, const StageOperands &operands, const Extents &extents,
              int64_t lanes)
      : MemRefReader(op, operands.args, extents, lanes), lanes(lanes),
        operands(operands) {}

private:
  Value load(OpBuilder &builder, Location loc, Value from,
             ArrayRef<int64_t> axes, ArrayRef<int64_t> offset,
             ArrayRef<Value> further, ValueRange here) const override {
    const StageBuffer *buffer =
        operands.kept[cast<BlockArgument>(from).getArgNumber()];
    if (!buffer)
      return MemRefReader::load(builder, loc, from, axes, offset, further,
                                here);
    SmallVector<Value> indices =
        buffer->getIndices(builder, loc, here, offset, further);
    if (lanes == 1)
      return memref::LoadOp::create(builder, loc, buffer->memory, indices);
    Type element = cast<MemRefType>(buffer->memory.getType()).getElementType();
    return vector::LoadOp::create(builder, loc,
                                  VectorType::get({lanes}, element),
                                  buffer->memory, indices);
  }

  int64_t lanes;
  const StageOperands &operands;
};
} // namespace

bool StageNest::canStoreAround() {
  bool isKept = llvm::any_of(operands.results,
                             [](const StageBuffer *kept) { return kept; });
  return schedule.lanes > 1 && schedule.rows == 1 && !isKept &&
         storesAllPoints(op) && llvm::product_of(unroll) == 1 &&
         operands.stores.size() == 1 && operands.stores.front().size() == 1;
}

std::unique_ptr<InputReader> StageNest::makeReader(int64_t lanes) {
  return std::make_unique<StageReader>(op, operands, extents, lanes);
}

SmallVector<NestEmitter::Place, 1>
StageNest::findPlaces(OpBuilder &builder, unsigned result, ValueRange point,
                      ArrayRef<int64_t> position) {
  SmallVector<Place, 1> places;
  if (const StageBuffer *kept = operands.results[result])
    places.push_back(
        {kept->memory, kept->getIndices(builder, loc, point, position)});
  for (auto [type, memory] : operands.stores[result])
    places.push_back({memory, indicesOf(builder, type, point, position)});
  return places;
}

/// All rows of a buffer begin at lines.
bool StageNest::isAligned() const {
  return schedule.lanes > 1 && operands.results.front();
}

Value StageNest::countToAlignment(OpBuilder &builder, ValueRange point) {
  const StageBuffer *kept = operands.results.front();
  if (!kept)
    return NestEmitter::countToAlignment(builder, point);
  if (operands.margin)
    return constant(builder, *operands.margin % schedule.lanes);
  // Rows of the buffer begin at lines, and the lanes are a power of two.
  SmallVector<int64_t> here(point.size(), 0);
  Value index = kept->getIndices(builder, loc, point, here).back();
  return arith::AndIOp::create(builder, loc,
                               subtract(builder, constant(builder, 0), index),
                               constant(builder, schedule.lanes - 1));
}
