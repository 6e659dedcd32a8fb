//===- NestStores.cpp - How the loops of an apply store -------------------===//
//
// Outputs that are larger than the cache are written around it: a plain store
// first reads the line that it is going to overwrite, a third of the traffic of
// a stencil that reads one field.
//
//===----------------------------------------------------------------------===//

#include "ApplyShape.h"
#include "NestEmitter.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

SmallVector<Value> NestEmitter::indicesOf(GridType type, ValueRange point,
                                          ArrayRef<int64_t> position) {
  SmallVector<Value> shifted;
  for (auto [coordinate, offset] : llvm::zip_equal(point, position))
    shifted.push_back(b.add(coordinate, offset));
  return extents.getIndices(b, b.getLoc(), type, shifted);
}

/// Stores the first or the last lanes of a vector, one by one: no byte of
/// another line is touched. A masked store of the whole vector reaches into the
/// next line, which is written around the cache: it would be read, and waited
/// for. Lanes have fixed numbers, as LLVM computes one of any number again.
void NestEmitter::storeLanes(Value dest, ValueRange indices, Value value,
                             const Lanes &lanes) {
  OpBuilder::InsertionGuard guard(b);
  for (int64_t number = 0; number + 1 < lanes.count; ++number) {
    Value isStored = b.compare(arith::CmpIPredicate::sgt, lanes.numStored,
                               b.constant(number));
    auto branch = scf::IfOp::create(b, isStored);
    // Behind the first that is not stored, none is.
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    int64_t lane = lanes.fromEnd ? lanes.count - 1 - number : number;
    SmallVector<Value> shifted(indices);
    shifted.back() = b.add(shifted.back(), lane);
    Value element = vector::ExtractOp::create(b, value, lane);
    memref::StoreOp::create(b, element, dest, shifted);
  }
}

SmallVector<NestEmitter::Place, 1>
NestEmitter::findPlaces(unsigned result, ValueRange point,
                        ArrayRef<int64_t> position) {
  return {{dests[result], indicesOf(destType(result), point, position)}};
}

/// Stores a value, or lanes of one where `set` says so.
void NestEmitter::storeAt(const Place &place, Value value, Value set,
                          const Lanes &lanes) {
  if (lanes.numStored) {
    storeLanes(place.memory, place.indices, value, lanes);
  } else if (lanes.count > 1 && set) {
    vector::MaskedStoreOp::create(b, place.memory, place.indices, set, value);
  } else if (lanes.count > 1) {
    llvm::MaybeAlign align;
    if (lanes.stream)
      align = llvm::Align(
          lanes.count *
          getElementBytes(
              cast<MemRefType>(place.memory.getType()).getElementType()));
    vector::StoreOp::create(b, value, place.memory, place.indices, lanes.stream,
                            align);
  } else if (set) {
    auto branch = scf::IfOp::create(b, set);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    memref::StoreOp::create(b, value, place.memory, place.indices);
  } else {
    memref::StoreOp::create(b, value, place.memory, place.indices);
  }
}

/// Stores the values of one evaluation at its points.
void NestEmitter::store(ValueRange point, ArrayRef<LaneValue> results,
                        const Lanes &lanes) {
  int64_t factor = llvm::product_of(unroll);
  for (auto [index, lane] : llvm::enumerate(results)) {
    Value set = lane.set;
    if (lanes.mask)
      set = set ? b.both(set, lanes.mask) : lanes.mask;
    // Position within the group of points, row-major.
    SmallVector<int64_t> position =
        delinearize(index % factor, computeStrides(unroll));
    for (const Place &place : findPlaces(index / factor, point, position))
      storeAt(place, lane.value, set, lanes);
  }
}

/// The bytes of the fields that the apply reads and writes exceed the cache,
/// and rows are long enough for the ends, which are stored in part, not to
/// matter.
Value NestEmitter::paysToStream() {
  Value bytes = b.constant(countPointBytes(op));
  for (int64_t axis = 0; axis < op.getRank(); ++axis)
    bytes = b.multiply(bytes, memref::DimOp::create(b, dests.front(), axis));
  Value isLarge = b.compare(arith::CmpIPredicate::ugt, bytes,
                            b.constant(loops.getAround()));
  Value row = memref::DimOp::create(b, dests.front(), op.getRank() - 1);
  Value isLong = b.compare(arith::CmpIPredicate::uge, row,
                           b.constant(loops.getAroundRow()));
  return b.both(isLarge, isLong);
}

/// Elements of `memory` from one point to the next along an axis.
Value NestEmitter::getStride(Value memory, int64_t axis) {
  auto type = cast<MemRefType>(memory.getType());
  if (!type.getLayout().isIdentity())
    return memref::ExtractStridedMetadataOp::create(b, memory)
        .getStrides()[axis];
  Value stride = memref::DimOp::create(b, memory, axis + 1);
  for (int64_t inner = axis + 2; inner < type.getRank(); ++inner)
    stride = b.multiply(stride, memref::DimOp::create(b, memory, inner));
  return stride;
}

Value NestEmitter::countToAlignment(ValueRange point) {
  SmallVector<int64_t> position(point.size(), 0);
  Place place = findPlaces(0, point, position).front();
  Value dest = place.memory;
  ArrayRef<Value> indices = place.indices;
  Value offset = indices.back();
  for (size_t axis = 0; axis + 1 < indices.size(); ++axis)
    offset = b.add(offset, b.multiply(indices[axis], getStride(dest, axis)));
  unsigned elementBytes = getElementBytes(op.getOutputElementType(0));
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, dest);
  Value first = b.divide(base, b.constant(elementBytes));
  Value element = b.add(first, offset);
  // Minus the position, modulo the lanes, which are a power of two.
  Value negated = b.subtract(b.constant(0), element);
  return b.both(negated, b.constant(schedule.lanes - 1));
}
