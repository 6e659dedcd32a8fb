//===- NVIDIABinary.cpp - PTX, cubin and fat binaries ---------------------===//

#include "CheckedSerializer.h"
#include "KernelSerializer.h"
#include "LLVMFlags.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Target/GPUToolkit.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace stencil;

/// Functions that CUDA's driver links (CUDA C++ Programming Guide, "Formatted
/// Output", "Dynamic Global Memory Allocation", "Assertion").
static bool isProvidedByDriver(llvm::StringRef name) {
  return name == "vprintf" || name == "malloc" || name == "free" ||
         name == "__assertfail";
}

namespace {

/// Makes PTX.
class PTXSerializer : public CheckedSerializer<LLVM::ModuleToObject> {
public:
  PTXSerializer(gpu::GPUModuleOp module, NVVM::NVVMTargetAttr target,
                llvm::StringRef toolkit, const llvm::StringSet<> &leftAtHead)
      : CheckedSerializer(*module, target.getTriple(), target.getChip(),
                          target.getFeatures(), target.getO()),
        gpuModule(module), toolkit(toolkit), leftAtHead(leftAtHead) {}

protected:
  /// Libdevice is large, and read only for kernels that need it.
  std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &code) override {
    SmallVector<std::unique_ptr<llvm::Module>> libraries;
    if (!needsFunctions(code, "__nv_"))
      return libraries;
    auto path = findLibdevice(toolkit);
    if (!path) {
      advice = "; " + llvm::toString(path.takeError());
      return libraries;
    }
    Attribute file = StringAttr::get(gpuModule.getContext(), *path);
    if (failed(loadBitcodeFilesFromList(code.getContext(), file, libraries)))
      return std::nullopt;
    return libraries;
  }

  void handleModulePostLink(llvm::Module &code) override {
    collectErrors(code.getContext(), optimizationError);
  }

  FailureOr<SmallVector<char, 0>> moduleToObject(llvm::Module &code) override {
    if (optimizationError.found)
      return reportCodegenError(optimizationError, gpuModule);
    if (failed(checkDefined(code, gpuModule, isProvidedByDriver, advice)))
      return failure();
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return failure();
    keepLoads(code, **machine);
    for (auto kernel : gpuModule.getOps<LLVM::LLVMFuncOp>())
      if (llvm::Function *function = code.getFunction(kernel.getName())) {
        if (kernel->hasAttr(kStraightAttrName))
          predicateStores(*function);
        if (leftAtHead.contains(kernel.getName()))
          leaveLoopsAtHead(*function);
      }
    FailureOr<std::string> text =
        generateCode(code, **machine, /*assembly=*/true, gpuModule);
    if (failed(text))
      return failure();
    return SmallVector<char, 0>(text->begin(), text->end());
  }

private:
  gpu::GPUModuleOp gpuModule;
  llvm::StringRef toolkit;
  /// Kernels whose loops test at their head whether they go on.
  const llvm::StringSet<> &leftAtHead;
  /// Why libdevice is not there.
  std::string advice;
  CodegenError optimizationError;
};

} // namespace

