//===- Arrays.cpp - Arrays of Python, where they are ----------------------===//

#include "Arrays.h"
#include "StencilDialect/Target/Vendors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <dlpack/dlpack.h>

using namespace stencil;
using namespace stencil::python;
namespace py = pybind11;

/// A kind that dlpack.h of version 0.6 has no name for.
static constexpr unsigned kBoolCode = 6;

[[noreturn]] static void raiseTypeError(const llvm::Twine &text) {
  throw py::type_error(text.str());
}

[[noreturn]] static void raiseValueError(const llvm::Twine &text) {
  throw py::value_error(text.str());
}

static llvm::StringRef getTypeOf(py::handle object) {
  return Py_TYPE(object.ptr())->tp_name;
}

ArrayView::~ArrayView() {
  if (hasBuffer)
    PyBuffer_Release(&buffer);
  if (auto *managed = static_cast<DLManagedTensor *>(tensor))
    if (managed->deleter)
      managed->deleter(managed);
}

ArrayArgument ArrayView::getArgument() const {
  ArrayArgument argument;
  argument.element = element;
  argument.data = data;
  argument.shape = shape;
  argument.strides = strides;
  argument.onDevice = onDevice;
  argument.isReadOnly = isReadOnly;
  return argument;
}

bool ArrayView::setElement(char type, int64_t size) {
  // NumPy has no bfloat16; ml_dtypes shows it as two opaque bytes.
  static constexpr std::pair<char, ElementKind> kinds[] = {
      {'f', ElementKind::F16}, {'f', ElementKind::F32},
      {'f', ElementKind::F64}, {'i', ElementKind::I8},
      {'i', ElementKind::I16}, {'i', ElementKind::I32},
      {'i', ElementKind::I64}, {'b', ElementKind::I1},
      {'V', ElementKind::BF16}};
  // Integers of programs are signless.
  if (type == 'u')
    type = 'i';
  for (auto [letter, kind] : kinds) {
    if (letter != type || getElementSize(kind) != size)
      continue;
    element = kind;
    return true;
  }
  return false;
}

void ArrayView::setStrides(llvm::ArrayRef<int64_t> inBytes,
                           llvm::StringRef place) {
  auto size = static_cast<int64_t>(getElementSize(element));
  strides.clear();
  for (auto [axis, bytes] : llvm::enumerate(inBytes)) {
    if (bytes % size != 0)
      raiseValueError(place + ": expected a stride of whole elements, got " +
                      llvm::Twine(bytes) + " bytes along axis " +
                      llvm::Twine(axis));
    strides.push_back(bytes / size);
  }
  dropRowMajorStrides();
}

void ArrayView::dropRowMajorStrides() {
  int64_t expected = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    // Nobody steps along an axis with one index.
    if (shape[axis] > 1 && strides[axis] != expected)
      return;
    expected *= shape[axis];
  }
  strides.clear();
}

//===----------------------------------------------------------------------===//
// The buffer protocol
//===----------------------------------------------------------------------===//

/// The letter that __array_interface__ has for a format of the struct module;
/// 0 if it has none, or the bytes are in the wrong order.
static char getTypeLetter(llvm::StringRef format) {
  if (!format.consume_front("<") && !format.consume_front("="))
    format.consume_front("@");
  if (format.size() == 2 && format.back() == 'x') // Opaque bytes.
    return 'V';
  if (format.size() != 1)
    return 0;
  switch (format.front()) {
  case 'e':
  case 'f':
  case 'd':
    return 'f';
  case '?':
    return 'b';
  case 'b':
  case 'h':
  case 'i':
  case 'l':
  case 'q':
    return 'i';
  case 'B':
  case 'H':
  case 'I':
  case 'L':
  case 'Q':
    return 'u';
  default:
    return 0;
  }
}

