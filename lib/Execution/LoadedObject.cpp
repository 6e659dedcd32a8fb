//===- LoadedObject.cpp - Compiled programs in memory ---------------------===//

#include "LoadedObject.h"
#include "Invoker.h"
#include "RuntimeSymbols.h"
#include "StencilDialect/Support/ProgramError.h"
#include "StencilDialect/Target/Codegen.h"
#include "StencilRuntime/Runtime.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <utility>

using namespace stencil;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

RuntimeMessages::RuntimeMessages() : before(stencilKeepMessages(true)) {
  stencilTakeMessage();
  takeAllocationFailure();
}

RuntimeMessages::~RuntimeMessages() { stencilKeepMessages(before); }

llvm::Error RuntimeMessages::makeError(int32_t status) {
  if (status == STENCIL_OK)
    return llvm::Error::success();
  std::string message = stencilTakeMessage();
  std::string allocation = takeAllocationFailure();
  if (status == STENCIL_OUT_OF_MEMORY && !allocation.empty())
    message = splitPlace(message).first.str() + allocation;
  if (message.empty())
    message = "the program failed with code " + std::to_string(status);
  return llvm::make_error<ProgramError>(status, message);
}

llvm::Error RuntimeMessages::takeError() {
  return makeError(stencilTakeStatus());
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

class LoadedObject::Engine {
public:
  ~Engine() {
    RuntimeMessages messages;
    for (void (*destructor)() : destructors)
      destructor();
    stencilTakeStatus();
  }

  std::unique_ptr<llvm::orc::LLJIT> jit;
  /// Global destructors of the program; set once its constructors have run.
  std::vector<void (*)()> destructors;
};

LoadedObject::LoadedObject() = default;
LoadedObject::~LoadedObject() = default;

/// Lets the program use a library that is there for as long as the process.
static llvm::Error addLibrary(llvm::orc::LLJIT &jit, const char *file) {
  auto generator = llvm::orc::DynamicLibrarySearchGenerator::Load(
      file, jit.getDataLayout().getGlobalPrefix());
  if (!generator)
    return generator.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*generator));
  return llvm::Error::success();
}

/// A JIT that has the runtime symbols, OpenMP if asked for, and what programs
/// call in libraries.
static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
createJIT(const char *openmpFile,
          llvm::ArrayRef<std::pair<std::string, std::string>> externals) {
  // Makes the target known, for who has compiled nothing.
  if (auto machine = createTargetMachine("native"); !machine)
    return machine.takeError();
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  // By default they are printed; whoever looks the symbol up gets them, too.
  (*jit)->getExecutionSession().setErrorReporter(
      [](llvm::Error error) { llvm::consumeError(std::move(error)); });
  llvm::orc::SymbolMap symbols;
  auto define = [&](llvm::StringRef name, void *address) {
    symbols[(*jit)->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  for (const RuntimeSymbol &symbol : getRuntimeSymbols())
    define(symbol.name, symbol.address);
  // Also in place of the runtime's timers.
  for (const auto &[name, file] : externals)
    if (void *function =
            llvm::sys::DynamicLibrary::getPermanentLibrary(file.c_str())
                .getAddressOfSymbol(name.c_str()))
      define(name, function);
  if (auto error = (*jit)->getMainJITDylib().define(
          llvm::orc::absoluteSymbols(std::move(symbols))))
    return std::move(error);
  if (llvm::sys::DynamicLibrary::getPermanentLibrary(kVectorLibraryFile)
          .isValid())
    if (auto error = addLibrary(**jit, kVectorLibraryFile))
      return std::move(error);
  if (openmpFile)
    if (auto error = addLibrary(**jit, openmpFile))
      return std::move(error);
  return jit;
}

llvm::Expected<std::unique_ptr<LoadedObject>>
LoadedObject::load(const CompiledObject &object) {
  std::unique_ptr<LoadedObject> loaded(new LoadedObject());
  loaded->engine = std::make_unique<Engine>();
  loaded->threads = object.threads;
  const OpenMPLibrary *openmp = nullptr;
  if (object.threads > 1) {
    openmp = findOpenMPLibrary();
    if (!openmp)
      return llvm::createStringError("expected libomp.so.5, LLVM's OpenMP "
                                     "runtime library, got none");
  }
  auto jit = createJIT(openmp ? openmp->file : nullptr, object.externals);
  if (!jit)
    return jit.takeError();
  if (auto error = (*jit)->addObjectFile(
          llvm::MemoryBuffer::getMemBufferCopy(object.object, "program")))
    return std::move(error);
  auto address = (*jit)->lookup(kInvokerName);
  if (!address)
    return address.takeError();
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
    return std::move(error);
  if (auto error = find(object.destructors, destructors))
    return std::move(error);
  loaded->invoke = address->toPtr<int32_t (*)(void **, char *)>();
  loaded->engine->jit = std::move(*jit);
  RuntimeMessages messages;
  // An error that nobody asked for is of something else.
  stencilTakeStatus();
  for (void (*constructor)() : constructors)
    constructor();
  if (auto error = messages.takeError())
    return std::move(error);
  loaded->engine->destructors = std::move(destructors);
  return std::move(loaded);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void stencil::appendDescriptor(void *data, llvm::ArrayRef<int64_t> shape,
                               llvm::SmallVectorImpl<uint64_t> &words,
                               int64_t rowStride) {
  auto address = reinterpret_cast<uint64_t>(data);
  words.append({address, address, 0});
  words.append(shape.begin(), shape.end());
  size_t rank = shape.size(), strides = words.size();
  words.resize(strides + rank);
  uint64_t stride = 1;
  for (size_t i = rank; i-- > 0;) {
    words[strides + i] = stride;
    stride *= i + 1 == rank && rowStride > 0 ? rowStride : shape[i];
  }
}

llvm::Error LoadedObject::call(void **arguments, char *results,
                               void *stream) const {
  OpenMPThreads scope(threads);
  RuntimeMessages messages;
  if (stream)
    stencilSetStream(stream);
  int32_t status = invoke(arguments, results);
  if (stream)
    stencilSetStream(nullptr);
  return messages.makeError(status);
}
