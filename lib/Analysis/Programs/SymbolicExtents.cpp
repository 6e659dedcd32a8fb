//===- SymbolicExtents.cpp - How large is large enough --------------------===//

#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/IR/PipelinePlan.h"

using namespace mlir;
using namespace stencil;

namespace {
/// Collects conditions of the form N_axis >= constant.
class Conditions {
public:
  explicit Conditions(BoxOf boxOf) : boxOf(boxOf) {}

  void visit(Operation *op);
  void raise(ArrayRef<int64_t> atLeast);

  SmallVector<int64_t> extents;
  bool isSymbolicProgram = false;

private:
  void addAxes(int64_t rank);
  /// `smaller + gap <= larger`, on an axis, has been taken for granted.
  void assume(int64_t axis, int64_t smaller, int64_t larger, int64_t gap = 0);
  void assumeNotEmpty(const GridBox &box);
  void assumeContains(const GridBox &outer, const GridBox &inner);
  void visitBoundary(BoundaryOp op);
  void visitInterior(const GridBox &interior, int64_t axis, Attribute condition,
                     int64_t halo);
  void visitWindow(WindowOp op);
  void visitCombine(CombineOp op);

  BoxOf boxOf;
};
} // namespace

void Conditions::addAxes(int64_t rank) {
  if (rank > static_cast<int64_t>(extents.size()))
    extents.resize(rank, 0);
}

void Conditions::raise(ArrayRef<int64_t> atLeast) {
  addAxes(atLeast.size());
  for (auto [extent, other] : llvm::zip(extents, atLeast))
    extent = std::max(extent, other);
}

void Conditions::assume(int64_t axis, int64_t smaller, int64_t larger,
                        int64_t gap) {
  if (!isSymbolic(larger) || isSymbolic(smaller))
    return;
  isSymbolicProgram = true;
  addAxes(axis + 1);
  extents[axis] =
      std::max(extents[axis], smaller + gap - symbolicOffset(larger));
}

void Conditions::assumeNotEmpty(const GridBox &box) {
  for (auto [axis, lower, upper] : llvm::enumerate(box.lb, box.ub))
    assume(axis, lower, upper, 1);
}

void Conditions::assumeContains(const GridBox &outer, const GridBox &inner) {
  for (size_t axis = 0; axis < outer.lb.size(); ++axis) {
    assume(axis, outer.lb[axis], inner.lb[axis]);
    assume(axis, inner.ub[axis], outer.ub[axis]);
  }
}

void Conditions::visitBoundary(BoundaryOp op) {
  GridBox interior(op.getBounds());
  GridBox field(getBounds(op.getField()));
  assumeNotEmpty(interior);
  assumeContains(field, interior);
  for (int64_t axis = 0, rank = interior.lb.size(); axis < rank; ++axis) {
    visitInterior(interior, axis, op.getCondition(axis, /*upper=*/false),
                  interior.lb[axis] - field.lb[axis]);
    visitInterior(interior, axis, op.getCondition(axis, /*upper=*/true),
                  field.ub[axis] - interior.ub[axis]);
  }
}

/// As wide as a condition needs it for a halo of this width.
void Conditions::visitInterior(const GridBox &interior, int64_t axis,
                               Attribute condition, int64_t halo) {
  assume(axis, interior.lb[axis], interior.ub[axis],
         getHaloRule(condition).countInterior(halo));
}

/// A window that does the work of a stencil.boundary, as far as it reaches.
void Conditions::visitWindow(WindowOp op) {
  GridBox interior(*op.getBounds());
  assumeNotEmpty(interior);
  if (auto load = op.getTemp().getDefiningOp<LoadOp>())
    assumeContains(GridBox(getBounds(load.getField())), interior);
  BoundsAttr needs = boxOf(op.getRes());
  if (!needs)
    return;
  for (int64_t axis = 0, rank = interior.lb.size(); axis < rank; ++axis) {
    // That it seems not to reach beyond a side.
    assume(axis, interior.lb[axis], needs.getLb()[axis]);
    assume(axis, needs.getUb()[axis], interior.ub[axis]);
    auto visitSide = [&](bool upper, int64_t halo) {
      visitInterior(interior, axis, op.getCondition(axis, upper),
                    std::max<int64_t>(0, halo));
    };
    visitSide(/*upper=*/false, interior.lb[axis] - needs.getLb()[axis]);
    visitSide(/*upper=*/true, needs.getUb()[axis] - interior.ub[axis]);
  }
}

