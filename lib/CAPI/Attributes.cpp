//===- Attributes.cpp - Attributes of the stencil dialect -----------------===//

#include "StencilDialect-c/Attributes.h"
#include "Checked.h"
#include "StencilDialect/IR/CPULoops.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/StencilAttrs.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/CAPI/Wrap.h"

#include <algorithm>
#include <string_view>

using namespace mlir;
using namespace stencil;
using capi::get;

/// True if a name in the header is the one in C++.
static constexpr bool isName(std::string_view name,
                             llvm::StringLiteral expected) {
  return name == std::string_view(expected.data(), expected.size());
}
static_assert(isName(STENCIL_SCHEDULE_ATTR, ScheduleAttr::kAttrName));
static_assert(isName(STENCIL_REGION_GROUP_ATTR, RegionGroupAttr::kAttrName));
static_assert(isName(STENCIL_STAGE_ATTR, StageAttr::kAttrName));
static_assert(isName(STENCIL_TIME_LOOP_ATTR, kTimeLoopAttr));
static_assert(isName(STENCIL_TARGET_ATTR, TargetAttr::kAttrName));
static_assert(isName(STENCIL_CPU_LOOPS_ATTR, CPULoopsAttr::kAttrName));
static_assert(isName(STENCIL_DIAMONDS_ATTR, DiamondsAttr::kAttrName));

/// An entry of a list; 0 where there is none.
static int64_t at(llvm::ArrayRef<int64_t> list, intptr_t index) {
  return index >= 0 && index < static_cast<intptr_t>(list.size()) ? list[index]
                                                                  : 0;
}

//===----------------------------------------------------------------------===//
// Indices and bounds
//===----------------------------------------------------------------------===//

bool stencilAttributeIsAIndex(MlirAttribute attribute) {
  return get<stencil::IndexAttr>(attribute) != nullptr;
}

MlirAttribute stencilIndexAttrGetChecked(MlirLocation handle, intptr_t rank,
                                         const int64_t *values) {
  std::optional<Location> location = capi::check(handle);
  if (!location)
    return MlirAttribute{nullptr};
  auto numbers = capi::getNumbers(*location, rank, values, "values");
  if (!numbers)
    return MlirAttribute{nullptr};
  return wrap(
      Attribute(capi::getChecked<stencil::IndexAttr>(*location, *numbers)));
}

intptr_t stencilIndexAttrGetRank(MlirAttribute attribute) {
  auto index = get<stencil::IndexAttr>(attribute);
  return index ? index.getRank() : 0;
}

int64_t stencilIndexAttrGetValue(MlirAttribute attribute, intptr_t axis) {
  auto index = get<stencil::IndexAttr>(attribute);
  return index ? at(index.getValues(), axis) : 0;
}

bool stencilAttributeIsABounds(MlirAttribute attribute) {
  return get<BoundsAttr>(attribute) != nullptr;
}

MlirAttribute stencilBoundsAttrGetChecked(MlirLocation handle, intptr_t rank,
                                          const int64_t *lower,
                                          const int64_t *upper) {
  std::optional<Location> location = capi::check(handle);
  if (!location)
    return MlirAttribute{nullptr};
  auto lb = capi::getNumbers(*location, rank, lower, "bounds");
  if (!lb)
    return MlirAttribute{nullptr};
  auto ub = capi::getNumbers(*location, rank, upper, "bounds");
  if (!ub)
    return MlirAttribute{nullptr};
  return wrap(Attribute(capi::getChecked<BoundsAttr>(*location, *lb, *ub)));
}

intptr_t stencilBoundsAttrGetRank(MlirAttribute attribute) {
  auto bounds = get<BoundsAttr>(attribute);
  return bounds ? bounds.getRank() : 0;
}

int64_t stencilBoundsAttrGetLower(MlirAttribute attribute, intptr_t axis) {
  auto bounds = get<BoundsAttr>(attribute);
  return bounds ? at(bounds.getLb(), axis) : 0;
}

int64_t stencilBoundsAttrGetUpper(MlirAttribute attribute, intptr_t axis) {
  auto bounds = get<BoundsAttr>(attribute);
  return bounds ? at(bounds.getUb(), axis) : 0;
}

bool stencilBoundsAttrContains(MlirAttribute attribute, MlirAttribute other) {
  auto outer = get<BoundsAttr>(attribute), inner = get<BoundsAttr>(other);
  return outer && inner && outer.contains(inner);
}

int64_t stencilBoundGetRelative(int64_t offset) {
  // One beyond the limit remains wrong, and the verifier says so.
  return makeSymbolic(std::clamp(offset, -kMaxBound - 1, kMaxBound + 1));
}

bool stencilBoundIsRelative(int64_t bound) { return isSymbolic(bound); }

int64_t stencilBoundGetOffset(int64_t bound) {
  return isSymbolic(bound) ? symbolicOffset(bound) : 0;
}

//===----------------------------------------------------------------------===//
// Boundary conditions
//===----------------------------------------------------------------------===//

