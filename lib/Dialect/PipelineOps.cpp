//===- PipelineOps.cpp - Kernels over rolling windows ---------------------===//

#include "BodyOps.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "StencilDialect/IR/WindowLimits.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// PipelineOp
//===----------------------------------------------------------------------===//

BoundsAttr PipelineOp::getDomain() {
  for (StoreOp store : getBodyBlock()->getOps<StoreOp>())
    return store.getBounds();
  return {};
}

namespace {
/// The rules on single ops of a body. What is read when is for PipelinePlan.
class BodyChecker {
public:
  explicit BodyChecker(PipelineOp op) : op(op) {}

  LogicalResult check(Operation *inner);

private:
  LogicalResult checkValues(Operation *inner);
  LogicalResult checkGroups(Operation *inner);
  LogicalResult checkOp(LoadOp load);
  LogicalResult checkOp(StoreOp store);
  LogicalResult checkOp(ApplyOp stage);
  LogicalResult checkOp(WindowOp window);
  LogicalResult checkOp(AccumulateOp sum);

  PipelineOp op;
  /// Stores so far, by the memory that they write.
  llvm::DenseMap<Value, StoreOp> stores;
  /// Of windows that have been read so far: the last group, and who read it.
  std::optional<int64_t> group;
  Operation *reader = nullptr;
};
} // namespace

/// What is read is made further up in this body, and has no box of its own.
LogicalResult BodyChecker::checkValues(Operation *inner) {
  for (OpOperand &operand : inner->getOpOperands()) {
    Type type = operand.get().getType();
    auto stage = dyn_cast<ApplyOp>(inner);
    if (!isa<GridType>(type) ||
        (isa<FieldType>(type) && (!stage || stage.isBufferised())))
      continue;
    Operation *def = operand.get().getDefiningOp();
    if (isa<FieldType>(type) || !def || def->getBlock() != op.getBodyBlock() ||
        !def->isBeforeInBlock(inner))
      return inner->emitOpError("expected values that ops before it in the "
                                "pipeline make, got operand ")
             << operand.getOperandNumber() << " of type " << type;
  }
  for (Type type : inner->getResultTypes())
    if (cast<GridType>(type).getBounds())
      return inner->emitOpError("expected a value without a box in a "
                                "stencil.pipeline, which has the boxes from "
                                "its stores, got ")
             << type;
  return success();
}

/// Groups of windows have one memory, one after the other.
LogicalResult BodyChecker::checkGroups(Operation *inner) {
  std::optional<int64_t> here;
  for (Value operand : inner->getOperands()) {
    auto window = operand.getDefiningOp<WindowOp>();
    std::optional<int64_t> number;
    if (window)
      number = window.getGroupNumber();
    if (!number)
      continue;
    if (here && here != number)
      return inner->emitOpError("expected windows of one group, whose memory "
                                "is that of all others, got groups ")
             << *here << " and " << *number;
    here = number;
  }
  if (!here)
    return success();
  if (group && *here < *group)
    return withNote(inner->emitOpError("reads a window of group ")
                        << *here << ", whose memory has been given to group "
                        << *group,
                    reader->getLoc(), "which is read here");
  group = here;
  reader = inner;
  return success();
}

/// What is loaded is what was there before the pipeline.
LogicalResult BodyChecker::checkOp(LoadOp load) {
  StoreOp store = stores.lookup(lookThroughCasts(load.getField()));
  if (!store)
    return success();
  return withNote(
      load.emitOpError("expected to be before the stores to its field"),
      store.getLoc(), "the field is stored to here");
}

LogicalResult BodyChecker::checkOp(StoreOp store) {
  if (store.getBounds() != op.getDomain())
    return store.emitOpError("expected the box of the first store of the "
                             "pipeline, ")
           << op.getDomain() << ", got " << store.getBounds();
  if (lookThroughWindows(store.getTemp()).getDefiningOp<LoadOp>())
    return store.emitOpError("expected the result of a stage to be stored");
  auto [known, isNew] =
      stores.try_emplace(lookThroughCasts(store.getField()), store);
  if (isNew)
    return success();
  return withNote(store.emitOpError("expected stores to different fields"),
                  known->second.getLoc(), "the field is stored to here");
}

