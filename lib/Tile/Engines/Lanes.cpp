//===- Lanes.cpp - Neighbours from the registers of neighbouring threads --===//

#include "Engines.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

struct Lanes : EngineAttrInterface::ExternalModel<Lanes, LanesAttr> {
  LogicalResult check(Attribute engine, ApplyOp stage, KernelOp kernel) const;

  bool takesAllThreads(Attribute) const { return true; }

  // What an interface has a default for, a model replaces.
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method)
  bool sharesValues(Attribute) const { return true; }

  EngineCount count(Attribute, ApplyOp, int64_t) const {
    // Some lanes read memory, which ones is known where they run.
    return {};
  }

  LogicalResult emit(Attribute, StageEmission &emission) const;
};

} // namespace

/// Threads of the largest warps.
static constexpr int64_t kWidestRow = 64;

LogicalResult Lanes::check(Attribute engine, ApplyOp stage,
                           KernelOp kernel) const {
  auto fail = [&] {
    return stage.emitOpError("cannot be computed by ") << engine << ": ";
  };
  int64_t last = kernel.getGrid().getRank() - 1;
  std::optional<int64_t> walk = kernel.getGrid().getWalk();
  if (walk == last)
    return fail() << "expected a walk along another axis than that of rows";
  if (LayoutAttr layout = kernel.getGrid().getLayout())
    return fail() << "expected a grid without 'layout', in which neighbouring "
                     "threads have neighbouring points, got "
                  << layout;
  Value read = stage.getArgs().empty() ? Value() : stage.getArgs().front();
  auto source = read ? read.getDefiningOp<SourceOp>() : SourceOp();
  auto wide = read ? read.getDefiningOp<JoinOp>() : JoinOp();
  auto values = stage.getArgs().size() == 2
                    ? dyn_cast<TempType>(stage.getArgs()[1].getType())
                    : TempType();
  bool isOfValues = wide && values && wide.getPlanes().size() == 1 &&
                    wide.getPlanes().front() == stage.getArgs()[1];
  if ((!source && !isOfValues) || !values ||
      stage.getArgs()[1].getDefiningOp<SourceOp>())
    return fail() << "expected a tile.source and values that threads hold of "
                     "it, or a tile.join of values and these, as inputs";
  auto ring =
      source ? dyn_cast<RingType>(source.getMemory().getType()) : RingType();
  bool isExchanged = ring && ring.hasEdges();
  if (isExchanged &&
      ring.getGroupRows() != kernel.getGrid().getPoints()[last - 1])
    return fail() << "expected a ring with edges of the "
                  << kernel.getGrid().getPoints()[last - 1]
                  << " rows of a thread, got " << ring.getGroupRows();
  if ((isOfValues || isExchanged) &&
      kernel.getGrid().getBlock()[last] > kWidestRow)
    return fail() << "expected at most " << kWidestRow << " threads along axis "
                  << last << ", which can be in one warp, got "
                  << kernel.getGrid().getBlock()[last];
  BoundsAttr box = stage.getDomain(), held = values.getBounds();
  if (!box || !held || held.getRank() != last + 1 ||
      cast<TempType>(read.getType()).getRank() != last + 1)
    return fail() << "expected inputs of rank " << last + 1;
  if (llvm::product_of(stage.getUnrollFactors()) != 1)
    return fail() << "expected a body for one point";
  for (Operation &inner : stage.getBodyBlock()->without_terminator()) {
    auto access = dyn_cast<AccessOp>(inner);
    if (!access || access.getTemp() != stage.getBodyBlock()->getArgument(0))
      return fail() << "expected accesses of the source only, got "
                    << inner.getName();
    for (auto [axis, offset] :
         llvm::enumerate(access.getOffset().getValues())) {
      bool isWalk = walk == static_cast<int64_t>(axis);
      int64_t lower = box.getLb()[axis] + (isWalk ? offset : 0);
      int64_t upper = box.getUb()[axis] + (isWalk ? offset : 0);
      if (held.getLb()[axis] != lower || held.getUb()[axis] != upper)
        return fail() << "expected values of what is read, [" << lower << ","
                      << upper << "] along axis " << axis << ", got ["
                      << held.getLb()[axis] << "," << held.getUb()[axis] << "]";
      bool isRow = isExchanged && static_cast<int64_t>(axis) + 1 == last;
      if (isRow && std::abs(offset) > ring.getEdge())
        return fail() << "expected rows at a distance of at most "
                      << ring.getEdge() << ", which the ring has, got "
                      << offset;
      if (!isWalk && !isRow && static_cast<int64_t>(axis) != last &&
          offset != 0)
        return fail() << "expected neighbours along axis " << last
                      << ", that of rows, only, got offset " << offset
                      << " along axis " << axis;
    }
  }
  if (walk && box.getUb()[*walk] - box.getLb()[*walk] != 1)
    return fail() << "expected results of one plane, got " << box;
  return success();
}

LogicalResult Lanes::emit(Attribute, StageEmission &emission) const {
  ApplyOp stage = emission.getStage();
  for (auto [index, value] :
       llvm::enumerate(stage.getBodyBlock()->getTerminator()->getOperands())) {
    auto access = value.getDefiningOp<AccessOp>();
    for (const std::vector<int64_t> &point : emission.getPoints()) {
      std::vector<int64_t> read(point);
      for (auto [along, offset] :
           llvm::zip_equal(read, access.getOffset().getValues()))
        along += offset;
      emission.setResult(
          index, point,
          emission.getNeighbour(/*source=*/0, /*values=*/1, read));
    }
  }
  return success();
}

void tile::attachLanes(MLIRContext *context) {
  LanesAttr::attachInterface<Lanes>(*context);
}
