//===- Compilation.cpp - Machine code for a run
//----------------------------===//

#include "Compilation.h"
#include "StencilDialect/Execution/CachedObject.h"
#include "StencilDialect/Execution/TimedSchedules.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace stencil;

/// What schedules are wanted for, but for the program.
static TuningKey makeKey(const RunOptions &options, const Report &report) {
  TuningKey wanted;
  wanted.target = options.getTargetName().str();
  if (report.device) {
    wanted.chip =
        llvm::cantFail(getTargetInfo(report.device->target.chip)).chip;
    wanted.device = report.device->info.name;
  } else {
    wanted.chip = llvm::sys::getHostCPUName().str();
    wanted.threads = report.threads;
  }
  return wanted;
}

LogicalResult stencil::timeOnDevice(func::FuncOp entry,
                                    const RunOptions &options,
                                    CompileOptions &compileOptions,
                                    const Report &report) {
  return timeSchedules(entry, *compileOptions.device, makeKey(options, report),
                       options.tuningDatabase);
}

LogicalResult stencil::applyTuning(func::FuncOp entry, const Extents &extents,
                                   const RunOptions &options,
                                   CompileOptions &compileOptions,
                                   Report &report) {
  std::vector<int64_t> interior;
  for (std::optional<int64_t> extent : extents.interior)
    interior.push_back(options.anyExtents ? 0 : extent.value_or(0));
  auto choice = findTuned(entry, options.algebra, interior,
                          makeKey(options, report), options.tuningDatabase);
  if (failed(choice))
    return failure();
  if (!choice->remark.empty())
    llvm::errs() << "remark: " << choice->remark << "\n";
  if (!report.device && choice->schedule) {
    report.tuned = joinOptions(*choice->schedule);
    compileOptions.pipelineOptions = *report.tuned;
  }
  return success();
}

FailureOr<std::unique_ptr<CompiledProgram>> stencil::compileProgram(
    Source &source, func::FuncOp entry, const Signature &signature,
    const CompileOptions &compileOptions, const RunOptions &options,
    const MessageStream &messages, Report &report) {
  // Only a compilation leaves what --dump-ir asks for.
  if (options.cacheDirectory.empty() || !options.dumpDirectory.empty())
    return CompiledProgram::compile(entry, signature, compileOptions);
  const llvm::SourceMgr &sources = source.getSources();
  const llvm::MemoryBuffer &buffer =
      *sources.getMemoryBuffer(sources.getMainFileID());
  CacheRequest request{options.cacheDirectory, buffer.getBuffer(),
                       buffer.getBufferIdentifier(), entry.getName()};
  auto cached =
      compileCached(entry, compileOptions, request, messages.getText());
  if (failed(cached))
    return failure();
  llvm::errs() << cached->remarks;
  report.cached = cached->wasCached;
  return CompiledProgram::load(cached->object, signature, entry.getContext());
}
