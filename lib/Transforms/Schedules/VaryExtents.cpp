//===- VaryExtents.cpp - Variants for extents that only a launch knows ----===//
//
//   stencil.apply ...
//     ==> %n = stencil.extent 0 ...
//         scf.if %fits {
//           scf.if %other {
//             stencil.apply ... {stencil.narrow, stencil.assumed_extents}
//           } else {
//             stencil.apply ... {stencil.narrow}
//           }
//         } else {
//           stencil.apply ...
//         }
//
// What open extents cost is, first, positions of 64 bits: twice the registers
// of each address, and products of several instructions. So a kernel for fields
// whose positions fit 32 bits stands beside the one for all. And second, a tile
// that suits a large box, but not the one at hand. So there may be one more for
// another typical box, and the host asks what each takes.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/NarrowPositions.h"
#include "StencilDialect/Analysis/ScheduleModel.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Tile/Tile.h"
#include "StencilDialect/Transforms/Passes.h"
#include "VariantConditions.h"
#include "WorthwhileSchedules.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Threading.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILVARYEXTENTS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

/// Interior points per axis, of a volume and of a plane.
struct TypicalBox {
  std::array<int64_t, 3> volume;
  std::array<int64_t, 2> plane;

  ArrayRef<int64_t> get(int64_t rank) const {
    return rank == 3 ? ArrayRef(volume) : ArrayRef(plane);
  }
};

/// The large one that is assumed otherwise, too (getAssumedExtent), and one
/// that tiles of whole warps do not divide.
constexpr TypicalBox kLarge = {{512, 512, 512}, {8192, 8192}};
constexpr TypicalBox kOdd = {{700, 500, 300}, {5000, 7000}};

/// What stencil-select-schedule has chosen, and whether because it was
/// measured.
struct Choice {
  ScheduleAttr schedule;
  SchedulePrediction prediction;
  bool isMeasured = false;
};

/// The schedules of an apply with positions of 32 bits: for large boxes, and
/// for odd ones, if that gains anything.
struct ForBoxes {
  int64_t planes = 0;
  SweepTime large;
  std::optional<SweepTime> odd;
};

struct VaryExtents : stencil::impl::StencilVaryExtentsBase<VaryExtents> {
  using StencilVaryExtentsBase::StencilVaryExtentsBase;

  void runOnOperation() override;

private:
  FailureOr<std::vector<Choice>> chooseAll(bool isNarrow,
                                           ArrayRef<TypicalBox> boxes);
  void vary(ApplyOp apply, const ForBoxes &forBoxes) const;
};

} // namespace

//===----------------------------------------------------------------------===//
// Which applies
//===----------------------------------------------------------------------===//

static bool isOpen(ApplyOp apply) {
  BoundsAttr domain = apply.getDomain();
  return domain && llvm::any_of(domain.getUb(), isSymbolic);
}

/// Why an apply of open extents has one schedule for all of them; empty if it
/// may have variants.
static std::string explainDecline(ApplyOp apply) {
  for (Operation &other : *apply->getBlock()) {
    if (isa<BoundaryOp>(other))
      return "a boundary condition beside it, which its windows may take in";
    if (isa<ApplyOp>(other) && (other.hasAttr(kRegionAttr) ||
                                other.hasAttr(RegionGroupAttr::kAttrName)))
      return "regions that are launched together";
  }
  for (Value field : listFields(apply)) {
    auto type = cast<GridType>(field.getType());
    if (!type.getBounds() || type.getRank() != apply.getRank())
      return "a field with fewer axes";
  }
  return {};
}

/// True of what is left for large fields beside variants.
static bool isVaried(ApplyOp apply) {
  auto branch = dyn_cast<scf::IfOp>(apply->getParentOp());
  return branch && anyWithin(*branch.thenBlock(), [](ApplyOp other) {
           return other->hasAttr(kNarrowAttr);
         });
}

