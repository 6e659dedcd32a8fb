//===- Program.h - The program that is tuned --------------------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_TUNE_PROGRAM_H
#define STENCIL_TOOLS_STENCIL_TUNE_PROGRAM_H

#include "Options.h"
#include "StencilDialect/Execution/Arguments.h"
#include "StencilDialect/Execution/CompiledProgram.h"
#include "StencilDialect/Tools/Source.h"

namespace stencil {

/// What the tuner and its workers know of the program.
struct Program {
  Source source;
  mlir::func::FuncOp entry;
  Signature signature;
  Extents extents;
  /// One per parameter.
  std::vector<ArgumentSpec> specs;

  /// Reads and checks everything but the contents of fields. Returns the exit
  /// code of the tool; an error has been printed unless that is 0.
  int load(std::unique_ptr<llvm::MemoryBuffer> buffer,
           const TuneOptions &options);

  /// `specs` as the result is verified: floating-point fields that are random
  /// in no range that somebody has asked for have wild values, which show
  /// errors that numbers of one size hide: a small weight, a point of a
  /// boundary. Of other fields nobody knows what values make sense.
  std::vector<ArgumentSpec> getWildSpecs() const;

  /// Interior points per axis; 0 where nothing depends on them.
  std::vector<int64_t> getExtents() const;

  /// How a candidate is compiled.
  CompileOptions getCompileOptions(const TuneOptions &options,
                                   llvm::StringRef chip,
                                   const std::vector<std::string> &point) const;
};

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_TUNE_PROGRAM_H
