//===- Chains.cpp - Who computes beside the tile --------------------------===//
//
// Stages, sums and queues that hand each other values of one point are a chain:
// where one is computed, all are. A stage that feeds a shared window is
// computed in the tile and as far around it as later stages read; with it goes
// its chain, by one layout.
//
//===----------------------------------------------------------------------===//

#include "KernelDraft.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace stencil;

Chains::Chains(const TiledPipeline &pipeline, const RingMap &rings,
               const MemoryReads &reads)
    : pipeline(pipeline), rings(rings), reads(reads) {
  findFinals();
  findLayouts();
}

void Chains::findFinals() {
  // Of tiles that overlap, all threads compute, and some store: what they
  // compute is no branch.
  if (pipeline.grid.getInner())
    return;
  SmallVector<int64_t> groups = listGroups(rings);
  auto isInTime = [&](Operation &inner) {
    // Of several groups of windows, the last one is there when stores are.
    return llvm::all_of(inner.getOperands(), [&](Value operand) {
      auto window = operand.getDefiningOp<WindowOp>();
      std::optional<int64_t> group =
          window ? window.getGroupNumber() : std::nullopt;
      return !group || groups.empty() || *group == groups.back();
    });
  };
  // One that is ahead of plane p is computed for planes beyond the last one.
  auto isHere = [&](Operation &inner) {
    auto stage = dyn_cast<ApplyOp>(inner);
    return stage && (!pipeline.axis || pipeline.plan.getLead(stage) == 0);
  };
  for (Operation &inner : llvm::reverse(*pipeline.getOp().getBodyBlock()))
    if (isHere(inner) && isInTime(inner) &&
        llvm::all_of(inner.getUsers(), [&](Operation *user) {
          return isa<StoreOp>(user) || isFinal(user);
        }))
      finals.insert(&inner);
}

/// The points around the tile at which an op is computed. A thread keeps all
/// that a stage makes; of a copy of memory, it has those of the readers,
/// whatever these read at other offsets. What it has from other lanes, these
/// have of the tile.
OffsetBox Chains::getHeld(Operation *inner) const {
  if (auto stage = dyn_cast<ApplyOp>(inner))
    return pipeline.plan.getHeld(stage);
  auto window = dyn_cast<WindowOp>(inner);
  if (!window || !pipeline.isQueue(window))
    return pipeline.plan.get(inner->getResult(0)).held;
  if (pipeline.isOfStage(window) && pipeline.hasLanes(window))
    return OffsetBox::zero(pipeline.grid.getRank());
  if (window.isOfStage())
    return getHeld(window.getTemp().getDefiningOp());
  OffsetBox held = OffsetBox::zero(pipeline.grid.getRank());
  for (const auto &reader : pipeline.listReaders(window))
    held.join(pipeline.plan.getHeld(reader.first));
  return held;
}

/// What is held as values, ahead of the final stages.
bool Chains::isOfChain(Operation *inner) const {
  if (auto stage = dyn_cast<ApplyOp>(inner))
    return !isFinal(stage) && pipeline.isNeeded(stage);
  if (auto window = dyn_cast<WindowOp>(inner))
    return pipeline.isQueue(window);
  return isa<AccumulateOp>(inner) &&
         pipeline.plan.isNeeded(inner->getResult(0));
}

/// The tile, and as far around it as a box of offsets reaches, in one plane.
static BoundsAttr getBoxAround(tile::GridAttr grid, const OffsetBox &held,
                               int64_t plane) {
  BoundsAttr tile = grid.getTileBox();
  SmallVector<int64_t> lower(tile.getLb()), upper(tile.getUb());
  for (int64_t axis = 0; axis < grid.getRank(); ++axis) {
    bool isWalk = grid.getWalk() == axis;
    lower[axis] = isWalk ? plane : held.lower[axis];
    upper[axis] = isWalk ? plane + 1 : upper[axis] + held.upper[axis];
  }
  return BoundsAttr::get(grid.getContext(), lower, upper);
}

