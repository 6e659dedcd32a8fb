//===- Streams.cpp - Streams that Python programs name --------------------===//

#include "Streams.h"
#include "StencilDialect/Target/GPUTargets.h"
#include "llvm/ADT/StringExtras.h"

#include <dlfcn.h>

using namespace stencil;
using namespace stencil::python;
namespace py = pybind11;

std::optional<uintptr_t> stencil::python::getStreamHandle(py::handle object) {
  if (!object || object.is_none())
    return std::nullopt;
  py::object number = py::reinterpret_borrow<py::object>(object);
  if (!PyLong_Check(object.ptr())) {
    if (py::hasattr(object, "__cuda_stream__"))
      number = object.attr("__cuda_stream__")().cast<py::tuple>()[1];
    else if (py::hasattr(object, "cuda_stream"))
      number = object.attr("cuda_stream");
    else if (py::hasattr(object, "ptr"))
      number = object.attr("ptr");
  }
  if (!PyLong_Check(number.ptr()) || PyBool_Check(number.ptr()))
    throw py::type_error("expected a stream: an integer, or an object of "
                         "CuPy, PyTorch or CUDA, got " +
                         std::string(Py_TYPE(object.ptr())->tp_name));
  auto handle = static_cast<uintptr_t>(PyLong_AsSize_t(number.ptr()));
  if (PyErr_Occurred()) {
    PyErr_Clear();
    throw py::value_error("expected a stream's handle, got " +
                          std::string(py::str(number)));
  }
  return handle;
}

/// Waits for a stream by the driver that the process has loaded already, as an
/// array in its memory exists.
static std::string synchronize(uintptr_t stream, const DriverInfo &driver) {
  std::string name = driver.synchronize.str();
  using Function = int (*)(uintptr_t);
  auto function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name.c_str()));
  if (!function)
    if (void *handle =
            dlopen(driver.library.str().c_str(), RTLD_NOW | RTLD_NOLOAD))
      function = reinterpret_cast<Function>(dlsym(handle, name.c_str()));
  if (!function)
    return "expected the driver that has " + name +
           " to be loaded, to wait for the stream of an array";
  if (int code = function(stream))
    return name + " failed with code " + llvm::itostr(code) +
           " for the stream of an array";
  return "";
}

std::string stencil::python::chooseStream(const CallStreams &streams,
                                          const ExecutableOptions &options,
                                          void *&stream) {
  const GPUTarget *target = findGPUTarget(options.target);
  bool isEmulated = target && target->isEmulator();
  bool isGPU = target && !isEmulated;
  // The default stream has a handle, too: without any, a call has a stream of
  // its own, which waits for nobody.
  constexpr uintptr_t defaultStream = 1;
  auto normalize = [](uintptr_t handle) {
    return handle == 0 ? defaultStream : handle;
  };
  uintptr_t chosen = 0;
  if (streams.named)
    chosen = isGPU ? normalize(*streams.named) : *streams.named;
  else if (isGPU && options.deviceArrays)
    chosen = streams.producers.empty() || streams.usesDefault
                 ? defaultStream
                 : streams.producers.front();
  // The emulator's are objects of its own, which Python has none of.
  if (isEmulated && chosen > 2)
    return "expected one of the default streams, 0, 1 or 2, for the emulator, "
           "got " +
           llvm::utostr(chosen);
  if (isEmulated)
    chosen = 0;
  stream = reinterpret_cast<void *>(chosen);
  if (!isGPU)
    return "";
  for (uintptr_t producer : streams.producers)
    if (normalize(producer) != chosen)
      if (std::string reason = synchronize(producer, target->vendor->driver);
          !reason.empty())
        return reason;
  return "";
}
