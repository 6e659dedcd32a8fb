//===- CodegenErrors.cpp - What LLVM's code generators say ----------------===//

#include "CodegenErrors.h"
#include "StencilDialect/Support/FatalErrors.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Regex.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace stencil;

static std::string describe(const DiagnosticInfo &info) {
  if (const auto *limit = dyn_cast<DiagnosticInfoResourceLimit>(&info))
    return "expected at most " + std::to_string(limit->getResourceLimit()) +
           " bytes of " + limit->getResourceName() + ", got " +
           std::to_string(limit->getResourceSize());
  if (const auto *assembly = dyn_cast<DiagnosticInfoSrcMgr>(&info))
    return "LLVM does not take the assembly '" +
           assembly->getSMDiag().getLineContents().trim().str() +
           "': " + assembly->getSMDiag().getMessage().str();
  if (const auto *missing = dyn_cast<DiagnosticInfoUnsupported>(&info))
    return "LLVM cannot generate code for it: " + missing->getMessage().str();
  std::string text;
  raw_string_ostream os(text);
  DiagnosticPrinterRawOStream printer(os);
  info.print(printer);
  StringRef line = StringRef(text).trim().split('\n').first;
  line.consume_front("<unknown>:0:0: ");
  return "LLVM cannot generate code for it: " + line.str();
}

static std::string getFunction(const DiagnosticInfo &info) {
  if (const auto *limit = dyn_cast<DiagnosticInfoResourceLimit>(&info))
    return limit->getFunction().getName().str();
  if (const auto *missing = dyn_cast<DiagnosticInfoUnsupported>(&info))
    return missing->getFunction().getName().str();
  return "";
}

void stencil::collectErrors(LLVMContext &context, CodegenError &error) {
  auto collect = [](const DiagnosticInfo *info, void *opaque) {
    auto &first = *static_cast<CodegenError *>(opaque);
    if (info->getSeverity() == DS_Error && !first.found)
      first = {true, describe(*info), getFunction(*info)};
  };
  context.setDiagnosticHandlerCallBack(collect, &error);
}

/// Who calls a function whose name begins so; empty if nobody does.
static std::string findCaller(Module &module, StringRef callee) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && call->getCalledFunction() &&
          call->getCalledFunction()->getName().starts_with(callee))
        return function.getName().str();
  return "";
}

/// The texts of SelectionDAGISel::CannotYetSelect, and all others.
static CodegenError describeFatal(StringRef reason, StringRef cpu,
                                  Module &module) {
  CodegenError error;
  error.found = true;
  SmallVector<StringRef> parts;
  std::string what;
  if (Regex("Cannot select: (target )?intrinsic %?([A-Za-z0-9_.]+)")
          .match(reason, &parts)) {
    what = parts[2].str();
    error.function = findCaller(module, what);
  } else if (Regex("Cannot select: [^=\n]*= *([A-Za-z0-9_:]+)")
                 .match(reason, &parts)) {
    what = parts[1].str();
  }
  if (Regex("In function: ([^ \n]+)").match(reason, &parts))
    error.function = parts[1].str();
  error.text =
      what.empty()
          ? ("LLVM cannot generate code for " + cpu + ": " +
             reason.trim().split('\n').first)
                .str()
          : ("LLVM has no instruction of " + cpu + " for '" + what + "'").str();
  return error;
}

CodegenError stencil::runCodegen(Module &module, TargetMachine &machine,
                                 CodeGenFileType type, raw_pwrite_stream &os) {
  CodegenError error;
  auto passes = std::make_unique<legacy::PassManager>();
  if (machine.addPassesToEmitFile(*passes, os, /*DwoOut=*/nullptr, type))
    return {true, "no code generator for files of this kind", ""};
  LLVMContext &context = module.getContext();
  auto callback = context.getDiagnosticHandlerCallBack();
  void *before = context.getDiagnosticContext();
  collectErrors(context, error);
  Error fatal = catchFatalErrors([&] { passes->run(module); });
  context.setDiagnosticHandlerCallBack(callback, before);
  if (!fatal)
    return error;
  // It was left in the middle of something: nobody can destroy it.
  [[maybe_unused]] legacy::PassManager *left = passes.release();
  std::string reason = toString(std::move(fatal));
  if (!error.found)
    error = describeFatal(reason, machine.getTargetCPU(), module);
  return error;
}
