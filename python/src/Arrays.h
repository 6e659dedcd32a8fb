//===- Arrays.h - Arrays of Python, where they are --------------*- C++ -*-===//
//
// What Python programs hold arrays in, as arguments of an executable: objects
// with the buffer protocol (NumPy), __cuda_array_interface__ (CuPy, PyTorch,
// Numba), __dlpack__ (all of them, JAX), or __array_interface__. Nothing is
// copied.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_PYTHON_ARRAYS_H
#define STENCILDIALECT_PYTHON_ARRAYS_H

#include "StencilDialect/Execution/Executable.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <pybind11/pybind11.h>

namespace stencil::python {

/// Where the work of a call goes, and whose work has to be done before.
struct CallStreams {
  /// The one that the caller named, if any.
  std::optional<uintptr_t> named;
  /// Those in which arrays are still being written
  /// (__cuda_array_interface__ version 3).
  llvm::SmallVector<uintptr_t, 2> producers;
  /// A producer made the default stream wait for an array, as none was named.
  bool usesDefault = false;
};

/// An array while a call uses it.
class ArrayView {
public:
  ArrayView() = default;
  ArrayView(const ArrayView &) = delete;
  ArrayView &operator=(const ArrayView &) = delete;
  ~ArrayView();

  /// Looks at an object. `place` names the argument in messages: "argument 1
  /// 'v'". Throws TypeError for what is no array, or has elements that no field
  /// has; ValueError for an array that cannot be handed on as it is.
  void read(pybind11::handle object, llvm::StringRef place,
            CallStreams &streams);

  ArrayArgument getArgument() const;
  /// As the array's library calls it, such as "<f8".
  llvm::StringRef getTypeName() const { return typeName; }

private:
  void readAny(pybind11::handle object, llvm::StringRef place,
               CallStreams &streams);
  bool readBuffer(pybind11::handle object, llvm::StringRef place);
  void readInterface(const pybind11::dict &interface, bool onDevice,
                     llvm::StringRef place, CallStreams &streams);
  void readDLPack(pybind11::handle object, llvm::StringRef place,
                  CallStreams &streams);
  /// `type` is a letter of __array_interface__: f, i, u, b, V. False if there
  /// is no such kind of element.
  bool setElement(char type, int64_t size);
  /// Distances in bytes become distances in elements.
  void setStrides(llvm::ArrayRef<int64_t> inBytes, llvm::StringRef place);
  void dropRowMajorStrides();

  ElementKind element = ElementKind::F64;
  void *data = nullptr;
  llvm::SmallVector<int64_t, 4> shape, strides;
  bool onDevice = false, isReadOnly = false;
  std::string typeName;

  Py_buffer buffer = {};
  bool hasBuffer = false;
  /// What keeps the memory: a dictionary, or a capsule of DLPack.
  pybind11::object owner;
  /// Set while the tensor of the capsule is ours to delete.
  void *tensor = nullptr;
};

} // namespace stencil::python

#endif // STENCILDIALECT_PYTHON_ARRAYS_H
