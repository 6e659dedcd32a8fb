//===- Threads.h - The threads that run programs ----------------*- C++ -*-===//

#ifndef STENCILDIALECT_EXECUTION_THREADS_H
#define STENCILDIALECT_EXECUTION_THREADS_H

#include <cstdint>

namespace stencil {

/// Whether programs for the CPU can run on several threads: LLVM's OpenMP
/// runtime library is there.
bool canRunThreads();

/// Why a number of threads that was asked for cannot be had.
inline constexpr const char *kNoThreads =
    "--threads needs libomp.so.5, LLVM's OpenMP runtime library, which is not "
    "installed";

/// Lets the threads of programs stay on cores of their own, as far from each
/// other as they can be, unless the environment says where threads run
/// (OMP_PROC_BIND and its like). For the whole process, and before it compiles
/// or runs a program; nothing if there are more threads than CPUs.
void bindThreads(unsigned threads);

/// Writes to each page of new memory, on as many threads as programs run on,
/// each to one part in order, as programs divide their work: the system puts a
/// page where it is written first.
void touchPages(void *memory, uint64_t bytes, unsigned threads);

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_THREADS_H
