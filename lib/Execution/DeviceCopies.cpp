//===- DeviceCopies.cpp - Arrays for programs that take them --------------===//

#include "DeviceCopies.h"
#include "StencilRuntime/Runtime.h"

using namespace stencil;

DeviceCopies::DeviceCopies(const GPUTarget &target) {
  stencilSelectBackend(target.backend);
  stream = mgpuStreamCreate();
}

DeviceCopies::~DeviceCopies() {
  for (const Copy &copy : copies)
    mgpuMemcpy(copy.host, copy.device, copy.bytes, stream);
  mgpuStreamSynchronize(stream);
  for (const Copy &copy : copies)
    mgpuMemFree(copy.device, stream);
  mgpuStreamDestroy(stream);
}

void *DeviceCopies::add(void *host, uint64_t bytes) {
  void *device = mgpuMemAlloc(bytes, stream, /*isHostShared=*/false);
  mgpuMemcpy(device, host, bytes, stream);
  mgpuStreamSynchronize(stream);
  copies.push_back({host, device, bytes});
  return device;
}
