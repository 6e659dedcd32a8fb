//===- RaiseLoopsNest.cpp - What a nest of loops does ---------------------===//

#include "RaiseLoopsNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::raise;

int LoopNest::findLoop(Value iv) const {
  for (auto [index, loop] : llvm::enumerate(loops))
    if (loop.iv == iv)
      return index;
  return -1;
}

bool LoopNest::isAtEachPoint(const Access &access) const {
  SmallVector<unsigned> uses(loops.size(), 0);
  for (const Subscript &subscript : access.subscripts)
    if (subscript.loop >= 0)
      ++uses[subscript.loop];
  return llvm::all_of(uses, [](unsigned count) { return count == 1; });
}

bool LoopNest::isInside(Value value) const {
  return root->isAncestor(value.getParentBlock()->getParentOp());
}

std::pair<Bound, Bound> LoopNest::getRange(const Subscript &subscript) const {
  Bound lower = subscript.bound, upper = subscript.bound;
  if (subscript.loop < 0) {
    ++upper.offset;
    return {lower, upper};
  }
  // A subscript with a loop has no root of its own.
  lower = loops[subscript.loop].lower;
  upper = loops[subscript.loop].upper;
  lower.offset += subscript.bound.offset;
  upper.offset += subscript.bound.offset;
  return {lower, upper};
}

bool stencil::raise::isOverPoints(Operation *loop, const Extents &extents) {
  return hasSubscriptOf<memref::StoreOp>(loop, extents);
}

namespace {
class NestReader {
public:
  NestReader(const Extents &extents, FieldAliasAnalysis &aliases,
             LoopNest &nest, Refusal &refusal)
      : extents(extents), aliases(aliases), nest(nest), refusal(refusal) {}

  LogicalResult read();

private:
  LogicalResult readLoops(Operation *loop);
  LogicalResult addLoop(Operation *loop, Value iv, Value lower, Value upper,
                        Value step);
  LogicalResult readOp(Operation *op, bool isBranch);
  LogicalResult addAccess(Operation *op, Value memref, ValueRange indices,
                          bool isBranch);
  LogicalResult readSubscript(Operation *op, unsigned axis, Value index,
                              Subscript &subscript);
  LogicalResult checkStores();
  LogicalResult checkMemory();
  LogicalResult findInvariants();

  const Extents &extents;
  FieldAliasAnalysis &aliases;
  LoopNest &nest;
  Refusal &refusal;
};
} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult NestReader::addLoop(Operation *loop, Value iv, Value lower,
                                  Value upper, Value step) {
  if (getConstantIntValue(step) != 1)
    return refusal.set(loop, "expected loops of step 1");
  if (!iv.getType().isIndex())
    return refusal.set(loop, "expected induction variables of type index");
  std::optional<Bound> from = extents.readBound(lower);
  std::optional<Bound> to = extents.readBound(upper);
  if (!from || !to)
    return refusal.set(loop, "expected bounds that are a constant, or an index "
                             "or extent plus a constant");
  if (!from->root && !to->root && from->offset >= to->offset)
    return refusal.set(loop, "has no iterations");
  for (const Bound &bound : {*from, *to})
    if (bound.root && nest.isInside(bound.root.value))
      return refusal.set(loop, "its bounds change in the nest");
  if (!from->root && !to->root && from->offset + 1 == to->offset) {
    nest.fixed[iv] = from->offset;
    return success();
  }
  nest.loops.push_back({iv, *from, *to});
  return success();
}

/// True if what `loop` carries is what the loop around it carries.
static bool isCarriedOn(scf::ForOp loop) {
  auto outer = dyn_cast<scf::ForOp>(loop->getParentOp());
  return outer && llvm::all_of(loop.getResults(), [&](Value result) {
           return llvm::is_contained(outer.getYieldedValues(), result);
         });
}