/// An attribute without rules; null if the context is, or cannot have the
/// dialect.
template <typename T, typename... Args>
static MlirAttribute getPlain(MlirContext context, Args... args) {
  if (mlirContextIsNull(context) ||
      !capi::loadDialect(UnknownLoc::get(unwrap(context))))
    return MlirAttribute{nullptr};
  return wrap(Attribute(T::get(unwrap(context), args...)));
}

#define STENCIL_DEFINE_CONDITION(name)                                         \
  bool stencilAttributeIsA##name(MlirAttribute attribute) {                    \
    return get<name##Attr>(attribute) != nullptr;                              \
  }                                                                            \
  MlirAttribute stencil##name##AttrGet(MlirContext context) {                  \
    return getPlain<name##Attr>(context);                                      \
  }

STENCIL_CONDITIONS(STENCIL_DEFINE_CONDITION)
#undef STENCIL_DEFINE_CONDITION

bool stencilAttributeIsADirichlet(MlirAttribute attribute) {
  return get<DirichletAttr>(attribute) != nullptr;
}

MlirAttribute stencilDirichletAttrGetChecked(MlirLocation handle,
                                             MlirAttribute value) {
  std::optional<Location> location = capi::check(handle);
  if (!location)
    return MlirAttribute{nullptr};
  auto typed = get<TypedAttr>(value);
  if (!typed) {
    emitError(*location)
        << "expected a number as the value of a Dirichlet condition";
    return MlirAttribute{nullptr};
  }
  if (!capi::checkContext(*location, typed.getContext()))
    return MlirAttribute{nullptr};
  return wrap(Attribute(capi::getChecked<DirichletAttr>(*location, typed)));
}

MlirAttribute stencilDirichletAttrGetValue(MlirAttribute attribute) {
  auto dirichlet = get<DirichletAttr>(attribute);
  return wrap(dirichlet ? Attribute(dirichlet.getValue()) : Attribute());
}

bool stencilAttributeIsAExtrapolate(MlirAttribute attribute) {
  return get<ExtrapolateAttr>(attribute) != nullptr;
}

MlirAttribute stencilExtrapolateAttrGetChecked(MlirLocation handle,
                                               int64_t order) {
  std::optional<Location> location = capi::check(handle);
  if (!location)
    return MlirAttribute{nullptr};
  return wrap(Attribute(capi::getChecked<ExtrapolateAttr>(*location, order)));
}

int64_t stencilExtrapolateAttrGetOrder(MlirAttribute attribute) {
  auto extrapolate = get<ExtrapolateAttr>(attribute);
  return extrapolate ? extrapolate.getOrder() : 0;
}

//===----------------------------------------------------------------------===//
// Launches, stages and time loops
//===----------------------------------------------------------------------===//

bool stencilAttributeIsARegionGroup(MlirAttribute attribute) {
  return get<RegionGroupAttr>(attribute) != nullptr;
}

MlirAttribute stencilRegionGroupAttrGetChecked(MlirLocation handle,
                                               int64_t number,
                                               StencilRegionLaunch how) {
  std::optional<Location> location = capi::check(handle);
  if (!location)
    return MlirAttribute{nullptr};
  std::optional<RegionLaunch> launch = symbolizeRegionLaunch(how);
  if (!launch) {
    emitError(*location) << "expected a StencilRegionLaunch, got "
                         << static_cast<int64_t>(how);
    return MlirAttribute{nullptr};
  }
  return getPlain<RegionGroupAttr>(wrap(location->getContext()), number,
                                   *launch);
}

int64_t stencilRegionGroupAttrGetNumber(MlirAttribute attribute) {
  auto group = get<RegionGroupAttr>(attribute);
  return group ? group.getNumber() : 0;
}

StencilRegionLaunch stencilRegionGroupAttrGetHow(MlirAttribute attribute) {
  auto group = get<RegionGroupAttr>(attribute);
  return group ? static_cast<StencilRegionLaunch>(group.getHow())
               : STENCIL_REGIONS_SEPARATE;
}

bool stencilAttributeIsAStage(MlirAttribute attribute) {
  return get<StageAttr>(attribute) != nullptr;
}

MlirAttribute stencilStageAttrGet(MlirContext context, int64_t lead) {
  return getPlain<StageAttr>(context, lead);
}

int64_t stencilStageAttrGetLead(MlirAttribute attribute) {
  auto stage = get<StageAttr>(attribute);
  return stage ? stage.getLead() : 0;
}

MlirAttribute stencilStageAttrGetSkewed(MlirContext context, int64_t lead,
                                        intptr_t numAxes, const int64_t *skew) {
  DenseI64ArrayAttr along;
  if (!mlirContextIsNull(context) && numAxes > 0)
    along = DenseI64ArrayAttr::get(unwrap(context), ArrayRef(skew, numAxes));
  return getPlain<StageAttr>(context, lead, along);
}