bool ArrayView::readBuffer(py::handle object, llvm::StringRef place) {
  if (!PyObject_CheckBuffer(object.ptr()))
    return false;
  if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_RECORDS_RO) != 0) {
    // Such as NumPy's arrays of other libraries' types.
    PyErr_Clear();
    return false;
  }
  hasBuffer = true;
  // The mask would be overlooked.
  if (getTypeOf(object).ends_with("MaskedArray"))
    raiseValueError(place + ": expected an array without a mask");
  llvm::StringRef format = buffer.format ? buffer.format : "B";
  typeName = "of format '" + format.str() + "'";
  if (!setElement(getTypeLetter(format), buffer.itemsize))
    raiseTypeError(place + ": expected an array of floats or integers in the " +
                   "byte order of this machine, got one " + typeName);
  data = buffer.buf;
  isReadOnly = buffer.readonly != 0;
  llvm::SmallVector<int64_t, 4> inBytes;
  for (int axis = 0; axis < buffer.ndim; ++axis) {
    shape.push_back(buffer.shape[axis]);
    inBytes.push_back(buffer.strides[axis]);
  }
  setStrides(inBytes, place);
  return true;
}

//===----------------------------------------------------------------------===//
// __cuda_array_interface__ and __array_interface__
//===----------------------------------------------------------------------===//

static py::object getEntry(const py::dict &interface, const char *key,
                           llvm::StringRef place) {
  PyObject *entry = PyDict_GetItemString(interface.ptr(), key);
  if (!entry)
    raiseValueError(place + ": expected '" + key +
                    "' in the interface of the array");
  return py::reinterpret_borrow<py::object>(entry);
}

static py::object findEntry(const py::dict &interface, const char *key) {
  PyObject *entry = PyDict_GetItemString(interface.ptr(), key);
  return entry ? py::reinterpret_borrow<py::object>(entry) : py::none();
}

void ArrayView::readInterface(const py::dict &interface, bool isDevice,
                              llvm::StringRef place, CallStreams &streams) {
  owner = interface;
  onDevice = isDevice;
  auto type = getEntry(interface, "typestr", place).cast<std::string>();
  typeName = "'" + type + "'";
  unsigned size = 0;
  if (type.size() < 3 || type[0] == '>' ||
      llvm::StringRef(type).substr(2).getAsInteger(10, size) ||
      !setElement(type[1], size))
    raiseTypeError(place + ": expected an array of floats or integers in the " +
                   "byte order of this machine, got one of type " + typeName);
  if (!findEntry(interface, "mask").is_none())
    raiseValueError(place + ": expected an array without a mask");
  auto pointer = getEntry(interface, "data", place).cast<py::tuple>();
  if (pointer.size() != 2)
    raiseValueError(place + ": expected a pointer and a flag as 'data' of the "
                            "interface of the array");
  data = reinterpret_cast<void *>(pointer[0].cast<uintptr_t>());
  isReadOnly = pointer[1].cast<bool>();
  for (py::handle extent : getEntry(interface, "shape", place))
    shape.push_back(extent.cast<int64_t>());
  py::object distances = findEntry(interface, "strides");
  if (!distances.is_none()) {
    llvm::SmallVector<int64_t, 4> inBytes;
    for (py::handle distance : distances)
      inBytes.push_back(distance.cast<int64_t>());
    if (inBytes.size() != shape.size())
      raiseValueError(place + ": expected as many strides as extents in the "
                              "interface of the array");
    setStrides(inBytes, place);
  }
  py::object stream = findEntry(interface, "stream");
  if (!stream.is_none()) {
    auto handle = stream.cast<uintptr_t>();
    if (handle == 0)
      raiseValueError(place + ": expected None, 1, 2 or a handle as 'stream' "
                              "of the interface of the array, got 0");
    streams.producers.push_back(handle);
  }
}

//===----------------------------------------------------------------------===//
// DLPack
//===----------------------------------------------------------------------===//