/// Reads `loop` and those in it. What else there is on the way is computed once
/// for several points, which can be done at each.
LogicalResult NestReader::readLoops(Operation *loop) {
  Block *block = nullptr;
  if (auto forOp = dyn_cast<scf::ForOp>(loop)) {
    // Those of the root are known to be reductions.
    if (!forOp.getInitArgs().empty() && loop != nest.root &&
        !isCarriedOn(forOp))
      return refusal.set(loop, "carries a value from point to point");
    if (forOp.getUnsignedCmp())
      return refusal.set(loop, "expected loops that count with sign");
    if (failed(addLoop(loop, forOp.getInductionVar(), forOp.getLowerBound(),
                       forOp.getUpperBound(), forOp.getStep())))
      return failure();
    block = forOp.getBody();
  } else {
    auto parallel = cast<scf::ParallelOp>(loop);
    if (!parallel.getInitVals().empty() && loop != nest.root)
      return refusal.set(loop, "carries a value from point to point");
    for (auto [iv, lower, upper, step] :
         llvm::zip_equal(parallel.getInductionVars(), parallel.getLowerBound(),
                         parallel.getUpperBound(), parallel.getStep()))
      if (failed(addLoop(loop, iv, lower, upper, step)))
        return failure();
    block = parallel.getBody();
  }

  SmallVector<Operation *> inner;
  for (Operation &op : block->without_terminator())
    if (isa<scf::ForOp, scf::ParallelOp>(op))
      inner.push_back(&op);
  if (inner.empty()) {
    for (Operation &op : block->without_terminator())
      if (failed(readOp(&op, /*isBranch=*/false)))
        return failure();
    return success();
  }
  if (inner.size() > 1)
    return refusal.set(inner[1], "is the second loop in the body of a loop: "
                                 "expected a perfect nest");
  for (Operation &op : block->without_terminator()) {
    if (&op == inner.front()) {
      if (failed(readLoops(&op)))
        return failure();
      continue;
    }
    if (!isMemoryEffectFree(&op) && !isa<memref::LoadOp>(op))
      return refusal.set(&op, "is between the loops of a nest");
    // What comes behind the inner loop has no effect on it.
    if (op.isBeforeInBlock(inner.front()) &&
        failed(readOp(&op, /*isBranch=*/false)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

static bool isScalar(Type type) { return type.isIntOrIndexOrFloat(); }

LogicalResult NestReader::readOp(Operation *op, bool isBranch) {
  if (llvm::any_of(nest.reductions, [&](const Reduction &reduction) {
        return reduction.combiner == op;
      }))
    return success();
  if (!isBranch)
    nest.body.push_back(op);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return addAccess(op, load.getMemRef(), load.getIndices(), isBranch);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return addAccess(op, store.getMemRef(), store.getIndices(), isBranch);
  if (isa<memref::CastOp>(op))
    return success();
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    if (!dim.getConstantIndex())
      return refusal.set(op, "expected an extent of a constant axis");
    if (nest.isInside(op->getOperand(0)))
      return refusal.set(op, "its memref is made in the nest");
    return success();
  }
  if (!llvm::all_of(op->getResultTypes(), isScalar))
    return refusal.set(op, "has results that are no scalars");
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : ifOp->getRegions())
      for (Block &block : region)
        for (Operation &inner : block.without_terminator())
          if (failed(readOp(&inner, /*isBranch=*/true)))
            return failure();
    return success();
  }
  if (isa<LoopLikeOpInterface>(op))
    return refusal.set(op, "is a loop at each point whose iterations are not "
                           "a small constant number");
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) ||
      !isMemoryEffectFree(op))
    return refusal.set(op, "is no arithmetic");
  return success();
}

LogicalResult NestReader::readSubscript(Operation *op, unsigned axis,
                                        Value index, Subscript &subscript) {
  LinearIndex sum = extents.read(index);
  int64_t fixed = 0;
  size_t numFixed = 0;
  auto refuse = [&](const Twine &why) {
    return refusal.set(op, "subscript " + Twine(axis) + " " + why);
  };
  for (auto [root, factor] : sum.terms) {
    if (auto it = nest.fixed.find(root.value);
        root.axis < 0 && it != nest.fixed.end()) {
      fixed += it->second * factor;
      ++numFixed;
      continue;
    }
    int loop = root.axis < 0 ? nest.findLoop(root.value) : -1;
    if (loop < 0 && nest.isInside(root.value))
      return refuse("is no sum of induction variables and constants");
    if (factor != 1)
      return refuse("has a factor of " + Twine(factor));
    if (loop < 0) {
      subscript.bound.root = root;
      continue;
    }
    if (subscript.loop >= 0)
      return refuse("has two induction variables");
    subscript.loop = loop;
  }
  if (sum.terms.size() > numFixed + 1)
    return refuse("is no induction variable plus a constant");
  subscript.bound.offset = sum.constant + fixed;
  return success();
}

