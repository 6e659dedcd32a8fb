//===- DiamondLoop.cpp - What a time loop in diamonds consists of ---------===//

#include "Diamonds.h"
#include "StencilDialect/Analysis/PeriodicImages.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/HaloRule.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <cstdlib>

using namespace mlir;
using namespace stencil;

namespace {
class Parser {
public:
  explicit Parser(DiamondLoop &found) : found(found) {}
  LogicalResult run();

private:
  InFlightDiagnostic refuse(Operation *op) {
    return op->emitError("cannot take the steps of this loop in diamonds: ");
  }
  LogicalResult findKernels();
  LogicalResult addKernel(ApplyOp apply);
  LogicalResult addKernel(PipelineOp pipeline);
  LogicalResult findNext();
  LogicalResult findReach();
  bool findMaker(DiamondLoopHalo &halo);
  bool isReadElsewhere(const DiamondLoopHalo &halo);
  bool isFilledAtOnce(DiamondLoopHalo &halo);
  void addHaloPhases(BoundaryOp boundary);
  LogicalResult findPhases();
  LogicalResult checkFarthest();

  DiamondLoop &found;
  llvm::SmallVector<BoundaryOp> boundaries;
  /// What the loop carries, and what its applies store to.
  llvm::SetVector<Value> states;
};
} // namespace

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

DiamondKernel::DiamondKernel(ApplyOp apply)
    : op(apply), domain(apply.getDomain()), stored(apply.getDest()) {
  Footprint(apply).forEachRead([&](const InputRead &read) {
    reads.push_back({apply.getInput(read.input),
                     OffsetBox::ofRead(read, apply.getRank()), read.op});
  });
}

DiamondKernel::DiamondKernel(PipelineOp pipeline, PipelineWalk known)
    : op(pipeline), domain(pipeline.getDomain()), walk(std::move(known)) {
  for (StoreOp store : pipeline.getBodyBlock()->getOps<StoreOp>())
    stored.push_back(store.getField());
  for (const PlannedStage &stage : walk->getStages())
    Footprint(stage.op).forEachRead([&](const InputRead &read) {
      Value value = getSource(ApplyOp(stage.op).getInput(read.input));
      if (auto load = value.getDefiningOp<LoadOp>())
        reads.push_back(
            {load.getField(),
             stage.needs.shifted(OffsetBox::ofRead(read, domain.getRank())),
             read.op});
    });
}

void DiamondKernel::forEachField(llvm::function_ref<void(Value)> body) const {
  llvm::for_each(stored, body);
  for (const DiamondRead &read : reads)
    body(read.field);
}

LogicalResult Parser::addKernel(ApplyOp apply) {
  if (!apply.isBufferised())
    return refuse(apply) << "expected bufferised applies; run "
                            "stencil-bufferize";
  if (llvm::any_of(apply.getUnrollFactors(),
                   [](int64_t factor) { return factor != 1; }))
    return refuse(apply) << "the body is unrolled";
  found.kernels.emplace_back(apply);
  return success();
}

LogicalResult Parser::addKernel(PipelineOp pipeline) {
  FailureOr<PipelineWalk> walk = PipelineWalk::create(pipeline);
  if (failed(walk))
    return failure();
  for (const PlannedStage &stage : walk->getStages())
    for (const StageResult &result : stage.results)
      if (result.boundary || (result.isKept() && !result.stores.empty()))
        return refuse(pipeline) << "expected stages without boundaries, that "
                                   "are either stored or read by others";
  found.kernels.emplace_back(pipeline, std::move(*walk));
  return success();
}

