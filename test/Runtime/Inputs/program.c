#include "StencilRuntime/Runtime.h"

int main(void) {
  stencilSelectBackend(0);
  mgpuStreamDestroy(mgpuStreamCreate());
  return stencilTakeStatus() == STENCIL_DEVICE_FAILED ? 1 : 0;
}
