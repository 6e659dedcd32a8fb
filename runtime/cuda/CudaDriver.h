//===- CudaDriver.h - The CUDA driver, found at run time --------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_CUDA_CUDADRIVER_H
#define STENCIL_RUNTIME_CUDA_CUDADRIVER_H

#include "../common/Failure.h"
#include "CudaTypes.h"

#include <string>

namespace stencil::runtime::cuda {

/// The functions of libcuda.so.1.
class CudaDriver {
public:
  /// Loads the library and initialises it. Returns why that is not possible.
  std::string load();

  /// Ends the process if a call failed.
  void check(CUresult result, const char *call,
             const char *kernel = nullptr) const {
    if (result != CUDA_SUCCESS)
      failCall(describe(result, call), kernel);
  }

  DriverError describe(CUresult result, const char *call) const;

  // NOLINTBEGIN(readability-identifier-naming): the driver's names.
#define CUDA_FUNCTION(name, ...) CUresult (*name)(__VA_ARGS__) = nullptr;
#include "CudaFunctions.def"
  // NOLINTEND(readability-identifier-naming)
};

} // namespace stencil::runtime::cuda

#endif // STENCIL_RUNTIME_CUDA_CUDADRIVER_H
