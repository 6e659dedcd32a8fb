//===- GPUBinary.cpp - From lowered kernels to GPU binaries ---------------===//

#include "StencilDialect/Target/GPUBinary.h"
#include "KernelSerializer.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"

#include <chrono>
#include <optional>

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Of the calling thread: several may compile.
static GPUBinaryTimes &getTimes() {
  static thread_local GPUBinaryTimes times;
  return times;
}

GPUBinaryTimes stencil::takeGPUBinaryTimes() {
  return std::exchange(getTimes(), GPUBinaryTimes());
}

static double getSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

TimeAccount::TimeAccount(double GPUBinaryTimes::*member)
    : member(member), start(getSeconds()) {}

TimeAccount::~TimeAccount() { getTimes().*member += getSeconds() - start; }

//===----------------------------------------------------------------------===//
// Parts of both vendors' ways
//===----------------------------------------------------------------------===//

Location stencil::getKernelLocation(gpu::GPUModuleOp module,
                                    llvm::StringRef function) {
  Operation *op = SymbolTable::lookupSymbolIn(module, function);
  return op ? op->getLoc() : module.getLoc();
}

bool stencil::needsFunctions(llvm::Module &code, llvm::StringRef prefix) {
  return llvm::any_of(code, [&](llvm::Function &function) {
    return function.isDeclaration() && !function.use_empty() &&
           function.getName().starts_with(prefix);
  });
}

/// A function that refers to this value; null if none does.
static llvm::Function *findUser(llvm::Value &value) {
  for (llvm::User *user : value.users()) {
    if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
      return instruction->getFunction();
    if (llvm::Function *function = findUser(*user))
      return function;
  }
  return nullptr;
}

LogicalResult
stencil::checkDefined(llvm::Module &code, gpu::GPUModuleOp module,
                      llvm::function_ref<bool(llvm::StringRef)> isProvided,
                      llvm::StringRef advice) {
  auto check = [&](llvm::GlobalValue &symbol) -> LogicalResult {
    if (!symbol.isDeclaration() || symbol.use_empty())
      return success();
    llvm::Function *user = findUser(symbol);
    llvm::StringRef name = user ? user->getName() : llvm::StringRef("?");
    return emitError(getKernelLocation(module, name))
           << "'" << name << "' uses '" << symbol.getName()
           << "', which is defined nowhere" << advice;
  };
  for (llvm::Function &function : llvm::make_early_inc_range(code)) {
    if (function.isIntrinsic() || isProvided(function.getName()))
      continue;
    if (failed(check(function)))
      return failure();
    if (function.isDeclaration())
      function.eraseFromParent();
  }
  for (llvm::GlobalVariable &global : code.globals()) {
    // An array without a size in shared memory is what a launch asks for.
    bool dynamicShared =
        global.getAddressSpace() == 3 && global.getValueType()->isArrayTy() &&
        llvm::cast<llvm::ArrayType>(global.getValueType())->getNumElements() ==
            0;
    if (!dynamicShared && failed(check(global)))
      return failure();
  }
  return success();
}

LLVMFlag::LLVMFlag(llvm::StringRef name, bool value) {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find(name);
  // Who gives the option knows better.
  if (found == options.end() || found->second->getNumOccurrences() > 0)
    return;
  option = static_cast<llvm::cl::opt<bool> *>(found->second);
  before = option->getValue();
  option->setValue(value);
}

LLVMFlag::~LLVMFlag() {
  if (option)
    option->setValue(before);
}

LogicalResult stencil::reportCodegenError(const CodegenError &error,
                                          gpu::GPUModuleOp module) {
  return emitError(getKernelLocation(module, error.function))
         << (error.function.empty() ? "" : "'" + error.function + "': ")
         << error.text;
}

FailureOr<std::string> stencil::generateCode(llvm::Module &code,
                                             llvm::TargetMachine &machine,
                                             bool assembly,
                                             gpu::GPUModuleOp module) {
  TimeAccount account(&GPUBinaryTimes::codegen);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  // MachineSink moves the arithmetic of partial sums, phase by phase of an
  // unrolled loop, to where the sum is stored, and so keeps all its inputs in
  // registers instead of the sum: of a star of radius 4, three times as many.
  std::optional<LLVMFlag> noSinking;
  if (machine.getTargetTriple().isNVPTX())
    noSinking.emplace("disable-machine-sink", true);
  CodegenError error = runCodegen(code, machine,
                                  assembly ? llvm::CodeGenFileType::AssemblyFile
                                           : llvm::CodeGenFileType::ObjectFile,
                                  os);
  if (error.found)
    return reportCodegenError(error, module);
  return std::string(bytes.begin(), bytes.end());
}

