//===- ShareNeighbours.cpp - Neighbours that threads do not hold ----------===//
//
// Before:
//   %q = stencil.window registers %s depth 3 lead 1
//   %r = stencil.apply(%a = %q) { %a[-1, 0] + %a[0, 1] }     axis 0
// After:
//   %q = stencil.window registers %s depth 3 lead 1
//   %n = stencil.window shared %s depth 2 lead 1
//   %r = stencil.apply(%a = %q, %b = %n) { %a[-1, 0] + %b[0, 1] }
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILSHARENEIGHBOURS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

/// One window in registers of what a stage makes.
class NeighbourSharer {
public:
  NeighbourSharer(PipelineOp op, const PipelinePlan &plan, WindowOp window)
      : op(op), plan(plan), window(window), axis(op.getWalkAxis()),
        last(op.getRank() - 1) {}

  /// Whether something was to be done.
  bool share();

private:
  /// A stage that reads the window, and the ops of its body that do.
  struct Reader {
    ApplyOp stage;
    unsigned operand = 0;
    SmallVector<Operation *> beyond;
    bool keepsOthers = false;
  };

  bool hasNoLanes();
  bool isHeld(ArrayRef<int64_t> offset);
  bool isHeld(Operation *read);
  void forEachOffset(Operation *read,
                     llvm::function_ref<void(ArrayRef<int64_t>)> visit);
  void findReaders();
  WindowOp makeShared();
  void giveShared(const Reader &reader, Value shared);

  PipelineOp op;
  const PipelinePlan &plan;
  WindowOp window;
  std::optional<int64_t> axis;
  int64_t last;
  SmallVector<Reader> readers;
};

struct ShareNeighbours
    : stencil::impl::StencilShareNeighboursBase<ShareNeighbours> {
  void runOnOperation() override;
};

} // namespace

/// Whether a stage is computed beside the tile as well.
static bool isBesideTile(const OffsetBox &held, std::optional<int64_t> walk) {
  for (int64_t i = 0, rank = held.lower.size(); i < rank; ++i)
    if (walk != i && (held.lower[i] != 0 || held.upper[i] != 0))
      return true;
  return false;
}

/// Along the walk a thread has all planes. Of a stage that is computed beside
/// the tile, the points that a thread computes there are no row.
bool NeighbourSharer::hasNoLanes() {
  return axis == last ||
         llvm::any_of(window.getRes().getUsers(), [&](Operation *user) {
           auto stage = dyn_cast<ApplyOp>(user);
           return stage && !plan.getNeeds(stage).isEmpty() &&
                  isBesideTile(plan.getHeld(stage), axis);
         });
}

bool NeighbourSharer::isHeld(ArrayRef<int64_t> offset) {
  for (auto [i, at] : llvm::enumerate(offset)) {
    auto along = static_cast<int64_t>(i);
    bool isHeldAlong = along == axis || window.exchanges(along) ||
                       (window.getSpace() == Space::Shuffle && along == last);
    if (at != 0 && !isHeldAlong)
      return false;
  }
  return true;
}

void NeighbourSharer::forEachOffset(
    Operation *read, llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  if (auto access = dyn_cast<AccessOp>(read))
    visit(access.getOffset().getValues());
  else if (auto sum = dyn_cast<WeightedSumOp>(read))
    forEachTap(sum, [&](int64_t tap, bool) { visit(sum.getOffset(tap)); });
}

/// Sums are read as a whole.
bool NeighbourSharer::isHeld(Operation *read) {
  bool held = true;
  forEachOffset(read,
                [&](ArrayRef<int64_t> offset) { held &= isHeld(offset); });
  return held;
}

void NeighbourSharer::findReaders() {
  for (OpOperand &use : window.getRes().getUses()) {
    auto stage = dyn_cast<ApplyOp>(use.getOwner());
    if (!stage || plan.getNeeds(stage).isEmpty())
      continue;
    Reader reader{stage, use.getOperandNumber(), {}, false};
    BlockArgument input = stage.getBodyBlock()->getArgument(reader.operand);
    for (Operation *user : input.getUsers()) {
      if (isHeld(user))
        reader.keepsOthers = true;
      else
        reader.beyond.push_back(user);
    }
    if (!reader.beyond.empty())
      readers.push_back(std::move(reader));
  }
}

/// It has no planes but those that somebody reads of it.
WindowOp NeighbourSharer::makeShared() {
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfter(window);
  std::optional<int64_t> depth, lead;
  if (axis) {
    int64_t made = plan.get(window.getRes()).lead, oldest = made;
    for (const Reader &reader : readers)
      for (Operation *read : reader.beyond)
        forEachOffset(read, [&](ArrayRef<int64_t> offset) {
          oldest = std::min(oldest, plan.getLead(reader.stage) + offset[*axis]);
        });
    depth = made - oldest + static_cast<int64_t>(op.getStep());
    lead = window.getLeadAttr().getInt();
  }
  auto shared = WindowOp::create(builder, window.getLoc(), window.getTemp(),
                                 Space::Shared, depth, lead);
  if (BoundsAttr box = getWithin(window))
    shared->setDiscardableAttr(kWithinAttr, box);
  return shared;
}

void NeighbourSharer::giveShared(const Reader &reader, Value shared) {
  ApplyOp stage = reader.stage;
  if (!reader.keepsOthers) {
    stage->setOperand(reader.operand, shared);
    return;
  }
  BlockArgument input = stage.addInput(shared, shared.getLoc());
  BlockArgument own = stage.getBodyBlock()->getArgument(reader.operand);
  for (Operation *read : reader.beyond)
    read->replaceUsesOfWith(own, input);
}

bool NeighbourSharer::share() {
  Space space = window.getSpace();
  bool isShuffle = space == Space::Shuffle;
  if (isShuffle && hasNoLanes()) {
    space = Space::Registers;
    window.setSpaceAttr(SpaceAttr::get(op.getContext(), space));
    window.removeExchangeAttr();
  }
  findReaders();
  if (readers.empty())
    return space != Space::Shuffle && isShuffle;
  WindowOp shared = makeShared();
  for (const Reader &reader : readers)
    giveShared(reader, shared);
  remarkPassed(
      window.getLoc(), "Schedule", "Neighbours",
      llvm::formatv("a window in shared memory is beside the one in {0}, "
                    "for neighbours that {1}",
                    isShuffle ? "shuffle" : "registers",
                    isShuffle ? "the threads of a row do not have of each "
                                "other"
                              : "other threads compute"));
  if (window.getRes().use_empty())
    window.erase();
  return true;
}

void ShareNeighbours::runOnOperation() {
  auto share = [](PipelineOp op) -> LogicalResult {
    ScheduleAttr schedule = ScheduleAttr::of(op);
    // The legs of a relay give each other whole rows.
    if (schedule && schedule.getRelay())
      return success();
    SmallVector<WindowOp> windows(op.getBodyBlock()->getOps<WindowOp>());
    std::optional<PipelinePlan> plan;
    // What is shared is computed beside the tile: so are the stages before it,
    // whose windows come next.
    for (WindowOp window : llvm::reverse(windows)) {
      if (window.getSpace() == Space::Shared || !window.isOfStage())
        continue;
      if (!plan) {
        FailureOr<PipelinePlan> made = PipelinePlan::create(op);
        if (failed(made))
          return failure();
        plan.emplace(std::move(*made));
      }
      if (plan->isNeeded(window.getRes()) &&
          NeighbourSharer(op, *plan, window).share())
        plan.reset();
    }
    return success();
  };
  if (failed(checkWithin(getOperation(), share)))
    signalPassFailure();
}
