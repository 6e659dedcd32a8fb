//===- Program.cpp - The program that is tuned ----------------------------===//

#include "Program.h"
#include "StencilDialect/Execution/ScheduleSources.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;

int Program::load(std::unique_ptr<llvm::MemoryBuffer> buffer,
                  const TuneOptions &options) {
  if (failed(source.load(std::move(buffer))))
    return ExitFailed;
  auto described = source.describeEntry(options.entry);
  if (failed(described))
    return ExitFailed;
  std::tie(entry, signature) = std::move(*described);
  auto matched = matchArguments(signature, options.arguments, entry.getName());
  if (!matched)
    return reportUsage("stencil-tune", matched.takeError());
  specs = std::move(*matched);
  auto shapes = checkArguments(signature, specs);
  if (failed(shapes))
    return ExitFailed;
  auto resolved = resolveExtents(signature, *shapes, options.extents,
                                 UnknownLoc::get(&source.getContext()));
  if (failed(resolved))
    return ExitFailed;
  extents = std::move(*resolved);
  return ExitDone;
}

std::vector<ArgumentSpec> Program::getWildSpecs() const {
  std::vector<ArgumentSpec> wild = specs;
  for (const Parameter &parameter : signature.parameters) {
    ArgumentSpec &spec = wild[parameter.index];
    if (!parameter.field || !isFloatKind(parameter.field->element) ||
        spec.kind != ArgumentSpec::Random || spec.hasRange)
      continue;
    // Finite: a NaN hides whatever it reaches.
    spec = llvm::cantFail(parseArgumentSpec(
        llvm::formatv("{0}=wild:{1}:finite", spec.index, spec.seed).str()));
  }
  return wild;
}

std::vector<int64_t> Program::getExtents() const {
  std::vector<int64_t> interior;
  for (std::optional<int64_t> extent : extents.interior)
    interior.push_back(extent.value_or(0));
  return interior;
}

CompileOptions
Program::getCompileOptions(const TuneOptions &options, llvm::StringRef chip,
                           const std::vector<std::string> &point) const {
  CompileOptions compile;
  compile.threads = options.threads;
  compile.algebra = options.algebra;
  if (!options.gpu) {
    compile.pipelineOptions = joinOptions(point);
    compile.paddedRows = mayPadRows(entry);
    compile.fieldBytes = countFieldBytes(signature, extents);
    return compile;
  }
  compile.device.emplace();
  compile.device->target = options.gpu;
  compile.device->chip = chip.str();
  compile.device->algebra = options.algebra;
  compile.device->extents = getExtents();
  compile.device->schedule = options.schedule;
  if (!point.empty())
    compile.device->schedule = "[" + llvm::join(point, ", ") + "]";
  return compile;
}
