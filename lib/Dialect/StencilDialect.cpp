//===- StencilDialect.cpp - The stencil dialect ---------------------------===//

#include "StencilDialect/IR/StencilDialect.h"
#include "BodyOps.h"
#include "BytecodeInterface.h"
#include "StencilDialect/IR/CPULoops.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Schedule.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace stencil;

#include "StencilDialect/IR/StencilDialect.cpp.inc"

namespace {

/// Functions of stencil programs may be inlined wherever they are called: on
/// GPUs fields that are passed on must be their caller's. Extents that a
/// function learns from its own casts are those of its caller's fields then,
/// which is checked at run time.
struct StencilInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const override {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool,
                       IRMapping &) const override {
    return true;
  }
};

} // namespace

void StencilDialect::initialize() {
  addInterfaces<StencilInlinerInterface>();
  addBytecodeInterface(*this);
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "StencilDialect/IR/StencilOps.cpp.inc"
      >();
}

static LogicalResult verifySchedule(Operation *op, Attribute attribute) {
  if (!isa<ApplyOp, PipelineOp>(op))
    return op->emitOpError("expected '")
           << ScheduleAttr::kAttrName
           << "' on a stencil.apply or stencil.pipeline only";
  auto schedule = dyn_cast<ScheduleAttr>(attribute);
  if (!schedule)
    return op->emitOpError("expected a #stencil.schedule as '")
           << ScheduleAttr::kAttrName << "', got " << attribute;
  // The body of a pipeline has not been verified yet.
  auto apply = dyn_cast<ApplyOp>(op);
  if (!apply)
    return success();
  int64_t rank = apply.getRank();
  if (rank != 0 && schedule.getRank() != 0 && schedule.getRank() != rank)
    return op->emitOpError("expected a schedule for ")
           << rank << " axes, got one for " << schedule.getRank();
  if (rank != 0 && schedule.getStream().value_or(0) >= rank)
    return op->emitOpError("expected a 'stream' axis from 0 to ")
           << rank - 1 << ", got " << *schedule.getStream();
  size_t windows = schedule.getWindow().size();
  if (unsigned inputs = countFieldInputs(apply);
      windows > 1 && windows != inputs)
    return op->emitOpError("expected one window or one for each of the ")
           << inputs << " inputs that are fields or temps, got " << windows;
  return success();
}

/// Where threads compute a stage. (The axis of the pipeline has not been
/// verified yet.)
static LogicalResult verifySkew(ApplyOp apply, StageAttr stage) {
  if (!stage.getSkew())
    return success();
  ArrayRef<int64_t> skew = stage.getSkew();
  int64_t rank = apply.getRank();
  if (static_cast<int64_t>(skew.size()) != rank)
    return apply.emitOpError("expected a 'skew' for ")
           << rank << " axes, got one for " << skew.size();
  for (int64_t by : skew)
    if (by < -kMaxSkew || by > kMaxSkew)
      return apply.emitOpError("expected a 'skew' of at most ")
             << kMaxSkew << " points, got " << by;
  std::optional<int64_t> walk =
      cast<PipelineOp>(apply->getParentOp()).getWalkAxis();
  if (walk && *walk >= 0 && *walk < rank && skew[*walk] != 0)
    return apply.emitOpError("expected a 'skew' of 0 along axis ")
           << *walk << ", which the pipeline walks along, got " << skew[*walk]
           << ": 'lead' is for that";
  return success();
}

static LogicalResult verifyStage(Operation *op, Attribute attribute) {
  if (!isa<ApplyOp>(op) || !isa_and_nonnull<PipelineOp>(op->getParentOp()))
    return op->emitOpError("expected '")
           << StageAttr::kAttrName
           << "' on a stencil.apply in a stencil.pipeline only";
  auto stage = dyn_cast<StageAttr>(attribute);
  if (!stage)
    return op->emitOpError("expected a #stencil.stage as '")
           << StageAttr::kAttrName << "', got " << attribute;
  return success(succeeded(verifyLead(op, stage.getLead())) &&
                 succeeded(verifySkew(cast<ApplyOp>(op), stage)));
}

static LogicalResult verifyRegionGroup(Operation *op, Attribute attribute) {
  // By name: the dialect does not need the other one for anything else.
  if (!op->hasTrait<KernelLike>() && !isa<LaunchOp>(op) &&
      op->getName().getStringRef() != "gpu.launch_func")
    return op->emitOpError("expected '")
           << RegionGroupAttr::kAttrName
           << "' on a stencil.apply, a stencil.pipeline, a stencil.launch, a "
              "tile.kernel or a "
              "gpu.launch_func only";
  if (isa<RegionGroupAttr>(attribute))
    return success();
  return op->emitOpError("expected a #stencil.region_group as '")
         << RegionGroupAttr::kAttrName << "', got " << attribute;
}