LogicalResult NestReader::addAccess(Operation *op, Value memref,
                                    ValueRange indices, bool isBranch) {
  Access access;
  access.op = op;
  access.memref = stripCasts(memref);
  access.memory = aliases.getSource(memref);
  access.isStore = isa<memref::StoreOp>(op);
  access.isConditional = isBranch;
  auto type = cast<MemRefType>(access.memref.getType());
  if (!type.getLayout().isIdentity() || type.getMemorySpace())
    return refusal.set(op, "expected a memref of row-major layout in the "
                           "default memory space");
  if (!isScalar(type.getElementType()))
    return refusal.set(op, "expected elements that are integers or floats");
  if (nest.isInside(access.memref))
    return refusal.set(op, "its memref is made in the nest");
  for (auto [axis, index] : llvm::enumerate(indices))
    if (failed(
            readSubscript(op, axis, index, access.subscripts.emplace_back())))
      return failure();
  nest.accessOf[op] = nest.accesses.size();
  nest.accesses.push_back(std::move(access));
  return success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Every point of the nest stores to a place of its own.
LogicalResult NestReader::checkStores() {
  bool hasStore = false;
  for (const Access &store : nest.accesses) {
    if (!store.isStore)
      continue;
    hasStore = true;
    if (nest.loops.empty())
      return refusal.set(nest.root, "has one point");
    if (!nest.isAtEachPoint(store))
      return refusal.set(store.op, "stores to one place at several points: "
                                   "expected every induction variable in one "
                                   "of its subscripts");
  }
  if (!hasStore)
    return refusal.set(nest.root, "stores nothing");
  return success();
}

LogicalResult NestReader::checkMemory() {
  for (const Access &store : nest.accesses) {
    if (!store.isWrite())
      continue;
    for (const Access &other : nest.accesses)
      if (other.memory != store.memory &&
          aliases.mayAlias(other.memory, store.memory))
        return refusal.set(other.op,
                           "its memref may be the same memory as another one "
                           "that the nest stores to");
  }
  return success();
}

/// Loads of one place, of memory that the nest does not store to, give scalars.
LogicalResult NestReader::findInvariants() {
  for (const Access &load : nest.accesses) {
    if (load.isStore ||
        llvm::any_of(load.subscripts,
                     [](const Subscript &s) { return s.loop >= 0; }) ||
        llvm::any_of(nest.accesses, [&](const Access &other) {
          return other.isWrite() && other.memory == load.memory;
        }))
      continue;
    // The nest has points, at which the load is done. In a branch it may be at
    // none.
    auto type = cast<MemRefType>(load.memref.getType());
    bool isInBounds = llvm::all_of_zip(
        load.subscripts, type.getShape(), [](auto &subscript, int64_t extent) {
          return !subscript.bound.root && subscript.bound.offset >= 0 &&
                 subscript.bound.offset < extent;
        });
    if (load.isConditional && !isInBounds)
      return refusal.set(load.op, "loads one place in a branch, which may be "
                                  "outside of the memref");
    for (auto [index, subscript] : llvm::zip_equal(
             cast<memref::LoadOp>(load.op).getIndices(), load.subscripts))
      if (subscript.bound.root && nest.isInside(index))
        return refusal.set(load.op, "loads one place whose subscript is "
                                    "computed in the nest");
    nest.invariants.push_back(load.op);
  }
  return success();
}

LogicalResult NestReader::read() {
  return success(succeeded(readReductions(nest, refusal)) &&
                 succeeded(readLoops(nest.root)) &&
                 succeeded(placeReductions(nest, refusal)) &&
                 succeeded(checkStores()) && succeeded(checkMemory()) &&
                 succeeded(findInvariants()));
}

LogicalResult stencil::raise::readNest(Operation *root, const Extents &extents,
                                       FieldAliasAnalysis &aliases,
                                       LoopNest &nest, Refusal &refusal) {
  nest.root = root;
  return NestReader(extents, aliases, nest, refusal).read();
}
