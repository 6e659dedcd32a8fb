//===- MapChains.cpp - Who computes beside the tile -----------------------===//
//
// Stages, sums and queues that hand each other values of one point are a chain:
// where one is computed, all are. A stage that feeds a shared window is
// computed in the tile and as far around it as later stages read; with it goes
// its chain, by one layout.
//
//===----------------------------------------------------------------------===//

#include "PipelineMapper.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/IR/Footprint.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace stencil;

/// The points around the tile at which an op is computed. A thread keeps all
/// that a stage makes; of a copy of memory, it has those of the readers,
/// whatever these read at other offsets. What it has from other lanes, these
/// have of the tile.
OffsetBox PipelineMapper::getHeld(Operation *inner) const {
  if (auto stage = dyn_cast<ApplyOp>(inner))
    return plan.getHeld(stage);
  auto window = dyn_cast<WindowOp>(inner);
  if (!window || !isQueue(window))
    return plan.get(inner->getResult(0)).held;
  Operation *made = window.getTemp().getDefiningOp();
  if (isOfStage(window) && hasLanes(window))
    return OffsetBox::zero(grid.getRank());
  if (!isa<LoadOp, WindowOp>(made))
    return getHeld(made);
  OffsetBox held = OffsetBox::zero(grid.getRank());
  for (Operation *user : window.getRes().getUsers())
    if (auto stage = dyn_cast<ApplyOp>(user);
        stage && !plan.getNeeds(stage).isEmpty())
      held.join(plan.getHeld(stage));
  return held;
}

/// What is held as values, ahead of the final stages.
bool PipelineMapper::isOfChain(Operation *inner) const {
  if (auto stage = dyn_cast<ApplyOp>(inner))
    return !isFinal(stage) && !plan.getNeeds(stage).isEmpty();
  if (auto window = dyn_cast<WindowOp>(inner))
    return isQueue(window);
  return isa<AccumulateOp>(inner) && plan.isNeeded(inner->getResult(0));
}