/// True if kernels call functions of libdevice, which are inlined.
static bool callsLibrary(gpu::GPUModuleOp module) {
  return module
      .walk([](LLVM::CallOp call) {
        return call.getCallee().value_or("").starts_with("__nv_")
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True if all that a kernel computes for a plane is to stay in one block.
static bool hasStraightKernel(gpu::GPUModuleOp module) {
  return llvm::any_of(module.getOps<LLVM::LLVMFuncOp>(), [](auto kernel) {
    return kernel->hasAttr(kStraightAttrName);
  });
}

/// True if a loop carries so many values, of doubles a quarter of a thread's
/// registers, that none are left for what is only needed behind it.
static bool hasFullLoop(gpu::GPUModuleOp module) {
  constexpr int64_t kMany = 32;
  auto isFull = [](Block &block) {
    int64_t count = 0;
    for (Type type : block.getArgumentTypes()) {
      auto vector = dyn_cast<VectorType>(type);
      count += vector ? vector.getNumElements() : 1;
    }
    return !block.isEntryBlock() && count >= kMany;
  };
  return llvm::any_of(module.getOps<LLVM::LLVMFuncOp>(), [&](auto kernel) {
    return llvm::any_of(kernel.getBody(), isFull);
  });
}

static LogicalResult report(gpu::GPUModuleOp module, llvm::Error error) {
  return emitError(module.getLoc()) << llvm::toString(std::move(error));
}

/// PTX of the kernels, those with loops that test at their head given by name.
static FailureOr<std::string> writePTX(gpu::GPUModuleOp module,
                                       NVVM::NVVMTargetAttr target,
                                       llvm::StringRef toolkit,
                                       const llvm::StringSet<> &leftAtHead) {
  ChangedLLVMFlags alone(getLLVMFlagMutex());
  // InstCombine moves arithmetic over a branch that does not need it, but no
  // loads: in a body with an exponential, which has branches, all of it behind
  // that, so that everything that is loaded is in registers at once. Of a store
  // under a condition it moves what is stored behind that.
  std::optional<LLVMFlag> noSinking, noCSE;
  if (callsLibrary(module) || hasStraightKernel(module))
    noSinking.emplace("instcombine-code-sinking", false);
  // MachineCSE computes conditions that several loops ask for once, in front of
  // the first. A thread has seven predicates: where more are kept across a loop
  // ptxas orders its instructions for few registers and not for few waits. Of
  // 27 points in two steps the stall counts of the main loop were 38 % more.
  if (hasFullLoop(module))
    noCSE.emplace("disable-machine-cse", true);
  PTXSerializer serializer(module, target, toolkit, leftAtHead);
  std::optional<SmallVector<char, 0>> text = serializer.run();
  if (!text)
    return failure();
  // LLVM ends it with a zero byte for the driver.
  return llvm::StringRef(text->data(), text->size()).rtrim('\0').str();
}

/// Runs ptxas: PTX to cubin.
static LogicalResult assemble(gpu::GPUModuleOp module,
                              NVVM::NVVMTargetAttr target,
                              const std::string &ptxas, llvm::StringRef ptx,
                              GPUBinary &binary) {
  TimeAccount account(&GPUBinaryTimes::assembly);
  auto file = TemporaryFile::create("ptx", ptx);
  if (!file)
    return report(module, file.takeError());
  auto cubin = TemporaryFile::create("cubin");
  if (!cubin)
    return report(module, cubin.takeError());
  std::string level = std::to_string(target.getO());
  auto result =
      runProgram(ptxas, {"-arch", target.getChip(), "-v", "--opt-level", level,
                         file->getPath(), "-o", cubin->getPath()});
  if (!result)
    return report(module, result.takeError());
  if (result->status != 0)
    return reportPtxasErrors(result->output, module, target.getChip(), ptx);
  auto data = cubin->read();
  if (!data)
    return report(module, data.takeError());
  binary.kernels = parsePtxasLog(result->output);
  binary.data = std::move(*data);
  return success();
}

/// Tries, of kernels that spill, loops that test at their head. It stays as it
/// was where something spills all the same.
static void assembleAtHead(gpu::GPUModuleOp module, NVVM::NVVMTargetAttr target,
                           const std::string &ptxas, llvm::StringRef toolkit,
                           std::string &ptx, GPUBinary &binary) {
  llvm::StringSet<> names;
  for (const KernelResources &kernel : binary.kernels)
    if (kernel.spills())
      names.insert(kernel.kernel);
  uint64_t thread = llvm::get_threadid();
  // There is code already, whatever is wrong with this.
  ScopedDiagnosticHandler quiet(module.getContext(), [&](Diagnostic &) {
    return success(llvm::get_threadid() == thread);
  });
  FailureOr<std::string> other = writePTX(module, target, toolkit, names);
  GPUBinary found;
  found.format = binary.format;
  if (failed(other) || failed(assemble(module, target, ptxas, *other, found)) ||
      countSpilled(found.kernels) > 0)
    return;
  ptx = std::move(*other);
  binary = std::move(found);
}

/// Runs fatbinary: cubin and PTX in one, so that the driver can compile the
/// second for GPUs that cannot run the first.
static LogicalResult combine(gpu::GPUModuleOp module,
                             NVVM::NVVMTargetAttr target,
                             const std::string &fatbinary, llvm::StringRef ptx,
                             GPUBinary &binary) {
  TimeAccount account(&GPUBinaryTimes::assembly);
  auto assembly = TemporaryFile::create("ptx", ptx);
  if (!assembly)
    return report(module, assembly.takeError());
  auto cubin = TemporaryFile::create("cubin", binary.data);
  if (!cubin)
    return report(module, cubin.takeError());
  auto fatbin = TemporaryFile::create("fatbin");
  if (!fatbin)
    return report(module, fatbin.takeError());
  std::string version = target.getChip().drop_front(3).str();
  std::string first =
      "--image3=kind=elf,sm=" + version + ",file=" + cubin->getPath().str();
  std::string second =
      "--image3=kind=ptx,sm=" + version + ",file=" + assembly->getPath().str();
  std::string output = "--create=" + fatbin->getPath().str();
  auto result = runProgram(fatbinary, {"--64", output, first, second});
  if (!result)
    return report(module, result.takeError());
  if (result->status != 0)
    return emitError(module.getLoc())
           << "fatbinary: " << llvm::StringRef(result->output).trim();
  auto data = fatbin->read();
  if (!data)
    return report(module, data.takeError());
  binary.data = std::move(*data);
  return success();
}

FailureOr<GPUBinary>
stencil::compileForNVIDIA(gpu::GPUModuleOp module,
                          const GPUBinaryOptions &options) {
  NVVM::SerializeGPUModuleBase::init();
  auto target = cast<NVVM::NVVMTargetAttr>(module.getTargetsAttr()[0]);

  // First what can be missing, then the work.
  GPUBinary binary;
  binary.format = options.format;
  std::string ptxas, fatbinary;
  if (binary.format != GPUFormat::Assembly) {
    auto path = findCUDAProgram("ptxas", options.toolkit);
    if (path) {
      ptxas = *path;
    } else if (options.format != GPUFormat::Auto || !options.toolkit.empty()) {
      return report(module, path.takeError());
    } else {
      emitRemark(module.getLoc()) << "PTX for the driver to compile: "
                                  << llvm::toString(path.takeError());
      binary.format = GPUFormat::Assembly;
    }
  }
  if (binary.format == GPUFormat::Auto)
    binary.format = GPUFormat::Fatbin;
  if (binary.format == GPUFormat::Fatbin) {
    auto path = findCUDAProgram("fatbinary", options.toolkit);
    if (!path)
      return report(module, path.takeError());
    fatbinary = *path;
  }

  FailureOr<std::string> ptx =
      writePTX(module, target, options.toolkit, /*leftAtHead=*/{});
  if (failed(ptx))
    return failure();
  if (binary.format == GPUFormat::Assembly) {
    binary.data = std::move(*ptx);
    return binary;
  }
  if (failed(assemble(module, target, ptxas, *ptx, binary)))
    return failure();
  if (target.getO() > 0 && countSpilled(binary.kernels) > 0 &&
      hasFullLoop(module))
    assembleAtHead(module, target, ptxas, options.toolkit, *ptx, binary);
  if (binary.format == GPUFormat::Fatbin &&
      failed(combine(module, target, fatbinary, *ptx, binary)))
    return failure();
  return binary;
}
