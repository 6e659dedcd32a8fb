//===- CudaDriver.cpp - The CUDA driver, found at run time ----------------===//

#include "CudaDriver.h"

using namespace stencil::runtime;
using namespace stencil::runtime::cuda;

std::string CudaDriver::load() {
  SharedLibrary library;
  std::string problem = library.load({"libcuda.so.1"});
  if (!problem.empty())
    return "no CUDA driver: " + problem;

  const char *missing = nullptr;
#define CUDA_TWIN(name, symbol, ...)                                           \
  if (!name.load(library))                                                     \
    missing = #symbol;
#define CUDA_FUNCTION(symbol, ...) CUDA_TWIN(symbol, symbol)
#define CUDA_OPTIONAL_FUNCTION(symbol, ...) symbol.load(library);
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

std::string CudaDriver::findCurrent(int &ordinal) {
  ordinal = 0;
  return attempt(cuCtxGetCurrent, &context);
}

std::string CudaDriver::open(int ordinal) {
  if (context)
    return attempt(cuCtxGetDevice, &device);
  std::string problem = attempt(cuDeviceGet, &device, ordinal);
  return problem.empty() ? attempt(cuDevicePrimaryCtxRetain, &context, device)
                         : problem;
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
