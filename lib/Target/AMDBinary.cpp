//===- AMDBinary.cpp - Code objects for AMD GPUs --------------------------===//

#include "CheckedSerializer.h"
#include "KernelSerializer.h"
#include "LLVMFlags.h"
#include "StencilDialect/Target/GPUToolkit.h"
#include "lld/Common/Driver.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace mlir;
using namespace stencil;

namespace {

/// Makes an object file, or assembly. The base class links ROCm's device
/// libraries if they are needed.
class AMDSerializer : public CheckedSerializer<ROCDL::SerializeGPUModuleBase> {
public:
  AMDSerializer(gpu::GPUModuleOp module, ROCDL::ROCDLTargetAttr target,
                const GPUBinaryOptions &options)
      : CheckedSerializer(*module, target, gpu::TargetOptions(options.toolkit)),
        gpuModule(module), options(options) {}

protected:
  void handleModulePreLink(llvm::Module &code) override {
    if (needsFunctions(code, "__ocml_") || needsFunctions(code, "__ockl_")) {
      auto directory = findROCmDirectory(options.toolkit);
      if (directory)
        toolkitPath = *directory;
      else
        advice = "; " + llvm::toString(directory.takeError());
    }
    if (advice.empty())
      SerializeGPUModuleBase::handleModulePreLink(code);
  }

  std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &code) override {
    if (!advice.empty())
      return SmallVector<std::unique_ptr<llvm::Module>>();
    return SerializeGPUModuleBase::loadBitcodeFiles(code);
  }

  void handleModulePostLink(llvm::Module &code) override {
    SerializeGPUModuleBase::handleModulePostLink(code);
    collectErrors(code.getContext(), optimizationError);
  }

  FailureOr<SmallVector<char, 0>> moduleToObject(llvm::Module &code) override {
    auto none = [](llvm::StringRef) { return false; };
    if (optimizationError.found)
      return reportCodegenError(optimizationError, gpuModule);
    if (failed(checkDefined(code, gpuModule, none, advice)))
      return failure();
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return failure();
    FailureOr<std::string> object = generateCode(
        code, **machine, options.format == GPUFormat::Assembly, gpuModule);
    if (failed(object))
      return failure();
    return SmallVector<char, 0>(object->begin(), object->end());
  }

private:
  gpu::GPUModuleOp gpuModule;
  const GPUBinaryOptions &options;
  /// Why the device libraries are not there.
  std::string advice;
  CodegenError optimizationError;
};

} // namespace

/// Links one object file to a shared object, which is what HIP loads.
static llvm::Expected<std::string> link(llvm::StringRef object) {
  auto input = TemporaryFile::create("o", object);
  if (!input)
    return input.takeError();
  auto output = TemporaryFile::create("hsaco");
  if (!output)
    return output.takeError();
  std::string in = input->getPath().str(), out = output->getPath().str();
  std::string log;
  llvm::raw_string_ostream os(log);
  const char *arguments[] = {"ld.lld",         "-shared",         "--threads=1",
                             "--no-undefined", "--build-id=none", "-o",
                             out.c_str(),      in.c_str()};
  // LLD has one state for the process.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  lld::Result result =
      lld::lldMain(arguments, os, os, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return llvm::createStringError("lld: " + llvm::StringRef(log).trim());
  return output->read();
}

/// What metadata say of a kernel; `get` has a number by its name, or 0.
static KernelResources
describe(llvm::StringRef kernel,
         llvm::function_ref<uint64_t(llvm::StringRef)> get) {
  KernelResources resources;
  resources.kernel = kernel.str();
  resources.registers = get("vgpr_count");
  resources.scalarRegisters = get("sgpr_count");
  resources.spilledRegisters =
      get("vgpr_spill_count") + get("sgpr_spill_count");
  resources.stackBytes = get("private_segment_fixed_size");
  resources.sharedBytes = get("group_segment_fixed_size");
  return resources;
}

static std::vector<KernelResources>
sortByName(std::vector<KernelResources> kernels) {
  llvm::sort(kernels,
             [](const auto &a, const auto &b) { return a.kernel < b.kernel; });
  return kernels;
}

/// What the metadata of the object say of its kernels.
static std::vector<KernelResources> readResources(gpu::GPUModuleOp module,
                                                  llvm::StringRef object) {
  std::vector<KernelResources> result;
  Builder builder(module.getContext());
  auto kernels = ROCDL::getAMDHSAKernelsELFMetadata(
      builder, ArrayRef<char>(object.data(), object.size()));
  if (!kernels)
    return result;
  for (auto &[name, attributes] : *kernels) {
    auto get = [&attributes = attributes](llvm::StringRef key) -> uint64_t {
      auto value = dyn_cast_or_null<IntegerAttr>(attributes.get(key));
      return value ? value.getInt() : 0;
    };
    result.push_back(describe(name.getValue(), get));
  }
  return sortByName(std::move(result));
}

/// The same of assembly, which ends with them.
static std::vector<KernelResources> parseResources(llvm::StringRef assembly) {
  std::vector<KernelResources> result;
  llvm::StringRef text = assembly.rsplit(".amdgpu_metadata").second;
  llvm::msgpack::Document document;
  if (!document.fromYAML(text.split(".end_amdgpu_metadata").first) ||
      !document.getRoot().isMap())
    return result;
  llvm::msgpack::DocNode kernels =
      document.getRoot().getMap()["amdhsa.kernels"];
  if (!kernels.isArray())
    return result;
  for (llvm::msgpack::DocNode &kernel : kernels.getArray()) {
    if (!kernel.isMap())
      continue;
    auto get = [&](llvm::StringRef key) -> uint64_t {
      llvm::msgpack::DocNode value = kernel.getMap()[("." + key).str()];
      return value.getKind() == llvm::msgpack::Type::UInt ? value.getUInt() : 0;
    };
    llvm::msgpack::DocNode name = kernel.getMap()[".name"];
    if (name.isString())
      result.push_back(describe(name.getString(), get));
  }
  return sortByName(std::move(result));
}

FailureOr<GPUBinary> stencil::compileForAMD(gpu::GPUModuleOp module,
                                            const GPUBinaryOptions &options) {
  ROCDL::SerializeGPUModuleBase::init();
  auto target = cast<ROCDL::ROCDLTargetAttr>(module.getTargetsAttr()[0]);
  AMDSerializer serializer(module, target, options);
  std::optional<SmallVector<char, 0>> code;
  {
    OwnLLVMFlags flags(getLLVMFlagMutex());
    code = serializer.run();
  }
  if (!code)
    return failure();
  GPUBinary binary;
  binary.format = options.format;
  if (binary.format == GPUFormat::Assembly) {
    binary.data.assign(code->begin(), code->end());
    binary.kernels = parseResources(binary.data);
    return binary;
  }
  // There are no fat binaries; HIP's bundles are for several GPUs.
  binary.format = GPUFormat::Binary;
  TimeAccount account(&GPUBinaryTimes::assembly);
  auto linked = link(llvm::StringRef(code->data(), code->size()));
  if (!linked)
    return emitError(module.getLoc()) << llvm::toString(linked.takeError());
  binary.data = std::move(*linked);
  binary.kernels = readResources(module, binary.data);
  return binary;
}
