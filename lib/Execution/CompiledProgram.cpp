//===- CompiledProgram.cpp - Programs in machine code ---------------------===//

#include "StencilDialect/Execution/CompiledProgram.h"
#include "DeviceCopies.h"
#include "Invoker.h"
#include "LoadedObject.h"
#include "Lowering.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Target/Codegen.h"
#include "StencilDialect/Target/LLVMTranslation.h"
#include "StencilDialect/Target/ReturnErrors.h"
#include "StencilRuntime/Runtime.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <chrono>
#include <map>

using namespace mlir;
using namespace stencil;

CompiledProgram::CompiledProgram() = default;
CompiledProgram::~CompiledProgram() = default;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

namespace {

class Stopwatch {
public:
  /// Seconds since the last call.
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double seconds = std::chrono::duration<double>(now - last).count();
    last = now;
    return seconds;
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

} // namespace

static LogicalResult report(Location location, llvm::Error error) {
  return emitError(location) << llvm::toString(std::move(error));
}

/// Makes the functions of a list of constructors or destructors known to the
/// linker, and names them in the order in which they are to run. The JIT runs
/// none of an object file.
static std::vector<std::string>
nameFunctions(llvm::iterator_range<llvm::orc::CtorDtorIterator> functions) {
  std::map<unsigned, std::vector<std::string>> byPriority;
  for (llvm::orc::CtorDtorIterator::Element element : functions) {
    if (element.Func->hasLocalLinkage()) {
      element.Func->setLinkage(llvm::GlobalValue::ExternalLinkage);
      element.Func->setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
    byPriority[element.Priority].push_back(element.Func->getName().str());
  }
  std::vector<std::string> names;
  for (const auto &[priority, list] : byPriority)
    llvm::append_range(names, list);
  return names;
}

FailureOr<std::vector<std::pair<std::string, std::string>>>
stencil::findExternals(func::FuncOp entry, ArrayRef<std::string> libraries) {
  for (const std::string &path : libraries) {
    std::string problem;
    if (!llvm::sys::DynamicLibrary::getPermanentLibrary(path.c_str(), &problem)
             .isValid())
      return emitError(UnknownLoc::get(entry.getContext()))
             << "'" << path << "' is no library: " << problem;
  }
  std::vector<std::pair<std::string, std::string>> externals;
  for (func::FuncOp function : getExternalCallees(entry)) {
    std::string name = function.getName().str();
    auto hasFunction = [&](const std::string &path) {
      return llvm::sys::DynamicLibrary::getPermanentLibrary(path.c_str())
                 .getAddressOfSymbol(name.c_str()) != nullptr;
    };
    const auto *library = llvm::find_if(libraries, hasFunction);
    if (library != libraries.end())
      externals.emplace_back(name, *library);
    else if (!isTimer(function))
      return function.emitError("'")
             << name << "' has no body: expected a library that has it, got "
             << (libraries.empty() ? "none" : "none among those given");
  }
  return externals;
}

FailureOr<CompiledObject>
stencil::compileObject(func::FuncOp entry, const CompileOptions &options) {
  Location nowhere = UnknownLoc::get(entry.getContext());
  CompiledObject result;
  auto externals = findExternals(entry, options.libraries);
  if (failed(externals))
    return failure();
  result.externals = std::move(*externals);
  // The host's side of a program for a device has no parallel loops.
  result.threads = options.device    ? 1
                   : options.threads ? options.threads
                                     : getNumUsableCpus();
  if (options.device && options.device->deviceArrays)
    result.arraysOn = options.device->target;
  if (result.threads > 1 && !findOpenMPLibrary()) {
    emitRemark(nowhere) << "running on one thread: libomp.so.5, LLVM's OpenMP "
                           "runtime library, is not installed";
    result.threads = 1;
  }

  Stopwatch watch;
  Dump dump(options.dumpDirectory);
  auto machine = createTargetMachine("native");
  if (!machine)
    return report(nowhere, machine.takeError());
  OwningOpRef<ModuleOp> lowered =
      lowerToLLVMDialect(entry, **machine, result.threads, dump, options);
  if (!lowered)
    return failure();
  for (auto binary : lowered->getOps<gpu::BinaryOp>())
    llvm::append_range(result.kernels, getKernelResources(binary));
  // Whoever calls it lives on after an error.
  InterfaceArrays arrays;
  if (takesPaddedRows(options)) {
    arrays[entry.getName()] = describeInterface(entry, /*paddedRows=*/true);
    // Whoever calls it has seen that they do not overlap.
    for (InterfaceArray &array : arrays[entry.getName()])
      array.isWritten = false;
  }
  returnErrors(*lowered, /*hasRuntime=*/true, arrays);
  GPUBinaryTimes kernelTimes = takeGPUBinaryTimes();
  result.times.kernelCodegen = kernelTimes.codegen;
  result.times.kernelAssembly = kernelTimes.assembly;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateToLLVM(*lowered, context);
  if (!module)
    return emitError(nowhere) << "translation to LLVM IR failed";
  setTarget(*module, **machine);
  result.times.passes = watch.lap();

  auto layout = addInvoker(*module, entry.getName());
  if (!layout)
    return report(nowhere, layout.takeError());
  result.resultOffsets.assign(layout->offsets.begin(), layout->offsets.end());
  result.resultSize = layout->size;
  // Binaries for GPUs are loaded by constructors.
  result.constructors = nameFunctions(llvm::orc::getConstructors(*module));
  result.destructors = nameFunctions(llvm::orc::getDestructors(*module));
  if (auto error = dump.write("program.ll", *module))
    return report(nowhere, std::move(error));
  optimize(*module, **machine);
  result.times.optimize = watch.lap();

  if (auto error = dump.write("program.opt.ll", *module))
    return report(nowhere, std::move(error));
  if (auto error = dump.write("program.s", [&](llvm::raw_pwrite_stream &os) {
        auto copy = llvm::CloneModule(*module);
        return emitCode(*copy, **machine, CodeFile::Assembly, os);
      }))
    return report(nowhere, std::move(error));
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  if (auto error = emitCode(*module, **machine, CodeFile::Object, os))
    return report(nowhere, std::move(error));
  result.object.assign(object.begin(), object.end());
  result.times.codegen = watch.lap();
  return std::move(result);
}

FailureOr<std::unique_ptr<CompiledProgram>>
CompiledProgram::load(const CompiledObject &object, const Signature &signature,
                      MLIRContext *context) {
  Stopwatch watch;
  std::unique_ptr<CompiledProgram> program(new CompiledProgram());
  program->signature = signature;
  program->threads = object.threads;
  program->resultOffsets.assign(object.resultOffsets.begin(),
                                object.resultOffsets.end());
  program->resultSize = object.resultSize;
  program->kernels = object.kernels;
  program->arraysOn = object.arraysOn;
  program->times = object.times;
  auto loaded = LoadedObject::load(object);
  if (!loaded)
    return report(UnknownLoc::get(context), loaded.takeError());
  program->loaded = std::move(*loaded);
  program->times.link += watch.lap();
  return std::move(program);
}

FailureOr<std::unique_ptr<CompiledProgram>>
CompiledProgram::compile(func::FuncOp entry, const Signature &signature,
                         const CompileOptions &options) {
  FailureOr<CompiledObject> object = compileObject(entry, options);
  if (failed(object))
    return failure();
  return load(*object, signature, entry.getContext());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A scalar as it lies in memory, little-endian.
static uint64_t makeScalar(ScalarValue value, Type type) {
  if (const auto *integer = std::get_if<int64_t>(&value))
    return *integer;
  uint64_t bits = 0;
  storeElement(*getElementKind(type), &bits, 0,
               static_cast<double>(std::get<long double>(value)));
  return bits;
}

static ScalarValue readScalar(const char *data, Type type) {
  if (isa<FloatType>(type))
    return static_cast<long double>(
        loadElement(*getElementKind(type), data, 0));
  unsigned width = getBitWidth(type);
  uint64_t bits = 0;
  std::memcpy(&bits, data, llvm::divideCeil(width, 8u));
  return width == 1 ? static_cast<int64_t>(bits & 1)
                    : llvm::SignExtend64(bits, width);
}

llvm::Error CompiledProgram::run(llvm::ArrayRef<InterpreterArgument> arguments,
                                 llvm::SmallVectorImpl<ScalarValue> &results) {
  RuntimeMessages messages;
  llvm::SmallVector<llvm::SmallVector<uint64_t>> words;
  std::optional<DeviceCopies> copies;
  if (arraysOn) {
    // An error that nobody asked for is of something else.
    stencilTakeStatus();
    copies.emplace(*arraysOn);
  }
  for (auto [argument, parameter] :
       llvm::zip_equal(arguments, signature.parameters)) {
    auto &argumentWords = words.emplace_back();
    const auto *field = std::get_if<FieldArgument>(&argument);
    if (!field) {
      argumentWords.push_back(
          makeScalar(std::get<ScalarValue>(argument), parameter.type));
    } else if (parameter.field) { // Else the memory that a pointer points to.
      void *data = field->data;
      if (copies) {
        uint64_t bytes = getElementSize(parameter.field->element);
        for (int64_t extent : field->shape)
          bytes *= static_cast<uint64_t>(extent);
        data = copies->add(data, bytes);
      }
      appendDescriptor(data, field->shape, argumentWords, field->rowStride);
    }
  }
  llvm::SmallVector<void *> pointers;
  for (auto [argument, parameter, passed] :
       llvm::zip_equal(arguments, signature.parameters, words)) {
    const auto *field = std::get_if<FieldArgument>(&argument);
    pointers.push_back(field && !parameter.field ? field->data : passed.data());
  }
  std::vector<char> resultBytes(std::max<uint64_t>(resultSize, 1));
  if (copies)
    if (auto error = messages.takeError())
      return error;
  if (auto error = loaded->call(pointers.data(), resultBytes.data()))
    return error;
  if (copies) {
    copies.reset();
    if (auto error = messages.takeError())
      return error;
  }
  if (signature.results.size() != 1 || !isFieldLike(signature.results[0]))
    for (auto [type, offset] : llvm::zip(signature.results, resultOffsets))
      if (!isFieldLike(type))
        results.push_back(readScalar(resultBytes.data() + offset, type));
  return llvm::Error::success();
}
