//===- Streams.h - Streams that Python programs name ------------*- C++ -*-===//
//
// Streams are integers and objects of several libraries in Python, and arrays
// may still be written in one when they are handed on.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_PYTHON_STREAMS_H
#define STENCILDIALECT_PYTHON_STREAMS_H

#include "Arrays.h"
#include "llvm/ADT/StringRef.h"

namespace stencil::python {

/// The handle of a stream: an integer, an object with `__cuda_stream__()`
/// (CUDA's Python packages), `cuda_stream` (PyTorch) or `ptr` (CuPy), or
/// nothing for None. Throws TypeError for anything else.
std::optional<uintptr_t> getStreamHandle(pybind11::handle object);

/// Chooses the stream of a call of a program with these options: the one that
/// was named, else, on arrays of the device, theirs, if they have one, else the
/// default one; and waits for work in others that arrays come from. Returns the
/// reason if that fails.
std::string chooseStream(const CallStreams &streams,
                         const ExecutableOptions &options, void *&stream);

} // namespace stencil::python

#endif // STENCILDIALECT_PYTHON_STREAMS_H
