//===- PipelineSize.cpp - What a pipeline takes of a GPU ------------------===//

#include "StencilDialect/Analysis/PipelineSize.h"
#include "StencilDialect/IR/Casts.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/OpWalks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

static int64_t getBytes(Type gridType) {
  return getElementBytes(cast<GridType>(gridType).getElementType());
}

static int64_t getDepth(WindowOp window) {
  return window.getDepth().value_or(APInt(64, 1)).getSExtValue();
}

SharedPlane::SharedPlane(const OffsetBox &needs, ArrayRef<int64_t> tile,
                         std::optional<int64_t> walk, int64_t elementBytes) {
  constexpr int64_t kRowBytes = 32, kPlaneBytes = 128;
  int64_t last = static_cast<int64_t>(tile.size()) - 1;
  rowAlignment = std::max<int64_t>(1, kRowBytes / elementBytes);
  for (int64_t axis = 0; axis <= last; ++axis) {
    bool isWalk = walk == axis;
    int64_t before = isWalk ? 0 : -needs.lower[axis];
    int64_t rest = isWalk ? 1 : tile[axis] + needs.upper[axis];
    if (axis == last && !isWalk) {
      before = llvm::alignTo(before, rowAlignment);
      rest = llvm::alignTo(rest, rowAlignment);
    }
    origin.push_back(before);
    shape.push_back(before + rest);
  }
  strides.assign(tile.size(), 0);
  elements = 1;
  for (int64_t axis = last; axis >= 0; --axis) {
    strides[axis] = elements;
    elements *= shape[axis];
  }
  elements =
      llvm::alignTo(elements, std::max<int64_t>(1, kPlaneBytes / elementBytes));
}

bool stencil::isSharedWindow(WindowOp window) {
  return window.getSpace() == Space::Shared && !window.getRes().use_empty();
}

SharedLayout::SharedLayout(PipelineOp op,
                           llvm::function_ref<int64_t(WindowOp)> getBytes) {
  // Of each group; and, in front of all groups, of the windows in none.
  llvm::SmallDenseMap<int64_t, int64_t> ends;
  int64_t own = 0;
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>()) {
    if (!isSharedWindow(window))
      continue;
    std::optional<int64_t> group = window.getGroupNumber();
    int64_t &end = group ? ends[*group] : own;
    windows.emplace_back(window, end);
    end += getBytes(window);
  }
  bytes = own;
  for (auto &[window, offset] : windows)
    if (auto group = window.getGroupNumber()) {
      offset += own;
      bytes = std::max(bytes, own + ends[*group]);
    }
}

int64_t PipelineSize::countLegs() const {
  auto schedule = ScheduleAttr::of(op);
  return schedule ? schedule.getRelay().value_or(1) : 1;
}

/// Of a relay, all windows have the tile, and each leg has two planes of it to
/// hand on.
int64_t PipelineSize::getRelayBytes(ArrayRef<int64_t> tile) const {
  constexpr int64_t kHanded = 2;
  int64_t planes = kHanded * countLegs(), bytes = 0;
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>())
    if (isSharedWindow(window)) {
      planes += getDepth(window);
      bytes = getBytes(window.getType());
    }
  SharedPlane plane(OffsetBox::zero(op.getRank()), tile, op.getWalkAxis(),
                    std::max<int64_t>(1, bytes));
  return planes * plane.elements * bytes;
}

int64_t PipelineSize::getSharedBytes(ArrayRef<int64_t> tile) const {
  if (countLegs() > 1)
    return getRelayBytes(tile);
  return SharedLayout(op,
                      [&](WindowOp window) {
                        int64_t bytes = getBytes(window.getType());
                        SharedPlane plane(plan.get(window.getRes()).held, tile,
                                          op.getWalkAxis(), bytes);
                        return getDepth(window) * plane.elements * bytes;
                      })
      .bytes;
}

int64_t PipelineSize::getExchangedBytes(ArrayRef<int64_t> tile,
                                        ArrayRef<int64_t> points) const {
  int64_t total = 0;
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>()) {
    if (!window.getExchange() || !plan.isNeeded(window.getRes()))
      continue;
    const OffsetBox &reads = plan.get(window.getRes()).reads;
    size_t last = tile.size() - 1, rows = last - 1;
    int64_t edge = std::max(-reads.lower[rows], reads.upper[rows]);
    int64_t stored = std::min(points[rows], 2 * edge);
    int64_t elements = 2 * edge + tile[rows] / points[rows] * stored;
    elements *= tile[last] + llvm::alignTo(-reads.lower[last], points[last]) +
                llvm::alignTo(reads.upper[last], points[last]);
    constexpr int64_t kSlots = 2;
    total += kSlots * elements * getBytes(window.getType());
  }
  return total;
}

