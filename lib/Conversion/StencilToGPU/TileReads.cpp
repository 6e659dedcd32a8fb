//===- TileReads.cpp - What a thread has read of rings --------------------===//

#include "TileReads.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

/// Where the thread's first point is, found once for each block of ops.
Value TileReads::getBase(Block *at, Value ring, Value cursor, int64_t plane) {
  Plane key{ring.getAsOpaquePointer(),
            cursor ? cursor.getAsOpaquePointer() : nullptr, plane};
  if (auto known = bases.find(key); known != bases.end())
    return known->second;
  std::pair here(at, &held.getGroup());
  if (at != block && branch != here) {
    branch = here;
    branchBases.clear();
  }
  Value &base = (at == block ? bases : branchBases)[key];
  if (!base)
    base = held.getRingBase(ring, cursor, plane);
  return base;
}

Value TileReads::get(OpBuilder &builder, Value ringValue, Value cursor,
                     int64_t plane, ArrayRef<int64_t> offset) {
  TileRing &ring = held.block.rings[ringValue];
  Type element = ring.type.getElementType();
  Location loc = held.block.kernel.getLoc();
  OpBuilder &body = held.block.kernel.body();
  // What is read in a branch is known there only.
  bool isHere = builder.getInsertionBlock() == block;
  OpBuilder::InsertionGuard guard(body);
  body.restoreInsertionPoint(builder.saveInsertionPoint());
  Plane key{ringValue.getAsOpaquePointer(),
            cursor ? cursor.getAsOpaquePointer() : nullptr, plane};
  Value base = getBase(builder.getInsertionBlock(), ringValue, cursor, plane);
  Arithmetic wide(builder, loc, builder.getIndexType());
  int64_t position = held.block.findInSlot(ring, offset).value_or(0);
  int64_t length = std::min(ring.vectorLength, held.getGroup().getAlignment());
  int64_t lane = llvm::mod(offset.back(), length);
  auto extract = [&](Value value) -> Value {
    return length == 1 ? value
                       : vector::ExtractOp::create(builder, loc, value, lane);
  };
  // A branch uses what is known around it, and reads what it needs besides.
  if (!isHere) {
    if (auto it = loaded.find({key, position - lane}); it != loaded.end())
      return extract(it->second);
    lane = 0;
    length = 1;
  }
  auto load = [&]() -> Value {
    Value index = wide.add(base, position - lane);
    if (length == 1)
      return memref::LoadOp::create(builder, loc, ring.elements, index);
    return vector::LoadOp::create(
        builder, loc, VectorType::get({length}, element), ring.elements, index,
        /*nontemporal=*/false,
        llvm::MaybeAlign(length * getElementBytes(element)));
  };
  if (!isHere)
    return load();
  Value &value = loaded[{key, position - lane}];
  if (!value) {
    value = load();
    unsigned number =
        numbers.try_emplace(ringValue, numbers.size()).first->second;
    places[value.getDefiningOp()] = {plane, number, position - lane};
  }
  return extract(value);
}
