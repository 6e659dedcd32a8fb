#include "StencilRuntime/Runtime.h"

int main(void) {
  stencilSelectBackend(0);
  mgpuStreamDestroy(mgpuStreamCreate());
  return 0;
}