/// Those that stencil-select-schedule chooses for; without a model for the
/// chip, nothing is expected of anything.
static SmallVector<ApplyOp> findApplies(ModuleOp module) {
  return llvm::filter_to_vector(getScheduledApplies(module), [](ApplyOp apply) {
    return isOpen(apply) && apply.isBufferised() && apply.getRank() > 1 &&
           apply->getNumResults() == 0 && isScheduleOpen(apply) &&
           !apply->hasAttr(ScheduleAttr::kAttrName) &&
           !apply->hasAttr(kStepsAttr) && !apply->hasAttr(kNarrowAttr) &&
           !isVaried(apply) && !apply->getParentOfType<tile::KernelOp>();
  });
}

/// Of planes and volumes there are typical boxes. One axis of several that is
/// open is enough: the others are what they are.
static bool hasBoxes(ApplyOp apply) {
  return apply.getRank() == 2 || apply.getRank() == 3;
}

static void remarkKept(ApplyOp apply, StringRef why) {
  remarkMissed(apply.getLoc(), "Schedule", "OneVariant",
               llvm::formatv("one schedule for all extents: {0}", why));
}

//===----------------------------------------------------------------------===//
// What is chosen
//===----------------------------------------------------------------------===//

/// The module becomes a copy of `source`.
static void become(ModuleOp module, ModuleOp source) {
  OwningOpRef<ModuleOp> copy = source.clone();
  module.getBodyRegion().takeBody(copy->getBodyRegion());
  module->setAttrs((*copy)->getAttrDictionary());
}

/// What stencil-select-schedule gives the applies, if positions have 32 bits or
/// not, for each of these boxes, apply by apply. The module stays as it is, its
/// ops do not.
FailureOr<std::vector<Choice>>
VaryExtents::chooseAll(bool isNarrow, ArrayRef<TypicalBox> boxes) {
  ModuleOp module = getOperation();
  const TargetInfo *target = findTarget(module);
  OwningOpRef<ModuleOp> source = module.clone();
  Builder builder(&getContext());
  std::vector<Choice> chosen;
  for (const TypicalBox &box : boxes) {
    SmallVector<ApplyOp> applies = findApplies(module);
    for (ApplyOp apply : applies) {
      if (isNarrow)
        apply->setDiscardableAttr(kNarrowAttr, builder.getI64IntegerAttr(0));
      if (hasBoxes(apply))
        apply->setDiscardableAttr(
            kAssumedExtentsAttr,
            builder.getDenseI64ArrayAttr(box.get(apply.getRank())));
    }
    StencilSelectScheduleOptions options;
    options.schedule = schedule;
    options.math = math;
    options.sayEvidence = true;
    OpPassManager select(ModuleOp::getOperationName());
    select.addPass(createStencilSelectSchedule(options));
    LogicalResult isChosen = success();
    {
      // It is going to be asked again, and says then what there is to say.
      uint64_t thread = llvm::get_threadid();
      ScopedDiagnosticHandler silent(&getContext(), [&](Diagnostic &) {
        return success(llvm::get_threadid() == thread);
      });
      isChosen = runPipeline(select, module);
    }
    if (succeeded(isChosen))
      for (ApplyOp apply : applies) {
        KernelProfile profile = profileKernel(apply, {}, math);
        ScheduleAttr complete =
            completeSchedule(apply, profile, ScheduleAttr::of(apply), *target);
        auto evidence = apply->getAttrOfType<StringAttr>(kEvidenceAttr);
        chosen.push_back({complete,
                          ScheduleModel(profile, *target).predict(complete),
                          evidence && evidence.getValue() ==
                                          getEvidenceName(Evidence::Measured)});
      }
    become(module, *source);
    if (failed(isChosen))
      return failure();
  }
  return chosen;
}

