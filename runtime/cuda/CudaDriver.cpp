//===- CudaDriver.cpp - The CUDA driver, found at run time ----------------===//

#include "CudaDriver.h"
#include "../common/SharedLibrary.h"

using namespace stencil::runtime;
using namespace stencil::runtime::cuda;

std::string CudaDriver::load() {
  SharedLibrary library;
  std::string problem = library.load({"libcuda.so.1"});
  if (!problem.empty())
    return "no CUDA driver: " + problem;

  const char *missing = nullptr;
#define CUDA_FUNCTION(name, ...)                                               \
  name = reinterpret_cast<decltype(name)>(library.find(#name));                \
  if (!name)                                                                   \
    missing = #name;
#define CUDA_OPTIONAL_FUNCTION(name, ...)                                      \
  name = reinterpret_cast<decltype(name)>(library.find(#name));
#include "CudaFunctions.def"
  if (missing)
    return std::string("the CUDA driver is too old: expected one for CUDA 11.4 "
                       "or newer, but libcuda.so.1 has no ") +
           missing;

  CUresult result = cuInit(0);
  if (result == CUDA_SUCCESS)
    return "";
  std::string text = describeError(describe(result, "cuInit"));
  return (result == CUDA_ERROR_NO_DEVICE ? "no CUDA device: "
                                         : "no CUDA driver that works: ") +
         text;
}

DriverError CudaDriver::describe(CUresult result, const char *call) const {
  // What the toolkit has under the driver's name, to link with, cannot say so.
  if (result == CUDA_ERROR_STUB_LIBRARY)
    return {call, "CUDA_ERROR_STUB_LIBRARY", static_cast<int>(result),
            "libcuda.so.1 is the toolkit's stub, not a driver"};
  // A driver does not know the codes of newer ones.
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName(result, &name) != CUDA_SUCCESS)
    name = nullptr;
  if (cuGetErrorString(result, &text) != CUDA_SUCCESS)
    text = nullptr;
  return {call, name, static_cast<int>(result), text};
}
