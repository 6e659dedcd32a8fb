//===- RaiseLoopsFields.cpp - Coordinates of memrefs ----------------------===//

#include "RaiseLoopsBody.h"
#include "StencilDialect/IR/Bounds.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cmath>

using namespace mlir;
using namespace stencil;
using namespace stencil::raise;

FieldPlan::Coordinates &FieldPlan::get(Value memref) {
  Coordinates &result = classes[extents.getClass(memref)];
  result.origins.resize(cast<MemRefType>(memref.getType()).getRank());
  return result;
}

const FieldPlan::Coordinates *FieldPlan::find(Value memref) const {
  const auto *it = classes.find(extents.getClass(memref));
  return it == classes.end() ? nullptr : &it->second;
}

FieldType FieldPlan::getType(Value memref) const {
  const Coordinates *coordinates = find(memref);
  return coordinates ? coordinates->type : FieldType();
}

int64_t FieldPlan::getOrigin(Value memref, int64_t axis) const {
  return find(memref)->origins[axis].value_or(0);
}

/// The number that `bound` is on an axis, N being the extent of its interior.
std::optional<int64_t> FieldPlan::encode(int64_t axis,
                                         const Bound &bound) const {
  if (!bound.root)
    return bound.offset;
  const auto *it = symbols.find({axis, bound.root.key()});
  if (it == symbols.end())
    return std::nullopt;
  return makeSymbolic(it->second + bound.offset);
}

std::optional<int64_t> FieldPlan::getCoordinate(Value memref, int64_t axis,
                                                const Bound &bound) const {
  std::optional<int64_t> index = encode(axis, bound);
  if (!index)
    return std::nullopt;
  return *index - getOrigin(memref, axis);
}

std::optional<GridBox> FieldPlan::getBox(const LoopNest &nest,
                                         const Access &access) const {
  GridBox box;
  for (auto [axis, subscript] : llvm::enumerate(access.subscripts)) {
    auto [lower, upper] = nest.getRange(subscript);
    std::optional<int64_t> lb = getCoordinate(access.memref, axis, lower);
    std::optional<int64_t> ub = getCoordinate(access.memref, axis, upper);
    if (!lb || !ub || *lb >= *ub)
      return std::nullopt;
    box.lb.push_back(*lb);
    box.ub.push_back(*ub);
  }
  return box;
}

SmallVector<FieldPlan::Symbol> FieldPlan::getSymbols() const {
  SmallVector<Symbol> result;
  for (const auto &[key, offset] : symbols)
    result.push_back(
        {key.first, {key.second.first, key.second.second}, offset});
  return result;
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// The logarithm of the number of points. What is known at run time only is
/// large.
static double getSize(const LoopNest &nest) {
  double size = 0;
  for (const NestLoop &loop : nest.loops)
    size += loop.lower.root == loop.upper.root
                ? std::log2(std::max<double>(1, double(loop.upper.offset) -
                                                    double(loop.lower.offset)))
                : 20;
  return size;
}

void FieldPlan::setOriginsOfStores(const LoopNest &nest, bool writes) {
  for (const Access &store : nest.accesses) {
    if (!store.isStore || store.isWrite() != writes)
      continue;
    Coordinates &coordinates = get(store.memref);
    for (auto [subscript, origin] :
         llvm::zip_equal(store.subscripts, coordinates.origins)) {
      Bound lower = nest.getRange(subscript).first;
      if (!origin && subscript.loop >= 0 && !lower.root)
        origin = lower.offset;
    }
  }
}

/// True if only this function sees the memory.
static bool isTemporary(Value memref) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
      memref.getDefiningOp());
}

static bool isSeenOutside(const LoopNest &nest) {
  return llvm::any_of(nest.accesses, [](const Access &access) {
    return access.isStore && !isTemporary(access.memref);
  });
}

namespace {
/// A hull of numbers, of which there may be none.
struct Hull {
  std::optional<int64_t> first, last;