intptr_t stencilStageAttrGetSkewRank(MlirAttribute attribute) {
  auto stage = get<StageAttr>(attribute);
  return stage && stage.getSkew() ? stage.getSkew().size() : 0;
}

int64_t stencilStageAttrGetSkew(MlirAttribute attribute, intptr_t axis) {
  return axis >= 0 && axis < stencilStageAttrGetSkewRank(attribute)
             ? get<StageAttr>(attribute).getSkew()[axis]
             : 0;
}

bool stencilAttributeIsATimeLoop(MlirAttribute attribute) {
  return get<TimeLoopAttr>(attribute) != nullptr;
}

MlirAttribute stencilTimeLoopAttrGetChecked(MlirLocation handle,
                                            const StencilTimeLoop *loop) {
  std::optional<Location> location = capi::check(handle);
  if (!location)
    return MlirAttribute{nullptr};
  auto interior = loop ? get<BoundsAttr>(loop->interior) : BoundsAttr();
  auto lower = loop ? get<stencil::IndexAttr>(loop->lower) : nullptr;
  auto upper = loop ? get<stencil::IndexAttr>(loop->upper) : nullptr;
  if (!interior || !lower || !upper) {
    emitError(*location) << "expected a #stencil.bounds as the interior of a "
                            "time loop, and #stencil.index as its offsets";
    return MlirAttribute{nullptr};
  }
  for (MLIRContext *context :
       {interior.getContext(), lower.getContext(), upper.getContext()})
    if (!capi::checkContext(*location, context))
      return MlirAttribute{nullptr};
  return wrap(Attribute(capi::getChecked<TimeLoopAttr>(
      *location, interior, lower, upper, loop->buffers, loop->levels,
      loop->stages, loop->period, loop->stepDependent)));
}

bool stencilTimeLoopAttrGetValue(MlirAttribute attribute,
                                 StencilTimeLoop *loop) {
  auto value = get<TimeLoopAttr>(attribute);
  if (!value || !loop)
    return false;
  loop->interior = wrap(Attribute(value.getInterior()));
  loop->lower = wrap(Attribute(value.getLower()));
  loop->upper = wrap(Attribute(value.getUpper()));
  loop->buffers = value.getBuffers();
  loop->levels = value.getLevels();
  loop->stages = value.getStages();
  loop->period = value.getPeriod();
  loop->stepDependent = value.getStepDependent();
  return true;
}

bool stencilAttributeIsATarget(MlirAttribute attribute) {
  return get<TargetAttr>(attribute) != nullptr;
}

MlirAttribute stencilTargetAttrGetChecked(MlirLocation handle,
                                          MlirStringRef chip) {
  std::optional<Location> location = capi::check(handle);
  if (!location)
    return MlirAttribute{nullptr};
  // No name of a chip is empty: the error is about that.
  llvm::StringRef name = chip.data ? unwrap(chip) : llvm::StringRef();
  return wrap(Attribute(capi::getChecked<TargetAttr>(*location, name)));
}

MlirStringRef stencilTargetAttrGetChip(MlirAttribute attribute) {
  auto target = get<TargetAttr>(attribute);
  return wrap(target ? target.getChip() : llvm::StringRef());
}

/// An attribute whose keys are declared once, as text. What the parser finds is
/// reported at the location.
template <typename Attr>
static MlirAttribute parseKeys(MlirLocation handle, MlirStringRef keys) {
  std::optional<Location> location = capi::check(handle);
  if (!location)
    return MlirAttribute{nullptr};
  MLIRContext *context = location->getContext();
  std::string text = ("#stencil." + Attr::getMnemonic() + "<" +
                      (keys.data ? unwrap(keys) : llvm::StringRef()) + ">")
                         .str();
  std::string problem;
  Attribute parsed;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      if (problem.empty())
        problem = diagnostic.str();
      return success();
    });
    parsed = parseAttribute(text, context);
  }
  if (!parsed)
    emitError(*location) << problem;
  return wrap(parsed);
}

bool stencilAttributeIsACPULoops(MlirAttribute attribute) {
  return get<CPULoopsAttr>(attribute) != nullptr;
}

MlirAttribute stencilCPULoopsAttrGetChecked(MlirLocation location,
                                            MlirStringRef keys) {
  return parseKeys<CPULoopsAttr>(location, keys);
}

bool stencilAttributeIsADiamonds(MlirAttribute attribute) {
  return get<DiamondsAttr>(attribute) != nullptr;
}

MlirAttribute stencilDiamondsAttrGetChecked(MlirLocation location,
                                            MlirStringRef keys) {
  return parseKeys<DiamondsAttr>(location, keys);
}

bool stencilAttributeIsACPUBlocks(MlirAttribute attribute) {
  return get<CPUBlocksAttr>(attribute) != nullptr;
}

MlirAttribute stencilCPUBlocksAttrGetChecked(MlirLocation location,
                                             MlirStringRef keys) {
  return parseKeys<CPUBlocksAttr>(location, keys);
}