int64_t PipelineSize::countRegisters(ArrayRef<int64_t> points) const {
  int64_t total = 0, count = llvm::product_of(points);
  auto countOf = [&](Type type, int64_t planes) {
    return planes * count * llvm::divideCeil(getBytes(type), 4);
  };
  // Without a walk nothing is kept: of what stages make, a thread has what the
  // next one reads, and what that makes.
  bool walks = op.getWalkAxis().has_value();
  std::array<int64_t, 2> largest = {0, 0};
  for (Operation &inner : *op.getBodyBlock()) {
    if (inner.use_empty())
      continue;
    if (auto window = dyn_cast<WindowOp>(inner);
        window && window.getSpace() != Space::Shared) {
      // Of the stages of a leg, one has its newest plane at a time; so of sums.
      int64_t own = countOf(window.getType(),
                            getDepth(window) - (countLegs() > 1 ? 1 : 0));
      if (walks || !window.isOfStage()) {
        total += own;
        continue;
      }
      if (own > largest[0])
        std::swap(own, largest[0]);
      largest[1] = std::max(largest[1], own);
    } else if (auto sum = dyn_cast<AccumulateOp>(inner)) {
      total += countOf(sum.getRes().getType(), sum.getPlanes().back() -
                                                   sum.getPlanes().front() +
                                                   (countLegs() > 1 ? 0 : 1));
    }
  }
  return llvm::divideCeil(total, countLegs()) + largest[0] + largest[1];
}

int64_t PipelineSize::getHalo() const {
  std::optional<int64_t> walk = op.getWalkAxis();
  int64_t halo = 0;
  if (walk)
    for (LoadOp load : op.getBodyBlock()->getOps<LoadOp>()) {
      if (load.getRes().use_empty())
        continue;
      const OffsetBox &span = plan.get(load.getRes()).span;
      if (!span.isEmpty())
        halo = std::max({halo, -span.lower[*walk], span.upper[*walk]});
    }
  return halo;
}

bool PipelineSize::readsPlanesOfOthers() const {
  std::optional<int64_t> walk = op.getWalkAxis();
  llvm::SmallDenseSet<Value> stored;
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
    stored.insert(lookThroughCasts(store.getField()));
  return walk &&
         llvm::any_of(op.getBodyBlock()->getOps<LoadOp>(), [&](LoadOp load) {
           if (load.getRes().use_empty() ||
               !stored.contains(lookThroughCasts(load.getField())))
             return false;
           const OffsetBox &needs = plan.get(load.getRes()).needs;
           return !needs.isEmpty() &&
                  (needs.lower[*walk] != 0 || needs.upper[*walk] != 0);
         });
}

int64_t PipelineSize::getElementBytes() const {
  int64_t bytes = 1;
  for (Operation &inner : *op.getBodyBlock())
    for (Type type : inner.getResultTypes())
      if (isa<GridType>(type))
        bytes = std::max(bytes, getBytes(type));
  return bytes;
}

bool PipelineSize::hasWindow(Space space) const {
  return llvm::any_of(
      op.getBodyBlock()->getOps<WindowOp>(), [&](WindowOp window) {
        return window.getSpace() == space && !window.getRes().use_empty();
      });
}

int64_t PipelineSize::getScatterSpan() const {
  int64_t span = 0;
  for (AccumulateOp sum : op.getBodyBlock()->getOps<AccumulateOp>())
    span = std::max(span, sum.getPlanes().back() - sum.getPlanes().front() + 1);
  return span;
}

bool PipelineSize::readsBox() const {
  std::optional<int64_t> walk = op.getWalkAxis();
  auto isOffAxes = [&](ArrayRef<int64_t> axes, ArrayRef<int64_t> offset) {
    int64_t count = 0;
    for (auto [axis, distance] : llvm::zip_equal(axes, offset))
      count += axis != walk && distance != 0;
    return count > 1;
  };
  return anyWithin(op, [&](Operation *inner) {
    bool found = false;
    if (auto access = dyn_cast<AccessOp>(inner))
      found = isOffAxes(access.getAxes(), access.getOffset().getValues());
    else if (auto sum = dyn_cast<WeightedSumOp>(inner))
      for (int64_t tap = 0; tap < sum.getNumTaps(); ++tap)
        found |= isOffAxes(sum.getAxes(), sum.getOffset(tap));
    return found;
  });
}
