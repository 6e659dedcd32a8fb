//===- PipelineStores.cpp - Stores by all threads of a block --------------===//
//
// What threads have written to a shared window, a thread need not store to
// memory where it has computed it: neighbouring threads store neighbouring
// vectors, and memory is written in whole sectors, however many points of a row
// a thread computes.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/PipelineStores.h"
#include "PipelineKernel.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

/// Whether what a store reads is in shared memory, and any thread may store it.
bool PipelineKernel::isCooperative(StoreOp store) const {
  auto window = store.getTemp().getDefiningOp<WindowOp>();
  return window && rings.contains(window) && isOfStage(window) &&
         isStoredAlone(store, kernels.getAliases());
}

/// Stores as many points of a row, from `base` on, as lie in the box.
/// `source` is where they are in the window.
void PipelineKernel::storeChunk(const KernelField &field,
                                const SharedRing &ring, BasePoint base,
                                Value source, int64_t length) {
  OpBuilder &builder = kernel.body();
  Location loc = op.getLoc();
  Arithmetic math = kernel.math();
  int64_t last = op.getRank() - 1;
  SmallVector<int64_t> extents(op.getRank(), 1);
  extents.back() = length;
  OpBuilder::InsertionGuard guard(builder);
  if (Value whole = grid.isInside(kernel, base, extents)) {
    // A vector may lie half in the box, unless its ends are between vectors.
    BoundsAttr box = op.getDomain();
    auto isBetween = [&](int64_t bound) {
      return !isSymbolic(bound) && bound % length == 0;
    };
    bool isSplit = length > 1 && !(isBetween(box.getLb()[last]) &&
                                   isBetween(box.getUb()[last]));
    auto branch = scf::IfOp::create(builder, loc, whole, isSplit);
    if (isSplit) {
      builder.setInsertionPoint(branch.elseBlock()->getTerminator());
      for (int64_t lane = 0; lane < length; ++lane) {
        BasePoint one = base;
        one.coordinates[last] = math.add(base.coordinates[last], lane);
        storeChunk(field, ring, one, math.add(source, lane), 1);
      }
    }
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  RowAddresses addresses(kernel, base);
  Value target = addresses.get(field, SmallVector<int64_t>(op.getRank(), 0));
  source = math.toIndex(source);
  if (length == 1) {
    Value value =
        memref::LoadOp::create(builder, loc, ring.getElements(), source);
    memref::StoreOp::create(builder, loc, value, field.buffer, target);
    return;
  }
  int64_t bytes = length * getElementBytes(ring.getElementType());
  kernel.requireAlignment(bytes);
  llvm::MaybeAlign alignment(bytes);
  Value vector = vector::LoadOp::create(
      builder, loc, VectorType::get({length}, ring.getElementType()),
      ring.getElements(), source, /*nontemporal=*/false, alignment);
  vector::StoreOp::create(builder, loc, vector, field.buffer, target,
                          /*nontemporal=*/false, alignment);
}

/// Deals the tile out to the threads in vectors.
void PipelineKernel::emitCooperativeStore(StoreOp store,
                                          const PipelineStep &step) {
  OpBuilder &builder = kernel.body();
  Arithmetic math = kernel.math();
  const SharedRing &ring = *rings[store.getTemp().getDefiningOp<WindowOp>()];
  const KernelField &field = stores[store.getField()];
  int64_t last = op.getRank() - 1;
  int64_t length =
      context.getWalk() == last
          ? 1
          : getVectorLength(kernels, field.type, grid.getTileAlignment());
  Value slot = ring.getSlot(step, -ring.getPlanned().newest);
  Value plane = math.mul(slot, ring.getPlaneElements());
  int64_t count = 1;
  for (int64_t axis = 0; axis <= last; ++axis)
    if (context.getWalk() != axis)
      count *= context.getTile(axis);
  count /= length;
  int64_t threads = context.countThreads();
  for (int64_t first = 0; first < count; first += threads) {
    Value number = math.add(context.threadNumber, first);
    OpBuilder::InsertionGuard guard(builder);
    if (first + threads > count) {
      auto branch = scf::IfOp::create(builder, op.getLoc(),
                                      math.less(number, math.constant(count)));
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    BasePoint base = getBase(step, 0);
    Value source = plane, rest = number;
    int64_t left = count;
    for (int64_t axis = last; axis >= 0; --axis) {
      if (context.getWalk() == axis)
        continue;
      int64_t width = axis == last ? length : 1;
      int64_t extent = context.getTile(axis) / width;
      // What is left of the number needs no remainder along the last digit.
      left /= extent;
      Value digit = left == 1 ? rest : math.rem(rest, math.constant(extent));
      Value along = math.mul(digit, width);
      rest =
          left == 1 ? math.constant(0) : math.div(rest, math.constant(extent));
      base.coordinates[axis] = math.add(context.tileStart[axis], along);
      Value inWindow = math.add(along, ring.getOrigin()[axis]);
      source = math.add(source, math.mul(inWindow, ring.getStrides()[axis]));
    }
    storeChunk(field, ring, base, source, length);
  }
}
