//===- InlineAllocationScopes.cpp - Remove empty allocation scopes --------===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILINLINEALLOCATIONSCOPES
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

namespace {

struct InlineAllocationScopes
    : stencil::impl::StencilInlineAllocationScopesBase<InlineAllocationScopes> {
  void runOnOperation() override {
    getOperation().walk([](memref::AllocaScopeOp scope) {
      if (stencil::anyWithin(scope, [](Operation *op) {
            return isa<memref::AllocaOp, LLVM::AllocaOp>(op);
          }))
        return;
      Block &body = scope.getBodyRegion().front();
      Operation *terminator = body.getTerminator();
      scope->replaceAllUsesWith(terminator->getOperands());
      terminator->erase();
      scope->getBlock()->getOperations().splice(scope->getIterator(),
                                                body.getOperations());
      scope.erase();
    });
  }
};

} // namespace
