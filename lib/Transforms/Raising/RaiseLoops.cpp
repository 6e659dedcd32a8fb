//===- RaiseLoops.cpp - Loops over memrefs to stencils --------------------===//
//
// Before:
//   scf.for %i = %c1 to %c63 step %c1 {
//     ... memref.load %u[%i - 1], memref.load %u[%i + 1]
//     memref.store %r, %v[%i]
//   }
// After:
//   %t = stencil.load %fu
//   %r = stencil.apply(%x = %t) { ... access %x[-1], access %x[1] ... }
//   stencil.store %r to %fv(<[0], [62]>)
//
// Four steps per function, on a copy of it: loops of one form (Prepare); what
// each nest does (Nest, with the arithmetic of subscripts in Index);
// coordinates in which each nest is a box, and what the order of its points
// rests on (Fields, Groups); the ops (Body, Carry).
//
//===----------------------------------------------------------------------===//

#include "RaiseLoopsBody.h"
#include "RaiseLoopsNest.h"
#include "RaiseLoopsPrepare.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILRAISELOOPS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;
using namespace stencil::raise;

static void reportRefusal(Operation *op, const Twine &reason) {
  remarkMissed(op->getLoc(), "Loops", "NotRaised",
               "not raised to a stencil: '" + op->getName().getStringRef() +
                   "' " + reason);
}

namespace {
/// Raises what can be raised of one function.
class FunctionRaiser {
public:
  explicit FunctionRaiser(func::FuncOp function)
      : function(function), extents(function), plan(extents) {}

  /// False if nothing is a stencil.
  bool run(bool fieldArguments);

private:
  struct Candidate {
    explicit Candidate(Location loc) : loc(loc) {}
    LoopNest nest;
    std::vector<Group> groups;
    Location loc;
  };

  void findNests();
  LogicalResult checkSymbols(Candidate &candidate, Refusal &refusal);
  void planAll();
  Value findBinder(int64_t axis, int64_t &halo);
  void emitChecks();
  bool isImplied(cf::AssertOp op);
  void eraseDead();

  func::FuncOp function;
  Extents extents;
  FieldAliasAnalysis aliases;
  FieldPlan plan;
  std::vector<std::unique_ptr<Candidate>> candidates;
  RaisedFields fields;
};
} // namespace

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

void FunctionRaiser::findNests() {
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<scf::ForOp, scf::ParallelOp>(op))
      return op != function && op->getNumRegions() > 0 &&
                     !isa<scf::IfOp, scf::WhileOp, scf::ExecuteRegionOp,
                          scf::IndexSwitchOp>(op)
                 ? WalkResult::skip()
                 : WalkResult::advance();
    bool hasLoop = false, hasStore = false;
    for (Region &region : op->getRegions())
      region.walk([&](Operation *inner) {
        hasLoop |= isa<LoopLikeOpInterface>(inner);
        hasStore |= isa<memref::StoreOp>(inner);
      });
    if (!isOverPoints(op, extents) && !isReduction(op, extents)) {
      if (hasLoop && isa<scf::ForOp>(op))
        return WalkResult::advance();
      if (hasStore || !hasLoop)
        reportRefusal(op, hasStore ? "has no store with its induction variable "
                                     "as a subscript"
                                   : "stores nothing");
      return WalkResult::skip();
    }
    auto candidate = std::make_unique<Candidate>(op->getLoc());
    Refusal refusal;
    if (succeeded(readNest(op, extents, aliases, candidate->nest, refusal)))
      candidates.push_back(std::move(candidate));
    else
      reportRefusal(refusal.culprit, refusal.reason);
    return WalkResult::skip();
  });
}

/// An argument of the function whose extent gives N of `axis`, and that extent
/// less N.
Value FunctionRaiser::findBinder(int64_t axis, int64_t &halo) {
  for (Value argument : function.getArguments()) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    FieldType type = plan.getType(argument);
    if (!type || axis >= type.getRank())
      continue;
    int64_t lower = type.getBounds().getLb()[axis];
    int64_t upper = type.getBounds().getUb()[axis];
    if (isSymbolic(lower) || !isSymbolic(upper))
      continue;
    halo = symbolicOffset(upper) - lower;
    return argument;
  }
  return {};
}

/// What is known at run time only is to be known where the function begins, and
/// to be told by the extent of an argument.
LogicalResult FunctionRaiser::checkSymbols(Candidate &candidate,
                                           Refusal &refusal) {
  for (const Access &access : candidate.nest.accesses) {
    if (candidate.nest.isInvariant(access))
      continue;
    for (auto [axis, subscript] : llvm::enumerate(access.subscripts)) {
      auto [lower, upper] = candidate.nest.getRange(subscript);
      Bound extent = extents.getExtent(access.memref, axis);
      for (Bound bound : {lower, upper, extent}) {
        if (!bound.root)
          continue;
        int64_t halo = 0;
        if (!findBinder(axis, halo))
          return refusal.set(access.op,
                             "needs an extent of axis " + Twine(axis) +
                                 " at run time, which no memref among the "
                                 "arguments of the function has");
        if (bound.root.axis < 0 &&
            bound.root.value.getParentBlock() != &function.getBody().front())
          return refusal.set(access.op, "depends on bounds that are not those "
                                        "of the whole function");
      }
    }
  }
  return success();
}

