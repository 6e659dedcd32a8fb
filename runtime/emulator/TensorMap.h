//===- TensorMap.h - Descriptors of tensors for TMA ---------------*- C++
//-*-===//

#ifndef STENCIL_RUNTIME_EMULATOR_TENSORMAP_H
#define STENCIL_RUNTIME_EMULATOR_TENSORMAP_H

#include "StencilRuntime/Backend.h"

namespace stencil::runtime::emulator {

/// What the emulator keeps in the 128 bytes of a CUtensorMap. Axes are fastest
/// first.
struct TensorMap {
  static constexpr uint32_t kMagic = 0x50414d54;
  static constexpr uint32_t kMaxRank = 5;

  uint32_t magic;
  uint8_t rank, elementBytes, swizzle, reserved;
  uint64_t address;
  /// In elements.
  uint64_t extents[kMaxRank];
  /// In bytes, from the second axis on.
  uint64_t strides[kMaxRank - 1];
  uint16_t box[kMaxRank];
};
static_assert(sizeof(TensorMap) <= kTensorMapBytes);

/// Fails on what the emulator does not have.
void writeTensorMap(void *map, const TensorMapRequest &request);

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_TENSORMAP_H
