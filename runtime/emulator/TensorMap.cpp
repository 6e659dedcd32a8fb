//===- TensorMap.cpp - Descriptors of tensors for TMA ---------------------===//
//
// The rules are those of cuTensorMapEncodeTiled (CUDA driver API).
//
//===----------------------------------------------------------------------===//

#include "TensorMap.h"
#include "StencilRuntime/Error.h"

#include <cstring>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

/// Bytes of an element by CUtensorMapDataType, 0 if unknown.
static unsigned getElementBytes(int32_t dataType) {
  static const unsigned bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return dataType >= 0 && dataType < 13 ? bytes[dataType] : 0;
}

void stencil::runtime::emulator::writeTensorMap(
    void *map, const TensorMapRequest &request) {
  const std::string prefix = "emulator: tensor map: expected ";
  auto got = [](uint64_t value) { return ", got " + std::to_string(value); };
  TensorMap result = {};
  if (request.rank < 1 || request.rank > TensorMap::kMaxRank)
    fail(prefix + "a rank from 1 to 5" + got(request.rank));
  unsigned elementBytes = getElementBytes(request.dataType);
  if (!elementBytes)
    fail(prefix + "a data type of CUtensorMapDataType" +
         got(static_cast<uint32_t>(request.dataType)));
  if (request.interleave != 0 || request.swizzle != 0)
    fail(prefix + "no interleaving and no swizzling: the emulator has neither");
  if (request.oobFill != 0)
    fail(prefix + "zeros outside of the tensor: the emulator has no other");
  if (reinterpret_cast<uintptr_t>(request.address) % 16 != 0)
    fail(prefix + "an address that is a multiple of 16 bytes");
  result.magic = TensorMap::kMagic;
  result.rank = request.rank;
  result.elementBytes = elementBytes;
  result.address = reinterpret_cast<uintptr_t>(request.address);
  for (uint32_t i = 0; i < request.rank; ++i) {
    if (request.box[i] < 1 || request.box[i] > 256)
      fail(prefix + "a box of 1 to 256 elements along an axis" +
           got(request.box[i]));
    if (request.elementStrides && request.elementStrides[i] != 1)
      fail(prefix + "element strides of 1: the emulator has no other" +
           got(request.elementStrides[i]));
    result.extents[i] = request.extents[i];
    result.box[i] = request.box[i];
  }
  for (uint32_t i = 0; i + 1 < request.rank; ++i) {
    if (request.strides[i] % 16 != 0)
      fail(prefix + "strides that are multiples of 16 bytes" +
           got(request.strides[i]));
    result.strides[i] = request.strides[i];
  }
  if (request.box[0] * elementBytes % 16 != 0)
    fail(prefix + "the rows of a box to be multiples of 16 bytes" +
         got(request.box[0] * elementBytes));
  std::memset(map, 0, kTensorMapBytes);
  std::memcpy(map, &result, sizeof(result));
}
