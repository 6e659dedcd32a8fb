//===- TsanOptions.cpp - What ThreadSanitizer does not report -------------===//
//
// Linked into every program of a ThreadSanitizer build. LLVM's, MLIR's and
// OpenMP's shared libraries are not built with it: it sees their locks, memory
// and calls of the C library, but none of their atomic operations, which order
// these. A line below takes out only what such a library calls itself.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__tsan_default_suppressions() { // NOLINT
  return
      // The locks of its globals (ManagedStatic), such as the list of files to
      // remove after a signal, are made once and handed on by an atomic
      // pointer.
      "race:libLLVM.so\n"
      // Its locks and tables of threads pass from thread to thread by atomics,
      // barriers included.
      "race:libomp.so\n";
}