void FunctionRaiser::planAll() {
  // What is dropped may have given others their coordinates.
  for (bool changed = true; std::exchange(changed, false);) {
    SmallVector<const LoopNest *> nests;
    for (auto &candidate : candidates)
      nests.push_back(&candidate->nest);
    plan.build(nests);
    for (auto &candidate : candidates) {
      Refusal refusal;
      candidate->groups.clear();
      if (succeeded(checkSymbols(*candidate, refusal)) &&
          succeeded(
              planGroups(candidate->nest, plan, candidate->groups, refusal)))
        continue;
      reportRefusal(refusal.culprit, refusal.reason);
      candidate.reset();
      changed = true;
    }
    llvm::erase(candidates, nullptr);
  }
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Index values that bounds of loops are made of are to be what the extents of
/// the fields say. Those of memrefs the casts check.
void FunctionRaiser::emitChecks() {
  for (const FieldPlan::Symbol &symbol : plan.getSymbols()) {
    int64_t halo = 0;
    Value binder = findBinder(symbol.axis, halo);
    if (!binder)
      continue;
    if (symbol.root.axis >= 0 && plan.getType(symbol.root.value))
      continue;
    Location loc = symbol.root.value.getLoc();
    ImplicitLocOpBuilder builder(loc, function.getContext());
    builder.setInsertionPointAfterValue(symbol.root.value);
    Value extent = memref::DimOp::create(builder, binder, symbol.axis);
    // Both less what they have beyond N.
    Value root = materialise(builder, loc, {symbol.root, halo - symbol.offset});
    Value holds =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, root, extent);
    cf::AssertOp::create(builder, holds,
                         "expected the bounds of loops over axis " +
                             std::to_string(symbol.axis) +
                             " to fit the extents of the arrays");
  }
}

/// True if the casts to fields check what `op` asserts.
bool FunctionRaiser::isImplied(cf::AssertOp op) {
  auto compare = op.getArg().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  // An extent as N of its axis plus a number.
  auto read = [&](Value value, int64_t &axis, int64_t &offset) {
    std::optional<Bound> bound =
        Extents::toBound(extents.read(value, /*asWritten=*/true));
    if (!bound)
      return false;
    axis = -1;
    offset = bound->offset;
    if (!bound->root)
      return true;
    axis = bound->root.axis;
    FieldType type = axis < 0 ? FieldType() : plan.getType(bound->root.value);
    if (!type || !isSymbolic(type.getBounds().getUb()[axis]))
      return false;
    offset += symbolicOffset(type.getBounds().getUb()[axis]) -
              type.getBounds().getLb()[axis];
    return true;
  };
  int64_t leftAxis, leftOffset, rightAxis, rightOffset;
  if (!read(compare.getLhs(), leftAxis, leftOffset) ||
      !read(compare.getRhs(), rightAxis, rightOffset) || leftAxis < 0)
    return false;
  if (compare.getPredicate() == arith::CmpIPredicate::eq)
    return leftAxis == rightAxis && leftOffset == rightOffset;
  return compare.getPredicate() == arith::CmpIPredicate::sge && rightAxis < 0 &&
         1 + leftOffset >= rightOffset;
}

void FunctionRaiser::eraseDead() {
  SmallVector<Operation *> ops;
  function.getBody().walk([&](Operation *op) { ops.push_back(op); });
  // Users are erased before what they use.
  for (Operation *op : llvm::reverse(ops))
    if (op->getNumRegions() == 0 && isOpTriviallyDead(op))
      op->erase();
}

bool FunctionRaiser::run(bool fieldArguments) {
  findNests();
  planAll();
  if (candidates.empty())
    return false;

  auto implied =
      llvm::filter_to_vector(function.getBody().front().getOps<cf::AssertOp>(),
                             [&](cf::AssertOp op) { return isImplied(op); });
  emitChecks();
  for (Value argument : function.getArguments())
    if (isa<MemRefType>(argument.getType()))
      if (FieldType type = plan.getType(argument))
        fields.get(argument, type);
  for (auto &candidate : candidates) {
    remarkPassed(candidate->loc, "Loops", "Raised",
                 Twine(candidate->nest.loops.size()) + " loops raised to " +
                     (candidate->groups.size() == 1
                          ? "an apply"
                          : Twine(candidate->groups.size()) + " applies"));
    emitGroups(candidate->nest, plan, candidate->groups, [&](Value memref) {
      return fields.get(memref, plan.getType(memref));
    });
  }
  for (cf::AssertOp op : implied)
    op.erase();
  fields.carryFields(function);
  forwardTemporaries(function);
  eraseDead();
  if (fieldArguments)
    fields.makeArguments(function);
  return true;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct RaiseLoops : stencil::impl::StencilRaiseLoopsBase<RaiseLoops> {
  using StencilRaiseLoopsBase::StencilRaiseLoopsBase;

  void runOnOperation() override {
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      raise(function);
  }

  void raise(func::FuncOp function) {
    if (function.isExternal())
      return;
    if (!llvm::hasSingleElement(function.getBody())) {
      reportRefusal(function, "has branches between blocks: expected "
                              "structured control flow (scf)");
      return;
    }
    // Where nothing is a stencil, nothing is to change.
    func::FuncOp copy = function.clone();
    function->getBlock()->getOperations().insert(function->getIterator(), copy);
    prepareLoops(copy, reportRefusal);
    if (FunctionRaiser(copy).run(fieldArguments))
      function.erase();
    else
      copy.erase();
  }
};
} // namespace
