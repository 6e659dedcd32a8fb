//===- CPUInfo.cpp - What CPUs have and are fast with ---------------------===//
//
// Sizes are those of the data sheets and optimisation guides: Intel's 64 and
// IA-32 Architectures Optimization Reference Manual, AMD's Software
// Optimization Guides for the EPYC families, Arm's Neoverse Technical Reference
// Manuals. Of a product line with several sizes of the last level, the largest:
// less is written around it.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Target/CPUInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace stencil;

static constexpr uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

namespace {
/// The caches of a processor: two levels of each core, and a third that
/// `sharing` hardware threads share.
struct Entry {
  llvm::StringRef name;
  uint64_t first, second, third;
  unsigned sharing;
  /// See CPUInfo.
  unsigned windowLevel = 2, lineLoads = 2;
  bool jointPlanesPlain = false;
  int64_t fewLoadsOfVolume = 25, wideLoadsOfVolume = 21;
  unsigned memoryVectorBits = 0;
  int64_t jointRows = 2, jointRowsPercent = 70;
};
} // namespace

static constexpr Entry kGeneric = {"generic", 32 * kKiB, kMiB, 32 * kMiB, 16};

/// AMD's Zen that came later than those below. Blocks for the second level,
/// which gain on Intel's servers, cost a quarter on these.
static constexpr Entry kLaterZen = {
    "znver",      32 * kKiB,       kMiB,       32 * kMiB,   16,
    /*window=*/3,
    /*loads=*/2,  /*planes=*/true, /*few=*/27, /*wide=*/21, /*memory=*/256,
    /*rows=*/4,   /*percent=*/76};

static constexpr Entry entries[] = {
    // AMD: cores in groups with a third level of their own; two threads each.
    // A Zen 5 has 13 to 27 points of a volume 1.14 to 2 times as fast by four
    // planes that are stored plainly (docs/notebook.md, On CPUs).
    // A Zen 4 loads one line in a cycle: as measured (docs/benchmarks.md), 9
    // points of a plane and 27 of a volume are 1.2 times as fast where vectors
    // of 512 bits that lie across two lines are made of others.
    {"znver1", 32 * kKiB, 512 * kKiB, 8 * kMiB, 8, /*window=*/3},
    {"znver2", 32 * kKiB, 512 * kKiB, 16 * kMiB, 8, /*window=*/3},
    {"znver3", 32 * kKiB, 512 * kKiB, 32 * kMiB, 16, /*window=*/3},
    {"znver4", 32 * kKiB, kMiB, 32 * kMiB, 16, /*window=*/3, /*loads=*/1},
    {"znver5", 48 * kKiB, kMiB, 32 * kMiB, 16, /*window=*/3, /*loads=*/2,
     /*planes=*/true, /*few=*/27, /*wide=*/21, /*memory=*/256,
     /*rows=*/4, /*percent=*/76},
    // Intel's servers: one third level for the chip. 16 cores of an Emerald
    // Rapids have 7 to 27 points of a volume 1.07 to 1.12 times as fast by the
    // widest vectors around the caches (docs/notebook.md, Threads).
    {"haswell", 32 * kKiB, 256 * kKiB, 45 * kMiB, 36},
    {"broadwell", 32 * kKiB, 256 * kKiB, 60 * kMiB, 48},
    {"skylake-avx512", 32 * kKiB, kMiB, 38 * kMiB, 56},
    {"cascadelake", 32 * kKiB, kMiB, 38 * kMiB, 56},
    {"cooperlake", 32 * kKiB, kMiB, 38 * kMiB, 56},
    {"icelake-server", 48 * kKiB, 1280 * kKiB, 60 * kMiB, 80},
    {"sapphirerapids", 48 * kKiB, 2 * kMiB, 112 * kMiB, 120, /*window=*/2,
     /*loads=*/2, /*planes=*/false, /*few=*/27, /*wide=*/1},
    {"emeraldrapids", 48 * kKiB, 2 * kMiB, 320 * kMiB, 128, /*window=*/2,
     /*loads=*/2, /*planes=*/false, /*few=*/27, /*wide=*/1},
    // Two cores of a Granite Rapids have four rows of diamonds in planes 1.1
    // times as fast as two (docs/notebook.md, On CPUs).
    {"graniterapids", 48 * kKiB, 2 * kMiB, 504 * kMiB, 256, /*window=*/2,
     /*loads=*/2, /*planes=*/false, /*few=*/27, /*wide=*/1, /*memory=*/0,
     /*rows=*/4, /*percent=*/76},
    // Arm's server cores, one thread each.
    {"neoverse-n1", 64 * kKiB, kMiB, 32 * kMiB, 64},
    {"neoverse-n2", 64 * kKiB, kMiB, 64 * kMiB, 128},
    {"neoverse-v1", 64 * kKiB, kMiB, 32 * kMiB, 64},
    {"neoverse-v2", 64 * kKiB, 2 * kMiB, 114 * kMiB, 72},
    {"grace", 64 * kKiB, 2 * kMiB, 114 * kMiB, 72},
};

static const Entry *findNamed(llvm::StringRef name) {
  const Entry *found = llvm::find_if(
      entries, [&](const Entry &entry) { return entry.name == name; });
  return found == std::end(entries) ? nullptr : found;
}

llvm::StringRef stencil::getServerWithTiles(llvm::StringRef name,
                                            uint64_t lastLevelBytes) {
  if (findNamed(name))
    return name;
  static constexpr llvm::StringRef servers[] = {
      "sapphirerapids", "emeraldrapids", "graniterapids"};
  for (llvm::StringRef server : servers)
    if (lastLevelBytes <= findNamed(server)->third)
      return server;
  return name;
}

static Entry findEntry(llvm::StringRef name) {
  if (const Entry *entry = findNamed(name))
    return *entry;
  return name.starts_with(kLaterZen.name) ? kLaterZen : kGeneric;
}

CPUInfo stencil::getCPUInfo(llvm::StringRef name) {
  Entry entry = findEntry(name);
  CPUInfo info;
  info.name = name.str();
  info.caches = {
      {1, entry.first, 1, entry.first},
      {2, entry.second, 1, entry.second},
      {3, entry.third, entry.sharing, entry.third},
  };
  info.windowLevel = entry.windowLevel;
  info.lineLoads = entry.lineLoads;
  info.jointPlanesPlain = entry.jointPlanesPlain;
  info.fewLoadsOfVolume = entry.fewLoadsOfVolume;
  info.wideLoadsOfVolume = entry.wideLoadsOfVolume;
  info.memoryVectorBits = entry.memoryVectorBits;
  info.jointRows = entry.jointRows;
  info.jointRowsPercent = entry.jointRowsPercent;
  return info;
}

CPUInfo stencil::withCaches(CPUInfo info,
                            const std::vector<CacheLevel> &caches) {
  info.assumesCaches = caches.empty();
  if (!caches.empty())
    info.caches = caches;
  return info;
}

uint64_t CPUInfo::getCacheShare(unsigned level) const {
  for (const CacheLevel &cache : caches)
    if (cache.level == level)
      return cache.bytes / cache.sharedBy;
  return kMiB;
}

uint64_t CPUInfo::getLastLevelBytes() const {
  return caches.empty() ? 32 * kMiB : caches.back().totalBytes;
}

std::string CPUInfo::describeCaches() const {
  return llvm::formatv("{0} KiB of cache for each core and {1} MiB of "
                       "last-level cache",
                       getWindowBytes() / kKiB, getLastLevelBytes() / kMiB);
}