LogicalResult BodyChecker::checkOp(ApplyOp stage) {
  if (stage.isBufferised())
    return stage.emitOpError("expected the value form within a "
                             "stencil.pipeline");
  if (llvm::any_of(stage.getUnrollFactors(),
                   [](int64_t factor) { return factor != 1; }))
    return stage.emitOpError("expected no 'unroll' within a stencil.pipeline");
  if (stage.getRank() != op.getRank())
    return stage.emitOpError("expected a stage of rank ")
           << op.getRank() << ", as the stores have, got " << stage.getRank();
  if (stage->hasAttr(ScheduleAttr::kAttrName))
    return stage.emitOpError("expected '")
           << ScheduleAttr::kAttrName
           << "' on the stencil.pipeline, not on its stages";
  auto when = StageAttr::of(stage);
  if (op.getWalkAxis() && !when)
    return stage.emitOpError("expected '")
           << StageAttr::kAttrName << "' in a pipeline with an axis";
  if (op.getWalkAxis() || !when)
    return success();
  if (!when.getSkew())
    return stage.emitOpError("expected no '")
           << StageAttr::kAttrName
           << "' in a pipeline without an axis, but for a 'skew'";
  if (when.getLead() != 0)
    return stage.emitOpError("expected a lead of 0 in a pipeline without an "
                             "axis, got ")
           << when.getLead();
  return success();
}

/// Of a window whose rows threads give each other: that there are rows, beside
/// the axis of the walk.
static LogicalResult checkExchange(WindowOp window, PipelineOp op) {
  std::optional<ArrayRef<int64_t>> exchange = window.getExchange();
  if (!exchange)
    return success();
  if (window.getSpace() != Space::Shuffle || !window.isOfStage())
    return window.emitOpError("expected 'exchange' on a shuffle window of what "
                              "a stage makes only");
  int64_t rows = op.getRank() - 2;
  if (!op.getWalkAxis() || op.getWalkAxis() == rows || rows < 0)
    return window.emitOpError("expected a pipeline with another axis than ")
           << rows << ", the one before the last, for 'exchange'";
  if (*exchange != ArrayRef(rows))
    return window.emitOpError("expected 'exchange' to name axis ")
           << rows << ", the one before the last, got "
           << window.getExchangeAttr();
  return success();
}

/// Of a window with a boundary: whose values it has, in the box and beyond it.
static LogicalResult checkBoundary(WindowOp window) {
  Operation *def = window.getTemp().getDefiningOp();
  if (window.hasBoundary() &&
      (isa<WindowOp>(def) ||
       (isa<LoadOp>(def) && window.getSpace() != Space::Shared)))
    return window.emitOpError("expected 'boundary' on a shared window of a "
                              "stencil.load, or of what a stage makes, only");
  Value keep = window.getKeep();
  if (!keep)
    return success();
  if (!window.hasBoundary() || window.isOfLoad())
    return window.emitOpError("expected 'keep' with a 'boundary' of what a "
                              "stage makes only: a load has its own values "
                              "outside of the box");
  if (!keep.getDefiningOp<LoadOp>())
    return window.emitOpError("expected a stencil.load for 'keep'");
  return success();
}

/// Of a window in a group: its memory is that of the next one in the same
/// iteration, so that no plane stays.
static LogicalResult checkGroup(WindowOp window, PipelineOp op) {
  std::optional<int64_t> number = window.getGroupNumber();
  if (!number)
    return success();
  if (window.getSpace() != Space::Shared || !window.isOfLoad())
    return window.emitOpError("expected 'group' on a shared window of a "
                              "stencil.load only");
  if (*number < 0)
    return window.emitOpError("expected a group of at least 0, got ")
           << *number;
  if (!op.getWalkAxis())
    return success();
  if (int64_t depth = window.getDepth()->getSExtValue(); depth != 1)
    return window.emitOpError("expected 'depth 1' of a window in a group, "
                              "whose memory is that of the next group in the "
                              "same iteration, got ")
           << depth;
  if (window.getPrefetch() == Prefetch::Registers)
    return window.emitOpError("expected no 'prefetch registers' of a window in "
                              "a group: its plane comes when the group before "
                              "is done");
  return success();
}