/// What the schedule takes of a box, with positions of 32 bits, and as many
/// segments as a launch counts.
static double predictIn(ApplyOp apply, const TypicalBox &box,
                        ScheduleAttr schedule, const TargetInfo &target,
                        MathMode math) {
  KernelProfile profile = profileKernel(apply, box.get(apply.getRank()), math);
  // As of the copy that there is going to be.
  profile.isNarrow = true;
  ScheduleKeys keys(schedule);
  if (keys.stream && keys.planes) {
    keys.segments = schedule.countSegments(profile.shape[*keys.stream]);
    keys.planes.reset();
    keys.tail.clear();
    schedule = fillMultiprocessors(apply, profile, keys.get(apply.getContext()),
                                   target);
  }
  return ScheduleModel(profile, target)
      .predict(completeSchedule(apply, profile, schedule, target))
      .seconds;
}

/// `ofOdd`: what the model expects of an odd box.
static SweepTime fitTime(ApplyOp apply, ScheduleAttr schedule, double ofOdd,
                         const TargetInfo &target, MathMode math) {
  constexpr double kFemto = 1e15;
  SweepTime time;
  for (auto [axis, block, points] :
       llvm::enumerate(schedule.getBlock(), schedule.getPoints()))
    // Along a walk all planes are a tile's own.
    time.tile.push_back(schedule.getStream() == static_cast<int64_t>(axis)
                            ? 1
                            : block * points);
  auto ofPoint = [&](double seconds, const TypicalBox &box) {
    int64_t points = 1;
    for (auto [extent, length] :
         llvm::zip_equal(box.get(apply.getRank()), time.tile))
      points *= llvm::alignTo(extent, length);
    return seconds / static_cast<double>(points);
  };
  double sum =
      ofPoint(predictIn(apply, kLarge, schedule, target, math), kLarge) +
      ofPoint(ofOdd, kOdd);
  time.perPoint = static_cast<int64_t>(kFemto * sum / 2);
  return time;
}

