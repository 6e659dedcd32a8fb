//===- TileReads.cpp - What a thread has read of rings --------------------===//

#include "TileReads.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

/// Where the thread's first point is, found once for each block of ops.
Value TileReads::getBase(Block *at, Value ring, Value cursor, int64_t plane) {
  Plane key{ring.getAsOpaquePointer(), cursor.getAsOpaquePointer(), plane};
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
  Location loc = held.block.kernel.getLoc();
  OpBuilder &body = held.block.kernel.body();
  // What is read in a branch is known there only.
  bool isHere = builder.getInsertionBlock() == block;
  OpBuilder::InsertionGuard guard(body);
  body.restoreInsertionPoint(builder.saveInsertionPoint());
  Plane key{ringValue.getAsOpaquePointer(), cursor.getAsOpaquePointer(), plane};
  Value base = getBase(builder.getInsertionBlock(), ringValue, cursor, plane);
  Arithmetic wide(builder, loc, builder.getIndexType());
  int64_t position = held.block.findInSlot(ring, offset).value_or(0);
  int64_t length = std::min(ring.vectorLength, held.getGroup().getAlignment());
  int64_t lane = llvm::mod(offset.back(), length);
  // A branch uses what is known around it, and reads what it needs besides.
  if (!isHere) {
    if (auto it = loaded.find({key, position - lane}); it != loaded.end())
      return extract(builder, loc, it->second, lane);
    lane = 0;
    length = 1;
  }
  auto load = [&] {
    Value index = wide.add(base, position - lane);
    return loadElements(builder, loc, length, ring.elements, index);
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
  return extract(builder, loc, value, lane);
}
