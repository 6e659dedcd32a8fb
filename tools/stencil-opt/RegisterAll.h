//===- RegisterAll.h - What stencil-opt knows ---------------------*- C++
//-*-===//
//
// A translation unit of its own: the headers of all dialects take most of the
// compile time of the tool.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_TOOLS_STENCIL_OPT_REGISTERALL_H
#define STENCIL_TOOLS_STENCIL_OPT_REGISTERALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace stencil {

/// All upstream dialects and extensions, and the stencil dialect.
void registerAllDialects(mlir::DialectRegistry &registry);

/// All upstream passes, and the passes and pipelines of this project.
void registerAllPasses();

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_OPT_REGISTERALL_H
