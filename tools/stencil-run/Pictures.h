//===- Pictures.h - What --png shows ------------------------------*- C++
//-*-===//

#ifndef STENCIL_TOOLS_STENCIL_RUN_PICTURES_H
#define STENCIL_TOOLS_STENCIL_RUN_PICTURES_H

#include "StencilDialect/Execution/Extents.h"
#include "StencilDialect/Interpreter/Interpreter.h"
#include "StencilDialect/Support/Png.h"

namespace stencil {

/// The plane of a field that a picture shows: its interior, which is the hull
/// of the boxes that the function stores to fields of this rank (the whole
/// field if it stores none); of more than two axes the middle of the leading
/// ones; of one axis a strip.
PlaneView getPicturePlane(mlir::func::FuncOp entry, const Parameter &parameter,
                          const Extents &extents, const FieldArgument &field);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_RUN_PICTURES_H