LogicalResult BodyChecker::checkOp(WindowOp window) {
  if (cast<GridType>(window.getType()).getRank() != op.getRank())
    return window.emitOpError("expected a value of rank ")
           << op.getRank() << ", as the stores have, got " << window.getType();
  bool hasAxis = op.getWalkAxis().has_value();
  if (hasAxis && (!window.getDepth() || !window.getLead()))
    return window.emitOpError(
        "expected 'depth' and 'lead' in a pipeline with an axis");
  if (!hasAxis && (window.getDepth() || window.getLead()))
    return window.emitOpError(
        "expected neither 'depth' nor 'lead' in a pipeline without an axis");
  Operation *def = window.getTemp().getDefiningOp();
  bool isShared = window.getSpace() == Space::Shared;
  if (auto from = dyn_cast<WindowOp>(def);
      from && (isShared || from.getSpace() != Space::Shared))
    return window.emitOpError("expected a copy from a shared window to "
                              "registers, got one from '")
           << stringifySpace(from.getSpace()) << "' to '"
           << stringifySpace(window.getSpace()) << '\'';
  if (failed(checkExchange(window, op)))
    return failure();
  if (window.getPrefetch() && !(isShared && isa<LoadOp>(def)))
    return window.emitOpError("expected 'prefetch' on a shared window of a "
                              "stencil.load only");
  if (failed(checkBoundary(window)))
    return failure();
  if (failed(checkGroup(window, op)))
    return failure();
  if (window.getPrefetch() == Prefetch::L2)
    return window.emitOpError("expected no 'prefetch l2': a shared window is "
                              "what planes are fetched into");
  if (window.getPrefetch() == Prefetch::Registers && !hasAxis)
    return window.emitOpError("expected an axis of the pipeline for 'prefetch "
                              "registers', which is one iteration ahead");
  return success();
}

LogicalResult BodyChecker::checkOp(AccumulateOp sum) {
  if (!op.getWalkAxis())
    return sum.emitOpError("expected a pipeline with an axis");
  std::optional<int64_t> lead;
  for (Value term : sum.getTerms()) {
    auto stage = term.getDefiningOp<ApplyOp>();
    if (!stage)
      return sum.emitOpError("expected terms that are results of stages of the "
                             "pipeline, got ")
             << term;
    // A stage that says none is an error of its own.
    auto own = StageAttr::of(stage);
    if (!own)
      continue;
    if (lead.value_or(own.getLead()) != own.getLead())
      return sum.emitOpError("expected terms of stages of one lead, got leads ")
             << *lead << " and " << own.getLead();
    lead = own.getLead();
  }
  return success();
}

LogicalResult BodyChecker::check(Operation *inner) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(inner)
      .Case<LoadOp, StoreOp, ApplyOp, WindowOp, AccumulateOp>([&](auto known) {
        return success(succeeded(checkValues(known)) &&
                       succeeded(checkGroups(known)) &&
                       succeeded(checkOp(known)));
      })
      .Default([](Operation *unknown) {
        return unknown->emitOpError(
            "is no op of the body of a stencil.pipeline, which has loads, "
            "applies, windows, accumulations and stores");
      });
}

/// What the ops of a pipeline say is not in its schedule, which says how tiles
/// are laid out.
static LogicalResult checkSchedule(PipelineOp op) {
  auto schedule = ScheduleAttr::of(op);
  if (!schedule)
    return success();
  int64_t rank = op.getRank();
  if (schedule.getRank() != 0 && schedule.getRank() != rank)
    return op.emitOpError("expected a schedule for ")
           << rank << " axes, got one for " << schedule.getRank();
  SmallVector<StringRef> said;
  bool isSaidTwice = false;
  ScheduleAttr::Keys::forEach(
      schedule.getKeys(),
      [&](const ScheduleAttr::KeyInfo &info, const auto &value) {
        if (!info.isSaidByOps)
          return;
        said.push_back(info.name);
        isSaidTwice |= value != std::decay_t<decltype(value)>();
      });
  if (isSaidTwice)
    return op.emitOpError("expected a schedule without '")
           << llvm::join(ArrayRef(said).drop_back(), "', '") << "' and '"
           << said.back() << "', which the ops of the pipeline say, got "
           << schedule;
  std::optional<int64_t> axis = op.getWalkAxis();
  if (schedule.getStream() && schedule.getStream() != axis)
    return op.emitOpError("expected the axis of its schedule, ")
           << *schedule.getStream() << ", got "
           << (axis ? std::to_string(*axis) : "none");
  if (!axis)
    return success();
  for (ArrayRef<int64_t> extents : {schedule.getBlock(), schedule.getPoints()})
    if (!extents.empty() && extents[*axis] != 1)
      return op.emitOpError("expected 1 in 'block' and 'points' for axis ")
             << *axis << ", which it walks along, got " << extents[*axis];
  return success();
}

/// A walk by several planes at a time keeps as many at least.
static LogicalResult checkStep(PipelineOp op) {
  auto step = static_cast<int64_t>(op.getStep());
  if (step < 1 || step > kMostStages)
    return op.emitOpError("expected 'step' to be a number from 1 to ")
           << kMostStages << ", got " << step;
  if (step == 1)
    return success();
  if (!op.getWalkAxis())
    return op.emitOpError("expected an axis for 'step', got none");
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>())
    if (auto depth = window.getDepth(); depth && depth->getSExtValue() < step)
      return window.emitOpError("expected a depth of at least ")
             << step << ", the planes of an iteration, got "
             << depth->getSExtValue();
  return success();
}

