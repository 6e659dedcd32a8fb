// Calls a function on arrays in the memory of a GPU, on a stream, and on
// others.
#include "StencilRuntime/Runtime.h"
#include "stay.h"

#include <cstdio>

static void report(int32_t code, const char *message) {
  std::printf("%d: %s\n", static_cast<int>(code), message);
}

int main() {
  float u[8] = {1, 2, 3, 4, 5, 6, 7, 8}, v[6] = {};
  stencilSetErrorHandler(report);
  stay_select_target(STAY_TARGET_EMULATOR_SM_90);
  stencilSelectBackend(2);
  void *stream = mgpuStreamCreate();
  auto *du = static_cast<float *>(mgpuMemAlloc(sizeof(u), stream, false));
  auto *dv = static_cast<float *>(mgpuMemAlloc(sizeof(v), stream, false));
  mgpuMemcpy(du, u, sizeof(u), stream);
  std::printf("device: %d\n", scale_on_stream(du, 8, dv, 6, 10, stream));
  mgpuMemcpy(v, dv, sizeof(v), stream);
  mgpuStreamSynchronize(stream);
  std::printf("%g %g\n", v[0], v[5]);
  std::printf("host: %d\n", scale(u, 8, dv, 6, 10));
  mgpuMemFree(du, stream);
  mgpuMemFree(dv, stream);
  mgpuStreamDestroy(stream);

  // On the CPU it is the host's memory.
  stay_select_target(STAY_TARGET_CPU);
  std::printf("cpu: %d\n", scale_on_stream(u, 8, v, 6, 100, nullptr));
  std::printf("%g %g\n", v[0], v[5]);
}