  void add(int64_t number) {
    first = std::min(first.value_or(number), number);
    last = std::max(last.value_or(number), number);
  }
  int64_t getMiddle() const {
    return llvm::divideFloorSigned(*first + *last, 2);
  }
};
} // namespace

/// What a nest stores to temporary arrays only has the coordinates of what it
/// reads: that is as far away on both sides, where it has coordinates already.
void FieldPlan::setOriginsOfTemporaries(const LoopNest &nest) {
  SmallVector<Hull> ranges(nest.loops.size());
  for (const Access &load : nest.accesses) {
    if (load.isStore || nest.isInvariant(load))
      continue;
    for (auto [subscript, origin] :
         llvm::zip_equal(load.subscripts, get(load.memref).origins))
      if (subscript.loop >= 0 && origin)
        ranges[subscript.loop].add(subscript.bound.offset - *origin);
  }
  for (const Access &store : nest.accesses) {
    if (!store.isStore)
      continue;
    for (auto [subscript, origin] :
         llvm::zip_equal(store.subscripts, get(store.memref).origins))
      if (!origin && subscript.loop >= 0 && ranges[subscript.loop].first &&
          !nest.getRange(subscript).first.root)
        origin = subscript.bound.offset - ranges[subscript.loop].getMiddle();
  }
}

/// Where nothing is stored, the point in the middle of what is read is that of
/// the nest: the halo is as wide on both sides.
void FieldPlan::setOriginsOfLoads(ArrayRef<const LoopNest *> nests,
                                  function_ref<bool(Value)> isOne) {
  std::map<std::pair<Coordinates *, unsigned>, Hull> ranges;
  for (const LoopNest *nest : nests) {
    SmallVector<std::optional<int64_t>> shifts(nest->loops.size());
    for (const Access &store : nest->accesses)
      if (store.isStore)
        for (auto [axis, subscript] : llvm::enumerate(store.subscripts))
          if (std::optional<int64_t> origin = find(store.memref)->origins[axis];
              origin && subscript.loop >= 0 && !shifts[subscript.loop])
            shifts[subscript.loop] = subscript.bound.offset - *origin;
    for (const Access &load : nest->accesses) {
      if (load.isStore || nest->isInvariant(load) || !isOne(load.memref))
        continue;
      Coordinates &coordinates = get(load.memref);
      for (auto [axis, subscript] : llvm::enumerate(load.subscripts))
        if (subscript.loop >= 0 && shifts[subscript.loop] &&
            !coordinates.origins[axis])
          ranges[{&coordinates, axis}].add(subscript.bound.offset -
                                           *shifts[subscript.loop]);
    }
  }
  for (auto &[key, range] : ranges)
    key.first->origins[key.second] = range.getMiddle();
}

/// The upper end of what is stored is N, unless its root is known already.
void FieldPlan::setSymbols(const LoopNest &nest, bool writes) {
  for (const Access &store : nest.accesses) {
    if (!store.isStore || store.isWrite() != writes)
      continue;
    for (auto [axis, subscript] : llvm::enumerate(store.subscripts)) {
      auto [lower, upper] = nest.getRange(subscript);
      if (subscript.loop >= 0 && upper.root && !lower.root)
        symbols.insert({{int64_t(axis), upper.root.key()},
                        getOrigin(store.memref, axis) - upper.offset});
    }
  }
}

