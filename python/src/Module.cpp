//===- Module.cpp - The extension module of the package `stencil` ---------===//
//
// Executables as callable objects. Everything else is in Python.
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"
#include "StencilDialect/Execution/Executable.h"
#include "StencilDialect/Support/ProgramError.h"
#include "StencilDialect/Target/GPUTargets.h"
#include "StencilRuntime/Runtime.h"
#include "Streams.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <chrono>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

using namespace stencil;
using namespace stencil::python;
namespace py = pybind11;

namespace {

/// Becomes stencil.Error.
class Failed : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An executable in the hands of Python.
class Handle {
public:
  Handle(std::shared_ptr<const Executable> executable,
         std::vector<std::string> names);

  py::object call(const py::args &args, const py::kwargs &kwargs) const;
  double getSecondsPerCall(const py::tuple &args, size_t calls) const;
  const ExecutableSignature &getSignature() const;
  const ExecutableOptions &getOptions() const { return get()->getOptions(); }
  bool wasCached() const { return get()->wasCached(); }
  std::string getRemarks() const { return get()->getRemarks().str(); }
  bool isReleased() const { return !executable; }
  void release() { executable.reset(); }
  py::list getParameters() const;
  py::list getResults() const;

private:
  const std::shared_ptr<const Executable> &get() const;
  /// Names an argument in messages.
  const std::string &getPlace(size_t number) const { return places[number]; }
  /// What is given for each parameter, by position or by name.
  llvm::SmallVector<py::handle> bind(const py::args &args,
                                     const py::kwargs &kwargs,
                                     CallStreams &streams) const;
  /// Arguments for the executable, which last as long as `views`.
  llvm::SmallVector<ExecutableArgument> read(llvm::ArrayRef<py::handle> given,
                                             std::vector<ArrayView> &views,
                                             CallStreams &streams) const;
  ScalarArgument readScalar(py::handle object, size_t number) const;
  void check(const ArrayView &view, size_t number) const;

  std::shared_ptr<const Executable> executable;
  std::vector<py::str> names;
  /// "argument 0 'u'", ...
  std::vector<std::string> places;
  py::str streamName = "stream";
};

} // namespace

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

Handle::Handle(std::shared_ptr<const Executable> executable,
               std::vector<std::string> givenNames)
    : executable(std::move(executable)) {
  for (auto [number, parameter] : llvm::enumerate(getSignature().parameters)) {
    const std::string &name =
        number < givenNames.size() ? givenNames[number] : parameter.name;
    names.emplace_back(name);
    places.push_back("argument " + llvm::utostr(number) + " '" + name + "'");
  }
}

const std::shared_ptr<const Executable> &Handle::get() const {
  if (!executable)
    throw Failed("the function has been released");
  return executable;
}

const ExecutableSignature &Handle::getSignature() const {
  return get()->getSignature();
}

py::list Handle::getParameters() const {
  py::list result;
  for (auto [name, parameter] :
       llvm::zip_equal(names, getSignature().parameters)) {
    py::tuple shape(parameter.shape.size());
    for (auto [axis, extent] : llvm::enumerate(parameter.shape))
      shape[axis] = extent < 0 ? py::object(py::none()) : py::int_(extent);
    py::tuple halos(parameter.halos.size());
    for (auto [axis, halo] : llvm::enumerate(parameter.halos))
      halos[axis] = halo < 0 ? py::object(py::none()) : py::int_(halo);
    result.append(py::make_tuple(name, parameter.isArray,
                                 getElementName(parameter.element).str(), shape,
                                 parameter.isRead, parameter.isWritten, halos));
  }
  return result;
}

