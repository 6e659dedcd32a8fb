//===- Machine.h - What the machine at hand can do --------------*- C++ -*-===//
//
// Memory, cores, cache and memory bandwidth of the machine (or of the container
// that limits us), for refusing what cannot fit and for relating a measured
// speed to what is possible.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_MACHINE_H
#define STENCILDIALECT_SUPPORT_MACHINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace stencil {

/// Bytes that can be allocated without swapping: MemAvailable of the kernel, or
/// what the control group leaves if that is less.
uint64_t getAvailableMemory();

/// Fails if `bytes` more do not fit in the available memory (all but a
/// sixteenth of it). `what` starts the message:
///   field '%arg0': expected at most 22.1 GiB of memory, got 4096.0 GiB
llvm::Error checkFitsInMemory(uint64_t bytes, const llvm::Twine &what);

/// The product of extents and element size in bytes; nothing if an extent is
/// negative or the product exceeds 2^63 - 1.
std::optional<uint64_t> getByteSize(llvm::ArrayRef<int64_t> shape,
                                    unsigned elementSize);

/// Logical CPUs that this process may run on; at least 1.
unsigned getNumUsableCpus();

/// The caches for data of one level, as one of several alike.
struct CacheLevel {
  unsigned level = 0;
  /// Of one cache.
  uint64_t bytes = 0;
  /// Logical CPUs that share one.
  unsigned sharedBy = 1;
  /// Of all caches of this level.
  uint64_t totalBytes = 0;
};

/// The caches that a directory such as /sys/devices/system/cpu tells of, by
/// level; those of as many CPUs. Empty if it says nothing.
std::vector<CacheLevel> readCaches(llvm::StringRef directory, unsigned numCpus);

/// Those of the machine at hand, read once.
const std::vector<CacheLevel> &getHostCaches();

/// Bytes of all last-level caches of the machine; 32 MiB if unknown.
uint64_t getLastLevelCacheSize();

struct TriadOptions {
  /// 0: one thread on each usable CPU.
  unsigned threads = 0;
  /// Bytes of one array. 0: four times the last-level cache, but together at
  /// most 3 GiB and a quarter of the available memory.
  uint64_t arrayBytes = 0;
  /// With stores of each kind.
  unsigned repeats = 5;
};

/// Bytes per second: with plain stores, which read the lines first, and with
/// stores around the caches. 0 if it was not measured.
struct TriadBandwidth {
  double plain = 0, streamed = 0;
  double getBest() const { return plain > streamed ? plain : streamed; }
};

/// The STREAM triad a[i] = b[i] + s*c[i] in double, counted as STREAM does (24
/// bytes an element, no write-allocate traffic; McCalpin 1995), in huge pages
/// where there are any: the best of several passes after one for warming up. 0
/// if the arrays do not fit in the memory.
TriadBandwidth measureTriadBandwidth(const TriadOptions &options = {});

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_MACHINE_H
