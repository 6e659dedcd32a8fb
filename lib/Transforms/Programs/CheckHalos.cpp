//===- CheckHalos.cpp - Fields have what is read of them ------------------===//

#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/ShapeInference.h"
#include "StencilDialect/Transforms/Passes.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILCHECKHALOS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {
struct CheckHalos : stencil::impl::StencilCheckHalosBase<CheckHalos> {
  void runOnOperation() override {
    if (failed(checkProgram(getOperation())) ||
        failed(ShapeInference::compute(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