bool PipelineMapper::isBesideTile(const OffsetBox &box) const {
  for (int64_t i = 0; i < grid.getRank(); ++i)
    if (axis != i && (box.lower[i] != 0 || box.upper[i] != 0))
      return true;
  return false;
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

Type PipelineMapper::getHeldType(Operation *inner, Type elementType,
                                 int64_t lead) const {
  return layouts.contains(inner)
             ? TempType::get(getBoxAround(grid, getHeld(inner), lead),
                             elementType)
             : getTileType(elementType, lead);
}

/// Whether what an op makes is looked at point by point: whether somebody needs
/// it, or else nothing is read.
bool PipelineMapper::isGuarded(Operation *inner) const {
  if (auto stage = dyn_cast<ApplyOp>(inner))
    return mayBodyFail(stage) || readsField(stage);
  auto window = dyn_cast<WindowOp>(inner);
  return window && window.getTemp().getDefiningOp<LoadOp>();
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
int64_t PipelineMapper::findVector(tile::CoreAndRimAttr layout,
                                   ArrayRef<Operation *> chain) const {
  int64_t last = grid.getRank() - 1, vector = 1;
  if (axis == last || layout.countRows() == 0 ||
      llvm::any_of(chain, [&](Operation *inner) { return isGuarded(inner); }))
    return 1;
  auto visit = [&](Operation *window) {
    if (const auto *ring = rings.find(window); ring != rings.end())
      vector = std::max(
          vector, ring->second.type.getVectorLength(grid.getPoints()[last]));
  };
  for (Operation *inner : chain) {
    for (Value operand : inner->getOperands())
      if (Operation *made = operand.getDefiningOp())
        visit(made);
    llvm::for_each(inner->getUsers(), visit);
  }
  int64_t threads = grid.countThreads();
  while (chain.size() > 1 &&
         countHeld(layout, vector, threads) > countHeld(layout, 1, threads))
    vector /= 2;
  return vector;
}

void PipelineMapper::findChains() {
  llvm::EquivalenceClasses<Operation *> classes;
  for (Operation &inner : *op.getBodyBlock()) {
    if (!isOfChain(&inner))
      continue;
    classes.insert(&inner);
    for (Value operand : inner.getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && def->getBlock() == op.getBodyBlock() && isOfChain(def))
        classes.unionSets(def, &inner);
    }
  }
  llvm::DenseMap<Operation *, OffsetBox> boxes;
  auto forEachBeside = [&](auto &&visit) {
    for (Operation &inner : *op.getBodyBlock())
      if (isOfChain(&inner) && isBesideTile(getHeld(&inner)))
        visit(&inner, boxes[classes.getLeaderValue(&inner)]);
  };
  forEachBeside(
      [&](Operation *inner, OffsetBox &box) { box.join(getHeld(inner)); });
  tile::LayoutAttr core = grid.getHeldLayout();
  forEachBeside([&](Operation *inner, OffsetBox &box) {
    BoundsAttr around = getBoxAround(grid, box, 0);
    auto single = tile::CoreAndRimAttr::get(getContext(), core, around, 1);
    SmallVector<Operation *> chain(classes.findLeader(inner),
                                   classes.member_end());
    layouts[inner] = tile::CoreAndRimAttr::get(getContext(), core, around,
                                               findVector(single, chain));
  });
}

/// Has the stage that an op of the pipeline became computed by its layout.
void PipelineMapper::setLayout(Operation *inner, ApplyOp stage) const {
  if (auto layout = layouts.lookup(inner))
    stage->setDiscardableAttr(tile::TileDialect::kLayoutAttrName, layout);
}

/// The oldest plane that an op reads of one of its operands, counted from that
/// of the iteration.
int64_t PipelineMapper::findOldest(OpOperand &use) const {
  auto stage = dyn_cast<ApplyOp>(use.getOwner());
  if (!stage)
    return plan.get(use.getOwner()->getResult(0)).lead;
  int64_t oldest = 0;
  Footprint(stage).forEachRead(use.getOperandNumber(),
                               [&](const InputRead &read) {
                                 oldest = std::min(oldest, read.lower[*axis]);
                               });
  return plan.getLead(stage) + oldest;
}

/// The first plane of a ring that is there in the first iteration, counted from
/// that. Copies bring none from before it.
int64_t PipelineMapper::findFirst(const MappedRing &ring) const {
  const PlannedValue &planned = plan.get(ring.window->getResult(0));
  return ring.load ? std::max<int64_t>(planned.newest, 0) : planned.lead;
}

/// The same for what a stage reads of a ring beside its inputs in the pipeline.
bool PipelineMapper::readsUnwrittenExtra(ApplyOp stage) const {
  auto found = extras.find(stage);
  if (!axis || found == extras.end())
    return false;
  for (auto [index, extra] : llvm::enumerate(found->second)) {
    auto source = extra.getDefiningOp<tile::SourceOp>();
    Value memory = source ? source.getMemory() : Value();
    const auto *ring = llvm::find_if(
        rings, [&](auto &entry) { return entry.second.ring == memory; });
    if (ring == rings.end())
      continue;
    int64_t oldest = 0;
    Footprint(stage).forEachRead(stage.getArgs().size() + index,
                                 [&](const InputRead &read) {
                                   oldest = std::min(oldest, read.lower[*axis]);
                                 });
    if (plan.getLead(stage) + oldest < findFirst(ring->second))
      return true;
  }
  return false;
}

/// Whether an op reads planes of shared windows that the first iteration does
/// not wait for: older ones than the newest.
bool PipelineMapper::readsUnwritten(Operation *reader) const {
  auto stage = dyn_cast<ApplyOp>(reader);
  if (stage && readsUnwrittenExtra(stage))
    return true;
  return llvm::any_of(reader->getOpOperands(), [&](OpOperand &use) {
    auto window = dyn_cast_or_null<WindowOp>(findRead(use.get()));
    const auto *ring = window ? rings.find(window) : rings.end();
    return ring != rings.end() && findOldest(use) < findFirst(ring->second);
  });
}
