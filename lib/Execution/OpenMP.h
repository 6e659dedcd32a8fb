//===- OpenMP.h - LLVM's OpenMP runtime library -----------------*- C++ -*-===//

#ifndef STENCIL_LIB_EXECUTION_OPENMP_H
#define STENCIL_LIB_EXECUTION_OPENMP_H

#include <sched.h>

namespace stencil {

/// LLVM's OpenMP runtime library, which stays loaded.
struct OpenMPLibrary {
  const char *file;
  void (*setThreads)(int);
  int (*getThreads)();
  int (*getThreadNumber)();
  /// GOMP_parallel: calls a function on a team.
  void (*runTeam)(void (*function)(void *), void *data, unsigned threads,
                  unsigned flags);
};

/// Null if there is none.
const OpenMPLibrary *findOpenMPLibrary();

/// While it lives, teams of the calling thread have so many threads. The
/// library may bind the calling thread to a core meanwhile: it is set free in
/// the end, as threads that it starts inherit where they may run.
class OpenMPThreads {
public:
  explicit OpenMPThreads(unsigned threads);
  ~OpenMPThreads();
  OpenMPThreads(const OpenMPThreads &) = delete;
  OpenMPThreads &operator=(const OpenMPThreads &) = delete;

private:
  const OpenMPLibrary *openmp;
  int before = 0;
  bool knowsCpus = false;
  cpu_set_t cpus;
};

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_OPENMP_H
