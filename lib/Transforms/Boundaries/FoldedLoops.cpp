//===- FoldedLoops.cpp - Loops whose windows have boundaries --------------===//
//
// What a boundary op writes in a step is seen by nobody if it is written again
// in a later one, and nothing in the loop reads it in between. Each of m
// buffers that take turns is given its halo once in m steps: the last m steps
// do it.
//
//===----------------------------------------------------------------------===//

#include "FoldedLoops.h"
#include "Programs/LoopSteps.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/OpWalks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Checks that the halos that one boundary op fills are seen by windows only.
class HaloReaders {
public:
  HaloReaders(BoundaryOp boundary, ArrayRef<BoundaryOp> dropped,
              FieldAliasAnalysis &aliases, std::string &why)
      : boundary(boundary), box(boundary.getBounds()), dropped(dropped),
        aliases(aliases), why(why) {}

  bool check(scf::ForOp loop);
  /// Buffers that take turns.
  int64_t countBuffers() const { return buffers; }

private:
  bool findBuffers(scf::ForOp loop);
  bool isBuffer(Value value);
  bool fail(const Twine &reason) {
    why = reason.str();
    return false;
  }
  bool checkOp(Operation *op);
  bool checkOther(BoundaryOp other);
  bool checkLoad(LoadOp load);
  bool checkApply(ApplyOp apply);
  /// What its window reads in memory beyond the box, the boundary keeps.
  bool isOurs(WindowOp window) {
    return window.hasBoundary() && *window.getBounds() == box &&
           *window.getConditions() == boundary.getConditions();
  }
  bool isWithin(BoundsAttr bounds) const { return isSurelyWithin(bounds, box); }

  BoundaryOp boundary;
  BoundsAttr box;
  ArrayRef<BoundaryOp> dropped;
  FieldAliasAnalysis &aliases;
  std::string &why;
  SmallVector<Value> members;
  int64_t buffers = 1;
};

} // namespace

bool HaloReaders::findBuffers(scf::ForOp loop) {
  const CarriedFields &carried = aliases.getCarriedFields(loop);
  if (!carried.args.empty() && !carried.permutes)
    return fail("the loop does not yield a permutation of its fields");
  members.push_back(boundary.getField());
  for (auto [position, argument] : llvm::enumerate(carried.args)) {
    if (!aliases.mustAlias(boundary.getField(), argument))
      continue;
    unsigned cycle = carried.cycle[position];
    buffers = carried.cycleSizes[cycle];
    for (auto [other, member] : llvm::enumerate(carried.args))
      if (carried.cycle[other] == cycle)
        members.push_back(member);
    return true;
  }
  // It is the same field in each step if it comes from outside.
  if (loop.isDefinedOutsideOfLoop(aliases.getSource(boundary.getField())))
    return true;
  return fail("the boundary is of a field that another loop or branch chooses");
}

bool HaloReaders::isBuffer(Value value) {
  return isa<FieldType, MemRefType>(value.getType()) &&
         llvm::any_of(members, [&](Value member) {
           return aliases.mayAlias(value, member);
         });
}

BoundsAttr stencil::getNeeded(const PipelinePlan &plan, LoadOp load) {
  return OffsetBox::ofBounds(plan.getDomain())
      .shifted(plan.get(load.getRes()).needs)
      .toBounds(load.getContext());
}

/// What is kept is read in memory, where no boundary op may write.
bool HaloReaders::checkOther(BoundaryOp other) {
  if (!llvm::is_contained(dropped, other))
    return fail("another stencil.boundary fills the halo of the same field");
  if (other.getBounds() == box &&
      other.getConditions() == boundary.getConditions())
    return true;
  return fail("another stencil.boundary of fields that take turns has other "
              "conditions");
}

bool HaloReaders::checkLoad(LoadOp load) {
  auto pipeline = dyn_cast<PipelineOp>(load->getParentOp());
  if (!pipeline)
    return fail("the field is loaded outside of a stencil.pipeline");
  FailureOr<PipelinePlan> plan = PipelinePlan::create(pipeline);
  if (failed(plan))
    return fail("the pipeline is not valid");
  for (Operation *user : load->getUsers())
    if (auto window = dyn_cast<WindowOp>(user);
        !window || !window.isOfLoad() || !isOurs(window)) {
      if (!plan->isNeeded(load.getRes()))
        continue;
      BoundsAttr needed = getNeeded(*plan, load);
      auto type = cast<GridType>(load.getField().getType());
      if (type.getRank() != needed.getRank() || !isWithin(needed))
        return fail("the halo is read in memory, too");
    }
  return true;
}

bool HaloReaders::checkApply(ApplyOp apply) {
  if (!apply.isBufferised())
    return true;
  BoundsAttr domain = *apply.getBounds();
  for (Value field : apply.getDest())
    if (isBuffer(field) && !isWithin(domain))
      return fail("a stencil.apply stores beyond the box of the boundary");
  bool holds = true;
  Footprint(apply).forEachRead([&](const InputRead &read) {
    Value field = apply.getInput(read.input);
    if (!holds || !isBuffer(field))
      return;
    SmallVector<int64_t> lb, ub;
    for (auto [axis, lower, upper] :
         llvm::zip_equal(read.axes, read.lower, read.upper)) {
      lb.push_back(domain.getLb()[axis] + lower);
      ub.push_back(domain.getUb()[axis] + upper);
    }
    holds = isWithin(BoundsAttr::get(apply.getContext(), lb, ub));
  });
  return holds || fail("a stencil.apply reads the halo in memory, too");
}

bool HaloReaders::checkOp(Operation *op) {
  if (llvm::none_of(op->getOperands(),
                    [&](Value operand) { return isBuffer(operand); }))
    return true;
  // Casts of one memory may number its points in different ways.
  for (Value operand : op->getOperands())
    if (!isa<CastOp>(op) && isBuffer(operand) &&
        operand.getType() != boundary.getField().getType())
      return fail("the field is used as one with another box");
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<CastOp, scf::YieldOp>([](auto) { return true; })
      .Case([&](BoundaryOp other) { return checkOther(other); })
      .Case([&](LoadOp load) { return checkLoad(load); })
      .Case([&](ApplyOp apply) { return checkApply(apply); })
      .Case<StoreOp, FoldOp>([&](auto bounded) {
        return isWithin(bounded.getBounds()) ||
               fail("something is stored or read beyond the box of the "
                    "boundary");
      })
      .Default([&](Operation *other) {
        return fail("'" + other->getName().getStringRef() +
                    "' may read the halo in memory");
      });
}

bool HaloReaders::check(scf::ForOp loop) {
  return findBuffers(loop) && !anyWithin(*loop.getBody(), [&](Operation *op) {
           return !checkOp(op);
         });
}

LogicalResult stencil::dropBoundaries(scf::ForOp loop,
                                      ArrayRef<BoundaryOp> boundaries,
                                      std::string &why) {
  FieldAliasAnalysis aliases;
  if (loop.getUnsignedCmp()) {
    why = "the loop counts without sign";
    return failure();
  }
  int64_t last = 1;
  for (BoundaryOp boundary : boundaries) {
    HaloReaders readers(boundary, boundaries, aliases, why);
    if (!readers.check(loop))
      return failure();
    last = std::max(last, readers.countBuffers());
  }
  splitLastSteps(loop, last);
  for (BoundaryOp boundary : boundaries)
    boundary.erase();
  return success();
}