LogicalResult PipelineOp::verifyRegions() {
  BoundsAttr domain = getDomain();
  if (!domain)
    return emitOpError("expected a stencil.store in its body");
  if (auto axis = getWalkAxis(); axis && (*axis < 0 || *axis >= getRank()))
    return emitOpError("expected an axis within the rank ")
           << getRank() << ", got " << *axis;
  if (failed(checkStep(*this)) || failed(checkSchedule(*this)))
    return failure();
  BodyChecker checker(*this);
  for (Operation &inner : *getBodyBlock())
    if (failed(checker.check(&inner)))
      return failure();
  return success(succeeded(PipelinePlan::create(*this)));
}

//===----------------------------------------------------------------------===//
// WindowOp and AccumulateOp
//===----------------------------------------------------------------------===//

LogicalResult stencil::verifyLead(Operation *op, int64_t lead) {
  if (lead < -kMaxLead || lead > kMaxLead)
    return op->emitOpError("expected a lead of at most ")
           << kMaxLead << " planes, got " << lead;
  return success();
}

void WindowOp::build(OpBuilder &builder, OperationState &state, Value temp,
                     Space space, std::optional<int64_t> depth,
                     std::optional<int64_t> lead,
                     std::optional<Prefetch> prefetch) {
  auto makeIndex = [&](std::optional<int64_t> number) {
    return number ? builder.getIndexAttr(*number) : IntegerAttr();
  };
  MLIRContext *context = builder.getContext();
  build(builder, state, temp.getType(), SpaceAttr::get(context, space), temp,
        makeIndex(depth), makeIndex(lead), /*exchange=*/{}, /*group=*/{},
        prefetch ? PrefetchAttr::get(context, *prefetch) : PrefetchAttr(),
        /*bounds=*/{}, /*conditions=*/{}, /*keep=*/{});
}

void WindowOp::setBoundary(BoundsAttr box, ArrayAttr conditions) {
  setBoundsAttr(box);
  setConditionsAttr(conditions);
}

void WindowOp::removeBoundary() {
  removeBoundsAttr();
  removeConditionsAttr();
  getKeepMutable().clear();
}

bool WindowOp::isOfLoad() {
  return getTemp().getDefiningOp<LoadOp>() != nullptr;
}

bool WindowOp::isOfStage() {
  return stencil::hasTrait<StageLike>(getTemp().getDefiningOp());
}

LogicalResult WindowOp::verify() {
  if (getSpace() == Space::Cache)
    return emitOpError("expected 'shared', 'registers' or 'shuffle', got "
                       "'cache', which is no place of a window's own");
  if (auto depth = getDepth(); depth && (depth->getSExtValue() < 1 ||
                                         depth->getSExtValue() > kMostStages))
    return emitOpError("expected a depth from 1 to ")
           << kMostStages << ", got " << depth->getSExtValue();
  if (auto lead = getLead())
    if (failed(verifyLead(*this, lead->getSExtValue())))
      return failure();
  if (getBounds().has_value() != getConditions().has_value())
    return emitOpError("expected both a box and conditions of a boundary, or "
                       "none");
  if (!hasBoundary())
    return success();
  auto type = cast<GridType>(getRes().getType());
  return success(succeeded(verifyBoxIn(*this, *getBounds(), type, "value")) &&
                 succeeded(verifyConditions(*this, *getConditions(), type)));
}

LogicalResult AccumulateOp::verify() {
  ArrayRef<int64_t> planes = getPlanes();
  if (planes.size() != getTerms().size())
    return emitOpError("expected as many planes as terms, ")
           << getTerms().size() << ", got " << planes.size();
  for (int64_t plane : planes)
    if (plane < -kMaxLead || plane > kMaxLead)
      return emitOpError("expected planes at a distance of at most ")
             << kMaxLead << ", got " << plane;
  for (size_t i = 1; i < planes.size(); ++i)
    if (planes[i - 1] >= planes[i])
      return emitOpError("expected strictly increasing planes, got ")
             << planes[i - 1] << " before " << planes[i];
  Type element = getElementType(getRes());
  if (!WeightedSumOp::isSummable(element))
    return emitOpError("expected floats, or integers of more than one bit, "
                       "got ")
           << element;
  return success();
}