static LogicalResult verifyRegions(Operation *op, Attribute attribute) {
  if (!isa<ApplyOp>(op))
    return op->emitOpError("expected '")
           << kRegionsAttr << "' on a stencil.apply only";
  auto mode = dyn_cast<StringAttr>(attribute);
  if (mode && llvm::is_contained({"all", "two", "keep"}, mode.getValue()))
    return success();
  return op->emitOpError("expected \"all\", \"two\" or \"keep\" as '")
         << kRegionsAttr << "', got " << attribute;
}

static LogicalResult verifyRegionAxes(Operation *op, Attribute attribute) {
  auto apply = dyn_cast<ApplyOp>(op);
  if (!apply)
    return op->emitOpError("expected '")
           << kRegionAxesAttr << "' on a stencil.apply only";
  auto axes = dyn_cast<DenseI64ArrayAttr>(attribute);
  if (!axes || axes.empty())
    return op->emitOpError("expected an array<i64> of axes as '")
           << kRegionAxesAttr << "', got " << attribute;
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t axis : axes.asArrayRef())
    if (axis < 0 || axis >= apply.getRank() || !seen.insert(axis).second)
      return op->emitOpError("expected different axes from 0 to ")
             << apply.getRank() - 1 << " as '" << kRegionAxesAttr << "', got "
             << attribute;
  return success();
}

static LogicalResult verifyRegion(Operation *op, Attribute attribute) {
  if (!isa<ApplyOp>(op))
    return op->emitOpError("expected '")
           << kRegionAttr << "' on a stencil.apply only";
  if (isa<BoundsAttr>(attribute))
    return success();
  return op->emitOpError("expected #stencil.bounds as '")
         << kRegionAttr << "', got " << attribute;
}

/// A string of an apply.
static LogicalResult verifyText(Operation *op, NamedAttribute attribute) {
  if (!isa<ApplyOp>(op))
    return op->emitOpError("expected '")
           << attribute.getName().getValue() << "' on a stencil.apply only";
  if (isa<StringAttr>(attribute.getValue()))
    return success();
  return op->emitOpError("expected a string as '")
         << attribute.getName().getValue() << "', got " << attribute.getValue();
}

static LogicalResult verifySteps(Operation *op, Attribute attribute) {
  auto steps = dyn_cast<IntegerAttr>(attribute);
  if (isa<ApplyOp, PipelineOp>(op) && steps &&
      steps.getType().isSignlessInteger(64) && steps.getInt() >= 2)
    return success();
  return op->emitOpError("expected '")
         << kStepsAttr
         << "' as a number of type i64 from 2 on a stencil.apply or "
            "stencil.pipeline only, got "
         << attribute;
}

static LogicalResult verifyAssumedExtents(Operation *op, Attribute attribute) {
  auto apply = dyn_cast<ApplyOp>(op);
  auto extents = dyn_cast<DenseI64ArrayAttr>(attribute);
  if (apply && extents && extents.size() == apply.getRank() &&
      llvm::all_of(extents.asArrayRef(), [](int64_t extent) {
        return extent > 0 && extent < kMaxBound;
      }))
    return success();
  return op->emitOpError("expected '")
         << kAssumedExtentsAttr
         << "' as an array<i64> of a positive number for each axis on a "
            "stencil.apply only, got "
         << attribute;
}

static LogicalResult verifyNarrow(Operation *op, Attribute attribute) {
  auto planes = dyn_cast<IntegerAttr>(attribute);
  if (op->hasTrait<KernelLike>() && planes &&
      planes.getType().isSignlessInteger(64) && planes.getInt() >= 0)
    return success();
  return op->emitOpError("expected '")
         << kNarrowAttr
         << "' as a number of type i64 from 0 on a stencil.apply, "
            "stencil.pipeline or tile.kernel only, got "
         << attribute;
}

static LogicalResult verifyAnyOrder(Operation *op, Attribute attribute) {
  if (isa<AccumulateOp>(op) && isa<UnitAttr>(attribute))
    return success();
  return op->emitOpError("expected '")
         << kAnyOrderAttr << "' as a unit on a stencil.accumulate only";
}

