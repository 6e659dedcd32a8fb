//===- RaiseLoopsGroups.cpp - The applies of a nest -----------------------===//

#include "RaiseLoopsBody.h"
#include "StencilDialect/Analysis/FieldAccesses.h"
#include "StencilDialect/IR/Bounds.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::raise;

namespace {
class Planner {
public:
  Planner(const LoopNest &nest, const FieldPlan &plan,
          std::vector<Group> &groups, Refusal &refusal)
      : nest(nest), plan(plan), groups(groups), refusal(refusal) {}

  LogicalResult run() {
    for (unsigned index = 0; index < nest.accesses.size(); ++index)
      if (nest.accesses[index].isStore && failed(addStore(index)))
        return failure();
    if (failed(checkOrder()))
      return failure();
    for (Group &group : groups) {
      findNeeded(group);
      if (failed(checkLoads(group)))
        return failure();
    }
    return success();
  }

private:
  LogicalResult checkInside(const Access &access);
  LogicalResult addStore(unsigned index);
  LogicalResult checkOrder();
  void findNeeded(Group &group);
  LogicalResult checkLoads(const Group &group);

  const LoopNest &nest;
  const FieldPlan &plan;
  std::vector<Group> &groups;
  Refusal &refusal;
};
} // namespace

LogicalResult Planner::checkInside(const Access &access) {
  StringRef what = access.isWrite() ? "stores" : "loads";
  FieldType type = plan.getType(access.memref);
  std::optional<GridBox> box = plan.getBox(nest, access);
  if (!type || !box)
    return refusal.set(access.op, what + " at a place whose distance from the "
                                         "ends of the memref is not known");
  for (auto [axis, lower, upper] : llvm::enumerate(box->lb, box->ub)) {
    BoundsAttr bounds = type.getBounds();
    if (lower < bounds.getLb()[axis] || upper > bounds.getUb()[axis])
      return refusal.set(access.op, what + " outside of its memref on axis " +
                                        Twine(axis));
  }
  return success();
}

LogicalResult Planner::addStore(unsigned index) {
  const Access &store = nest.accesses[index];
  if (failed(checkInside(store)))
    return failure();
  Group group;
  group.box = *plan.getBox(nest, store);
  group.axes.resize(nest.loops.size());
  group.shifts.resize(nest.loops.size());
  for (auto [axis, subscript] : llvm::enumerate(store.subscripts)) {
    if (subscript.loop < 0)
      continue;
    group.axes[subscript.loop] = axis;
    group.shifts[subscript.loop] =
        subscript.bound.offset - plan.getOrigin(store.memref, axis);
  }
  for (Group &other : groups) {
    if (store.isWrite() && llvm::any_of(other.stores, [&](unsigned known) {
          return nest.accesses[known].isWrite() &&
                 nest.accesses[known].isSamePlace(store);
        }))
      return success(); // The last one counts.
    if (other.box.lb != group.box.lb || other.box.ub != group.box.ub ||
        other.axes != group.axes || other.shifts != group.shifts)
      continue;
    other.stores.push_back(index);
    return success();
  }
  group.stores.push_back(index);
  groups.push_back(std::move(group));
  return success();
}

/// `at offset [-1, 0] from the store in line 7`.
static std::string describeOffset(const Access &access, const Access &store) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator comma;
  bool isOffset = true;
  os << "at offset [";
  for (auto [a, b] : llvm::zip_equal(access.subscripts, store.subscripts)) {
    isOffset &= a.loop == b.loop && a.bound.root == b.bound.root;
    os << comma << a.bound.offset - b.bound.offset;
  }
  os << "] from";
  if (!isOffset)
    text = "at another place than";
  text += " the store";
  if (auto place = store.op->getLoc()->findInstanceOf<FileLineColLoc>())
    text += " in line " + std::to_string(place.getLine());
  return text;
}

/// An apply reads what was there before, at all points. So does a nest if what
/// it stores to is read at no other point.
LogicalResult Planner::checkOrder() {
  for (const Access &store : nest.accesses) {
    if (!store.isWrite())
      continue;
    for (const Access &other : nest.accesses) {
      if (other.memory != store.memory || other.reduction >= 0 ||
          other.isSamePlace(store))
        continue;
      std::optional<GridBox> a = plan.getBox(nest, store);
      std::optional<GridBox> b = plan.getBox(nest, other);
      // Whatever the extents.
      if (a && b && areDisjoint(*a, *b, SmallVector<int64_t>(a->lb.size(), 1)))
        continue;
      return refusal.set(other.op,
                         Twine(other.isStore ? "stores to" : "loads") +
                             " what the nest also stores to, " +
                             describeOffset(other, store) +
                             ": the order of the points matters");
    }
  }
  return success();
}

