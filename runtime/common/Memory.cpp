//===- Memory.cpp - Device memory and copies ------------------------------===//

#include "Failure.h"
#include "Guard.h"
#include "State.h"
#include "StencilRuntime/Backend.h"
#include "StencilRuntime/Runtime.h"

using namespace stencil::runtime;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

[[noreturn]] static void failOutOfMemory(uint64_t needed, uint64_t free,
                                         uint64_t total) {
  fail("out of device memory: " + formatBytes(needed) + " needed, " +
           formatBytes(free) + " of " + formatBytes(total) + " free",
       STENCIL_OUT_OF_MEMORY);
}

void *mgpuMemAlloc(uint64_t bytes, void *stream, bool isHostShared) {
  return guard([&]() -> void * {
    Backend &backend = getBackend();
    // An empty field has an address, too.
    uint64_t size = bytes ? bytes : 1;
    void *address = !isHostShared && isCallerStream(stream)
                        ? allocateInOrder(backend, size, stream)
                        : backend.allocate(size, stream, isHostShared);
    if (!address) {
      uint64_t free = 0, total = 0;
      backend.getMemoryInfo(free, total);
      failOutOfMemory(size, free, total);
    }
    return address;
  });
}

void mgpuMemFree(void *address, void *stream) {
  guardRelease([&] {
    if (!address)
      return;
    Backend &backend = getBackend();
    if (!freeInOrder(backend, address, stream))
      backend.free(address, stream);
  });
}

void stencilReserveMemory(intptr_t bytes) {
  guard([&] {
    if (bytes < 0)
      fail("stencilReserveMemory: expected 0 or more bytes, got " +
           std::to_string(bytes));
    Backend &backend = getBackend();
    // If a binary is not for this device, that is better known before the
    // copies, too; and loading is not part of what programs time.
    loadModules(backend.getKind());
    if (bytes == 0)
      return;
    uint64_t free = 0, total = 0;
    backend.getMemoryInfo(free, total);
    if (static_cast<uint64_t>(bytes) > free)
      failOutOfMemory(static_cast<uint64_t>(bytes), free, total);
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void mgpuMemcpy(void *dst, void *src, size_t bytes, void *stream) {
  guard([&] {
    if (bytes)
      getBackend().copy(dst, src, bytes, stream);
  });
}

void stencilMemcpy2D(intptr_t dst, intptr_t dstPitch, intptr_t src,
                     intptr_t srcPitch, intptr_t width, intptr_t rows,
                     void *stream) {
  guard([&] {
    if (width < 0 || rows < 0 ||
        (rows > 1 && (dstPitch < width || srcPitch < width)))
      fail("stencilMemcpy2D: expected pitches of at least the width, got " +
           std::to_string(rows) + " rows of " + std::to_string(width) +
           " bytes with pitches " + std::to_string(dstPitch) + " and " +
           std::to_string(srcPitch));
    if (width == 0 || rows == 0)
      return;
    Backend &backend = getBackend();
    auto *to = reinterpret_cast<char *>(dst);
    const auto *from = reinterpret_cast<const char *>(src);
    auto bytes = static_cast<uint64_t>(width);
    auto count = static_cast<uint64_t>(rows);
    if (rows == 1 || (dstPitch == width && srcPitch == width)) {
      backend.copy(to, from, bytes * count, stream);
      return;
    }
    auto toPitch = static_cast<uint64_t>(dstPitch);
    auto fromPitch = static_cast<uint64_t>(srcPitch);
    uint64_t limit = backend.getMaxPitch();
    if (toPitch <= limit && fromPitch <= limit) {
      backend.copy2D(to, toPitch, from, fromPitch, bytes, count, stream);
      return;
    }
    // Rows this long are efficient one by one.
    for (uint64_t row = 0; row < count; ++row)
      backend.copy(to + row * toPitch, from + row * fromPitch, bytes, stream);
  });
}

void mgpuMemset16(void *dst, unsigned short value, size_t count, void *stream) {
  guard([&] {
    if (count)
      getBackend().set16(dst, value, count, stream);
  });
}

void mgpuMemset32(void *dst, unsigned int value, size_t count, void *stream) {
  guard([&] {
    if (count)
      getBackend().set32(dst, value, count, stream);
  });
}

//===----------------------------------------------------------------------===//
// Host memory
//===----------------------------------------------------------------------===//

void mgpuMemHostRegister(void *address, uint64_t bytes) {
  guard([&] {
    if (bytes)
      getBackend().registerHost(address, bytes);
  });
}

void mgpuMemHostUnregister(void *address) {
  guardRelease([&] { getBackend().unregisterHost(address); });
}

namespace {

/// What every descriptor of a memref begins with; `rank` sizes and as many
/// strides follow.
struct Descriptor {
  char *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizesAndStrides[1];
};

} // namespace

void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                               int64_t elementBytes) {
  guard([&] {
    const auto *memref = static_cast<const Descriptor *>(descriptor);
    const int64_t *sizes = memref->sizesAndStrides;
    const int64_t *strides = sizes + rank;
    int64_t count = 1;
    for (int64_t i = rank - 1; i >= 0; --i) {
      if (sizes[i] > 1 && strides[i] != count)
        fail("mgpuMemHostRegisterMemRef: expected a dense memref, got stride " +
             std::to_string(strides[i]) + " instead of " +
             std::to_string(count) + " in dimension " + std::to_string(i));
      count *= sizes[i];
    }
    mgpuMemHostRegister(memref->aligned + memref->offset * elementBytes,
                        static_cast<uint64_t>(count * elementBytes));
  });
}

void mgpuMemHostUnregisterMemRef(int64_t, void *descriptor,
                                 int64_t elementBytes) {
  guardRelease([&] {
    const auto *memref = static_cast<const Descriptor *>(descriptor);
    mgpuMemHostUnregister(memref->aligned + memref->offset * elementBytes);
  });
}

StencilMemRef1D mgpuMemGetDeviceMemRef1dFloat(void *, void *aligned,
                                              int64_t offset, int64_t size,
                                              int64_t stride) {
  return guard([&] {
    void *address = getBackend().getDeviceAddress(aligned);
    return StencilMemRef1D{address, address, offset, size, stride};
  });
}

StencilMemRef1D mgpuMemGetDeviceMemRef1dInt32(void *allocated, void *aligned,
                                              int64_t offset, int64_t size,
                                              int64_t stride) {
  return mgpuMemGetDeviceMemRef1dFloat(allocated, aligned, offset, size,
                                       stride);
}