static LogicalResult verifyWithin(Operation *op, Attribute attribute) {
  // By name, as the other dialect is above this one: the planes that a kernel
  // computes.
  if (op->getName().getStringRef() == "tile.where" &&
      isa<BoundsAttr>(attribute))
    return success();
  auto window = dyn_cast<WindowOp>(op);
  if (!window || !window.isOfStage() || window.hasBoundary())
    return op->emitOpError("expected '")
           << kWithinAttr
           << "' on a stencil.window of what a stage makes, without a "
              "boundary, only";
  auto box = dyn_cast<BoundsAttr>(attribute);
  int64_t rank = cast<GridType>(window.getType()).getRank();
  if (!box || box.getRank() != rank)
    return op->emitOpError("expected a #stencil.bounds of ")
           << rank << " axes as '" << kWithinAttr << "', got " << attribute;
  return success();
}

static LogicalResult verifyInner(Operation *op, Attribute attribute) {
  auto box = dyn_cast<BoundsAttr>(attribute);
  if (!box)
    return op->emitOpError("expected a #stencil.bounds as '")
           << kInnerAttr << "', got " << attribute;
  // By name, as the other dialect is above this one.
  if (op->getName().getStringRef() == "tile.kernel")
    return success();
  auto pipeline = dyn_cast<PipelineOp>(op);
  if (!pipeline || !pipeline.getWalkAxis())
    return op->emitOpError("expected '")
           << kInnerAttr << "' on a stencil.pipeline with an axis only";
  for (StoreOp store : pipeline.getBodyBlock()->getOps<StoreOp>())
    if (store.getBounds().getRank() != box.getRank())
      return op->emitOpError("expected a box of ")
             << store.getBounds().getRank() << " axes as '" << kInnerAttr
             << "', got " << attribute;
  return success();
}

static LogicalResult verifyUnroll(Operation *op, Attribute attribute) {
  if (op->getName().getStringRef() != "tile.walk")
    return op->emitOpError("expected '") << kUnrollAttr << "' on a tile.walk";
  auto number = dyn_cast<IntegerAttr>(attribute);
  if (!number || !number.getType().isInteger(64) || number.getInt() < 1 ||
      number.getInt() > ScheduleAttr::kMostUnroll)
    return op->emitOpError("expected an i64 from 1 to ")
           << ScheduleAttr::kMostUnroll << " as '" << kUnrollAttr << "', got "
           << attribute;
  return success();
}

static LogicalResult verifyTimeLoop(Operation *op, Attribute attribute) {
  // By name: the dialect does not need scf for anything else here.
  if (op->getName().getStringRef() != "scf.for")
    return op->emitOpError("expected '")
           << kTimeLoopAttr << "' on an scf.for only";
  if (!isa<TimeLoopAttr>(attribute))
    return op->emitOpError("expected a #stencil.time_loop as '")
           << kTimeLoopAttr << "', got " << attribute;
  return success();
}

static LogicalResult verifyDeal(Operation *op, Attribute attribute) {
  // By name, as above.
  if (op->getName().getStringRef() != "scf.parallel")
    return op->emitOpError("expected '")
           << kDealAttr << "' on an scf.parallel only";
  auto number = dyn_cast<IntegerAttr>(attribute);
  if (!number || !number.getType().isInteger(64) || number.getInt() < 1)
    return op->emitOpError("expected an i64 from 1 as '")
           << kDealAttr << "', got " << attribute;
  return success();
}

static LogicalResult verifyDiamonds(Operation *op, Attribute attribute) {
  // By name, as above.
  if (op->getName().getStringRef() != "scf.for")
    return op->emitOpError("expected '")
           << DiamondsAttr::kAttrName << "' on an scf.for only";
  if (!isa<DiamondsAttr>(attribute))
    return op->emitOpError("expected a #stencil.diamonds as '")
           << DiamondsAttr::kAttrName << "', got " << attribute;
  return success();
}

static LogicalResult verifyTapLoop(Operation *op, Attribute attribute) {
  auto sum = dyn_cast<WeightedSumOp>(op);
  if (!sum || !sum.isOverInput() || !sum.getDenseWeights())
    return op->emitOpError("expected '")
           << kTapLoopAttr
           << "' on a stencil.weighted_sum over an input with constant weights "
              "only";
  if (isa<UnitAttr>(attribute))
    return success();
  return op->emitOpError("expected a unit as '")
         << kTapLoopAttr << "', got " << attribute;
}

static LogicalResult verifyRounded(Operation *op, Attribute attribute) {
  // By name, as above.
  if (op->getName().getStringRef() == "arith.mulf" && isa<UnitAttr>(attribute))
    return success();
  return op->emitOpError("expected '")
         << kRoundedAttr << "' as a unit on an arith.mulf only";
}

