//===- CPUInfo.h - What CPUs have and are fast with -------------*- C++ -*-===//
//
// The one place where processors differ: the choices of the lowering ask a
// description for what it has, not for its name. What processors with a name
// of LLVM's have is in CPUInfo.cpp; of the machine at hand the system says how
// large its caches are, and who shares them.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_CPUINFO_H
#define STENCILDIALECT_TARGET_CPUINFO_H

#include "StencilDialect/Support/Machine.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stencil {

struct CPUInfo {
  /// As LLVM calls it.
  std::string name;
  /// Hardware threads that share the work if nobody says how many do.
  unsigned cores = 16;
  /// Bits of the vectors that it computes fastest with, and of its widest.
  unsigned vectorBits = 256, wideVectorBits = 0;
  /// Of the vectors of what is known to exceed the caches, unless loads or
  /// operations are its bound; 0: as of others. On a Zen 5 5 to 25 points are
  /// 1.25 to 2 times as fast so, and within the caches slower
  /// (docs/notebook.md, On CPUs).
  unsigned memoryVectorBits = 0;
  /// Bytes that come from memory together.
  unsigned lineBytes = 64;
  /// By level, from the first on.
  std::vector<CacheLevel> caches;
  /// `caches` are assumed: the system does not tell of them.
  bool assumesCaches = false;

  /// The level that is to hold the planes around the one that a core computes:
  /// 2, or 3 where few cores share the third and it is nearly as fast.
  unsigned windowLevel = 2;
  /// How far ahead of their use lines are fetched, in bytes along a row: as far
  /// as it takes a line to come from memory (docs/benchmarks.md); 0: they are
  /// not.
  uint64_t prefetchBytes = 2048;
  /// A plane of few loads that exceeds the caches is computed faster row by
  /// row, each written around them, than two rows at a time, which share what
  /// they read.
  bool streamsRows = false;
  /// Rows of fewer elements are not written around the caches: their ends,
  /// which are stored in part, are read first, and what is behind them waits.
  uint64_t streamedRow = 2048;
  /// The same in volumes of few loads per point, whose bound is the memory:
  /// from there on 1.3 times as fast on a Zen 4 (docs/notebook.md).
  uint64_t streamedRowOfVolume = 512;
  /// Vectors as long as a line that the first-level cache gives in a cycle. Of
  /// one, those that lie across two lines are made of these
  /// (stencil-share-row-loads).
  unsigned lineLoads = 2;
  /// Per cent of the loads of a body that lie across lines, from which on that
  /// pays: stars in volumes, of whose loads a third does, lose; stars in
  /// planes, of whose it is two fifths and more, gain (Zen 4,
  /// docs/benchmarks.md).
  unsigned acrossPercent = 40;
  /// Taps of the shortest sum that is a loop over its taps: vectors of a row
  /// have few registers for what they share.
  unsigned rolledTaps = 24;
  /// Fewer points are computed by one core before another one is awake.
  uint64_t parallelPoints = 8192;
  /// What is dealt out to the cores together: rows of a plane, planes of a
  /// volume (docs/notebook.md).
  uint64_t tileRows = 16, tilePlanes = 8;
  /// Tiles of what exceeds the caches that a thread takes at a time: cores are
  /// not equally fast, if others have a part of some (docs/notebook.md).
  int64_t deal = 1;
  /// Planes of a tile of a pipeline that a thread takes at a time, for each one
  /// that its stages compute beside what they store: of these few are computed
  /// twice.
  int64_t dealtHalos = 64;
  /// Planes of a volume that are computed together where rows go around the
  /// caches, and per cent of the loads one by one that are left then, up to
  /// which that pays: lines of the second-level cache bound large stars. There
  /// are registers for four; two and eight gain nothing. On 16 cores of a Xeon
  /// 25 points, of which 76 per cent are left, are 1.1 times as fast, 13 points
  /// (77) 1.04 times; 7 points (79) lose (docs/notebook.md, Threads). On a
  /// Zen 5 13 to 25 points are 1.2 to 1.34 times as fast, and 27 of cubes, of
  /// which half are left, more than twice (docs/notebook.md, On CPUs).
  int64_t jointPlanes = 4, jointPlanesPercent = 78;
  /// They pay in volumes that are stored plainly, too.
  bool jointPlanesPlain = false;
  /// Rows that are computed together in tiles that a core's cache holds: of
  /// planes, and of volumes with second-level caches of at most so many bytes,
  /// if no more of the loads one by one are left than so many per cent. Two
  /// rows of cubes of 27 points need two thirds of them: with 1 MiB (Zen 5)
  /// these are 1.5 times as fast, with 2 MiB (Xeon) 1.17 times. On a Zen 5 four
  /// rows of planes of 5 to 13 points are 1.1 to 1.17 times as fast as two, of
  /// 25 points of a volume, of whose loads 76 per cent are left, 1.2 times as
  /// fast as one by one; 13 (77) and 7 (79) are slower (docs/notebook.md, On
  /// CPUs; docs/benchmarks.md).
  int64_t jointRows = 2;
  uint64_t jointRowsCache = uint64_t(1) << 21;
  int64_t jointRowsPercent = 70;
  /// Elements of a row of a tile of a pipeline, where that leaves room for some
  /// rows: memory is fetched by lines and pages.
  int64_t tileRow = 512;
  /// Bodies with more ops are bound by their number: they take the widest
  /// vectors, and are not repeated for several rows, as the code would leave
  /// the instruction cache.
  int64_t jointOps = 512;
  /// Loads of a point up to which memory is the bound: of stars, not of cubes.
  int64_t fewLoads = 20;
  /// The same of volumes: of a star of radius 4 on any machine of many cores,
  /// of cubes of 27 points on some.
  int64_t fewLoadsOfVolume = 25;
  /// Loads from which on volumes that are written around the caches take the
  /// widest vectors.
  int64_t wideLoadsOfVolume = 21;
  /// Loads from which on their number is, and the widest vectors pay: of cubes.
  int64_t manyLoads = 27;

  /// Bytes of the cache of a level for each hardware thread that shares it;
  /// 1 MiB if it has none.
  uint64_t getCacheShare(unsigned level) const;
  /// Bytes of all last-level caches.
  uint64_t getLastLevelBytes() const;
  uint64_t getWindowBytes() const { return getCacheShare(windowLevel); }
  /// Of the level that a core has to itself: it holds a tile of a diamond.
  uint64_t getOwnBytes() const { return getCacheShare(2); }
  /// "1024 KiB of cache for each core and 32 MiB of last-level cache".
  std::string describeCaches() const;
};

/// The name of an Intel server with matrix units (AMX) whose own name is that
/// of no server, as a virtual machine may show another model's number: of those
/// that have these units the first with as large a last-level cache.
llvm::StringRef getServerWithTiles(llvm::StringRef name,
                                   uint64_t lastLevelBytes);

/// What is known of a processor by its name; of one without an entry, or
/// "generic", what most have. Vectors are for whoever makes code.
CPUInfo getCPUInfo(llvm::StringRef name);

/// The same with caches that were read; with none, those of `info` stay, and
/// `assumesCaches` is set.
CPUInfo withCaches(CPUInfo info, const std::vector<CacheLevel> &caches);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_CPUINFO_H