/// Why positions of 32 bits are not worth a kernel; empty if they are.
static std::string explainWorthless(const Choice &wide, const Choice &narrow,
                                    const KernelProfile &profile) {
  // Next to a copy, there is time for addresses.
  constexpr double kNextToCopy = 0.9;
  if (narrow.prediction.seconds <= 0 || !profile.isKnown)
    return "nothing is known of its time";
  if (wide.prediction.shareOfCopy >= kNextToCopy)
    return llvm::formatv(
        "{0} % of a copy are expected of it",
        llvm::format("%.0f", wide.prediction.shareOfCopy * 100));
  // FP64 takes longer than addresses: measured the same within 1 %.
  bool isSame = wide.schedule == narrow.schedule;
  if (isSame && wide.schedule.getStream() && profile.getElementBytes() >= 8)
    return "a walk that is the same with positions of 32 bits";
  return {};
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

/// Over less than how many planes what a kernel adds to positions reaches: 0 if
/// that is nothing to rely on.
static int64_t countPlanes(const KernelProfile &profile,
                           ScheduleAttr schedule) {
  // What copies take beyond a tile.
  constexpr int64_t kSpare = 16;
  int64_t most = 0;
  for (auto [axis, block, points] :
       llvm::enumerate(schedule.getBlock(), schedule.getPoints()))
    most = std::max(most, block * points + 2 * profile.getHalo(axis) + kSpare);
  return most < NarrowPositions::kPlanes ? NarrowPositions::kPlanes : 0;
}

void VaryExtents::vary(ApplyOp apply, const ForBoxes &forBoxes) const {
  OpBuilder builder(apply);
  Location loc = apply.getLoc();
  Value fits = emitFits(builder, apply, forBoxes.planes, limit);
  auto branch = scf::IfOp::create(builder, loc, fits, /*withElseRegion=*/true);
  OpBuilder inner = branch.getThenBodyBuilder();
  auto copyNarrow = [&](OpBuilder at) {
    Operation *copy = at.clone(*apply);
    copy->setDiscardableAttr(kNarrowAttr,
                             builder.getI64IntegerAttr(forBoxes.planes));
    return copy;
  };
  if (forBoxes.odd) {
    Value isOdd = emitIsFaster(inner, apply, *forBoxes.odd, forBoxes.large);
    auto choice = scf::IfOp::create(inner, loc, isOdd, /*withElseRegion=*/true);
    copyNarrow(choice.getThenBodyBuilder())
        ->setDiscardableAttr(
            kAssumedExtentsAttr,
            builder.getDenseI64ArrayAttr(kOdd.get(apply.getRank())));
    inner = choice.getElseBodyBuilder();
  }
  copyNarrow(inner);
  apply->moveBefore(branch.elseBlock()->getTerminator());
}

/// What the model expects an odd box to take with the schedule that is chosen
/// for it, and with that for large ones; nothing where it is not asked.
struct OddTimes {
  double own = 0, other = 0;

  /// By which part less it is with its own.
  double getGain() const { return other > 0 ? 1 - own / other : 0; }
};

static OddTimes predictOdd(ApplyOp apply, const Choice &large,
                           const Choice &odd, const TargetInfo &target,
                           MathMode math) {
  // The model knows less than measurements, and these know no other box.
  if (!hasBoxes(apply) || large.isMeasured || odd.isMeasured ||
      large.schedule == odd.schedule)
    return {};
  return {predictIn(apply, kOdd, odd.schedule, target, math),
          predictIn(apply, kOdd, large.schedule, target, math)};
}

void VaryExtents::runOnOperation() {
  // By what the model is off, it is not to be asked about.
  constexpr double kGain = 0.08;
  ModuleOp module = getOperation();
  const TargetInfo *target = findTarget(module);
  std::optional<ScheduleChoice> choice =
      parseScheduleChoice(StringRef(schedule).trim());
  SmallVector<ApplyOp> applies;
  // What was asked for or tuned is what a program gets.
  if (target && target->exact && choice && takesModel(*choice) &&
      tuningDb.empty())
    applies = findApplies(module);
  size_t count = applies.size();
  SmallVector<std::string> declined =
      llvm::map_to_vector(applies, explainDecline);
  // Choosing takes time, and is for nothing where no apply may have variants.
  if (llvm::none_of(declined, [](auto &why) { return why.empty(); })) {
    for (auto [apply, why] : llvm::zip_equal(applies, declined))
      remarkKept(apply, why);
    markAllAnalysesPreserved();
    return;
  }
  auto wide = chooseAll(/*isNarrow=*/false, kLarge);
  auto narrow = chooseAll(/*isNarrow=*/true, {kLarge, kOdd});
  // What is wrong, stencil-select-schedule is going to say.
  if (failed(wide) || failed(narrow))
    return;
  for (auto [number, given] : llvm::enumerate(findApplies(module))) {
    ApplyOp apply = given;
    const Choice &own = (*wide)[number], &large = (*narrow)[number],
                 &odd = (*narrow)[count + number];
    KernelProfile profile = profileKernel(apply, {}, math);
    OddTimes times;
    std::string why = declined[number];
    if (why.empty()) {
      times = predictOdd(apply, large, odd, *target, math);
      if (times.getGain() < kGain)
        why = explainWorthless(own, large, profile);
    }
    if (!why.empty()) {
      remarkKept(apply, why);
      continue;
    }
    ForBoxes forBoxes;
    forBoxes.planes = countPlanes(profile, large.schedule);
    std::string text;
    if (times.getGain() >= kGain) {
      forBoxes.large =
          fitTime(apply, large.schedule, times.other, *target, math);
      forBoxes.odd = fitTime(apply, odd.schedule, times.own, *target, math);
      forBoxes.planes =
          std::min(forBoxes.planes, countPlanes(profile, odd.schedule));
      text = llvm::formatv(" or, where fewer points of tiles are beyond the "
                           "box, {0}",
                           odd.schedule);
    }
    remarkPassed(
        apply.getLoc(), "Schedule", "Variants",
        llvm::formatv("{0} variants: for fields in which 32 bits hold every "
                      "position, {1}{2}; for all others, {3}",
                      forBoxes.odd ? "three" : "two", large.schedule, text,
                      own.schedule));
    vary(apply, forBoxes);
  }
}
