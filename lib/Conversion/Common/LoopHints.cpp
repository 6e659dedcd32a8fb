//===- LoopHints.cpp - What LLVM is told of loops -------------------------===//

#include "StencilDialect/Conversion/LoopHints.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

void stencil::keepAsLoop(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  BoolAttr yes = BoolAttr::get(context, true);
  LLVM::LoopVectorizeAttr noVectors = LLVM::LoopVectorizeAttr::get(
      context, /*disable=*/yes, {}, {}, {}, {}, {}, {});
  LLVM::LoopUnrollAttr noUnroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/yes, {}, {}, {}, {}, {}, {});
  // The conversions to control flow and to LLVM pass it on: the name is that of
  // the attribute of llvm.br.
  loop->setAttr("loop_annotation", LLVM::LoopAnnotationAttr::get(
                                       context, {}, noVectors, {}, noUnroll, {},
                                       {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
}