static LogicalResult verifyDeviceArrays(Operation *op, Attribute attribute) {
  if (isa<FunctionOpInterface>(op) && isa<UnitAttr>(attribute))
    return success();
  return op->emitOpError("expected '")
         << kDeviceArraysAttr << "' as a unit on a function only";
}

static LogicalResult verifyCPULoops(Operation *op, Attribute attribute) {
  bool isInDiamonds = op->hasAttr(DiamondsAttr::kAttrName);
  if (!isa<ApplyOp, PipelineOp, FoldOp, BoundaryOp>(op) && !isInDiamonds)
    return op->emitOpError("expected '")
           << CPULoopsAttr::kAttrName
           << "' on a stencil.apply, a stencil.pipeline, a stencil.fold, a "
              "stencil.boundary or a loop with '"
           << DiamondsAttr::kAttrName << "' only";
  auto boundary = dyn_cast<BoundaryOp>(op);
  if (!boundary) {
    if (isa<CPULoopsAttr>(attribute))
      return success();
    return op->emitOpError("expected a #stencil.cpu_loops as '")
           << CPULoopsAttr::kAttrName << "', got " << attribute;
  }
  auto axes = dyn_cast<ArrayAttr>(attribute);
  int64_t rank = boundary.getBounds().getRank();
  if (axes && static_cast<int64_t>(axes.size()) == rank &&
      llvm::all_of(axes, llvm::IsaPred<CPULoopsAttr>))
    return success();
  return op->emitOpError("expected a list of one #stencil.cpu_loops for each "
                         "of the ")
         << rank << " axes as '" << CPULoopsAttr::kAttrName << "', got "
         << attribute;
}

static LogicalResult verifyTarget(Operation *op, Attribute attribute) {
  if (!isa<ModuleOp>(op))
    return op->emitOpError("expected '")
           << TargetAttr::kAttrName << "' on a builtin.module only";
  if (isa<TargetAttr>(attribute))
    return success();
  return op->emitOpError("expected a #stencil.target as '")
         << TargetAttr::kAttrName << "', got " << attribute;
}

LogicalResult
StencilDialect::verifyOperationAttribute(Operation *op,
                                         NamedAttribute attribute) {
  if (attribute.getName() == ScheduleAttr::kAttrName)
    return verifySchedule(op, attribute.getValue());
  if (attribute.getName() == StageAttr::kAttrName)
    return verifyStage(op, attribute.getValue());
  if (attribute.getName() == RegionGroupAttr::kAttrName)
    return verifyRegionGroup(op, attribute.getValue());
  if (attribute.getName() == kRegionAttr)
    return verifyRegion(op, attribute.getValue());
  if (attribute.getName() == kRegionAxesAttr)
    return verifyRegionAxes(op, attribute.getValue());
  if (attribute.getName() == kRegionsAttr)
    return verifyRegions(op, attribute.getValue());
  if (attribute.getName() == kApplyNameAttr ||
      attribute.getName() == kEvidenceAttr)
    return verifyText(op, attribute);
  if (attribute.getName() == kStepsAttr)
    return verifySteps(op, attribute.getValue());
  if (attribute.getName() == kAssumedExtentsAttr)
    return verifyAssumedExtents(op, attribute.getValue());
  if (attribute.getName() == kNarrowAttr)
    return verifyNarrow(op, attribute.getValue());
  if (attribute.getName() == kAnyOrderAttr)
    return verifyAnyOrder(op, attribute.getValue());
  if (attribute.getName() == kWithinAttr)
    return verifyWithin(op, attribute.getValue());
  if (attribute.getName() == kInnerAttr)
    return verifyInner(op, attribute.getValue());
  if (attribute.getName() == kUnrollAttr)
    return verifyUnroll(op, attribute.getValue());
  if (attribute.getName() == kTimeLoopAttr)
    return verifyTimeLoop(op, attribute.getValue());
  if (attribute.getName() == kDealAttr)
    return verifyDeal(op, attribute.getValue());
  if (attribute.getName() == DiamondsAttr::kAttrName)
    return verifyDiamonds(op, attribute.getValue());
  if (attribute.getName() == kTapLoopAttr)
    return verifyTapLoop(op, attribute.getValue());
  if (attribute.getName() == kRoundedAttr)
    return verifyRounded(op, attribute.getValue());
  if (attribute.getName() == kDeviceArraysAttr)
    return verifyDeviceArrays(op, attribute.getValue());
  if (attribute.getName() == CPULoopsAttr::kAttrName)
    return verifyCPULoops(op, attribute.getValue());
  if (attribute.getName() == TargetAttr::kAttrName)
    return verifyTarget(op, attribute.getValue());
  return success();
}