Type Chains::getHeldType(Operation *inner, Type elementType,
                         int64_t lead) const {
  return layouts.contains(inner)
             ? TempType::get(getBoxAround(pipeline.grid, getHeld(inner), lead),
                             elementType)
             : pipeline.getTileType(elementType, lead);
}

/// What a thread holds of a value in the rim, if it is dealt out in groups.
static int64_t countHeld(tile::CoreAndRimAttr layout, int64_t vector,
                         int64_t threads) {
  int64_t points = layout.countRim();
  if (vector == 1)
    return llvm::divideCeil(points, threads);
  int64_t groups = layout.countRows() / vector;
  int64_t dealt = groups + points - layout.countRows();
  return vector * llvm::divideCeil(groups, threads) +
         llvm::divideCeil(dealt, threads) - groups / threads;
}

/// How many points of a row of the rim a thread is given together: as many as
/// it reads or writes at once in the rings of the chain. What is looked at
/// point by point would be there twice. Of what the chain hands on, which is
/// kept, a thread is not to hold more than point by point.
int64_t Chains::findVector(tile::CoreAndRimAttr layout,
                           ArrayRef<Operation *> chain) const {
  int64_t last = pipeline.grid.getRank() - 1, vector = 1;
  if (pipeline.axis == last || layout.countRows() == 0 ||
      llvm::any_of(chain,
                   [&](Operation *inner) { return reads.isGuarded(inner); }))
    return 1;
  auto visit = [&](Operation *window) {
    if (const MappedRing *ring = findRing(rings, window))
      vector = std::max(
          vector, ring->type.getVectorLength(pipeline.grid.getPoints()[last]));
  };
  for (Operation *inner : chain) {
    for (Value operand : inner->getOperands())
      if (Operation *made = operand.getDefiningOp())
        visit(made);
    llvm::for_each(inner->getUsers(), visit);
  }
  int64_t threads = pipeline.grid.countThreads();
  while (chain.size() > 1 &&
         countHeld(layout, vector, threads) > countHeld(layout, 1, threads))
    vector /= 2;
  return vector;
}

void Chains::findLayouts() {
  llvm::EquivalenceClasses<Operation *> classes;
  for (Operation &inner : *pipeline.getOp().getBodyBlock()) {
    if (!isOfChain(&inner))
      continue;
    classes.insert(&inner);
    for (Value operand : inner.getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && def->getBlock() == pipeline.getOp().getBodyBlock() &&
          isOfChain(def))
        classes.unionSets(def, &inner);
    }
  }
  llvm::DenseMap<Operation *, OffsetBox> boxes;
  auto forEachBeside = [&](auto &&visit) {
    for (Operation &inner : *pipeline.getOp().getBodyBlock())
      if (isOfChain(&inner) && pipeline.isBesideTile(getHeld(&inner)))
        visit(&inner, boxes[classes.getLeaderValue(&inner)]);
  };
  forEachBeside(
      [&](Operation *inner, OffsetBox &box) { box.join(getHeld(inner)); });
  tile::LayoutAttr core = pipeline.grid.getHeldLayout();
  forEachBeside([&](Operation *inner, OffsetBox &box) {
    BoundsAttr around = getBoxAround(pipeline.grid, box, 0);
    auto single =
        tile::CoreAndRimAttr::get(pipeline.getContext(), core, around, 1);
    SmallVector<Operation *> chain(classes.findLeader(inner),
                                   classes.member_end());
    layouts[inner] = tile::CoreAndRimAttr::get(
        pipeline.getContext(), core, around, findVector(single, chain));
  });
}

/// Has the stage that an op of the pipeline became computed by its layout.
void Chains::setLayout(Operation *inner, ApplyOp stage) const {
  if (auto layout = layouts.lookup(inner))
    stage->setDiscardableAttr(tile::TileDialect::kLayoutAttrName, layout);
}
