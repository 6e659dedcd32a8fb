//===- Codegen.cpp - From LLVM IR to machine code -------------------------===//

#include "StencilDialect/Target/Codegen.h"
#include "BFloatConversions.h"
#include "CodegenErrors.h"
#include "LLVMFlags.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Config/Targets.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace llvm;
using stencil::VectorMathLibrary;

static std::string getHostFeatures() {
  SubtargetFeatures features;
  for (const auto &feature : sys::getHostCPUFeatures())
    features.AddFeature(feature.getKey(), feature.getValue());
  return features.getString();
}

/// Whether a name stands for a CPU of the triple's architecture. Asked of a
/// machine without a CPU: creating one for an unknown CPU prints.
static bool knowsCPU(const Triple &triple, StringRef cpu) {
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return false;
  std::unique_ptr<MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  return known && known->isCPUStringValid(cpu);
}

Expected<std::unique_ptr<TargetMachine>>
stencil::createTargetMachine(StringRef cpu) {
  // Once: LLVM's registry of targets is not for several threads.
  [[maybe_unused]] static bool initialised = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
#if LLVM_HAS_AARCH64_TARGET
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
#endif
    return true;
  }();
  Triple triple(sys::getDefaultTargetTriple());
  bool native = cpu == "native";
  // Code for others is compiled, and runs elsewhere.
  Triple arm("aarch64-unknown-linux-gnu");
  if (!native && !knowsCPU(triple, cpu)) {
    if (!knowsCPU(arm, cpu))
      return createStringError(
          "expected 'native' or a CPU of architecture " + triple.getArchName() +
          " or aarch64 that LLVM knows, got '" + cpu + "'");
    triple = arm;
  }
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError(message);

  std::string features = native ? getHostFeatures() : std::string();
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, native ? sys::getHostCPUName() : cpu, features, TargetOptions(),
      Reloc::PIC_, std::nullopt, CodeGenOptLevel::Aggressive));
  if (!machine)
    return createStringError("no code generator for '" + triple.str() + "'");
  return machine;
}

unsigned stencil::getVectorBits(TargetMachine &machine) {
  // The answer is about a function, so ask about an empty one.
  LLVMContext context;
  Module module("", context);
  setTarget(module, machine);
  auto *function =
      Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                       GlobalValue::ExternalLinkage, "f", module);
  unsigned bits =
      machine.getTargetTransformInfo(*function)
          .getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue();
  return std::max(bits, 64u);
}

stencil::CPUInfo stencil::describeCPU(TargetMachine &machine, bool isHost) {
  const MCSubtargetInfo &subtarget = *machine.getMCSubtargetInfo();
  StringRef name = machine.getTargetCPU();
  if (isHost && machine.getTargetTriple().isX86() && !getHostCaches().empty() &&
      subtarget.checkFeatures("+amx-tile"))
    name = getServerWithTiles(name, getHostCaches().back().totalBytes);
  CPUInfo info = getCPUInfo(name);
  if (isHost) {
    info = withCaches(std::move(info), getHostCaches());
    info.cores = getNumUsableCpus();
  }
  bool isX86 = machine.getTargetTriple().isX86();
  info.vectorBits = getVectorBits(machine);
  // LLVM prefers half of them on many of Intel's.
  bool has512 = isX86 && subtarget.checkFeatures("+avx512f");
  info.wideVectorBits = std::max(info.vectorBits, has512 ? 512u : 0u);
  // 1.2 to 1.6 times as fast on a Zen 4 for 5 to 17 points, 1.2 to 1.9 times on
  // a Xeon for 5 and 9 points, with one thread or sixteen (docs/notebook.md).
  // Others are not measured.
  info.streamsRows = isX86;
  return info;
}

VectorMathLibrary stencil::findVectorLibrary(TargetMachine &machine) {
  const Triple &triple = machine.getTargetTriple();
  // The interface of 32-bit pointers has no such functions.
  if (triple.getArch() != Triple::x86_64 || triple.isX32() ||
      !triple.isGNUEnvironment())
    return VectorMathLibrary::None;
  // tanh came with glibc 2.35, after the first ones.
  static const bool isInstalled = [] {
    std::string message;
    auto library =
        sys::DynamicLibrary::getPermanentLibrary(kVectorLibraryFile, &message);
    return library.isValid() && library.getAddressOfSymbol("_ZGVdN4v_tanh");
  }();
  const MCSubtargetInfo &subtarget = *machine.getMCSubtargetInfo();
  if (!isInstalled)
    return VectorMathLibrary::None;
  if (subtarget.checkFeatures("+avx512f"))
    return VectorMathLibrary::LibmvecAVX512;
  if (subtarget.checkFeatures("+avx2"))
    return VectorMathLibrary::LibmvecAVX2;
  return subtarget.checkFeatures("+avx") ? VectorMathLibrary::LibmvecAVX
                                         : VectorMathLibrary::LibmvecSSE4;
}

void stencil::setTarget(Module &module, TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    if (!machine.getTargetFeatureString().empty())
      function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
}

std::shared_mutex &stencil::getLLVMFlagMutex() {
  static std::shared_mutex mutex;
  return mutex;
}

void stencil::optimize(Module &module, TargetMachine &machine, unsigned level) {
  OwnLLVMFlags flags(getLLVMFlagMutex());
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  const OptimizationLevel levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  OptimizationLevel chosen = levels[std::min(level, 3u)];
  ModulePassManager passes =
      level == 0 ? builder.buildO0DefaultPipeline(chosen)
                 : builder.buildPerModuleDefaultPipeline(chosen);
  passes.run(module, modules);
}

Error stencil::emitCode(Module &module, TargetMachine &machine, CodeFile kind,
                        raw_pwrite_stream &os) {
  OwnLLVMFlags flags(getLLVMFlagMutex());
  addBFloatConversions(module);
  CodegenError error =
      runCodegen(module, machine,
                 kind == CodeFile::Object ? CodeGenFileType::ObjectFile
                                          : CodeGenFileType::AssemblyFile,
                 os);
  if (!error.found)
    return Error::success();
  return createStringError(
      (error.function.empty() ? "" : "'" + error.function + "': ") +
      error.text);
}