void ArrayView::readDLPack(py::handle object, llvm::StringRef place,
                           CallStreams &streams) {
  auto [device, number] =
      object.attr("__dlpack_device__")().cast<std::pair<int, int>>();
  (void)number;
  const VendorInfo *vendor = nullptr;
  bool isHost = device == kDLCPU;
  for (const VendorInfo &info : getVendors()) {
    if (llvm::is_contained(info.dlpack.devices, device))
      vendor = &info;
    isHost |= llvm::is_contained(info.dlpack.hosts, device);
  }
  onDevice = vendor;
  if (!onDevice && !isHost)
    raiseValueError(place +
                    ": expected an array in the memory of the host or "
                    "of a GPU, got one of DLPack's device type " +
                    llvm::Twine(device));
  py::object capsule;
  if (onDevice) {
    // The producer makes this stream wait for what writes the array.
    uintptr_t stream = streams.named.value_or(0);
    streams.usesDefault |= !streams.named;
    if (stream == 0)
      stream = vendor->dlpack.defaultStream;
    capsule = object.attr("__dlpack__")(py::arg("stream") = stream);
  } else {
    capsule = object.attr("__dlpack__")();
  }
  auto *managed = static_cast<DLManagedTensor *>(
      PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (!managed)
    throw py::error_already_set();
  if (PyCapsule_SetName(capsule.ptr(), "used_dltensor") != 0)
    throw py::error_already_set();
  tensor = managed;
  const DLTensor &array = managed->dl_tensor;
  static const char letters[] = {'i', 'u', 'f', '?', 'B', '?', 'b'};
  char letter =
      array.dtype.code < sizeof(letters) ? letters[array.dtype.code] : '?';
  int64_t size = array.dtype.bits / 8;
  if (array.dtype.code == kDLBfloat)
    letter = 'V';
  if (array.dtype.code == kBoolCode)
    size = 1;
  typeName = "with DLPack's type code " + llvm::utostr(array.dtype.code) +
             " of " + llvm::utostr(array.dtype.bits) + " bits";
  if (array.dtype.lanes != 1 || !setElement(letter, size))
    raiseTypeError(place +
                   ": expected an array of floats or integers, got "
                   "one " +
                   typeName);
  data = static_cast<char *>(array.data) + array.byte_offset;
  shape.assign(array.shape, array.shape + array.ndim);
  if (array.strides) {
    strides.assign(array.strides, array.strides + array.ndim);
    dropRowMajorStrides();
  }
}

//===----------------------------------------------------------------------===//
// Any of them
//===----------------------------------------------------------------------===//

/// An attribute, or nothing if there is none, which includes properties that
/// refuse (PyTorch's arrays on the host have no __cuda_array_interface__).
static py::object findAttribute(py::handle object, const char *name) {
  PyObject *value = PyObject_GetAttrString(object.ptr(), name);
  if (value)
    return py::reinterpret_steal<py::object>(value);
  if (!PyErr_ExceptionMatches(PyExc_AttributeError))
    throw py::error_already_set();
  PyErr_Clear();
  return {};
}

void ArrayView::readAny(py::handle object, llvm::StringRef place,
                        CallStreams &streams) {
  if (readBuffer(object, place))
    return;
  for (bool isDevice : {true, false}) {
    // An array on the host that has both is handed on by DLPack, which knows
    // its type; `__array_interface__` is for NumPy's arrays without a buffer.
    if (!isDevice)
      if (findAttribute(object, "__dlpack_device__") &&
          getTypeOf(object) != "numpy.ndarray")
        return readDLPack(object, place, streams);
    const char *name =
        isDevice ? "__cuda_array_interface__" : "__array_interface__";
    if (py::object interface = findAttribute(object, name)) {
      if (!py::isinstance<py::dict>(interface))
        raiseTypeError(place + ": expected a dictionary as " + name);
      return readInterface(interface, isDevice, place, streams);
    }
  }
  raiseTypeError(place + ": expected an array, got " + getTypeOf(object));
}

void ArrayView::read(py::handle object, llvm::StringRef place,
                     CallStreams &streams) {
  try {
    readAny(object, place, streams);
  } catch (const py::cast_error &) {
    raiseTypeError(place +
                   ": expected an array whose interface has the types " +
                   "of its protocol, got " + getTypeOf(object));
  }
}