void Conditions::visitCombine(CombineOp op) {
  int64_t axis = op.getDim().getSExtValue();
  int64_t split = op.getIndex().getSExtValue();
  for (Value result : op.getResults())
    if (BoundsAttr bounds = boxOf(result)) {
      // The result has points above the split, or no points below it.
      assume(axis, split, bounds.getUb()[axis], 1);
      assume(axis, split, bounds.getLb()[axis]);
    }
}

void Conditions::visit(Operation *op) {
  auto visitValue = [&](Value value) {
    auto type = dyn_cast<GridType>(value.getType());
    if (!type)
      return;
    addAxes(type.getRank());
    if (BoundsAttr bounds = boxOf(value))
      assumeNotEmpty(GridBox(bounds));
  };
  llvm::for_each(op->getResults(), visitValue);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!isa<ApplyOp>(op))
        llvm::for_each(block.getArguments(), visitValue);
  if (auto boundary = dyn_cast<BoundaryOp>(op))
    visitBoundary(boundary);
  else if (auto window = dyn_cast<WindowOp>(op); window && window.hasBoundary())
    return visitWindow(window);
  else if (auto combine = dyn_cast<CombineOp>(op))
    visitCombine(combine);

  OperandDemands needs(op);
  for (OpOperand &use : op->getOpOperands()) {
    if (!isa<GridType>(use.get().getType()))
      continue;
    BoundsAttr bounds = boxOf(use.get());
    if (!bounds)
      continue;
    needs.forEach(use, boxOf,
                  [&](Operation *, const GridBox &box, const InputRead *) {
                    assumeNotEmpty(box);
                    assumeContains(GridBox(bounds), box);
                  });
  }
}

/// What is needed of the values of pipelines, which have no boxes. Of loads of
/// lower rank it is the field: what is read of them, their readers say.
static llvm::DenseMap<Value, BoundsAttr> findNeeds(Operation *function) {
  llvm::DenseMap<Value, BoundsAttr> boxes;
  function->walk([&](PipelineOp pipeline) {
    FailureOr<PipelinePlan> plan = PipelinePlan::create(pipeline);
    if (failed(plan))
      return;
    BoundsAttr domain = pipeline.getDomain();
    auto set = [&](Value value, const OffsetBox &needs) {
      if (!needs.isEmpty())
        boxes[value] = OffsetBox::ofBounds(domain).shifted(needs).toBounds(
            domain.getContext());
    };
    for (Operation &op : *pipeline.getBodyBlock())
      for (Value value : op.getResults()) {
        if (auto stage = dyn_cast<ApplyOp>(op))
          set(value, plan->getNeeds(stage));
        else if (auto load = dyn_cast<LoadOp>(op);
                 load &&
                 cast<GridType>(load.getType()).getRank() != domain.getRank())
          boxes[value] = getBounds(load.getField());
        else if (plan->isNeeded(value))
          set(value, plan->get(value).needs);
      }
  });
  return boxes;
}

static Conditions collect(Operation *function, BoxOf boxOfOthers) {
  llvm::DenseMap<Value, BoundsAttr> needs = findNeeds(function);
  auto boxOf = [&](Value value) {
    BoundsAttr box = needs.lookup(value);
    return box ? box : boxOfOthers(value);
  };
  Conditions conditions(boxOf);
  if (auto recorded =
          function->getAttrOfType<DenseI64ArrayAttr>(kMinimalExtentsAttr))
    conditions.raise(recorded.asArrayRef());
  function->walk([&](Operation *op) { conditions.visit(op); });
  return conditions;
}

SmallVector<int64_t> stencil::minimalExtents(Operation *function) {
  return collect(function, [](Value value) { return getBounds(value); })
      .extents;
}

void stencil::recordMinimalExtents(Operation *function, BoxOf boxOf) {
  Conditions conditions = collect(function, boxOf);
  if (conditions.isSymbolicProgram)
    function->setAttr(
        kMinimalExtentsAttr,
        DenseI64ArrayAttr::get(function->getContext(), conditions.extents));
}

bool stencil::isSurelyWithin(BoundsAttr inner, BoundsAttr outer) {
  auto isOneKind = [](int64_t a, int64_t b) {
    return isSymbolic(a) == isSymbolic(b);
  };
  return outer.contains(inner) &&
         llvm::all_of_zip(inner.getLb(), outer.getLb(), isOneKind) &&
         llvm::all_of_zip(inner.getUb(), outer.getUb(), isOneKind);
}
