//===- ApplyShape.h - What the loops of an apply look like ------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_APPLYSHAPE_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_APPLYSHAPE_H

#include "LoopKeys.h"

namespace stencil {

/// The description of a CPU (Target/CPUInfo.h), as the options of
/// stencil-shape-loops have it, and what it was asked for.
struct CPUFacts {
  /// Vectors that are fast, and the widest.
  int64_t vectorBits = 0, wideVectorBits = 0;
  /// Of what is known to exceed the caches; 0: as of others.
  int64_t memoryVectorBits = 0;
  uint64_t cacheBytes = 0, coreCacheBytes = 0, ownCacheBytes = 0;
  int64_t lineBytes = 0, prefetchBytes = 0;
  int64_t threads = 1, parallelPoints = 0;
  int64_t tileRows = 0, tilePlanes = 0, tileRow = 0;
  bool streamRows = false;
  int64_t streamRow = 0, streamRowOfVolume = 0;
  int64_t jointOps = 0, fewLoads = 0, fewLoadsOfVolume = 0, manyLoads = 0;
  int64_t jointPlanes = 1, jointPlanesPercent = 0;
  int64_t wideLoadsOfVolume = 0;
  bool jointPlanesPlain = false;
  int64_t jointRows = 2;
  uint64_t jointRowsCache = 0;
  int64_t jointRowsPercent = 0;
  int64_t deal = 0, dealtHalos = 0;

  /// Asked for: empty, or 0, where it is to be chosen.
  SmallVector<int64_t> tile;
  int64_t rows = 0, columns = 0, planes = 0;
  bool stream = true;

  /// Of a core's cache: the rest is for what is on its way in and out, and for
  /// lines that share a set.
  int64_t getUsableBytes() const { return getUsable(coreCacheBytes); }
  /// Of its second-level cache.
  int64_t getUsableOwnBytes() const { return getUsable(ownCacheBytes); }
  /// Bytes of fields from which on the caches do not keep them: more than none.
  int64_t getAround() const {
    return std::clamp<uint64_t>(cacheBytes, 1, INT64_MAX);
  }

private:
  static int64_t getUsable(uint64_t bytes) {
    constexpr uint64_t kUsableShare = 2, kMost = uint64_t(1) << 40;
    return std::min(bytes / kUsableShare, kMost);
  }
};

/// Bytes of a point in all fields of a bufferised apply that have its axes.
int64_t countPointBytes(ApplyOp op);

/// How rows are walked of an apply, or of a stage, over a box of such a shape.
LoopKeys chooseNest(ApplyOp op, ArrayRef<int64_t> shape, const CPUFacts &cpu);

/// The same of boxes that a core's cache holds.
LoopKeys chooseNestInCache(ApplyOp op, const CPUFacts &cpu);

/// The loops of a bufferised apply.
LoopKeys chooseApply(ApplyOp op, const CPUFacts &cpu);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_APPLYSHAPE_H
