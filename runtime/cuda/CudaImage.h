//===- CudaImage.h - What a CUDA binary was built for -----------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_CUDA_CUDAIMAGE_H
#define STENCIL_RUNTIME_CUDA_CUDAIMAGE_H

#include <cstddef>
#include <string>

namespace stencil::runtime::cuda {

/// As in "sm_80, sm_90, PTX for sm_80"; empty if that cannot be found out.
/// `bytes` is 0 if not known.
std::string getTargets(const void *blob, size_t bytes);

} // namespace stencil::runtime::cuda

#endif // STENCIL_RUNTIME_CUDA_CUDAIMAGE_H
