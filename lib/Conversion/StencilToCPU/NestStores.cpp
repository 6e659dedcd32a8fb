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
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

SmallVector<Value> NestEmitter::indicesOf(OpBuilder &builder, GridType type,
                                          ValueRange point,
                                          ArrayRef<int64_t> position) {
  SmallVector<Value> shifted;
  for (auto [coordinate, offset] : llvm::zip_equal(point, position))
    shifted.push_back(add(builder, coordinate, constant(builder, offset)));
  return extents.getIndices(builder, loc, type, shifted);
}

/// Stores the first or the last lanes of a vector, one by one: no byte of
/// another line is touched. A masked store of the whole vector reaches into the
/// next line, which is written around the cache: it would be read, and waited
/// for. Lanes have fixed numbers, as LLVM computes one of any number again.
void NestEmitter::storeLanes(OpBuilder &builder, Value dest, ValueRange indices,
                             Value value, const Lanes &lanes) {
  OpBuilder::InsertionGuard guard(builder);
  for (int64_t number = 0; number + 1 < lanes.count; ++number) {
    Value isStored =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                              lanes.numStored, constant(builder, number));
    auto branch = scf::IfOp::create(builder, loc, isStored);
    // Behind the first that is not stored, none is.
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    int64_t lane = lanes.fromEnd ? lanes.count - 1 - number : number;
    SmallVector<Value> shifted(indices);
    shifted.back() = add(builder, shifted.back(), constant(builder, lane));
    Value element = vector::ExtractOp::create(builder, loc, value, lane);
    memref::StoreOp::create(builder, loc, element, dest, shifted);
  }
}

SmallVector<NestEmitter::Place, 1>
NestEmitter::findPlaces(OpBuilder &builder, unsigned result, ValueRange point,
                        ArrayRef<int64_t> position) {
  Place place{dests[result],
              indicesOf(builder, destType(result), point, position)};
  return {place};
}

/// Stores a value, or lanes of one where `set` says so.
void NestEmitter::storeAt(OpBuilder &builder, const Place &place, Value value,
                          Value set, const Lanes &lanes) {
  if (lanes.numStored) {
    storeLanes(builder, place.memory, place.indices, value, lanes);
  } else if (lanes.count > 1 && set) {
    vector::MaskedStoreOp::create(builder, loc, place.memory, place.indices,
                                  set, value);
  } else if (lanes.count > 1) {
    llvm::MaybeAlign align;
    if (lanes.stream)
      align = llvm::Align(
          lanes.count *
          getElementBytes(
              cast<MemRefType>(place.memory.getType()).getElementType()));
    vector::StoreOp::create(builder, loc, value, place.memory, place.indices,
                            lanes.stream, align);
  } else if (set) {
    auto branch = scf::IfOp::create(builder, loc, set);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    memref::StoreOp::create(builder, loc, value, place.memory, place.indices);
  } else {
    memref::StoreOp::create(builder, loc, value, place.memory, place.indices);
  }
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
    // Position within the group of points, row-major.
    SmallVector<int64_t> position(unroll.size());
    int64_t rest = index % factor;
    for (int64_t axis = unroll.size() - 1; axis >= 0; --axis) {
      position[axis] = rest % unroll[axis];
      rest /= unroll[axis];
    }
    for (const Place &place :
         findPlaces(builder, index / factor, point, position))
      storeAt(builder, place, lane.value, set, lanes);
  }
}

/// The bytes of the fields that the apply reads and writes exceed the cache,
/// and rows are long enough for the ends, which are stored in part, not to
/// matter.
Value NestEmitter::paysToStream(OpBuilder &builder) {
  Value bytes = constant(builder, countPointBytes(op));
  for (int64_t axis = 0; axis < op.getRank(); ++axis)
    bytes = arith::MulIOp::create(
        builder, loc, bytes,
        memref::DimOp::create(builder, loc, dests.front(), axis));
  Value isLarge =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, bytes,
                            constant(builder, loops.getAround()));
  Value row =
      memref::DimOp::create(builder, loc, dests.front(), op.getRank() - 1);
  Value isLong =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, row,
                            constant(builder, loops.getAroundRow()));
  return arith::AndIOp::create(builder, loc, isLarge, isLong);
}

/// Elements of `memory` from one point to the next along an axis.
Value NestEmitter::getStride(OpBuilder &builder, Value memory, int64_t axis) {
  auto type = cast<MemRefType>(memory.getType());
  if (!type.getLayout().isIdentity())
    return memref::ExtractStridedMetadataOp::create(builder, loc, memory)
        .getStrides()[axis];
  Value stride = memref::DimOp::create(builder, loc, memory, axis + 1);
  for (int64_t inner = axis + 2; inner < type.getRank(); ++inner)
    stride = arith::MulIOp::create(
        builder, loc, stride,
        memref::DimOp::create(builder, loc, memory, inner));
  return stride;
}

Value NestEmitter::countToAlignment(OpBuilder &builder, ValueRange point) {
  SmallVector<int64_t> position(point.size(), 0);
  Place place = findPlaces(builder, 0, point, position).front();
  Value dest = place.memory;
  ArrayRef<Value> indices = place.indices;
  Value offset = indices.back();
  for (size_t axis = 0; axis + 1 < indices.size(); ++axis)
    offset = add(builder, offset,
                 arith::MulIOp::create(builder, loc, indices[axis],
                                       getStride(builder, dest, axis)));
  unsigned elementBytes = getElementBytes(op.getOutputElementType(0));
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
