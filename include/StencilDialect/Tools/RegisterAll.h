//===- RegisterAll.h - What the tools know ----------------------*- C++ -*-===//
//
// Libraries of their own, StencilAllDialects and StencilAllPasses: the headers
// of all of MLIR's dialects and passes take most of the compile time of a tool.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TOOLS_REGISTERALL_H
#define STENCILDIALECT_TOOLS_REGISTERALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace stencil {

/// All upstream dialects and extensions, and the stencil dialect.
void registerAllDialects(mlir::DialectRegistry &registry);

/// All upstream passes, and the passes and pipelines of this project.
void registerAllPasses();

} // namespace stencil

#endif // STENCILDIALECT_TOOLS_REGISTERALL_H
