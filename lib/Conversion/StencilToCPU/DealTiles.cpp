//===- DealTiles.cpp - Threads take a part of a loop at a time ------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILDEALTILES
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

static void deal(scf::ParallelOp loop, int64_t atATime) {
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  Value chunk = arith::ConstantOp::create(builder, loc,
                                          builder.getI64IntegerAttr(atATime));
  auto team = omp::ParallelOp::create(builder, loc);
  builder.createBlock(&team.getRegion());
  auto share = omp::WsloopOp::create(builder, loc);
  omp::TerminatorOp::create(builder, loc);
  share.setScheduleKind(omp::ClauseScheduleKind::Dynamic);
  share.setScheduleMod(omp::ScheduleModifier::nonmonotonic);
  share.getScheduleChunkMutable().assign(chunk);
  builder.createBlock(&share.getRegion());
  auto nest = omp::LoopNestOp::create(
      builder, loc, loop.getNumLoops(), loop.getLowerBound(),
      loop.getUpperBound(), loop.getStep(), /*loop_inclusive=*/false,
      /*tile_sizes=*/DenseI64ArrayAttr());
  nest.getRegion().takeBody(loop.getRegion());
  Operation *end = nest.getRegion().front().getTerminator();
  builder.setInsertionPoint(end);
  omp::YieldOp::create(builder, loc);
  end->erase();
  loop.erase();
}

namespace {
struct DealTiles : stencil::impl::StencilDealTilesBase<DealTiles> {
  void runOnOperation() override {
    // Equal shares are a choice that does not change what is computed.
    auto isDealt = [](scf::ParallelOp loop) {
      return loop->hasAttr(kDealAttr) && loop.getNumReductions() == 0;
    };
    for (scf::ParallelOp loop : listWithin(getOperation(), isDealt))
      deal(loop, loop->getAttrOfType<IntegerAttr>(kDealAttr).getInt());
  }
};
} // namespace
