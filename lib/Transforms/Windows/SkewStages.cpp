//===- SkewStages.cpp - Who computes which points of a stage --------------===//
//
// Before, of a stage that makes %r with skew = [0, -1]:
//   %w = stencil.window shuffle %r depth 1 lead 1
//   %s = stencil.apply(%a = %w) { %a[0, -1] + %a[0, 1] }    skew = [0, -2]
//   stencil.store %s
// After, of one that reads its inputs 1 further:
//   %w = stencil.window shuffle %r depth 1 lead 1
//   %s = stencil.apply(%a = %w) { %a[0, -2] + %a[0, 0] }
//   stencil.store %s
//
// A change of coordinates: those of the new pipeline are where threads have the
// tile. What is stored has the same in both, so that its box is the same, and
// so have loads.
//
//===----------------------------------------------------------------------===//

#include "MakePipeline.h"
#include "StencilDialect/IR/BodyInterfaces.h"
#include "StencilDialect/IR/Casts.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Transforms/Passes.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILSKEWSTAGES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

using Skew = SmallVector<int64_t>;

class StageSkewer {
public:
  explicit StageSkewer(PipelineOp op)
      : op(op), none(op.getRank(), 0), stored(none) {}

  LogicalResult run();

private:
  Skew getSkew(ApplyOp stage);
  Skew getSkew(Value value);
  LogicalResult checkStores();
  LogicalResult check(AccumulateOp sum);
  LogicalResult check(WindowOp window);
  LogicalResult check(ApplyOp stage);
  LogicalResult checkLegs(ArrayRef<ApplyOp> stages);
  void move(ApplyOp stage);

  PipelineOp op;
  Skew none;
  /// Of what is stored.
  Skew stored;
};

struct SkewStages : stencil::impl::StencilSkewStagesBase<SkewStages> {
  void runOnOperation() override {
    if (failed(checkWithin(getOperation(), skewStages)))
      signalPassFailure();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Skews
//===----------------------------------------------------------------------===//

/// Whether a value is what is in memory, at its place there, or a copy of it.
static bool isOfMemory(Value value) {
  return !hasTrait<StageLike>(lookThroughWindows(value).getDefiningOp());
}

Skew StageSkewer::getSkew(ApplyOp stage) {
  StageAttr when = StageAttr::of(stage);
  return when && when.getSkew() ? Skew(when.getSkew().asArrayRef()) : none;
}

/// Of a value that a stage makes, or that is made of such values.
Skew StageSkewer::getSkew(Value value) {
  Operation *def = lookThroughWindows(value).getDefiningOp();
  if (auto sum = dyn_cast<AccumulateOp>(def))
    def = sum.getTerms().front().getDefiningOp();
  return getSkew(cast<ApplyOp>(def));
}

//===----------------------------------------------------------------------===//
// What cannot be moved
//===----------------------------------------------------------------------===//

static std::string toText(ArrayRef<int64_t> skew) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(skew, os);
  os << ']';
  return text;
}

/// Tiles begin at one place.
LogicalResult StageSkewer::checkStores() {
  StoreOp first;
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>()) {
    Skew skew = getSkew(store.getTemp());
    if (!first) {
      first = store;
      stored = skew;
    }
    if (skew == stored)
      continue;
    return withNote(
        store.emitOpError("expected one skew of all that is stored, where the "
                          "tiles of blocks begin, got ")
            << toText(stored) << " and " << toText(skew),
        first.getLoc(), "the first store is here");
  }
  return success();
}

LogicalResult StageSkewer::check(AccumulateOp sum) {
  Skew first = getSkew(sum.getTerms().front());
  for (Value term : sum.getTerms())
    if (Skew skew = getSkew(term); skew != first)
      return sum.emitOpError("expected terms of stages of one skew, which a "
                             "thread adds, got ")
             << toText(first) << " and " << toText(skew);
  return success();
}

LogicalResult StageSkewer::check(WindowOp window) {
  if (!window.hasBoundary() || isOfMemory(window.getTemp()))
    return success();
  if (Skew skew = getSkew(window.getTemp()); skew != stored)
    return window.emitOpError("expected a 'boundary' of what has the skew of "
                              "what is stored, ")
           << toText(stored) << ", so that their boxes end at the same points, "
           << "got " << toText(skew);
  return success();
}