py::list Handle::getResults() const {
  py::list result;
  for (ElementKind kind : getSignature().results)
    result.append(getElementName(kind).str());
  return result;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

llvm::SmallVector<py::handle> Handle::bind(const py::args &args,
                                           const py::kwargs &kwargs,
                                           CallStreams &streams) const {
  auto describe = [&] {
    std::string list = llvm::join(
        llvm::map_range(names, [](const py::str &s) { return std::string(s); }),
        ", ");
    return getSignature().name + "(" + list + ")";
  };
  llvm::SmallVector<py::handle> given(names.size());
  if (args.size() > names.size())
    throw py::type_error("expected " + llvm::utostr(names.size()) +
                         " arguments for " + describe() + ", got " +
                         llvm::utostr(args.size()));
  for (size_t number = 0; number < args.size(); ++number)
    given[number] = PyTuple_GET_ITEM(args.ptr(), number);
  for (auto [key, value] : kwargs) {
    auto same = [key = key](const py::str &name) { return name.equal(key); };
    auto *found = llvm::find_if(names, same).base();
    size_t number = found - names.data();
    if (number == names.size()) {
      if (!streamName.equal(key))
        throw py::type_error("expected an argument of " + describe() +
                             " or stream, got '" + std::string(py::str(key)) +
                             "'");
      streams.named = getStreamHandle(value);
      continue;
    }
    if (given[number])
      throw py::type_error("expected " + getPlace(number) + " of " +
                           describe() + " once");
    given[number] = value;
  }
  for (auto [number, value] : llvm::enumerate(given))
    if (!value)
      throw py::type_error("expected " + getPlace(number) + " of " +
                           describe() + ", which is missing");
  return given;
}

/// The lowest and the highest integer that a scalar of this kind takes: signed
/// or unsigned, as integers of programs are signless.
static std::pair<int64_t, int64_t> getRange(ElementKind kind) {
  if (kind == ElementKind::I1)
    return {0, 1};
  unsigned bits = 8 * getElementSize(kind);
  if (bits == 64)
    return {INT64_MIN, INT64_MAX};
  return {-(int64_t(1) << (bits - 1)), (int64_t(1) << bits) - 1};
}

ScalarArgument Handle::readScalar(py::handle object, size_t number) const {
  ElementKind kind = getSignature().parameters[number].element;
  auto refuse = [&](llvm::StringRef what) {
    throw py::type_error(getPlace(number) + ": expected " + what.str() +
                         ", got " + Py_TYPE(object.ptr())->tp_name);
  };
  if (isFloatKind(kind)) {
    if (!PyNumber_Check(object.ptr()))
      refuse("a number");
    double value = PyFloat_AsDouble(object.ptr());
    if (value == -1.0 && PyErr_Occurred()) {
      if (!PyErr_ExceptionMatches(PyExc_TypeError))
        throw py::error_already_set();
      PyErr_Clear();
      refuse("a number");
    }
    return value;
  }
  py::object integer;
  if (PyIndex_Check(object.ptr())) {
    integer = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
    if (!integer)
      PyErr_Clear();
  } else if (kind == ElementKind::I1 && py::hasattr(object, "dtype")) {
    integer = py::int_(PyObject_IsTrue(object.ptr()));
  }
  if (!integer)
    refuse("an integer");
  int overflow = 0;
  int64_t value = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  auto [low, high] = getRange(kind);
  if (overflow > 0 && kind == ElementKind::I64) {
    uint64_t bits = PyLong_AsUnsignedLongLong(integer.ptr());
    if (!PyErr_Occurred())
      return static_cast<int64_t>(bits);
    PyErr_Clear();
  }
  if (overflow != 0 || value < low || value > high)
    throw py::value_error(getPlace(number) + ": expected an integer of " +
                          getElementName(kind).str() + ", got " +
                          std::string(py::str(integer)));
  return value;
}

/// What of an array has an exception of its own. The executable checks the
/// rest.
void Handle::check(const ArrayView &view, size_t number) const {
  const ExecutableParameter &parameter = getSignature().parameters[number];
  ArrayArgument array = view.getArgument();
  if (array.element != parameter.element)
    throw py::type_error(getPlace(number) + ": expected an array of " +
                         getElementName(parameter.element).str() +
                         ", got one of " + getElementName(array.element).str());
  if (array.shape.size() != parameter.shape.size())
    throw py::value_error(getPlace(number) + ": expected an array with " +
                          llvm::utostr(parameter.shape.size()) + " axes, got " +
                          llvm::utostr(array.shape.size()));
}

llvm::SmallVector<ExecutableArgument>
Handle::read(llvm::ArrayRef<py::handle> given, std::vector<ArrayView> &views,
             CallStreams &streams) const {
  llvm::SmallVector<ExecutableArgument> arguments;
  for (auto [number, object] : llvm::enumerate(given)) {
    if (!getSignature().parameters[number].isArray) {
      arguments.push_back(readScalar(object, number));
      continue;
    }
    views[number].read(object, getPlace(number), streams);
    check(views[number], number);
    arguments.push_back(views[number].getArgument());
  }
  return arguments;
}

double Handle::getSecondsPerCall(const py::tuple &args, size_t calls) const {
  std::shared_ptr<const Executable> held = get();
  CallStreams streams;
  llvm::SmallVector<py::handle> given = bind(args, py::kwargs(), streams);
  std::vector<ArrayView> views(given.size());
  auto arguments = read(given, views, streams);
  std::vector<ScalarArgument> results;
  auto begin = std::chrono::steady_clock::now();
  for (size_t call = 0; call < calls; ++call)
    if (llvm::Error error = held->call(arguments, results))
      throw Failed(llvm::toString(std::move(error)));
  auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(end - begin).count() /
         static_cast<double>(std::max<size_t>(calls, 1));
}

py::object Handle::call(const py::args &args, const py::kwargs &kwargs) const {
  std::shared_ptr<const Executable> held = get();
  const ExecutableSignature &signature = held->getSignature();
  CallStreams streams;
  llvm::SmallVector<py::handle> given = bind(args, kwargs, streams);
  std::vector<ArrayView> views(given.size());
  auto arguments = read(given, views, streams);

  std::vector<ScalarArgument> results;
  std::string failure;
  // What is no error of the run is one of an argument.
  bool isOfRun = true;
  {
    py::gil_scoped_release released;
    void *stream = nullptr;
    failure = chooseStream(streams, held->getOptions(), stream);
    if (failure.empty())
      if (llvm::Error error = held->call(arguments, results, stream)) {
        isOfRun = error.isA<ProgramError>();
        failure = llvm::toString(std::move(error));
      }
  }
  if (!isOfRun && llvm::StringRef(failure).starts_with("argument "))
    throw py::value_error(failure);
  if (!failure.empty())
    throw Failed(failure);

  py::tuple values(results.size());
  for (auto [number, result] : llvm::enumerate(results)) {
    if (auto *real = std::get_if<double>(&result))
      values[number] = py::float_(*real);
    else if (signature.results[number] == ElementKind::I1)
      values[number] = py::bool_(std::get<int64_t>(result) != 0);
    else
      values[number] = py::int_(std::get<int64_t>(result));
  }
  if (results.empty())
    return py::none();
  return results.size() == 1 ? py::object(values[0]) : values;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static std::unique_ptr<Handle> compile(const py::object &program,
                                       const std::string &name, bool isFile,
                                       const ExecutableOptions &options,
                                       std::vector<std::string> names) {
  std::string text = program.cast<std::string>();
  std::shared_ptr<const Executable> executable;
  std::string failure;
  {
    py::gil_scoped_release released;
    auto result = isFile ? Executable::compileFile(text, options)
                         : Executable::compile(text, name, options);
    if (result)
      executable = std::move(*result);
    else
      failure = llvm::toString(result.takeError());
  }
  if (!executable)
    throw Failed(failure.empty() ? "the program could not be compiled"
                                 : failure);
  return std::make_unique<Handle>(std::move(executable), std::move(names));
}

PYBIND11_MODULE(_stencil, module) {
  module.doc() = "Compiled stencil programs; use the package `stencil`.";
  py::object error = py::module_::import("stencil.errors").attr("Error");
  module.attr("Error") = error;
  module.attr("__version__") = STENCIL_VERSION;
  // Names of targets: all but the CPU, and those that are GPUs; and DLPack's
  // numbers of what these have.
  py::list targets, devices, numbers;
  for (const GPUTarget &target : getGPUTargets()) {
    targets.append(target.name.str());
    if (target.isEmulator())
      continue;
    devices.append(target.name.str());
    for (int number : target.vendor->dlpack.devices)
      numbers.append(number);
  }
  module.attr("GPU_TARGETS") = py::tuple(targets);
  module.attr("DEVICES") = py::tuple(devices);
  module.attr("DLPACK_DEVICES") = py::tuple(numbers);
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer)
        std::rethrow_exception(pointer);
    } catch (const Failed &failed) {
      py::object error = py::module_::import("stencil.errors").attr("Error");
      PyErr_SetString(error.ptr(), failed.what());
    }
  });

  py::class_<ExecutableOptions>(module, "Options")
      .def(py::init<>())
      .def_readwrite("target", &ExecutableOptions::target)
      .def_readwrite("chip", &ExecutableOptions::chip)
      .def_readwrite("entry", &ExecutableOptions::entry)
      .def_readwrite("math", &ExecutableOptions::math)
      .def_readwrite("schedule", &ExecutableOptions::schedule)
      .def_readwrite("tuning_database", &ExecutableOptions::tuningDatabase)
      .def_readwrite("toolkit", &ExecutableOptions::toolkit)
      .def_readwrite("threads", &ExecutableOptions::threads)
      .def_readwrite("extents", &ExecutableOptions::extents)
      .def_readwrite("device_arrays", &ExecutableOptions::deviceArrays)
      .def_readwrite("cache_directory", &ExecutableOptions::cacheDirectory);

  py::class_<Handle>(module, "Handle")
      .def("__call__", &Handle::call)
      .def("seconds_per_call", &Handle::getSecondsPerCall)
      .def("release", &Handle::release)
      .def_property_readonly("released", &Handle::isReleased)
      .def_property_readonly(
          "name",
          [](const Handle &handle) { return handle.getSignature().name; })
      .def_property_readonly("parameters", &Handle::getParameters)
      .def_property_readonly("results", &Handle::getResults)
      .def_property_readonly("cached", &Handle::wasCached)
      .def_property_readonly("remarks", &Handle::getRemarks);

  // Arrays of a device where there is none, for tests; they live as long as the
  // process.
  module.def("copy_to_emulator", [](uintptr_t values, uint64_t bytes) {
    stencilSelectBackend(getEmulator().backend);
    void *memory = mgpuMemAlloc(bytes, /*stream=*/nullptr,
                                /*isHostShared=*/false);
    mgpuMemcpy(memory, reinterpret_cast<void *>(values), bytes,
               /*stream=*/nullptr);
    return reinterpret_cast<uintptr_t>(memory);
  });
  module.def("compile", &compile, py::arg("program"), py::arg("name"),
             py::arg("is_file"), py::arg("options"), py::arg("names"));
}
