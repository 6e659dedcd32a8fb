//===- RoundProducts.cpp - Products that are not rounded with a sum -------===//
//
// Conversion/FusedProducts.h says which.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/LinearTrees.h"
#include "StencilDialect/Conversion/FusedProducts.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Transforms/Passes.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILROUNDPRODUCTS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {
struct RoundProducts : stencil::impl::StencilRoundProductsBase<RoundProducts> {
  using StencilRoundProductsBase::StencilRoundProductsBase;

  void runOnOperation() override {
    getOperation().walk([&](ApplyOp apply) {
      UniformValues uniform(apply);
      roundProducts(apply.getRegion(), math, [&](arith::MulFOp product) {
        return uniform.contains(product);
      });
    });
  }
};
} // namespace
