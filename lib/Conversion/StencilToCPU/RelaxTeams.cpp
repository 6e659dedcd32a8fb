//===- RelaxTeams.cpp - Parallel loops that wait for no one ---------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILRELAXTEAMS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

/// The loop that is all that a team does; null if there is something else.
static omp::WsloopOp findOnlyLoop(omp::ParallelOp parallel) {
  if (!parallel.getRegion().hasOneBlock())
    return {};
  auto ops = parallel.getRegion().front().without_terminator();
  if (!llvm::hasSingleElement(ops))
    return {};
  return dyn_cast<omp::WsloopOp>(*ops.begin());
}

/// Makes the team of one thread if the loop has one iteration at most. Its
/// bounds are those of the surroundings, as the team does nothing else.
static void needMoreThanOne(omp::ParallelOp parallel, omp::LoopNestOp loop) {
  if (parallel.getIfExpr())
    return;
  OpBuilder builder(parallel);
  Location loc = parallel.getLoc();
  Value isLong;
  for (auto [lb, ub, step] :
       llvm::zip_equal(loop.getLoopLowerBounds(), loop.getLoopUpperBounds(),
                       loop.getLoopSteps())) {
    Value next = arith::AddIOp::create(builder, loc, lb, step);
    Value goesOn = arith::CmpIOp::create(builder, loc,
                                         arith::CmpIPredicate::slt, next, ub);
    isLong =
        isLong ? arith::OrIOp::create(builder, loc, isLong, goesOn).getResult()
               : goesOn;
  }
  parallel.getIfExprMutable().assign(isLong);
}

namespace {

struct RelaxTeams : stencil::impl::StencilRelaxTeamsBase<RelaxTeams> {
  void runOnOperation() override {
    getOperation().walk([](omp::ParallelOp parallel) {
      omp::WsloopOp share = findOnlyLoop(parallel);
      if (!share || !share.getReductionVars().empty())
        return;
      // The end of the team's work waits for all.
      share.setNowait(true);
      needMoreThanOne(parallel, cast<omp::LoopNestOp>(share.getWrappedLoop()));
    });
  }
};

} // namespace