/// What a thread has of a stage without a window, it has at its own point.
LogicalResult StageSkewer::check(ApplyOp stage) {
  for (Value input : stage.getArgs()) {
    if (!isa<GridType>(input.getType()) || isOfMemory(input) ||
        input.getDefiningOp<WindowOp>())
      continue;
    Skew skew = getSkew(input), own = getSkew(stage);
    if (skew == own)
      continue;
    return withNote(
        stage.emitOpError("expected a window between stages of skews ")
            << toText(skew) << " and " << toText(own)
            << ": what it reads is of another thread",
        input.getLoc(), "what it reads is made here");
  }
  return success();
}

/// The legs of a relay run one code. The first one reads the load, which is not
/// moved: as far as it is moved, so are the others.
LogicalResult StageSkewer::checkLegs(ArrayRef<ApplyOp> stages) {
  auto schedule = ScheduleAttr::of(op);
  int64_t legs = schedule ? schedule.getRelay().value_or(1) : 1;
  size_t length = stages.size() / legs;
  for (size_t number = length; number < stages.size(); ++number)
    if (Skew skew = getSkew(stages[number]),
        of = getSkew(stages[number - length]);
        skew != of) {
      return withNote(ApplyOp(stages[number])
                              .emitOpError("expected the skew that the stage ")
                          << length << " before it has in its leg, "
                          << toText(of) << ", for 'relay = " << legs
                          << "', whose legs run one code, got " << toText(skew),
                      stages[number - length]->getLoc(), "that stage is here");
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

static Skew subtract(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return llvm::map_to_vector(llvm::zip_equal(a, b), [](auto pair) {
    return std::get<0>(pair) - std::get<1>(pair);
  });
}

/// All of the body by what the stage is moved, and what it reads back by what
/// that is moved.
void StageSkewer::move(ApplyOp stage) {
  Skew own = subtract(getSkew(stage), stored);
  SmallVector<Skew> ofInputs;
  for (Value input : stage.getArgs())
    ofInputs.push_back(!isa<GridType>(input.getType()) || isOfMemory(input)
                           ? none
                           : subtract(getSkew(input), stored));
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, op.getRank()));
  Block *body = stage.getBodyBlock();
  stage.getRegion().walk([&](PlacedOpInterface placed) {
    Skew by = own;
    if (placed->getNumOperands() > 0)
      if (auto input = dyn_cast<BlockArgument>(placed->getOperand(0));
          input && input.getOwner() == body)
        by = subtract(own, ofInputs[input.getArgNumber()]);
    placed.move(by, axes);
  });
}

LogicalResult StageSkewer::run() {
  SmallVector<ApplyOp> stages(op.getBodyBlock()->getOps<ApplyOp>());
  bool isSkewed = llvm::any_of(stages, [](ApplyOp stage) {
    StageAttr when = StageAttr::of(stage);
    return when && when.isSkewed();
  });
  if (isSkewed) {
    for (auto sum : op.getBodyBlock()->getOps<AccumulateOp>())
      if (failed(check(sum)))
        return failure();
    if (failed(checkStores()) || failed(checkLegs(stages)))
      return failure();
    for (Operation &inner : *op.getBodyBlock()) {
      auto window = dyn_cast<WindowOp>(inner);
      auto stage = dyn_cast<ApplyOp>(inner);
      if ((window && failed(check(window))) || (stage && failed(check(stage))))
        return failure();
    }
    for (ApplyOp stage : stages)
      move(stage);
  }
  for (ApplyOp stage : stages) {
    StageAttr when = StageAttr::of(stage);
    if (!when || !when.getSkew())
      continue;
    if (op.getWalkAxis())
      StageAttr::give(stage, when.getLead());
    else
      stage->removeAttr(StageAttr::kAttrName);
  }
  return success();
}

LogicalResult stencil::skewStages(PipelineOp op) {
  return StageSkewer(op).run();
}
