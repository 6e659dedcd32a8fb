//===- Extents.cpp - Bounds as numbers ------------------------------------===//

#include "Extents.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "StencilDialect/Tile/Tile.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// The interior extent that makes the axis `size` points long; nothing if the
/// bounds are not relative to it.
std::optional<int64_t> Extents::getExtent(BoundsAttr bounds, unsigned axis,
                                          int64_t size) const {
  int64_t lb = bounds.getLb()[axis], ub = bounds.getUb()[axis];
  if (stencil::isSymbolic(lb) || !stencil::isSymbolic(ub))
    return std::nullopt;
  return size + lb - symbolicOffset(ub);
}

void Extents::tryBind(Operation *op, BoundsAttr bounds,
                      ArrayRef<int64_t> shape) {
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    if (bindings.size() <= axis)
      bindings.resize(axis + 1);
    if (std::optional<int64_t> extent = getExtent(bounds, axis, shape[axis]))
      if (!bindings[axis])
        bindings[axis] = Binding{*extent, op};
  }
}

LogicalResult Extents::bind(Operation *op, BoundsAttr bounds,
                            ArrayRef<int64_t> shape) {
  tryBind(op, bounds, shape);
  for (auto [axis, size] : llvm::enumerate(shape)) {
    int64_t lb = bounds.getLb()[axis], ub = bounds.getUb()[axis];
    if (std::optional<int64_t> extent = getExtent(bounds, axis, size)) {
      if (*extent < 1)
        return op->emitError("expected an array of at least ")
               << size + 1 - *extent << " points on axis " << axis << ", got "
               << size;
      if (bindings[axis]->extent == *extent)
        continue;
      return withNote(op->emitError("expected ") << bindings[axis]->extent
                                                 << " interior points on axis "
                                                 << axis << ", got " << *extent,
                      bindings[axis]->op->getLoc(), "bound here");
    }
    // Both bounds are relative to the same end, or the lower one alone.
    if (stencil::isSymbolic(lb) != stencil::isSymbolic(ub))
      return op->emitError("expected bounds with a constant lower end on axis ")
             << axis;
    if (ub - lb != size)
      return op->emitError("expected an extent of ")
             << ub - lb << " on axis " << axis << ", got " << size;
  }
  return success();
}

std::optional<Box> Extents::resolve(BoundsAttr bounds, Operation *op) const {
  Box box;
  for (auto [axis, lb, ub] : llvm::enumerate(bounds.getLb(), bounds.getUb())) {
    int64_t extent = 0;
    if (stencil::isSymbolic(lb) || stencil::isSymbolic(ub)) {
      if (axis >= bindings.size() || !bindings[axis]) {
        if (op)
          op->emitError("the number of interior points of axis ")
              << axis << " is not known here";
        return std::nullopt;
      }
      extent = bindings[axis]->extent;
    }
    box.lb.push_back(stencil::resolve(lb, extent));
    box.ub.push_back(stencil::resolve(ub, extent));
    if (box.lb.back() < box.ub.back())
      continue;
    if (op)
      op->emitError("the box ") << bounds << " is empty where axis " << axis
                                << " has " << extent << " interior points";
    return std::nullopt;
  }
  return box;
}

Box interp::getWindowInterior(const Box &needed, const Box &box) {
  Box interior = needed;
  for (size_t axis = 0; axis < needed.lb.size(); ++axis)
    if (needed.lb[axis] < box.lb[axis] || needed.ub[axis] > box.ub[axis]) {
      interior.lb[axis] = box.lb[axis];
      interior.ub[axis] = box.ub[axis];
    }
  return interior;
}

//===----------------------------------------------------------------------===//
// Demand
//===----------------------------------------------------------------------===//

namespace {
class DemandPass {
public:
  explicit DemandPass(const Extents &extents) : extents(extents) {}

  void visitBlock(Block &block) {
    for (Operation &op : llvm::reverse(block))
      visitOp(&op);
  }

  Demand demand;

private:
  void include(Value value, const Box &box) {
    if (!box.isEmpty() && isa<TempType>(value.getType()))
      demand[value].include(box);
  }
  void include(Value value, BoundsAttr bounds) {
    if (std::optional<Box> box = extents.resolve(bounds))
      include(value, *box);
  }

