//===- BufferSharing.cpp - Memory for what does not live together ---------===//

#include "StencilDialect/Analysis/BufferSharing.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <map>

using namespace stencil;

llvm::SmallVector<unsigned>
stencil::shareSlots(llvm::ArrayRef<LiveInterval> intervals) {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, intervals.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::make_pair(intervals[a].first, a) <
           std::make_pair(intervals[b].first, b);
  });
  // By type: the slots, by their last use.
  llvm::DenseMap<mlir::Type, std::multimap<unsigned, unsigned>> slotsOfType;
  llvm::SmallVector<unsigned> slots(intervals.size());
  unsigned numSlots = 0;
  for (unsigned index : order) {
    const LiveInterval &interval = intervals[index];
    std::multimap<unsigned, unsigned> &inUse = slotsOfType[interval.type];
    if (!inUse.empty() && inUse.begin()->first < interval.first) {
      slots[index] = inUse.begin()->second;
      inUse.erase(inUse.begin());
    } else {
      slots[index] = numSlots++;
    }
    inUse.emplace(interval.last, slots[index]);
  }
  return slots;
}
