//===- Caches.cpp - The caches of the machine at hand ---------------------===//

#include "StencilDialect/Support/Machine.h"
#include "SystemFiles.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <map>
#include <set>
#include <thread>

using namespace stencil;
using llvm::StringRef;
using llvm::Twine;

static constexpr uint64_t kMiB = uint64_t(1) << 20;

/// The CPUs in a list such as "0-3,8"; at least 1.
static unsigned countCpus(StringRef list) {
  uint64_t count = 0;
  for (StringRef range : llvm::split(list, ',')) {
    auto [first, last] = range.split('-');
    uint64_t from = parseNumber(first).value_or(0);
    count += std::max(from, parseNumber(last).value_or(from)) - from + 1;
  }
  return std::max<uint64_t>(count, 1);
}

std::vector<CacheLevel> stencil::readCaches(StringRef directory,
                                            unsigned numCpus) {
  // The CPUs of a socket may have several caches of a level; one that several
  // CPUs share is counted once.
  std::map<unsigned, CacheLevel> levels;
  std::set<std::pair<unsigned, std::string>> seen;
  for (unsigned cpu = 0; cpu < numCpus; ++cpu) {
    for (unsigned index = 0;; ++index) {
      std::string cache =
          (directory + "/cpu" + Twine(cpu) + "/cache/index" + Twine(index))
              .str();
      auto number = parseNumber(readSystemFile(cache + "/level"));
      std::string sizeText = readSystemFile(cache + "/size");
      auto size = parseNumber(sizeText);
      if (!number || !size)
        break;
      if (readSystemFile(cache + "/type") == "Instruction")
        continue;
      uint64_t unit = StringRef(sizeText).ends_with("M")   ? kMiB
                      : StringRef(sizeText).ends_with("K") ? 1024
                                                           : 1;
      std::string cpus = readSystemFile(cache + "/shared_cpu_list");
      CacheLevel &level = levels[*number];
      if (level.bytes == 0)
        level = {static_cast<unsigned>(*number), *size * unit, countCpus(cpus),
                 /*totalBytes=*/0};
      if (seen.emplace(*number, cpus).second)
        level.totalBytes += *size * unit;
    }
  }
  std::vector<CacheLevel> result;
  for (const auto &[number, level] : levels)
    if (level.bytes > 0)
      result.push_back(level);
  return result;
}

const std::vector<CacheLevel> &stencil::getHostCaches() {
  static const std::vector<CacheLevel> caches = readCaches(
      "/sys/devices/system/cpu", std::thread::hardware_concurrency());
  return caches;
}

uint64_t stencil::getLastLevelCacheSize() {
  const std::vector<CacheLevel> &caches = getHostCaches();
  return caches.empty() ? 32 * kMiB : caches.back().totalBytes;
}
