//===- ExecutableOptions.h - How a program is compiled ----------*- C++ -*-===//

#ifndef STENCIL_LIB_EXECUTION_EXECUTABLEOPTIONS_H
#define STENCIL_LIB_EXECUTION_EXECUTABLEOPTIONS_H

#include "StencilDialect/Execution/CompiledProgram.h"
#include "StencilDialect/Execution/Executable.h"
#include "StencilDialect/Execution/Extents.h"
#include "StencilDialect/Tuning/Database.h"

namespace stencil {

/// Options that have been read, and the device at hand.
struct ReadOptions {
  CompileOptions compile;
  /// What schedules are wanted for, but for the program.
  TuningKey tuning;
  /// About the file of devices that were measured.
  std::vector<std::string> warnings;
};

/// Checks options as far as that is possible without a program, and finds the
/// device. Fails with "OPTION: ..." or the driver's reason.
llvm::Expected<ReadOptions> readOptions(const ExecutableOptions &options);

/// The rest, which depends on the program: extents, and measured schedules.
/// Emits an error if that fails.
mlir::LogicalResult completeOptions(mlir::func::FuncOp entry,
                                    const Signature &signature,
                                    const ExecutableOptions &options,
                                    ReadOptions &read);

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_EXECUTABLEOPTIONS_H