/// The extent of an axis that no nest relates to N, less N: that up to which
/// a loop goes over it, if that is as much as is read. Else there is a halo
/// that is as wide on both sides, or as is read.
int64_t FieldPlan::guessExtent(Value leader, int64_t axis, int64_t origin,
                               ArrayRef<const LoopNest *> nests) const {
  std::optional<int64_t> read, end;
  auto forEachAccess = [&](auto callback) {
    for (const LoopNest *nest : nests)
      for (const Access &access : nest->accesses)
        if (extents.getClass(access.memref) == leader &&
            !nest->isInvariant(access))
          callback(*nest, access.subscripts[axis]);
  };
  forEachAccess([&](const LoopNest &nest, const Subscript &subscript) {
    std::optional<int64_t> upper =
        encode(axis, nest.getRange(subscript).second);
    if (upper && isSymbolic(*upper))
      read = std::max(read.value_or(symbolicOffset(*upper)),
                      symbolicOffset(*upper));
  });
  forEachAccess([&](const LoopNest &nest, const Subscript &subscript) {
    if (end || subscript.loop < 0)
      return;
    Root root = nest.loops[subscript.loop].upper.root;
    std::optional<int64_t> upper = encode(axis, {root, 0});
    if (root && upper && read && symbolicOffset(*upper) >= *read)
      end = symbolicOffset(*upper);
  });
  int64_t symmetric = 2 * std::max<int64_t>(origin, 0);
  return end ? *end : std::max(read.value_or(symmetric), symmetric);
}

/// Fields have the extents of their memrefs.
void FieldPlan::setTypes(ArrayRef<const LoopNest *> nests) {
  for (auto &[leader, coordinates] : classes) {
    auto type = cast<MemRefType>(leader.getType());
    SmallVector<int64_t> lb, ub;
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      int64_t origin = coordinates.origins[axis].value_or(0);
      Bound extent = extents.getExtent(leader, axis);
      if (extent.root && !encode(axis, extent))
        symbols.insert(
            {{axis, extent.root.key()},
             guessExtent(leader, axis, origin, nests) - extent.offset});
      lb.push_back(-origin);
      ub.push_back(*encode(axis, extent) - origin);
    }
    coordinates.type = FieldType();
    auto isBound = [](int64_t bound) {
      return std::abs(isSymbolic(bound) ? symbolicOffset(bound) : bound) <
             kMaxBound;
    };
    bool isBox = llvm::all_of_zip(lb, ub, [&](int64_t lower, int64_t upper) {
      return lower < upper && isBound(lower) && isBound(upper);
    });
    if (type.getRank() > 0 && isBox)
      coordinates.type = FieldType::get(
          BoundsAttr::get(leader.getContext(), lb, ub), type.getElementType());
  }
}

void FieldPlan::build(ArrayRef<const LoopNest *> nests) {
  classes.clear();
  symbols.clear();
  // What is seen outside first, then the largest; of equal ones, in the order
  // of the program.
  SmallVector<std::tuple<bool, double, size_t, const LoopNest *>> bySize;
  for (auto [position, nest] : llvm::enumerate(nests))
    bySize.push_back({!isSeenOutside(*nest), -getSize(*nest), position, nest});
  llvm::sort(bySize);
  SmallVector<const LoopNest *> sorted, seenOutside;
  for (auto [isHidden, size, position, nest] : bySize) {
    sorted.push_back(nest);
    if (!isHidden)
      seenOutside.push_back(nest);
  }
  // All classes are there before one is pointed to.
  for (const LoopNest *nest : sorted)
    for (const Access &access : nest->accesses)
      if (!nest->isInvariant(access))
        get(access.memref);
  // What is combined only says where points are if no store does.
  for (bool writes : {true, false})
    for (const LoopNest *nest : seenOutside)
      setOriginsOfStores(*nest, writes);
  setOriginsOfLoads(seenOutside,
                    [](Value array) { return !isTemporary(array); });
  // What a temporary array is computed from comes before it, what is computed
  // from it behind it.
  for (const LoopNest *nest : nests)
    if (!isSeenOutside(*nest))
      setOriginsOfTemporaries(*nest);
  for (const LoopNest *nest : llvm::reverse(nests))
    setOriginsOfLoads(nest, isTemporary);
  for (bool writes : {true, false})
    for (const LoopNest *nest : sorted)
      setOriginsOfStores(*nest, writes);
  setOriginsOfLoads(sorted, [](Value) { return true; });
  for (bool writes : {true, false})
    for (const LoopNest *nest : sorted)
      setSymbols(*nest, writes);
  setTypes(sorted);
}
