//===- Schedule.cpp - Making and changing schedules -----------------------===//

#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/WindowLimits.h"

using namespace mlir;
using namespace stencil;

int64_t ScheduleAttr::getRank() const {
  for (ArrayRef<int64_t> list :
       {getBlock(), getPoints(), getOrder(), getPanel()})
    if (!list.empty())
      return list.size();
  return 0;
}

bool ScheduleAttr::suitsRank(int64_t rank) const {
  return (getRank() == 0 || getRank() == rank) &&
         getStream().value_or(0) < rank;
}

Space ScheduleAttr::getWindowOf(unsigned input) const {
  if (getWindow().empty())
    return Space::Cache;
  return getWindow().size() == 1 ? getWindow().front() : getWindow()[input];
}

bool ScheduleAttr::needsPipeline() const {
  return getStream() || llvm::any_of(getWindow(), [](Space window) {
           return window != Space::Cache;
         });
}

int64_t ScheduleAttr::countSegments(int64_t extent) const {
  if (getPlanes())
    return std::max<int64_t>(1, extent / *getPlanes());
  return getSegments().value_or(1);
}

ScheduleAttr ScheduleAttr::Keys::getChecked(
    llvm::function_ref<InFlightDiagnostic()> emitError,
    MLIRContext *context) const {
  return ScheduleAttr::getChecked(emitError, context, *this);
}

ScheduleAttr ScheduleAttr::Keys::get(MLIRContext *context) const {
  return ScheduleAttr::get(context, *this);
}

void ScheduleAttr::Keys::give(Operation *op) const {
  op->setAttr(kAttrName, get(op->getContext()));
}

ScheduleAttr ScheduleAttr::of(Operation *op) {
  return op->getAttrOfType<ScheduleAttr>(kAttrName);
}

RegionGroupAttr RegionGroupAttr::of(Operation *op) {
  return op->getAttrOfType<RegionGroupAttr>(kAttrName);
}

StageAttr StageAttr::of(Operation *apply) {
  return apply->getAttrOfType<StageAttr>(kAttrName);
}

void StageAttr::give(Operation *apply, int64_t lead, DenseI64ArrayAttr skew) {
  apply->setDiscardableAttr(kAttrName, get(apply->getContext(), lead, skew));
}

std::string stencil::explainNoWindow(ApplyOp apply, BlockArgument input) {
  int64_t rank = cast<GridType>(input.getType()).getRank();
  if (rank != static_cast<int64_t>(apply.getRank()))
    return "which has " + std::to_string(rank) + " of " +
           std::to_string(apply.getRank()) + " axes";
  if (llvm::any_of(input.getUsers(), readsComputedPoints))
    return "which is read at computed coordinates";
  return "";
}

unsigned stencil::countFieldInputs(ApplyOp apply) {
  return llvm::count_if(apply.getArgs().getTypes(), llvm::IsaPred<GridType>);
}

bool stencil::suits(ScheduleAttr schedule, ApplyOp apply) {
  return schedule.suitsRank(apply.getRank()) &&
         (schedule.getWindow().size() <= 1 ||
          schedule.getWindow().size() == countFieldInputs(apply));
}

bool stencil::isScheduleOpen(ApplyOp apply) {
  auto own = ScheduleAttr::of(apply);
  if (!own)
    return true;
  if (!own.getRegions() || own.getRegions() == RegionLaunch::Launch)
    return false;
  ScheduleKeys rest;
  rest.regions = own.getRegions();
  return own == rest.get(apply.getContext());
}

ScheduleAttr stencil::mergeSchedule(ApplyOp apply, ScheduleAttr schedule) {
  auto own = ScheduleAttr::of(apply);
  if (!own)
    return schedule;
  ScheduleKeys keys(schedule);
  keys.regions = own.getRegions();
  return keys.get(apply.getContext());
}

/// The schedule of an apply if it has a list of windows, else null.
static ScheduleAttr getWithList(ApplyOp apply) {
  auto schedule = ScheduleAttr::of(apply);
  return schedule && schedule.getWindow().size() > 1 ? schedule
                                                     : ScheduleAttr();
}

void stencil::eraseInputs(ApplyOp apply, const llvm::BitVector &inputs) {
  if (inputs.none())
    return;
  if (ScheduleAttr schedule = getWithList(apply)) {
    ScheduleKeys keys(schedule);
    keys.window.clear();
    unsigned number = 0;
    for (auto [index, type] : llvm::enumerate(apply.getArgs().getTypes())) {
      if (!isa<GridType>(type))
        continue;
      if (!inputs.test(index))
        keys.window.push_back(schedule.getWindowOf(number));
      ++number;
    }
    // What was for a window that is gone.
    if (!llvm::is_contained(keys.window, Space::Shared)) {
      keys.groups.clear();
      keys.prefetch.reset();
      keys.stages.reset();
      keys.eviction.reset();
      keys.boundary.reset();
    }
    keys.give(apply);
  }
  SmallVector<Value> kept;
  for (auto [index, input] : llvm::enumerate(apply.getArgs()))
    if (!inputs.test(index))
      kept.push_back(input);
  apply.getBodyBlock()->eraseArguments(inputs);
  apply.getArgsMutable().assign(kept);
}

void stencil::addWindows(ApplyOp apply, ArrayRef<Space> windows) {
  ScheduleAttr schedule = getWithList(apply);
  if (!schedule || windows.empty())
    return;
  ScheduleKeys keys(schedule);
  keys.window.append(windows.begin(), windows.end());
  keys.give(apply);
}
