//===- HoistBoundaries.cpp - Constant halos are filled once ---------------===//
//
// A time loop takes turns in few buffers, and stores to their interiors only.
// Where a condition is a constant, each buffer's halo holds it from the first
// step on in which it was filled: it is filled before the loop, and kept. If a
// step reads the halo before that, it needs what was there before the loop.
//
//===----------------------------------------------------------------------===//

#include "Programs/LoopSteps.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/TimeLoop.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILHOISTBOUNDARIES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

/// Hoists out of one time loop.
class BoundaryHoister {
public:
  BoundaryHoister(const TimeLoop &time, FieldAliasAnalysis &aliases)
      : time(time), aliases(aliases),
        carried(aliases.getCarriedFields(scf::ForOp(time.loop))) {}

  /// The number of boundary ops that were changed.
  unsigned run();

private:
  using Group = SmallVector<std::pair<BoundaryOp, unsigned>>;

  bool canHoist(const Group &group) const;
  bool isReadBefore(const Group &group) const;
  void fillBefore(const Group &group);
  void keepInside(BoundaryOp boundary);
  Value isStepTaken(OpBuilder &builder, int64_t step);

  const TimeLoop &time;
  FieldAliasAnalysis &aliases;
  const CarriedFields &carried;
};

} // namespace

/// The conditions that are constants, or those that are not; the others become
/// `keep`.
static ArrayAttr select(BoundaryOp boundary, bool constants) {
  MLIRContext *context = boundary.getContext();
  SmallVector<Attribute> conditions;
  for (Attribute condition : boundary.getConditions())
    conditions.push_back(getHaloRule(condition).isConstant() == constants
                             ? condition
                             : KeepAttr::get(context));
  return ArrayAttr::get(context, conditions);
}

/// Whether more is read of a value than its interior, to which all stores go.
static bool isHaloRead(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  // What is computed point by point is needed where it is read.
  for (unsigned i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      if (isa<StoreOp>(user))
        continue;
      auto apply = dyn_cast<ApplyOp>(user);
      if (!apply && !user->hasTrait<ForwardsValues>())
        return true;
      bool isPointwise = true;
      if (apply)
        Footprint(apply).forEachRead(
            use.getOperandNumber(), [&](const InputRead &read) {
              isPointwise &= read.isPointwise(apply.getRank());
            });
      if (!isPointwise)
        return true;
      values.insert_range(user->getResults());
    }
  return false;
}

/// Whether a buffer's halo is read before it is filled for the first time.
bool BoundaryHoister::isReadBefore(const Group &group) const {
  auto isReadAt = [&](unsigned position, Operation *end) {
    return llvm::any_of(time.loads, [&](LoadOp load) {
      return time.getPosition(load.getField(), aliases) == position &&
             (!end || load->isBeforeInBlock(end)) && isHaloRead(load.getRes());
    });
  };
  for (unsigned start = 0; start < carried.inits.size(); ++start) {
    if (carried.cycle[start] != carried.cycle[group.front().second])
      continue;
    // The first boundary op of a position is the first in the group.
    auto findFill = [&](unsigned at) -> Operation * {
      for (auto [boundary, position] : group)
        if (position == at)
          return boundary;
      return nullptr;
    };
    unsigned at = start;
    for (; !findFill(at); at = time.next[at])
      if (isReadAt(at, nullptr))
        return true;
    if (isReadAt(at, findFill(at)))
      return true;
  }
  return false;
}

/// Buffers that take turns have to have the same halo at every turn.
bool BoundaryHoister::canHoist(const Group &group) const {
  BoundaryOp first = group.front().first;
  if (llvm::none_of(first.getConditions(), [](Attribute condition) {
        return getHaloRule(condition).isConstant();
      }))
    return false;
  for (auto [index, init] : llvm::enumerate(carried.inits))
    if (carried.cycle[index] == carried.cycle[group.front().second] &&
        init.getType() != first.getField().getType())
      return false;
  return llvm::all_of(group, [&](const auto &entry) {
    return BoundaryOp(entry.first).getConditions() == first.getConditions();
  });
}

/// True where the loop has a step of that number, from 0.
Value BoundaryHoister::isStepTaken(OpBuilder &builder, int64_t step) {
  scf::ForOp loop = time.loop;
  Location loc = loop.getLoc();
  Value number = arith::ConstantIndexOp::create(builder, loc, step);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, number,
                               countSteps(builder, loop));
}

/// Each buffer, if the loop takes the step in which it would first be filled.
void BoundaryHoister::fillBefore(const Group &group) {
  BoundaryOp model = group.front().first;
  OpBuilder builder(time.loop);
  for (auto [start, init] : llvm::enumerate(carried.inits)) {
    if (carried.cycle[start] != carried.cycle[group.front().second])
      continue;
    unsigned at = start;
    int64_t step = 0;
    while (
        llvm::none_of(group, [&](const auto &e) { return e.second == at; })) {
      at = time.next[at];
      ++step;
    }
    auto branch =
        scf::IfOp::create(builder, model.getLoc(), isStepTaken(builder, step));
    OpBuilder inside = branch.getThenBodyBuilder();
    BoundaryOp::create(inside, model.getLoc(), init, model.getBounds(),
                       select(model, /*constants=*/true));
  }
}

void BoundaryHoister::keepInside(BoundaryOp boundary) {
  ArrayAttr left = select(boundary, /*constants=*/false);
  if (llvm::all_of(left, [](Attribute condition) {
        return getHaloRule(condition).isKept();
      }))
    boundary.erase();
  else
    boundary.setConditionsAttr(left);
}

unsigned BoundaryHoister::run() {
  // By the buffers that take turns.
  llvm::MapVector<unsigned, Group> groups;
  for (BoundaryOp boundary : time.boundaries)
    if (auto position = time.getPosition(boundary.getField(), aliases))
      groups[carried.cycle[*position]].emplace_back(boundary, *position);
  unsigned changed = 0;
  for (auto &[cycle, group] : groups) {
    if (!canHoist(group) || isReadBefore(group))
      continue;
    fillBefore(group);
    for (auto [boundary, position] : group)
      keepInside(boundary);
    changed += group.size();
  }
  return changed;
}

namespace {
struct HoistBoundaries
    : stencil::impl::StencilHoistBoundariesBase<HoistBoundaries> {
  void runOnOperation() override {
    if (failed(checkProgram(getOperation())))
      return signalPassFailure();
    for (scf::ForOp loop : listWithin<scf::ForOp>(getOperation())) {
      // Its bounds mean something else to the comparisons before the loop.
      if (loop.getUnsignedCmp())
        continue;
      FieldAliasAnalysis aliases;
      NoTimeLoop why;
      std::optional<TimeLoop> time = findTimeLoop(loop, aliases, why);
      if (!time)
        continue;
      if (unsigned changed = BoundaryHoister(*time, aliases).run())
        remarkPassed(loop.getLoc(), "Boundaries", "Hoisted",
                     "fills the constant halos of " + Twine(changed) +
                         " boundary ops once, before the loop");
    }
  }
};
} // namespace
