//===- GroupRegions.cpp - Which kernels may run at the same time ----------===//
//
// The regions of one sweep: applies and pipelines that follow each other and
// store to disjoint boxes of one field. That none of them reads or overwrites
// what another one stores is proven here, where fields and boxes are known.
//
//===----------------------------------------------------------------------===//

#include "RegionLaunches.h"
#include "StencilDialect/Analysis/FieldAccesses.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

#include <map>

namespace stencil {
#define GEN_PASS_DEF_STENCILGROUPREGIONS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct SweepRegion {
  Operation *op;
  RegionLaunch how;
  SmallVector<FieldAccess> accesses;
};

/// Groups the regions of a function.
class Grouper {
public:
  Grouper(FunctionOpInterface function, int64_t &numGroups, bool isSilent)
      : extents(minimalExtents(function)), numGroups(numGroups),
        isSilent(isSilent) {}

  LogicalResult run(Block &block);

private:
  LogicalResult add(Operation *op, RegionLaunch request);
  bool isOfSweep(const SweepRegion &region);
  bool isIndependent(const SweepRegion &region);
  LogicalResult checkIndependent(const SweepRegion &region);
  bool canMeet(const FieldAccess &own, const FieldAccess &other);
  bool canMeet(ArrayRef<FieldAccess> own, ArrayRef<FieldAccess> others);
  InFlightDiagnostic refuse(const SweepRegion &region,
                            const SweepRegion &before, const FieldAccess &own,
                            const FieldAccess &other);
  bool storesTo(const FieldAccess &store, const GridBox &box);
  bool mayPass(const SweepRegion &region, Operation *before);
  void beginEarly(const SweepRegion &region);
  void finish();

  SmallVector<int64_t> extents;
  int64_t &numGroups;
  bool isSilent;
  FieldAliasAnalysis aliases;
  /// The regions of the sweep so far.
  SmallVector<SweepRegion> sweep;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sweeps
//===----------------------------------------------------------------------===//

static RegionLaunch getRequest(Operation *op) {
  auto schedule = ScheduleAttr::of(op);
  return schedule ? schedule.getRegions().value_or(RegionLaunch::Separate)
                  : RegionLaunch::Separate;
}

static bool isRegion(Operation *op) {
  auto apply = dyn_cast<ApplyOp>(op);
  return isa<PipelineOp>(op) || (apply && apply.isBufferised());
}

/// True for an op that regions can change places with.
static bool isTransparent(Operation *op) {
  return isa<AllocOp, CastOp>(op) ||
         (op->getNumRegions() == 0 && isMemoryEffectFree(op));
}

/// True if a point of the box may be stored to.
bool Grouper::storesTo(const FieldAccess &store, const GridBox &box) {
  std::optional<GridBox> common = intersect(store.box, box);
  return common && !storesNothing(store, *common, extents);
}

/// True if the region stores to a field that one of the sweep stores to, and to
/// other points of it: who stores to the same points begins another sweep.
bool Grouper::isOfSweep(const SweepRegion &region) {
  bool shares = false;
  for (const SweepRegion &other : sweep)
    for (const FieldAccess &before : other.accesses)
      for (const FieldAccess &own : region.accesses) {
        if (!before.isStore || !own.isStore ||
            !aliases.mustAlias(before.field, own.field))
          continue;
        shares = true;
        if (storesTo(before, own.box) && storesTo(own, before.box))
          return false;
      }
  return shares;
}

//===----------------------------------------------------------------------===//
// Independence
//===----------------------------------------------------------------------===//

static std::string print(const GridBox &box) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator separator("x");
  for (auto [lb, ub] : llvm::zip_equal(box.lb, box.ub)) {
    os << separator << '[';
    printBound(os, lb);
    os << ',';
    printBound(os, ub);
    os << ')';
  }
  return text;
}

/// True if the accesses, one of which is a store, can be of the same point.
bool Grouper::canMeet(const FieldAccess &own, const FieldAccess &other) {
  if ((!own.isStore && !other.isStore) ||
      !aliases.mayAlias(own.field, other.field))
    return false;
  if (own.box.lb.size() != other.box.lb.size())
    return true;
  if (areDisjoint(own.box, other.box, extents))
    return false;
  std::optional<GridBox> common = intersect(own.box, other.box);
  return !common ||
         !((own.isStore && storesNothing(own, *common, extents)) ||
           (other.isStore && storesNothing(other, *common, extents)));
}

bool Grouper::canMeet(ArrayRef<FieldAccess> own, ArrayRef<FieldAccess> others) {
  return llvm::any_of(others, [&](const FieldAccess &other) {
    return llvm::any_of(
        own, [&](const FieldAccess &access) { return canMeet(access, other); });
  });
}