  /// The bounds of the type, which come first, are a demand too.
  Box get(Value value) {
    if (auto grid = dyn_cast<GridType>(value.getType()))
      if (BoundsAttr bounds = grid.getBounds())
        if (std::optional<Box> box = extents.resolve(bounds))
          return demand[value] = *box;
    return demand.lookup(value);
  }

  void visitOp(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case(
            [&](StoreOp store) { include(store.getTemp(), store.getBounds()); })
        .Case([&](FoldOp fold) {
          for (Value temp : fold.getTemps())
            include(temp, fold.getBounds());
        })
        .Case([&](BufferOp buffer) {
          include(buffer.getTemp(), get(buffer.getRes()));
        })
        .Case([&](CombineOp combine) { visitCombine(combine); })
        .Case([&](ApplyOp apply) { visitApply(apply); })
        .Case([&](WindowOp window) { visitWindow(window); })
        .Case([&](AccumulateOp sum) { visitAccumulate(sum); })
        // Its values have boxes of their own, relative to its tiles.
        .Case([](tile::KernelOp) {})
        .Default([&](Operation *) { visitRegions(op); });
  }

  void visitWindow(WindowOp op) {
    Box needed = get(op.getRes());
    if (op.getKeep()) {
      include(op.getKeep(), needed);
      include(op.getKeep(), *op.getBounds());
    }
    BoundsAttr within = getWithin(op);
    if (!within && (!op.hasBoundary() || op.isOfLoad()))
      include(op.getTemp(), needed);
    else if (std::optional<Box> box =
                 extents.resolve(within ? within : *op.getBounds()))
      include(op.getTemp(), getWindowInterior(needed, *box));
    if (op.hasBoundary() && op.isOfLoad())
      include(op.getTemp(), *op.getBounds());
  }

  void visitCombine(CombineOp op) {
    unsigned axis = op.getDim().getZExtValue();
    int64_t position = op.getIndex().getSExtValue();
    auto result = op.getResults().begin();
    for (auto [lower, upper] : llvm::zip_equal(op.getLower(), op.getUpper())) {
      Box box = get(*result++);
      include(lower, box.below(axis, position));
      include(upper, box.from(axis, position));
    }
    for (Value lower : op.getLowerext())
      include(lower, get(*result++).below(axis, position));
    for (Value upper : op.getUpperext())
      include(upper, get(*result++).from(axis, position));
  }

  void visitAccumulate(AccumulateOp op) {
    int64_t axis = *cast<PipelineOp>(op->getParentOp()).getWalkAxis();
    Box box = get(op.getRes());
    if (box.isEmpty())
      return;
    for (auto [term, plane] : llvm::zip_equal(op.getTerms(), op.getPlanes())) {
      Box shifted = box;
      shifted.lb[axis] += plane;
      shifted.ub[axis] += plane;
      include(term, shifted);
    }
  }

  void visitApply(ApplyOp op) {
    Box domain;
    if (op.isBufferised()) {
      if (std::optional<Box> box = extents.resolve(*op.getBounds()))
        domain = *box;
    } else {
      for (Value result : op.getRes())
        domain.include(get(result));
      for (Value result : op.getRes())
        include(result, domain);
    }
    if (domain.isEmpty())
      return;
    SmallVector<int64_t> unroll = op.getUnrollFactors();
    Footprint(op).forEachRead([&](const InputRead &read) {
      Box box;
      for (auto [axis, lower, upper] :
           llvm::zip_equal(read.axes, read.lower, read.upper)) {
        box.lb.push_back(domain.lb[axis] + lower);
        box.ub.push_back(domain.ub[axis] - (unroll[axis] - 1) + upper);
      }
      include(op.getArgs()[read.input.getArgNumber()], box);
    });
  }

  /// Branches and loops: what is needed of a result is needed of the values
  /// that are yielded for it.
  void visitRegions(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        if (block.empty())
          continue;
        OperandRange yielded = block.back().getOperands();
        if (yielded.size() == op->getNumResults())
          for (auto [result, value] :
               llvm::zip_equal(op->getResults(), yielded))
            include(value, get(result));
        visitBlock(block);
      }
  }

  const Extents &extents;
};
} // namespace

Demand stencil::interp::computeDemand(func::FuncOp func,
                                      const Extents &extents) {
  DemandPass pass(extents);
  for (Block &block : llvm::reverse(func.getBody()))
    pass.visitBlock(block);
  return std::move(pass.demand);
}
