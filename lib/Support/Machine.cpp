//===- Machine.cpp - What the machine at hand can do ----------------------===//

#include "StencilDialect/Support/Machine.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <set>
#include <sys/sysinfo.h>
#include <thread>
#include <vector>

using namespace stencil;
using llvm::StringRef;
using llvm::Twine;

static constexpr uint64_t kMiB = uint64_t(1) << 20;
static constexpr uint64_t kGiB = uint64_t(1) << 30;

/// The text of a file under /proc or /sys, trimmed; empty if there is none.
static std::string readSystemFile(const Twine &path) {
  // Their size is not known beforehand: to be read as a stream.
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  return file ? (*file)->getBuffer().trim().str() : std::string();
}

static std::optional<uint64_t> parseNumber(StringRef text) {
  uint64_t value;
  if (text.trim().consumeInteger(10, value))
    return std::nullopt;
  return value;
}

/// The number in the line "KEY 123 ..." of a text.
static std::optional<uint64_t> findNumber(StringRef text, StringRef key) {
  for (StringRef line : llvm::split(text, '\n'))
    if (line.consume_front(key))
      return parseNumber(line);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// What the limit in a control group's directory leaves. File pages that were
/// not used of late count as used, but the kernel gives them back.
static uint64_t getGroupLimit(const Twine &directory, StringRef limitName,
                              StringRef usageName, StringRef cacheKey) {
  std::optional<uint64_t> limit =
      parseNumber(readSystemFile(directory + "/" + limitName));
  std::optional<uint64_t> usage =
      parseNumber(readSystemFile(directory + "/" + usageName));
  if (!limit || !usage)
    return std::numeric_limits<uint64_t>::max();
  std::string statistics = readSystemFile(directory + "/memory.stat");
  uint64_t cache = findNumber(statistics, cacheKey).value_or(0);
  uint64_t used = *usage - std::min(cache, *usage);
  return *limit - std::min(used, *limit);
}

uint64_t stencil::getAvailableMemory() {
  uint64_t available;
  if (auto kilobytes =
          findNumber(readSystemFile("/proc/meminfo"), "MemAvailable:")) {
    available = *kilobytes * 1024;
  } else {
    struct sysinfo info;
    available = sysinfo(&info) == 0 ? uint64_t(info.freeram) * info.mem_unit
                                    : std::numeric_limits<uint64_t>::max();
  }

  available =
      std::min(available,
               getGroupLimit("/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                             "memory.usage_in_bytes", "total_inactive_file "));
  // Version 2: our group and all those around it have limits.
  std::string groups = readSystemFile("/proc/self/cgroup");
  for (StringRef line : llvm::split(groups, '\n')) {
    if (!line.consume_front("0::"))
      continue;
    for (StringRef group = line; !group.empty();
         group = llvm::sys::path::parent_path(group)) {
      available = std::min(available,
                           getGroupLimit("/sys/fs/cgroup" + group, "memory.max",
                                         "memory.current", "inactive_file "));
      if (group == "/")
        break;
    }
  }
  return available;
}

llvm::Error stencil::checkFitsInMemory(uint64_t bytes, const Twine &what) {
  uint64_t available = getAvailableMemory();
  // Whoever fills the memory to the last page is killed, not refused.
  uint64_t limit = available - available / 16;
  if (bytes <= limit)
    return llvm::Error::success();
  auto print = [](uint64_t size) {
    std::string text;
    llvm::raw_string_ostream(text)
        << llvm::format("%.1f GiB", double(size) / double(kGiB));
    return text;
  };
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 what + ": expected at most " + print(limit) +
                                     " of memory, got " + print(bytes));
}

std::optional<uint64_t> stencil::getByteSize(llvm::ArrayRef<int64_t> shape,
                                             unsigned elementSize) {
  // Without elements, other extents may be as large as they like.
  bool isEmpty = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      return std::nullopt;
    isEmpty |= extent == 0;
  }
  if (isEmpty)
    return 0;
  uint64_t bytes = elementSize;
  for (int64_t extent : shape)
    bytes = llvm::SaturatingMultiply(bytes, uint64_t(extent));
  if (bytes > uint64_t(std::numeric_limits<int64_t>::max()))
    return std::nullopt;
  return bytes;
}

//===----------------------------------------------------------------------===//
// Processors and caches
//===----------------------------------------------------------------------===//

unsigned stencil::getNumUsableCpus() {
  return std::max(1u, llvm::hardware_concurrency().compute_thread_count());
}

namespace {
/// A cache for data that a CPU sees.
struct Cache {
  uint64_t level, bytes;
  /// The CPUs that share it, as "0-3,8".
  std::string cpus;
};
} // namespace

static std::vector<Cache> getCaches(unsigned cpu) {
  std::vector<Cache> caches;
  for (unsigned index = 0;; ++index) {
    std::string directory = ("/sys/devices/system/cpu/cpu" + Twine(cpu) +
                             "/cache/index" + Twine(index))
                                .str();
    auto level = parseNumber(readSystemFile(directory + "/level"));
    std::string sizeText = readSystemFile(directory + "/size");
    auto size = parseNumber(sizeText);
    if (!level || !size)
      return caches;
    uint64_t unit = StringRef(sizeText).ends_with("M")   ? kMiB
                    : StringRef(sizeText).ends_with("K") ? 1024
                                                         : 1;
    if (readSystemFile(directory + "/type") != "Instruction")
      caches.push_back({*level, *size * unit,
                        readSystemFile(directory + "/shared_cpu_list")});
  }
}

uint64_t stencil::getLastLevelCacheSize() {
  // The CPUs of a socket may have several last-level caches; one that several
  // CPUs share is counted once.
  uint64_t bestLevel = 0, total = 0;
  std::set<std::string> seen;
  unsigned numCpus = std::thread::hardware_concurrency();
  for (unsigned cpu = 0; cpu < numCpus; ++cpu) {
    for (const Cache &cache : getCaches(cpu)) {
      if (cache.level < bestLevel)
        continue;
      if (cache.level > bestLevel) {
        bestLevel = cache.level;
        total = 0;
        seen.clear();
      }
      if (seen.insert(cache.cpus).second)
        total += cache.bytes;
    }
  }
  return total ? total : 32 * kMiB;
}

/// The CPUs in a list such as "0-3,8"; at least 1.
static uint64_t countCpus(StringRef list) {
  uint64_t count = 0;
  for (StringRef range : llvm::split(list, ',')) {
    auto [first, last] = range.split('-');
    uint64_t from = parseNumber(first).value_or(0);
    count += std::max(from, parseNumber(last).value_or(from)) - from + 1;
  }
  return std::max<uint64_t>(count, 1);
}

uint64_t stencil::getCacheShare(unsigned level) {
  for (const Cache &cache : getCaches(0))
    if (cache.level == level)
      return cache.bytes / countCpus(cache.cpus);
  return kMiB;
}

//===----------------------------------------------------------------------===//
// Memory bandwidth
//===----------------------------------------------------------------------===//

namespace {
/// Lets threads go on when all have arrived. Spins, as passes are short.
class Barrier {
public:
  explicit Barrier(unsigned count) : count(count) {}
  void wait() {
    unsigned current = generation.load();
    if (arrived.fetch_add(1) + 1 == count) {
      arrived.store(0);
      generation.store(current + 1);
      return;
    }
    while (generation.load() == current)
      std::this_thread::yield();
  }

private:
  const unsigned count;
  std::atomic<unsigned> arrived{0};
  std::atomic<unsigned> generation{0};
};
} // namespace

/// Not inlined, so that the compiler cannot see that nobody reads `a`.
[[gnu::noinline]] static void triad(double *__restrict a,
                                    const double *__restrict b,
                                    const double *__restrict c, double s,
                                    size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i)
    a[i] = b[i] + s * c[i];
}

