//===- ImageCompilation.h - From a program to bytes -------------*- C++ -*-===//

#ifndef STENCIL_LIB_EXECUTION_IMAGECOMPILATION_H
#define STENCIL_LIB_EXECUTION_IMAGECOMPILATION_H

#include "ExecutableImage.h"
#include "ExecutableOptions.h"
#include "llvm/Support/MemoryBuffer.h"

namespace stencil {

/// Compiles text or bytecode in a context of its own, so that threads may do
/// this at the same time. `read`: of `options`. The error holds what a tool
/// would have printed.
llvm::Expected<ExecutableImage>
compileImage(std::unique_ptr<llvm::MemoryBuffer> buffer,
             const ExecutableOptions &options, ReadOptions read);

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_IMAGECOMPILATION_H
