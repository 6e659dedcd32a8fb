//===- BufferSharing.cpp - Memory for what does not live together ---------===//

#include "BufferSharing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace stencil;

/// True if a field of type `slot` can stand for one of type `type`: [0,N) does
/// not contain [0,8) for every N.
static bool canHold(FieldType slot, FieldType type) {
  if (slot.getRank() != type.getRank() ||
      slot.getElementType() != type.getElementType() ||
      !slot.getBounds().contains(type.getBounds()))
    return false;
  auto areOfOneKind = [](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    return llvm::all_of(llvm::zip_equal(a, b), [](auto pair) {
      return isSymbolic(std::get<0>(pair)) == isSymbolic(std::get<1>(pair));
    });
  };
  return areOfOneKind(slot.getBounds().getLb(), type.getBounds().getLb()) &&
         areOfOneKind(slot.getBounds().getUb(), type.getBounds().getUb());
}

BufferSlots stencil::shareBuffers(ArrayRef<LiveInterval> intervals) {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, intervals.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::make_pair(intervals[a].first, a) <
           std::make_pair(intervals[b].first, b);
  });
  BufferSlots slots;
  slots.slotOf.resize(intervals.size());
  SmallVector<unsigned> lastUse;
  for (unsigned index : order) {
    const LiveInterval &interval = intervals[index];
    unsigned slot = 0;
    while (slot < lastUse.size() &&
           (lastUse[slot] >= interval.first ||
            !canHold(slots.types[slot], interval.type)))
      ++slot;
    if (slot == lastUse.size()) {
      slots.types.push_back(interval.type);
      lastUse.push_back(0);
    }
    lastUse[slot] = interval.last;
    slots.slotOf[index] = slot;
  }
  return slots;
}
