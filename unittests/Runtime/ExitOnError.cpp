//===- ExitOnError.cpp - A handler for programs that have none ------------===//
//
// Loaded beside the runtime by tests whose host is mlir-runner, which knows
// nothing of stencilTakeStatus: an error is to be seen in its exit code.
//
//===----------------------------------------------------------------------===//

#include "StencilRuntime/Runtime.h"

#include <cstdio>
#include <cstdlib>

__attribute__((constructor)) static void install() {
  stencilSetErrorHandler([](int32_t, const char *message) {
    std::fprintf(stderr, "error: %s\n", message);
    std::fflush(stdout);
    std::_Exit(1);
  });
}