//===----------------------------------------------------------------------===//
// Binaries
//===----------------------------------------------------------------------===//

llvm::Expected<GPUFormat> stencil::parseGPUFormat(llvm::StringRef text) {
  auto format = llvm::StringSwitch<std::optional<GPUFormat>>(text)
                    .Case("isa", GPUFormat::Assembly)
                    .Case("bin", GPUFormat::Binary)
                    .Case("fatbin", GPUFormat::Fatbin)
                    .Case("auto", GPUFormat::Auto)
                    .Default(std::nullopt);
  if (!format)
    return llvm::createStringError(
        "expected the format isa, bin, fatbin or auto, got '" + text + "'");
  return *format;
}

FailureOr<GPUBinary> stencil::compileKernels(gpu::GPUModuleOp module,
                                             const GPUBinaryOptions &options) {
  if (isa<ROCDL::ROCDLTargetAttr>(module.getTargetsAttr()[0]))
    return compileForAMD(module, options);
  return compileForNVIDIA(module, options);
}

static gpu::CompilationTarget getUpstreamFormat(GPUFormat format) {
  switch (format) {
  case GPUFormat::Assembly:
    return gpu::CompilationTarget::Assembly;
  case GPUFormat::Binary:
    return gpu::CompilationTarget::Binary;
  case GPUFormat::Fatbin:
  case GPUFormat::Auto:
    return gpu::CompilationTarget::Fatbin;
  }
  return gpu::CompilationTarget::Fatbin;
}

namespace {

struct Entry {
  const char *name;
  uint64_t KernelResources::*member;
};

} // namespace

/// The names in a kernel table.
static constexpr Entry kEntries[] = {
    {"registers", &KernelResources::registers},
    {"scalar_registers", &KernelResources::scalarRegisters},
    {"spill_stores", &KernelResources::spillStores},
    {"spill_loads", &KernelResources::spillLoads},
    {"spilled_registers", &KernelResources::spilledRegisters},
    {"stack_bytes", &KernelResources::stackBytes},
    {"shared_bytes", &KernelResources::sharedBytes}};

gpu::BinaryOp stencil::replaceByBinary(gpu::GPUModuleOp module,
                                       const GPUBinary &binary) {
  OpBuilder builder(module);
  SmallVector<gpu::KernelMetadataAttr> kernels;
  for (const KernelResources &resources : binary.kernels) {
    auto function = dyn_cast_or_null<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(module, resources.kernel));
    if (!function)
      continue;
    SmallVector<NamedAttribute> entries;
    for (const Entry &entry : kEntries)
      entries.push_back(builder.getNamedAttr(
          entry.name, builder.getI64IntegerAttr(resources.*entry.member)));
    kernels.push_back(gpu::KernelMetadataAttr::get(
        builder.getStringAttr(resources.kernel), function.getFunctionType(),
        /*argAttrs=*/nullptr, builder.getDictionaryAttr(entries)));
  }
  gpu::KernelTableAttr table;
  if (!kernels.empty())
    table = gpu::KernelTableAttr::get(builder.getContext(), kernels);
  auto object = gpu::ObjectAttr::get(
      module.getTargetsAttr()[0], getUpstreamFormat(binary.format),
      builder.getStringAttr(binary.data), /*properties=*/nullptr, table);
  auto op = gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                                  module.getOffloadingHandlerAttr(),
                                  builder.getArrayAttr(object));
  module.erase();
  return op;
}

std::vector<KernelResources> stencil::getKernelResources(gpu::BinaryOp binary) {
  std::vector<KernelResources> result;
  for (Attribute attribute : binary.getObjects()) {
    gpu::KernelTableAttr table = cast<gpu::ObjectAttr>(attribute).getKernels();
    if (!table)
      continue;
    for (gpu::KernelMetadataAttr kernel : table) {
      KernelResources resources;
      resources.kernel = kernel.getName().str();
      for (const Entry &entry : kEntries)
        if (auto value = kernel.getAttr<IntegerAttr>(entry.name))
          resources.*entry.member = value.getInt();
      result.push_back(std::move(resources));
    }
  }
  return result;
}
