//===- TensorMap.cpp - Descriptors for TMA --------------------------------===//

#include "Guard.h"
#include "StencilRuntime/Backend.h"
#include "StencilRuntime/Error.h"
#include "StencilRuntime/Runtime.h"

#include <algorithm>
#include <cstring>

using namespace stencil::runtime;

static constexpr int kMaxRank = 5;

/// By CUtensorMapDataType: U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16,
/// F32 flushing denormals, TF32, TF32 flushing denormals.
static constexpr int kElementBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

void mgpuTensorMapEncodeTiled(void *tensorMap, int32_t dataType, uint32_t rank,
                              void *address, const uint64_t *extents,
                              const uint64_t *strides, const uint32_t *box,
                              const uint32_t *elementStrides,
                              int32_t interleave, int32_t swizzle,
                              int32_t l2Promotion, int32_t oobFill) {
  guard([&] {
    // Nothing can be launched on an empty domain, but its descriptors are made.
    if (extents && std::count(extents, extents + rank, 0) > 0) {
      std::memset(tensorMap, 0, kTensorMapBytes);
      return;
    }
    TensorMapRequest request;
    request.dataType = dataType;
    request.rank = rank;
    request.address = address;
    request.extents = extents;
    request.strides = strides;
    request.box = box;
    request.elementStrides = elementStrides;
    request.interleave = interleave;
    request.swizzle = swizzle;
    request.l2Promotion = l2Promotion;
    request.oobFill = oobFill;
    getBackend().encodeTensorMap(tensorMap, request);
  });
}

void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor,
                                     int32_t dataType, int32_t interleave,
                                     int32_t swizzle, int32_t l2Promotion,
                                     int32_t oobFill, int64_t *box) {
  return guard([&]() -> void * {
    if (rank < 1 || rank > kMaxRank)
      fail("mgpuTensorMapEncodeTiledMemref: expected a rank from 1 to 5, got " +
           std::to_string(rank));
    if (dataType < 0 || dataType >= int32_t(std::size(kElementBytes)))
      fail(
          "mgpuTensorMapEncodeTiledMemref: expected a type from 0 to 12, got " +
          std::to_string(dataType));
    // MLIR's descriptor: pointer twice, offset, sizes, strides. The offset is
    // the start's, which the tensor has none of.
    auto *words = static_cast<int64_t *>(descriptor);
    int elementBytes = kElementBytes[dataType];
    auto *address =
        static_cast<char **>(descriptor)[1] + words[2] * elementBytes;
    const int64_t *sizes = words + 3;
    const int64_t *memrefStrides = sizes + rank;

    // The driver counts dimensions from the fastest.
    uint64_t extents[kMaxRank] = {}, strides[kMaxRank] = {};
    uint32_t boxes[kMaxRank] = {}, elementStrides[kMaxRank] = {};
    for (int64_t i = 0; i < rank; ++i) {
      extents[i] = static_cast<uint64_t>(sizes[rank - 1 - i]);
      boxes[i] = static_cast<uint32_t>(box[rank - 1 - i]);
      elementStrides[i] = 1;
    }
    for (int64_t i = 0; i < rank - 1; ++i)
      strides[i] =
          static_cast<uint64_t>(memrefStrides[rank - 2 - i] * elementBytes);

    alignas(kTensorMapAlign) char tensorMap[kTensorMapBytes] = {};
    mgpuTensorMapEncodeTiled(tensorMap, dataType, static_cast<uint32_t>(rank),
                             address, extents, strides, boxes, elementStrides,
                             interleave, swizzle, l2Promotion, oobFill);
    // The caller passes the result to kernels and never frees it: there is no
    // call for that.
    void *copy = mgpuMemAlloc(kTensorMapBytes, nullptr, /*isHostShared=*/false);
    mgpuMemcpy(copy, tensorMap, kTensorMapBytes, nullptr);
    mgpuStreamSynchronize(nullptr);
    return copy;
  });
}