/// The same, around the caches where the compiler has a way to say so: then the
/// lines of `a` are not read first. `begin` and `end` are multiples of
/// kTriadUnit, and `a` lies at one.
[[gnu::noinline]] static void streamTriad(double *__restrict a,
                                          const double *__restrict b,
                                          const double *__restrict c, double s,
                                          size_t begin, size_t end) {
#if __has_builtin(__builtin_nontemporal_store)
  using Pair = double __attribute__((vector_size(2 * sizeof(double))));
  for (size_t i = begin; i < end; i += 2)
    __builtin_nontemporal_store(Pair{b[i] + s * c[i], b[i + 1] + s * c[i + 1]},
                                reinterpret_cast<Pair *>(a + i));
#else
  triad(a, b, c, s, begin, end);
#endif
}

/// Doubles of a cache line.
static constexpr size_t kTriadUnit = 8;

double stencil::measureTriadBandwidth(const TriadOptions &options) {
  unsigned threads = options.threads ? options.threads : getNumUsableCpus();
  uint64_t arrayBytes = options.arrayBytes;
  if (arrayBytes == 0)
    arrayBytes = std::min(
        {4 * getLastLevelCacheSize(), kGiB, getAvailableMemory() / 12});
  if (arrayBytes > getAvailableMemory() / 3)
    return 0;
  size_t units =
      std::max<uint64_t>(arrayBytes / (kTriadUnit * sizeof(double)), threads);
  size_t n = units * kTriadUnit;

  // Not initialised here: each page is to belong to the thread that uses it.
  auto allocate = [&] {
    return std::unique_ptr<double, decltype(&std::free)>(
        static_cast<double *>(std::aligned_alloc(kTriadUnit * sizeof(double),
                                                 n * sizeof(double))),
        &std::free);
  };
  auto a = allocate(), b = allocate(), c = allocate();
  if (!a || !b || !c)
    return 0;

  Barrier barrier(threads);
  std::chrono::duration<double> best{std::numeric_limits<double>::infinity()};
  auto work = [&](unsigned thread) {
    size_t begin = units / threads * thread * kTriadUnit;
    size_t end =
        thread + 1 == threads ? n : units / threads * (thread + 1) * kTriadUnit;
    for (size_t i = begin; i < end; ++i) {
      a.get()[i] = 0;
      b.get()[i] = 1;
      c.get()[i] = 2;
    }
    // Pass 0 warms up; the others store plainly and around the caches in turns.
    for (unsigned pass = 0; pass <= options.repeats; ++pass) {
      barrier.wait();
      auto start = std::chrono::steady_clock::now();
      (pass % 2 == 0 ? triad : streamTriad)(a.get(), b.get(), c.get(), 3.0,
                                            begin, end);
      barrier.wait();
      // From the first start to the last end, to within a barrier.
      if (thread == 0 && pass > 0)
        best = std::min<decltype(best)>(best, std::chrono::steady_clock::now() -
                                                  start);
    }
  };
  std::vector<std::thread> workers;
  for (unsigned thread = 1; thread < threads; ++thread)
    workers.emplace_back(work, thread);
  work(0);
  for (std::thread &worker : workers)
    worker.join();
  return 3.0 * sizeof(double) * double(n) / best.count();
}
