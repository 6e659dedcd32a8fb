//===- NVIDIABinary.cpp - PTX, cubin and fat binaries ---------------------===//

#include "CheckedSerializer.h"
#include "KernelSerializer.h"
#include "LLVMFlags.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Target/GPUToolkit.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
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
                llvm::StringRef toolkit)
      : CheckedSerializer(*module, target.getTriple(), target.getChip(),
                          target.getFeatures(), target.getO()),
        gpuModule(module), toolkit(toolkit) {}

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
      if (kernel->hasAttr(kStraightAttrName))
        if (llvm::Function *function = code.getFunction(kernel.getName()))
          predicateStores(*function);
    FailureOr<std::string> text =
        generateCode(code, **machine, /*assembly=*/true, gpuModule);
    if (failed(text))
      return failure();
    return SmallVector<char, 0>(text->begin(), text->end());
  }

private:
  gpu::GPUModuleOp gpuModule;
  llvm::StringRef toolkit;
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

static LogicalResult report(gpu::GPUModuleOp module, llvm::Error error) {
  return emitError(module.getLoc()) << llvm::toString(std::move(error));
}

/// Runs ptxas: PTX to cubin.
static LogicalResult assemble(gpu::GPUModuleOp module,
                              NVVM::NVVMTargetAttr target,
                              const std::string &ptxas,
                              const TemporaryFile &ptx, GPUBinary &binary) {
  auto cubin = TemporaryFile::create("cubin");
  if (!cubin)
    return report(module, cubin.takeError());
  std::string level = std::to_string(target.getO());
  auto result =
      runProgram(ptxas, {"-arch", target.getChip(), "-v", "--opt-level", level,
                         ptx.getPath(), "-o", cubin->getPath()});
  if (!result)
    return report(module, result.takeError());
  if (result->status != 0)
    return reportPtxasErrors(result->output, module, target.getChip(),
                             binary.data);
  auto data = cubin->read();
  if (!data)
    return report(module, data.takeError());
  binary.kernels = parsePtxasLog(result->output);
  binary.data = std::move(*data);
  return success();
}

/// Runs fatbinary: cubin and PTX in one, so that the driver can compile the
/// second for GPUs that cannot run the first.
static LogicalResult combine(gpu::GPUModuleOp module,
                             NVVM::NVVMTargetAttr target,
                             const std::string &fatbinary,
                             const TemporaryFile &ptx, GPUBinary &binary) {
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
      "--image3=kind=ptx,sm=" + version + ",file=" + ptx.getPath().str();
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

  // InstCombine moves arithmetic over a branch that does not need it, but no
  // loads: in a body with an exponential, which has branches, all of it behind
  // that, so that everything that is loaded is in registers at once. Of a store
  // under a condition it moves what is stored behind that.
  std::optional<ChangedLLVMFlags> alone(std::in_place, getLLVMFlagMutex());
  std::optional<LLVMFlag> noSinking;
  if (callsLibrary(module) || hasStraightKernel(module))
    noSinking.emplace("instcombine-code-sinking", false);
  PTXSerializer serializer(module, target, options.toolkit);
  std::optional<SmallVector<char, 0>> text = serializer.run();
  noSinking.reset();
  alone.reset();
  if (!text)
    return failure();
  binary.data.assign(text->begin(), text->end());
  // LLVM ends it with a zero byte for the driver.
  while (!binary.data.empty() && binary.data.back() == '\0')
    binary.data.pop_back();
  if (binary.format == GPUFormat::Assembly)
    return binary;

  TimeAccount account(&GPUBinaryTimes::assembly);
  auto ptx = TemporaryFile::create("ptx", binary.data);
  if (!ptx)
    return report(module, ptx.takeError());
  if (failed(assemble(module, target, ptxas, *ptx, binary)))
    return failure();
  if (binary.format == GPUFormat::Fatbin &&
      failed(combine(module, target, fatbinary, *ptx, binary)))
    return failure();
  return binary;
}
