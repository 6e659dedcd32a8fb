//===- Triad.cpp - The bandwidth of the memory at hand --------------------===//

#include "StencilDialect/Support/Machine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <sys/mman.h>
#include <thread>

using namespace stencil;

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

namespace {
/// An array of the triad, not initialised: each page is to belong to the thread
/// that uses it.
struct TriadArray {
  TriadArray(size_t elements, unsigned number) {
    // Huge pages, and nothing at the same place of a page as the others.
    constexpr size_t hugePage = size_t(2) << 20, shift = 9 * 64;
    size_t bytes = elements * sizeof(double) + 2 * shift;
    size_t alignment = bytes < hugePage ? 64 : hugePage;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    memory.reset(std::aligned_alloc(alignment, bytes));
    if (!memory)
      return;
    if (alignment == hugePage)
      madvise(memory.get(), bytes, MADV_HUGEPAGE);
    start = reinterpret_cast<double *>(static_cast<char *>(memory.get()) +
                                       number * shift);
  }
  std::unique_ptr<void, decltype(&std::free)> memory{nullptr, &std::free};
  double *start = nullptr;
};
} // namespace

TriadBandwidth stencil::measureTriadBandwidth(const TriadOptions &options) {
  unsigned threads = options.threads ? options.threads : getNumUsableCpus();
  uint64_t arrayBytes = options.arrayBytes;
  if (arrayBytes == 0)
    arrayBytes = std::min({4 * getLastLevelCacheSize(), uint64_t(1) << 30,
                           getAvailableMemory() / 12});
  if (arrayBytes > getAvailableMemory() / 3)
    return {};
  size_t units =
      std::max<uint64_t>(arrayBytes / (kTriadUnit * sizeof(double)), threads);
  size_t n = units * kTriadUnit;
  TriadArray a(n, 0), b(n, 1), c(n, 2);
  if (!a.start || !b.start || !c.start)
    return {};

  Barrier barrier(threads);
  using Seconds = std::chrono::duration<double>;
  constexpr double never = std::numeric_limits<double>::infinity();
  Seconds best[2] = {Seconds(never), Seconds(never)};
  auto work = [&](unsigned thread) {
    size_t begin = units / threads * thread * kTriadUnit;
    size_t end =
        thread + 1 == threads ? n : units / threads * (thread + 1) * kTriadUnit;
    for (size_t i = begin; i < end; ++i) {
      a.start[i] = 0;
      b.start[i] = 1;
      c.start[i] = 2;
    }
    // The first pass warms up; the others store plainly and around the caches
    // in turns.
    for (unsigned pass = 0; pass <= 2 * options.repeats; ++pass) {
      bool streams = pass % 2 == 0;
      barrier.wait();
      auto start = std::chrono::steady_clock::now();
      (streams ? streamTriad : triad)(a.start, b.start, c.start, 3.0, begin,
                                      end);
      barrier.wait();
      // From the first start to the last end, to within a barrier.
      if (thread == 0 && pass > 0)
        best[streams] = std::min<Seconds>(
            best[streams], std::chrono::steady_clock::now() - start);
    }
  };
  std::vector<std::thread> workers;
  for (unsigned thread = 1; thread < threads; ++thread)
    workers.emplace_back(work, thread);
  work(0);
  for (std::thread &worker : workers)
    worker.join();
  double bytes = 3.0 * sizeof(double) * double(n);
  return {bytes / best[false].count(), bytes / best[true].count()};
}