InFlightDiagnostic Grouper::refuse(const SweepRegion &region,
                                   const SweepRegion &before,
                                   const FieldAccess &own,
                                   const FieldAccess &other) {
  InFlightDiagnostic diag =
      region.op->emitOpError()
      << "expected regions that do not depend on each "
         "other for 'regions = "
      << stringifyRegionLaunch(region.how) << "', got one that "
      << (own.isStore ? "stores to " : "reads ") << print(own.box)
      << " of a field of which another "
      << "one " << (other.isStore ? "stores to " : "reads ")
      << print(other.box);
  bool sameRank = own.box.lb.size() == other.box.lb.size();
  if (own.isTiled || other.isTiled)
    diag << ": a shared window is filled by whole tiles, 'window = cache' for "
            "this input would not be";
  else if (sameRank && !intersect(own.box, other.box))
    diag << ": they meet where extents are small";
  diag.attachNote(before.op->getLoc()) << "the other one is here";
  return diag;
}

LogicalResult Grouper::checkIndependent(const SweepRegion &region) {
  for (const SweepRegion &before : sweep)
    for (const FieldAccess &other : before.accesses)
      for (const FieldAccess &own : region.accesses)
        if (canMeet(own, other))
          return refuse(region, before, own, other);
  return success();
}

bool Grouper::isIndependent(const SweepRegion &region) {
  return llvm::none_of(sweep, [&](const SweepRegion &before) {
    return canMeet(region.accesses, before.accesses);
  });
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Points that are stored; an extent that only the run knows is large.
static double getVolume(const SweepRegion &region) {
  constexpr int64_t kLarge = 1024;
  for (const FieldAccess &access : region.accesses) {
    if (!access.isStore)
      continue;
    double volume = 1;
    for (auto [lb, ub] : llvm::zip_equal(access.box.lb, access.box.ub))
      volume *= static_cast<double>(resolve(ub, kLarge) - resolve(lb, kLarge));
    return volume;
  }
  return 0;
}

namespace {

/// What becomes one launch: a region, or all that ask to be one.
struct Member {
  RegionLaunch how;
  SmallVector<const SweepRegion *> regions;
};

/// By number of points, in the order in which they are launched.
template <typename T> using BySize = std::multimap<double, T, std::greater<>>;

} // namespace

/// The launches that a sweep becomes. The largest one first: it is then not the
/// one that all others have been waited for.
static std::vector<Member> listMembers(ArrayRef<SweepRegion> sweep) {
  BySize<const SweepRegion *> regions;
  for (const SweepRegion &region : sweep)
    regions.emplace(getVolume(region), &region);
  BySize<Member> members;
  Member joint{RegionLaunch::Launch, {}};
  double jointVolume = 0;
  for (auto [volume, region] : regions) {
    if (region->how == RegionLaunch::Launch) {
      joint.regions.push_back(region);
      jointVolume += volume;
    } else {
      members.emplace(volume, Member{region->how, {region}});
    }
  }
  if (!joint.regions.empty())
    members.emplace(jointVolume, std::move(joint));
  std::vector<Member> list;
  llvm::append_range(list, llvm::make_second_range(members));
  return list;
}

/// Whether a region may begin before an op that it stands behind, and run
/// beside it.
bool Grouper::mayPass(const SweepRegion &region, Operation *before) {
  for (Value result : before->getResults())
    for (Operation *user : result.getUsers())
      if (region.op->isAncestor(user))
        return false;
  if (isTransparent(before))
    return true;
  if (auto boundary = dyn_cast<BoundaryOp>(before))
    return llvm::none_of(region.accesses, [&](const FieldAccess &own) {
      return aliases.mayAlias(own.field, boundary.getField());
    });
  return isRegion(before) && !canMeet(region.accesses, collectAccesses(before));
}

/// Where to stand behind an op, `first` or later: those of its group become one
/// launch, where the last of them is.
static Operation *getBehindGroup(Operation *op, Operation *end,
                                 Operation *first) {
  Attribute group = op->getDiscardableAttr(RegionGroupAttr::kAttrName);
  for (Operation *next = first; group && next != end;
       next = next->getNextNode())
    if (next->getDiscardableAttr(RegionGroupAttr::kAttrName) == group)
      first = next->getNextNode();
  return first;
}

/// Of several steps at once, the rim is many launches, of which the last one is
/// of the sweep, or needs copies, which are not. What runs beside that may run
/// beside the others, too: it then stands before them.
void Grouper::beginEarly(const SweepRegion &region) {
  Operation *first = region.op;
  while (Operation *before = first->getPrevNode()) {
    if (!mayPass(region, before)) {
      first = getBehindGroup(before, region.op, first);
      break;
    }
    first = before;
  }
  region.op->moveBefore(first);
}

/// Whether a thread computes a dense row of a matrix: hundreds of
/// multiply-adds, one after the other, take about as long as the whole sweep.
/// Measured of the ends of rows of several steps (docs/notebook.md): such a
/// kernel has to begin while the multiprocessors are empty.
static bool takesLong(const SweepRegion &region) {
  return anyWithin(*region.op, [](MatVecOp) { return true; });
}

/// Marks the regions of the sweep and puts them next to each other. They are
/// one group: a joint launch has a stream beside those that ask for streams.
void Grouper::finish() {
  if (sweep.size() > 1) {
    Operation *end = sweep.back().op->getNextNode();
    bool hasStreams = llvm::any_of(sweep, [](const SweepRegion &region) {
      return region.how == RegionLaunch::Streams;
    });
    llvm::MapVector<RegionLaunch, std::pair<Operation *, size_t>> found;
    std::vector<Member> members = listMembers(sweep);
    bool beginsLate = llvm::any_of(sweep, takesLong);
    if (beginsLate)
      std::reverse(members.begin(), members.end());
    for (const Member &member : members) {
      // One launch of one region is that region.
      bool isJoint = member.regions.size() > 1;
      auto group = RegionGroupAttr::get(end->getContext(), numGroups,
                                        isJoint ? RegionLaunch::Launch
                                                : RegionLaunch::Streams);
      for (const SweepRegion *region : member.regions) {
        region->op->moveBefore(end);
        region->op->setDiscardableAttr(RegionGroupAttr::kAttrName, group);
        auto &[first, count] = found[member.how];
        first = first ? first : region->op;
        ++count;
      }
    }
    // Of several steps at once, or of one region beside a joint launch.
    const Member &largest = members.front();
    bool isBesideLaunch = found.lookup(RegionLaunch::Streams).second == 1 &&
                          found.contains(RegionLaunch::Launch);
    if (largest.how == RegionLaunch::Streams && !beginsLate &&
        (isBesideLaunch || largest.regions.front()->op->hasAttr(kStepsAttr)))
      beginEarly(*largest.regions.front());
    if (isSilent)
      found.clear();
    for (auto &[how, seen] : found) {
      auto [first, count] = seen;
      bool isBeside = hasStreams && how == RegionLaunch::Launch;
      remarkPassed(first->getLoc(), "Regions", "Grouped",
                   Twine(count) + (count == 1 ? " region" : " regions") +
                       ", regions = " + stringifyRegionLaunch(how) +
                       (isBeside ? ", beside those in streams" : ""));
    }
    ++numGroups;
  }
  sweep.clear();
}

LogicalResult Grouper::add(Operation *op, RegionLaunch request) {
  SweepRegion region{op, request, collectAccesses(op)};
  // What asks for something else need not be of the same sweep.
  bool asksAsOthers = llvm::all_of(
      sweep, [&](const SweepRegion &other) { return other.how == request; });
  if (!isOfSweep(region) || (!asksAsOthers && !isIndependent(region)))
    finish();
  if (failed(checkIndependent(region)))
    return failure();
  sweep.push_back(std::move(region));
  return success();
}

LogicalResult Grouper::run(Block &block) {
  // The terminator ends the last sweep.
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isRegion(&op)) {
      RegionLaunch request = getRequest(&op);
      if (request == RegionLaunch::Separate)
        finish();
      else if (failed(add(&op, request)))
        return failure();
      continue;
    }
    if (!isTransparent(&op) || op.hasTrait<OpTrait::IsTerminator>())
      finish();
  }
  return success();
}

LogicalResult stencil::groupRegions(ModuleOp module, bool isSilent) {
  int64_t numGroups = 0;
  return checkWithin(module, [&](FunctionOpInterface function) {
    SmallVector<Block *> blocks;
    for (Operation *op : listProgram(function))
      if (!op->hasTrait<KernelLike>())
        for (Region &region : op->getRegions())
          llvm::append_range(blocks, llvm::make_pointer_range(region));
    bool asks = llvm::any_of(blocks, [](Block *block) {
      return llvm::any_of(*block, [](Operation &op) {
        return getRequest(&op) != RegionLaunch::Separate;
      });
    });
    if (!asks)
      return WalkResult::advance();
    Grouper grouper(function, numGroups, isSilent);
    for (Block *block : blocks)
      if (failed(grouper.run(*block)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
}

namespace {

struct GroupRegions : stencil::impl::StencilGroupRegionsBase<GroupRegions> {
  void runOnOperation() override {
    if (failed(groupRegions(getOperation(), /*isSilent=*/false)))
      signalPassFailure();
  }
};

} // namespace
