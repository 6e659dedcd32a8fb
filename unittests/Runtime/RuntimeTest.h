//===- RuntimeTest.h - Tests of the runtime over stand-ins ------*- C++ -*-===//

#ifndef STENCIL_UNITTESTS_RUNTIME_RUNTIMETEST_H
#define STENCIL_UNITTESTS_RUNTIME_RUNTIMETEST_H

#include "StencilRuntime/Backend.h"
#include "StencilRuntime/Runtime.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>

/// The calls that the stand-in `library` got since the last time.
inline std::string takeLog(const char *library) {
  void *handle = dlopen(library, RTLD_NOW);
  auto *take =
      reinterpret_cast<const char *(*)()>(dlsym(handle, "fakeTakeLog"));
  return take();
}

/// The same with all arguments: pointers by name (FakeDevice.h).
inline std::string takeArguments(const char *library) {
  void *handle = dlopen(library, RTLD_NOW);
  auto *take =
      reinterpret_cast<const char *(*)()>(dlsym(handle, "fakeTakeArguments"));
  return take();
}

inline void nameMemory(const char *library, const void *address, size_t bytes,
                       const char *name) {
  void *handle = dlopen(library, RTLD_NOW);
  auto *give = reinterpret_cast<void (*)(const void *, size_t, const char *)>(
      dlsym(handle, "fakeName"));
  give(address, bytes, name);
}

/// A module with no binary that anybody looks at.
inline void *loadPTX(const char *text = ".version 8.0\n.target sm_90\n") {
  return mgpuModuleLoadJIT(const_cast<char *>(text), /*optLevel=*/3);
}

/// Runs a statement in a process of its own, which has to leave one message and
/// a status.
#define EXPECT_FAILURE(statement, message)                                     \
  EXPECT_EXIT(                                                                 \
      {                                                                        \
        statement;                                                             \
        std::_Exit(stencilTakeStatus());                                       \
      },                                                                       \
      [](int status) {                                                         \
        return WIFEXITED(status) && WEXITSTATUS(status) != STENCIL_OK;         \
      },                                                                       \
      std::string("^error: ") + (message) + "\n$")

#endif // STENCIL_UNITTESTS_RUNTIME_RUNTIMETEST_H
