//===- Algebra.cpp - Rewrites of the mathematics --------------------------===//

#include "StencilDialect/Pipelines/Algebra.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace stencil;

void stencil::buildStencilAlgebra(OpPassManager &manager,
                                  const AlgebraOptions &options) {
  manager.addPass(createStencilFoldPowers());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  if (!options.enabled)
    return;
  // Whose accesses are still there to be named.
  manager.addPass(createStencilCheckHalos());
  // Sums first: the other passes read them. What they leave without effect goes
  // before somebody weighs it.
  StencilRaiseWeightedSumsOptions raise;
  raise.math = options.math;
  manager.addPass(createStencilRaiseWeightedSums(raise));
  StencilPruneZerosOptions prune;
  prune.math = options.math;
  manager.addPass(createStencilPruneZeros(prune));
  manager.addPass(createStencilFuseApplies());
  // Behind fusion: what is composed to save memory traffic, fusion saves, too.
  StencilComposeSumsOptions compose;
  compose.math = options.math;
  manager.addPass(createStencilComposeSums(compose));
  StencilFactorSumsOptions factor;
  factor.math = options.math;
  manager.addPass(createStencilFactorSums(factor));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

namespace {
struct SimplifyOptions : PassPipelineOptions<SimplifyOptions> {
  AlgebraPipelineOptions algebra{*this};
};
} // namespace

void stencil::registerAlgebraPipeline() {
  PassPipelineRegistration<SimplifyOptions>(
      "stencil-simplify",
      "Rewrite the mathematics of stencil programs (level 0 to level 1)",
      [](OpPassManager &manager, const SimplifyOptions &options) {
        buildStencilAlgebra(manager, options.algebra.get());
      });
}