LogicalResult Parser::findKernels() {
  for (Operation &op : found.loop.getBody()->without_terminator()) {
    LogicalResult result = success();
    if (callsStepFunction(&op, kCountSteps))
      found.countsSteps = true;
    else if (auto boundary = dyn_cast<BoundaryOp>(op))
      boundaries.push_back(boundary);
    else if (auto apply = dyn_cast<ApplyOp>(op))
      result = addKernel(apply);
    else if (auto pipeline = dyn_cast<PipelineOp>(op))
      result = addKernel(pipeline);
    else if (!isPure(&op) || op.getNumRegions() != 0)
      return refuse(&op) << "expected a step of applies and pure scalar ops, "
                            "got '"
                         << op.getName() << "'";
    if (failed(result))
      return failure();
  }
  if (found.kernels.empty())
    return refuse(found.loop) << "it has no stencil.apply";
  const DiamondKernel &first = found.kernels.front();
  for (const DiamondKernel &kernel : found.kernels) {
    if (kernel.domain != first.domain)
      return refuse(kernel.op)
             << "expected all applies of a step on one box, got "
             << kernel.domain << " and " << first.domain;
    states.insert_range(kernel.stored);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

LogicalResult Parser::findNext() {
  scf::ForOp loop = found.loop;
  if (loop.getUnsignedCmp() || !loop.getStep().getType().isIndex())
    return refuse(loop) << "expected it to count in numbers of type index, "
                           "with sign";
  llvm::SmallSetVector<unsigned, 4> seen;
  for (auto [arg, value] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!isa<FieldType>(arg.getType()) || !argument ||
        argument.getOwner() != loop.getBody() || argument.getArgNumber() == 0 ||
        !seen.insert(argument.getArgNumber() - 1))
      return refuse(loop) << "expected it to carry fields, and to yield them "
                             "in another order";
    found.next.push_back(argument.getArgNumber() - 1);
    states.insert(arg);
  }
  SmallVector<unsigned> at = found.next;
  constexpr unsigned kMostPeriod = 64;
  auto isInPlace = [&] {
    return llvm::all_of(llvm::enumerate(at), [](auto entry) {
      return entry.index() == entry.value();
    });
  };
  for (; !isInPlace(); ++found.period) {
    if (found.period == kMostPeriod)
      return refuse(loop) << "expected fields that are in their places after "
                             "at most "
                          << kMostPeriod << " steps";
    for (unsigned &place : at)
      place = found.next[place];
  }
  return success();
}

/// A point may be stored to when all who read what was there before have done
/// so: that is as far as it reads, in the other direction.
LogicalResult Parser::findReach() {
  // A diamond has a width.
  found.reach = 1;
  for (const DiamondKernel &kernel : found.kernels)
    for (const DiamondRead &read : kernel.reads) {
      if (!states.contains(read.field))
        continue;
      if (readsComputedPoints(read.op))
        return refuse(read.op) << "it reads a state at computed coordinates, "
                                  "or all of a row";
      if (cast<GridType>(read.field.getType()).getRank() != found.getRank())
        return refuse(kernel.op) << "a state has fewer axes than the apply";
      auto getFar = [&](int64_t axis) {
        return std::max(std::abs(read.box.lower[axis]),
                        std::abs(read.box.upper[axis]));
      };
      found.reach = std::max(found.reach, getFar(0));
      if (found.getRank() > 1)
        found.skew = std::max(found.skew, getFar(1));
    }
  return success();
}

/// Who stores what is the field of the halo in the next step: one phase, if the
/// step has the halo at its beginning.
bool Parser::findMaker(DiamondLoopHalo &halo) {
  BoundaryOp boundary = halo.boundary;
  scf::ForOp loop = found.loop;
  auto field = dyn_cast<BlockArgument>(boundary.getField());
  if (!field || field.getOwner() != loop.getBody() ||
      !boundary->isBeforeInBlock(found.kernels.front().op))
    return false;
  halo.place = field.getArgNumber() - 1;
  Value written = loop.getRegionIterArg(found.next[halo.place]);
  unsigned makers = 0;
  for (auto [phase, kernel] : llvm::enumerate(found.kernels))
    for (auto [result, field] : llvm::enumerate(kernel.stored))
      if (field == written) {
        halo.phase = phase;
        halo.result = result;
        ++makers;
      }
  return written != field && makers == 1 &&
         llvm::count_if(boundaries, [&](BoundaryOp other) {
           return other.getField() == field;
         }) == 1;
}

/// The halo is there as soon as its points are, and stays. So where the field
/// is at another place than that of the boundary, nobody may read its halo.
bool Parser::isReadElsewhere(const DiamondLoopHalo &halo) {
  scf::ForOp loop = found.loop;
  bool readsAround = false;
  for (unsigned place = found.next[halo.place]; place != halo.place;
       place = found.next[place])
    for (const DiamondKernel &kernel : found.kernels)
      for (const DiamondRead &read : kernel.reads)
        readsAround |= read.field == loop.getRegionIterArg(place) &&
                       (readsComputedPoints(read.op) || !read.box.isZero());
  return readsAround;
}

/// Whether a halo can be filled where the points are computed that it is made
/// of (DiamondStep.cpp).
bool Parser::isFilledAtOnce(DiamondLoopHalo &halo) {
  if (!findMaker(halo) || isReadElsewhere(halo))
    return false;
  for (int64_t axis = 0; axis < found.getRank(); ++axis)
    for (bool upper : {false, true}) {
      HaloRule rule =
          getHaloRule(BoundaryOp(halo.boundary).getCondition(axis, upper));
      // Both ends of an axis that is folded are at one place.
      bool canFill =
          axis < 2 ? rule.wraps() || rule.isOfNearPoints(axis == 0 ? found.reach
                                                                   : found.skew)
                   : !rule.isPolynomial();
      if (!canFill)
        return false;
    }
  return true;
}

/// Phases of a boundary, in which the halo is at the place of the outermost
/// points. Along one axis of a tile after the other, as the halo along the
/// second one is also made of that along the first; rows are whole.
void Parser::addHaloPhases(BoundaryOp boundary) {
  int64_t rank = found.getRank();
  auto isFilled = [&](int64_t axis) {
    bool isAny = false;
    for (bool upper : {false, true}) {
      HaloRule rule = getHaloRule(boundary.getCondition(axis, upper));
      int64_t width = getHaloWidth(boundary, axis, upper);
      if (width == 0 || rule.isKept())
        continue;
      isAny = true;
      int64_t far = rule.wraps() ? width - 1 : rule.countSources(width) - 1;
      if (axis == 0)
        found.reach = std::max(found.reach, far);
      else if (axis == 1)
        found.skew = std::max(found.skew, far);
    }
    return isAny;
  };
  if (isFilled(0))
    found.phases.push_back({boundary, 0, 1});
  bool isAny = false;
  for (int64_t axis = 1; axis < rank; ++axis)
    isAny |= isFilled(axis);
  if (isAny)
    found.phases.push_back({boundary, 1, rank});
}

LogicalResult Parser::findPhases() {
  bool areAtOnce = true;
  for (BoundaryOp boundary : boundaries) {
    if (boundary.getBounds() != found.kernels.front().domain ||
        !states.contains(boundary.getField()))
      return refuse(boundary) << "expected a boundary of a field that the loop "
                                 "carries, on the box of the applies";
    found.halos.push_back({boundary});
    areAtOnce &= isFilledAtOnce(found.halos.back());
    for (int64_t axis = 0; axis < std::min<int64_t>(found.getRank(), 2); ++axis)
      found.folds[axis] |=
          getHaloRule(boundary.getCondition(axis, /*upper=*/false)).wraps();
  }
  if (!areAtOnce)
    found.halos.clear();
  for (Operation &op : found.loop.getBody()->without_terminator()) {
    if (op.hasTrait<KernelLike>())
      found.phases.push_back({&op});
    else if (auto boundary = dyn_cast<BoundaryOp>(op); boundary && !areAtOnce)
      addHaloPhases(boundary);
  }
  return success();
}

LogicalResult Parser::checkFarthest() {
  // Numbers of planes are constants of the loops.
  constexpr int64_t kFarthest = 1024;
  if (found.reach > kFarthest || found.skew > kFarthest)
    return refuse(found.loop)
           << "expected it to read at most " << kFarthest << " points far";
  return success();
}

LogicalResult Parser::run() {
  return success(succeeded(findKernels()) && succeeded(findNext()) &&
                 succeeded(findReach()) && succeeded(findPhases()) &&
                 succeeded(checkFarthest()));
}

FailureOr<DiamondLoop> DiamondLoop::create(scf::ForOp loop) {
  DiamondLoop found;
  found.loop = loop;
  found.diamonds = loop->getAttrOfType<DiamondsAttr>(DiamondsAttr::kAttrName);
  if (failed(Parser(found).run()))
    return failure();
  return found;
}
