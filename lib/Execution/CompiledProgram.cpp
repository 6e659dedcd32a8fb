//===- CompiledProgram.cpp - Programs in machine code ---------------------===//

#include "StencilDialect/Execution/CompiledProgram.h"
#include "Invoker.h"
#include "Lowering.h"
#include "RuntimeSymbols.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/Pipelines/Pipelines.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Target/Codegen.h"
#include "StencilDialect/Target/LLVMTranslation.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <chrono>
#include <map>

using namespace mlir;
using namespace stencil;

class CompiledProgram::Engine {
public:
  ~Engine() {
    for (void (*destructor)() : destructors)
      destructor();
  }

  std::unique_ptr<llvm::orc::LLJIT> jit;
  /// Global destructors of the program; set once its constructors have run.
  std::vector<void (*)()> destructors;
};

CompiledProgram::CompiledProgram() = default;
CompiledProgram::~CompiledProgram() = default;

//===----------------------------------------------------------------------===//
// The OpenMP runtime
//===----------------------------------------------------------------------===//

/// The name under which LLVM's OpenMP runtime was found; null if there is none.
/// It stays loaded.
static const char *findOpenMPLibrary() {
  for (const char *name : {"libomp.so.5", "libomp.so"})
    if (!llvm::sys::DynamicLibrary::LoadLibraryPermanently(name))
      return name;
  return nullptr;
}

static void setOpenMPThreads(unsigned threads) {
  void *address = llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(
      "omp_set_num_threads");
  if (address)
    reinterpret_cast<void (*)(int)>(address)(static_cast<int>(threads));
}

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

/// A JIT that has the runtime symbols, and OpenMP if asked for.
static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
createJIT(const char *openmpLibrary) {
  // Makes the target known, for who has compiled nothing.
  if (auto machine = createTargetMachine("native"); !machine)
    return machine.takeError();
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  // By default they are printed; whoever looks the symbol up gets them, too.
  (*jit)->getExecutionSession().setErrorReporter(
      [](llvm::Error error) { llvm::consumeError(std::move(error)); });
  llvm::orc::JITDylib &library = (*jit)->getMainJITDylib();
  llvm::orc::SymbolMap symbols;
  for (const RuntimeSymbol &symbol : getRuntimeSymbols())
    symbols[(*jit)->mangleAndIntern(symbol.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(symbol.address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (auto error = library.define(llvm::orc::absoluteSymbols(symbols)))
    return std::move(error);
  if (llvm::sys::DynamicLibrary::getPermanentLibrary(kVectorLibraryFile)
          .isValid()) {
    auto generator = llvm::orc::DynamicLibrarySearchGenerator::Load(
        kVectorLibraryFile, (*jit)->getDataLayout().getGlobalPrefix());
    if (!generator)
      return generator.takeError();
    library.addGenerator(std::move(*generator));
  }
  if (openmpLibrary) {
    auto generator = llvm::orc::DynamicLibrarySearchGenerator::Load(
        openmpLibrary, (*jit)->getDataLayout().getGlobalPrefix());
    if (!generator)
      return generator.takeError();
    library.addGenerator(std::move(*generator));
  }
  return jit;
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

FailureOr<CompiledObject>
stencil::compileObject(func::FuncOp entry, const CompileOptions &options) {
  Location nowhere = UnknownLoc::get(entry.getContext());
  CompiledObject result;
  // The host's side of a program for a device has no parallel loops.
  result.threads = options.device    ? 1
                   : options.threads ? options.threads
                                     : getNumUsableCpus();
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
  Location nowhere = UnknownLoc::get(context);
  Stopwatch watch;
  std::unique_ptr<CompiledProgram> program(new CompiledProgram());
  program->signature = signature;
  program->engine = std::make_unique<Engine>();
  program->threads = object.threads;
  program->resultOffsets.assign(object.resultOffsets.begin(),
                                object.resultOffsets.end());
  program->resultSize = object.resultSize;
  program->kernels = object.kernels;
  program->times = object.times;
  const char *openmpLibrary = nullptr;
  if (program->threads > 1) {
    openmpLibrary = findOpenMPLibrary();
    if (!openmpLibrary)
      return emitError(nowhere) << "expected libomp.so.5, LLVM's OpenMP "
                                   "runtime library, got none";
    setOpenMPThreads(program->threads);
  }
  auto jit = createJIT(openmpLibrary);
  if (!jit)
    return report(nowhere, jit.takeError());
  if (auto error = (*jit)->addObjectFile(
          llvm::MemoryBuffer::getMemBufferCopy(object.object, "program")))
    return report(nowhere, std::move(error));
  auto address = (*jit)->lookup(kInvokerName);
  if (!address)
    return report(nowhere, address.takeError());
  auto find = [&](llvm::ArrayRef<std::string> names,
                  std::vector<void (*)()> &functions) -> llvm::Error {
    for (const std::string &name : names) {
      auto function = (*jit)->lookup(name);
      if (!function)
        return function.takeError();
      functions.push_back(function->toPtr<void (*)()>());
    }
    return llvm::Error::success();
  };
  std::vector<void (*)()> constructors, destructors;
  if (auto error = find(object.constructors, constructors))
    return report(nowhere, std::move(error));
  if (auto error = find(object.destructors, destructors))
    return report(nowhere, std::move(error));
  for (void (*constructor)() : constructors)
    constructor();
  program->engine->jit = std::move(*jit);
  program->engine->destructors = std::move(destructors);
  program->invoke = address->toPtr<void (*)(void **, char *)>();
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

/// The words of MLIR's memref descriptor: pointer twice, offset, sizes,
/// strides.
static llvm::SmallVector<uint64_t> makeDescriptor(const FieldArgument &field) {
  uint64_t address = reinterpret_cast<uint64_t>(field.data);
  llvm::SmallVector<uint64_t> words = {address, address, 0};
  words.append(field.shape.begin(), field.shape.end());
  size_t rank = field.shape.size();
  words.resize(words.size() + rank);
  uint64_t stride = 1;
  for (size_t i = rank; i-- > 0; stride *= field.shape[i])
    words[3 + rank + i] = stride;
  return words;
}

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

void CompiledProgram::run(llvm::ArrayRef<InterpreterArgument> arguments,
                          llvm::SmallVectorImpl<ScalarValue> &results) {
  std::vector<llvm::SmallVector<uint64_t>> words;
  for (auto [argument, parameter] :
       llvm::zip_equal(arguments, signature.parameters)) {
    if (const auto *field = std::get_if<FieldArgument>(&argument))
      words.push_back(makeDescriptor(*field));
    else
      words.push_back(
          {makeScalar(std::get<ScalarValue>(argument), parameter.type)});
  }
  llvm::SmallVector<void *> pointers;
  for (auto &argument : words)
    pointers.push_back(argument.data());
  std::vector<char> resultBytes(std::max<uint64_t>(resultSize, 1));
  {
    FaultGuard guard;
    invoke(pointers.data(), resultBytes.data());
  }
  if (signature.results.size() != 1 || !isFieldLike(signature.results[0]))
    for (auto [type, offset] : llvm::zip(signature.results, resultOffsets))
      if (!isFieldLike(type))
        results.push_back(readScalar(resultBytes.data() + offset, type));
}
