//===- StageNest.cpp - The loops of one stage of a pipeline ---------------===//

#include "PipelineEmitter.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

SmallVector<Value> StageBuffer::getIndices(LoopBuilder &b, ValueRange point,
                                           ArrayRef<int64_t> offset,
                                           ArrayRef<Value> further) const {
  SmallVector<Value> indices;
  for (auto [along, coordinate] : llvm::enumerate(point)) {
    Value index = b.subtract(coordinate, origin[along]);
    if (offset[along] != 0)
      index = b.add(index, offset[along]);
    if (!further.empty() && further[along])
      index = b.add(index, further[along]);
    // Planes before the first one are neither made nor read.
    if (axis == static_cast<int64_t>(along))
      index = b.remainder(index, b.constant(planes));
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
      : MemRefReader(op, operands.args, extents, lanes), operands(operands) {}

private:
  Value load(OpBuilder &builder, Location loc, Value from,
             ArrayRef<int64_t> axes, ArrayRef<int64_t> offset,
             ArrayRef<Value> further, ValueRange here) const override {
    const StageBuffer *buffer =
        operands.kept[cast<BlockArgument>(from).getArgNumber()];
    if (!buffer)
      return MemRefReader::load(builder, loc, from, axes, offset, further,
                                here);
    LoopBuilder b(loc, builder);
    SmallVector<Value> indices = buffer->getIndices(b, here, offset, further);
    if (lanes == 1)
      return memref::LoadOp::create(b, buffer->memory, indices);
    Type element = cast<MemRefType>(buffer->memory.getType()).getElementType();
    return vector::LoadOp::create(b, VectorType::get({lanes}, element),
                                  buffer->memory, indices);
  }

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
StageNest::findPlaces(unsigned result, ValueRange point,
                      ArrayRef<int64_t> position) {
  SmallVector<Place, 1> places;
  if (const StageBuffer *kept = operands.results[result])
    places.push_back({kept->memory, kept->getIndices(b, point, position)});
  for (auto [type, memory] : operands.stores[result])
    places.push_back({memory, indicesOf(type, point, position)});
  return places;
}

/// All rows of a buffer begin at lines.
bool StageNest::isAligned() const {
  return schedule.lanes > 1 && operands.results.front();
}

Value StageNest::countToAlignment(ValueRange point) {
  const StageBuffer *kept = operands.results.front();
  if (!kept)
    return NestEmitter::countToAlignment(point);
  if (operands.margin)
    return b.constant(*operands.margin % schedule.lanes);
  // Rows of the buffer begin at lines, and the lanes are a power of two.
  SmallVector<int64_t> here(point.size(), 0);
  Value index = kept->getIndices(b, point, here).back();
  return b.both(b.subtract(b.constant(0), index),
                b.constant(schedule.lanes - 1));
}
