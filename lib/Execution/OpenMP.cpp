//===- OpenMP.cpp - LLVM's OpenMP runtime library -------------------------===//

#include "OpenMP.h"
#include "StencilDialect/Execution/Threads.h"
#include "StencilDialect/Support/Machine.h"
#include "llvm/Support/DynamicLibrary.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

using namespace stencil;

const OpenMPLibrary *stencil::findOpenMPLibrary() {
  static const std::optional<OpenMPLibrary> found =
      []() -> std::optional<OpenMPLibrary> {
    for (const char *file : {"libomp.so.5", "libomp.so"}) {
      // Not any library: the host may have another one of the same functions.
      auto library = llvm::sys::DynamicLibrary::getPermanentLibrary(file);
      if (!library.isValid())
        continue;
      OpenMPLibrary openmp = {};
      openmp.file = file;
      auto find = [&](auto &function, const char *name) {
        function =
            reinterpret_cast<std::remove_reference_t<decltype(function)>>(
                library.getAddressOfSymbol(name));
        return function != nullptr;
      };
      if (find(openmp.setThreads, "omp_set_num_threads") &&
          find(openmp.getThreads, "omp_get_max_threads") &&
          find(openmp.getThreadNumber, "omp_get_thread_num") &&
          find(openmp.runTeam, "GOMP_parallel"))
        return openmp;
    }
    return std::nullopt;
  }();
  return found ? &*found : nullptr;
}

bool stencil::canRunThreads() { return findOpenMPLibrary() != nullptr; }

//===----------------------------------------------------------------------===//
// Teams
//===----------------------------------------------------------------------===//

/// Where the library has bound this thread to; it does so once.
static thread_local std::optional<cpu_set_t> boundTo;

OpenMPThreads::OpenMPThreads(unsigned threads)
    : openmp(threads > 1 ? findOpenMPLibrary() : nullptr) {
  if (!openmp)
    return;
  // In front of all calls of the library: the first one binds this thread.
  knowsCpus = sched_getaffinity(0, sizeof(cpus), &cpus) == 0;
  // The number of threads belongs to the calling thread, which gets its own
  // back.
  before = openmp->getThreads();
  if (before != static_cast<int>(threads))
    openmp->setThreads(static_cast<int>(threads));
  if (knowsCpus && boundTo)
    sched_setaffinity(0, sizeof(*boundTo), &*boundTo);
}

OpenMPThreads::~OpenMPThreads() {
  if (!openmp)
    return;
  if (openmp->getThreads() != before)
    openmp->setThreads(before);
  cpu_set_t now;
  if (!knowsCpus || sched_getaffinity(0, sizeof(now), &now) != 0 ||
      CPU_EQUAL(&now, &cpus))
    return;
  boundTo = now;
  sched_setaffinity(0, sizeof(cpus), &cpus);
}

void stencil::bindThreads(unsigned threads) {
  if (threads < 2 || threads > getNumUsableCpus())
    return;
  for (const char *name :
       {"OMP_PROC_BIND", "OMP_PLACES", "KMP_AFFINITY", "GOMP_CPU_AFFINITY"})
    if (std::getenv(name))
      return;
  // The library reads them when it is first used.
  setenv("OMP_PROC_BIND", "spread", /*overwrite=*/0);
  setenv("OMP_PLACES", "cores", /*overwrite=*/0);
}

void stencil::touchPages(void *memory, uint64_t bytes, unsigned threads) {
  constexpr uint64_t page = 4096;
  const OpenMPLibrary *openmp = threads > 1 ? findOpenMPLibrary() : nullptr;
  // What has fewer pages is not divided.
  if (!openmp || bytes / page < threads)
    return;
  struct Part {
    const OpenMPLibrary *openmp;
    volatile char *memory;
    uint64_t bytes;
    unsigned threads;
  } all = {openmp, static_cast<volatile char *>(memory), bytes, threads};
  OpenMPThreads scope(threads);
  openmp->runTeam(
      [](void *data) {
        const Part &all = *static_cast<Part *>(data);
        uint64_t share = all.bytes / all.threads / page * page;
        uint64_t number = all.openmp->getThreadNumber();
        uint64_t begin = number * share;
        // The team may be smaller than it was asked to be: then the rest is
        // where it is written next.
        uint64_t end = number + 1 == all.threads ? all.bytes : begin + share;
        for (uint64_t i = begin; i < end; i += page)
          all.memory[i] = 0;
      },
      &all, threads, /*flags=*/0);
}