/// Marks what the results of `group` depend on, from the end of the body.
void Planner::findNeeded(Group &group) {
  llvm::DenseSet<Value> values;
  SmallVector<const Access *> places;
  for (unsigned index : group.stores) {
    const Access &store = nest.accesses[index];
    if (store.isWrite())
      places.push_back(&store);
    else
      values.insert(nest.reductions[store.reduction].value);
  }
  auto isNeededStore = [&](Operation *op) {
    auto it = nest.accessOf.find(op);
    if (!isa<memref::StoreOp>(op) || it == nest.accessOf.end())
      return false;
    const Access &access = nest.accesses[it->second];
    return llvm::any_of(places, [&](const Access *place) {
      return place->isSamePlace(access);
    });
  };
  auto need = [&](Operation *op) {
    group.needed.insert(op);
    values.insert(op->operand_begin(), op->operand_end());
    if (isa<memref::LoadOp>(op))
      places.push_back(&nest.accesses[nest.accessOf.find(op)->second]);
  };
  for (Operation *op : llvm::reverse(nest.body)) {
    bool isNeeded = llvm::any_of(op->getResults(), [&](Value result) {
      return values.contains(result);
    });
    op->walk([&](Operation *inner) { isNeeded |= isNeededStore(inner); });
    if (!isNeeded)
      continue;
    need(op);
    if (op->getNumRegions() == 0)
      continue;
    // In a branch: all but stores to other places.
    SmallVector<Operation *> inner;
    op->walk([&](Operation *nested) { inner.push_back(nested); });
    for (Operation *nested : inner)
      if (!isa<memref::StoreOp>(nested))
        need(nested);
    for (Operation *nested : inner)
      if (isNeededStore(nested))
        need(nested);
  }
}

LogicalResult Planner::checkLoads(const Group &group) {
  for (const Access &access : nest.accesses) {
    if (!group.needed.contains(access.op) || nest.isInvariant(access))
      continue;
    if (!access.isStore && failed(checkInside(access)))
      return failure();
    if (!getTap(plan, group, access))
      return refusal.set(access.op,
                         "reads at no constant offset from the point that is "
                         "stored, along increasing axes");
  }
  return success();
}

std::optional<Tap> stencil::raise::getTap(const FieldPlan &plan,
                                          const Group &group,
                                          const Access &load) {
  Tap tap;
  int64_t rank = group.box.lb.size();
  int64_t previous = -1;
  bool isWhole = static_cast<int64_t>(load.subscripts.size()) == rank;
  FieldType type = plan.getType(load.memref);
  if (!type)
    return std::nullopt;
  for (auto [axis, subscript] : llvm::enumerate(load.subscripts)) {
    if (subscript.loop >= 0) {
      int64_t target = group.axes[subscript.loop];
      if (target <= previous)
        return std::nullopt;
      tap.axes.push_back(previous = target);
      tap.offset.push_back(subscript.bound.offset -
                           plan.getOrigin(load.memref, axis) -
                           group.shifts[subscript.loop]);
    } else {
      // A fixed place is at an offset from an axis with one point.
      std::optional<int64_t> place =
          plan.getCoordinate(load.memref, axis, subscript.bound);
      int64_t target = isWhole ? axis : previous + 1;
      while (target < rank &&
             group.box.ub[target] - group.box.lb[target] != 1 && !isWhole)
        ++target;
      if (!place || target <= previous || target >= rank ||
          group.box.ub[target] - group.box.lb[target] != 1 ||
          isSymbolic(*place) != isSymbolic(group.box.lb[target]))
        return std::nullopt;
      tap.axes.push_back(previous = target);
      tap.offset.push_back(*place - group.box.lb[target]);
    }
    // The extent of an axis that is not constant is that of the function's
    // axis of the same number.
    if (previous != static_cast<int64_t>(axis) &&
        isSymbolic(type.getBounds().getUb()[axis]))
      return std::nullopt;
  }
  return tap;
}

LogicalResult stencil::raise::planGroups(const LoopNest &nest,
                                         const FieldPlan &plan,
                                         std::vector<Group> &groups,
                                         Refusal &refusal) {
  return Planner(nest, plan, groups, refusal).run();
}
