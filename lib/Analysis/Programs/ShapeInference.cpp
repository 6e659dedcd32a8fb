//===- ShapeInference.cpp - Boxes of values -------------------------------===//

#include "StencilDialect/Analysis/ShapeInference.h"
#include "StencilDialect/Analysis/FieldAccesses.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/IR/Iterators.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// `[-1,65)`
static std::string printInterval(const GridBox &box, int64_t axis) {
  if (box.lb[axis] >= box.ub[axis])
    return "no point";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  printBound(os, box.lb[axis]);
  os << ',';
  printBound(os, box.ub[axis]);
  os << ')';
  return text;
}

namespace {
/// The op that needs points that are not there, and the points.
struct Culprit {
  Operation *op = nullptr;
  GridBox needed;
};
} // namespace

/// Finds who needs of `value` what is outside of `limit`: an access, store or
/// fold, as buffers and combines only pass on what is needed of their results.
static Culprit findCulprit(Value value, const GridBox &limit, BoxOf boxOf) {
  // What lies on the other side of a combine on the way is of no interest.
  GridBox clip;
  clip.lb.assign(limit.lb.size(), std::numeric_limits<int64_t>::min());
  clip.ub.assign(limit.lb.size(), std::numeric_limits<int64_t>::max());
  Culprit culprit;
  while (value) {
    OpOperand *through = nullptr;
    for (OpOperand &use : value.getUses())
      OperandDemands(use.getOwner())
          .forEach(use, boxOf,
                   [&](Operation *by, const GridBox &box, const InputRead *) {
                     std::optional<GridBox> clipped = intersect(box, clip);
                     if (!clipped || limit.contains(*clipped))
                       return;
                     // Uses are listed latest first: the earliest remains.
                     through = &use;
                     culprit = {by, *clipped};
                   });
    value = {};
    if (!through)
      break;
    if (auto buffer = dyn_cast<BufferOp>(culprit.op)) {
      value = buffer.getRes();
    } else if (auto combine = dyn_cast<CombineOp>(culprit.op)) {
      unsigned number = through->getOperandNumber();
      unsigned pairs = combine.getLower().size();
      value = getCombined(combine, number);
      if (number < 2 * pairs)
        clip.cut(combine, number < pairs);
    }
  }
  return culprit;
}

/// Says on which points the apply that contains the culprit is evaluated.
static void attachDomain(InFlightDiagnostic &diag, Operation *culprit,
                         BoxOf boxOf) {
  auto apply = culprit->getParentOfType<ApplyOp>();
  if (!apply)
    return;
  BoundsAttr domain =
      apply.isBufferised() ? *apply.getBounds() : boxOf(apply.getRes().front());
  diag.attachNote(apply.getLoc()) << "evaluated on " << domain << " here";
}

//===----------------------------------------------------------------------===//
// ShapeInference
//===----------------------------------------------------------------------===//

/// Coordinates must stay in the range in which they can be told from bounds
/// relative to an extent.
static bool isInRange(const GridBox &box) {
  return llvm::all_of(
      llvm::concat<const int64_t>(box.lb, box.ub), [](int64_t bound) {
        int64_t offset = isSymbolic(bound) ? symbolicOffset(bound) : bound;
        return offset >= -kMaxBound && offset <= kMaxBound;
      });
}

/// An axis of an input of lower rank on which an access needs a box relative to
/// the extent of an axis that has another number in the input; -1 if none.
static int64_t findRenumberedAxis(const InputRead &read, const GridBox &box) {
  for (auto [axis, applyAxis] : llvm::enumerate(read.axes))
    if (static_cast<int64_t>(axis) != applyAxis &&
        (isSymbolic(box.lb[axis]) || isSymbolic(box.ub[axis])))
      return axis;
  return -1;
}

FailureOr<ShapeInference> ShapeInference::compute(Operation *root) {
  ShapeInference shapes;
  // Backwards, all users of a temp come before the op that makes it: temps have
  // no way around a loop, and there is structured control flow only.
  WalkResult walk = root->walk<WalkOrder::PreOrder, ReverseIterator>(
      [&](Operation *op) -> WalkResult {
        // Its values have no boxes: PipelinePlan says what is needed of them.
        // Those of a kernel have boxes relative to its tiles.
        if (isa<PipelineOp, tile::KernelOp>(op))
          return WalkResult::skip();
        if (!op->hasTrait<HandlesValues>())
          return WalkResult::advance();
        if (failed(shapes.inferResults(op)) ||
            failed(shapes.demandOperands(op)))
          return WalkResult::interrupt();
        return WalkResult::skip();
      });
  if (walk.wasInterrupted())
    return failure();
  // An apply has one box for all its results, so a buffer may get more points
  // than its users need.
  for (Operation *op : llvm::reverse(shapes.producers))
    if (auto buffer = dyn_cast<BufferOp>(op))
      if (BoundsAttr bounds = shapes.getBox(buffer.getTemp()))
        shapes.boxes[buffer.getRes()] = bounds;
  return shapes;
}

/// Error at the op that needs of `value` what is outside of `limit`.
InFlightDiagnostic ShapeInference::emitBeyond(Value value, const GridBox &limit,
                                              const char *needs,
                                              const char *has) const {
  auto boxOf = [this](Value temp) { return getBox(temp); };
  auto [op, needed] = findCulprit(value, limit, boxOf);
  int64_t axis = 0;
  while (needed.lb[axis] >= limit.lb[axis] && needed.ub[axis] <= limit.ub[axis])
    ++axis;
  InFlightDiagnostic diag = op->emitOpError(needs)
                            << printInterval(needed, axis) << " on axis "
                            << axis << ", " << has
                            << printInterval(limit, axis);
  attachDomain(diag, op, boxOf);
  return diag;
}

/// All users of the results of `op` have been seen: their boxes are known.
LogicalResult ShapeInference::inferResults(Operation *op) {
  llvm::SmallDenseMap<Value, GridBox> needs;
  GridBox hull;
  for (Value result : op->getResults()) {
    if (!isa<TempType>(result.getType()))
      continue;
    if (seenUses.lookup(result) != static_cast<unsigned>(std::distance(
                                       result.use_begin(), result.use_end())))
      return op->emitOpError("has a result that is used before it is made");
    auto it = demands.find(result);
    if (it == demands.end())
      continue;
    GridBox demand = std::move(it->second);
    demands.erase(it);
    auto bounds = getBounds(result);
    if (bounds && !GridBox(bounds).contains(demand))
      return withNote(
          emitBeyond(result, GridBox(bounds), "needs ", "the value has "),
          op->getLoc(), "its bounds are given here");
    boxes[result] = bounds ? bounds : demand.get(op->getContext());
    hull.join(GridBox(boxes[result]));
    needs.try_emplace(result, std::move(demand));
  }
  if (!isa<StoreOp, FoldOp>(op))
    producers.push_back(op);
  if (needs.empty())
    return success();

  if (auto load = dyn_cast<LoadOp>(op)) {
    BoundsAttr field = getBounds(load.getField());
    if (GridBox(field).contains(hull))
      return success();
    return withNote(emitBeyond(load.getRes(), GridBox(field),
                               "halo too small: needs ", "the field has "),
                    op->getLoc(), "the field is loaded here");
  }
  if (auto apply = dyn_cast<ApplyOp>(op)) {
    BoundsAttr bounds = hull.get(op->getContext());
    for (Value result : apply.getRes())
      boxes[result] = bounds;
    return checkUnroll(apply, bounds);
  }
  if (auto combine = dyn_cast<CombineOp>(op)) {
    unsigned first = combine.getLower().size();
    unsigned firstUpper = first + combine.getLowerext().size();
    for (unsigned i = first; i < combine.getNumResults(); ++i) {
      // Bounds that are given may go beyond the part that is defined.
      auto need = needs.find(combine.getResult(i));
      if (need == needs.end())
        continue;
      GridBox limit(getBox(combine.getResult(i)));
      limit.cut(combine, i < firstUpper);
      if (limit.contains(need->second))
        continue;
      InFlightDiagnostic diag =
          emitBeyond(combine.getResult(i), limit, "needs ", "the value has ");
      diag.attachNote(op->getLoc())
          << "defined " << (i < firstUpper ? "below" : "from") << " coordinate "
          << combine.getIndex().getSExtValue() << " of axis "
          << combine.getDim().getSExtValue() << " only";
      return diag;
    }
  }
  return success();
}

/// Adds a box to what is needed of a temp. Of a coordinate and a bound relative
/// to the extent, the hull takes one, and holds for large extents only. A load
/// costs nothing, so it is given all that its field has on such a side.
void ShapeInference::addDemand(Value temp, const GridBox &box) {
  GridBox &demand = demands[temp];
  auto load = temp.getDefiningOp<LoadOp>();
  GridBox hull = demand;
  hull.join(box);
  if (load && !getBounds(load) && !demand.lb.empty()) {
    GridBox field(getBounds(load.getField()));
    // Else it is an error, for which only what is needed is of interest.
    if (field.contains(hull))
      for (size_t axis = 0; axis < hull.lb.size(); ++axis) {
        if (isSymbolic(demand.lb[axis]) != isSymbolic(box.lb[axis]))
          hull.lb[axis] = field.lb[axis];
        if (isSymbolic(demand.ub[axis]) != isSymbolic(box.ub[axis]))
          hull.ub[axis] = field.ub[axis];
      }
  }
  demand = std::move(hull);
}

/// Adds what `op`, whose results have their boxes, needs of its operands.
LogicalResult ShapeInference::demandOperands(Operation *op) {
  auto boxOf = [this](Value temp) { return getBox(temp); };
  OperandDemands needs(op);
  for (OpOperand &use : op->getOpOperands()) {
    auto type = dyn_cast<GridType>(use.get().getType());
    if (!type)
      continue;
    ++seenUses[use.get()];
    LogicalResult result = success();
    needs.forEach(
        use, boxOf,
        [&](Operation *by, const GridBox &box, const InputRead *read) {
          if (failed(result))
            return;
          if (!isInRange(box)) {
            result = by->emitOpError("needs coordinates beyond the limit of ")
                     << kMaxBound;
            return;
          }
          int64_t axis = read ? findRenumberedAxis(*read, box) : -1;
          if (axis >= 0) {
            InFlightDiagnostic diag =
                by->emitOpError("needs ")
                << printInterval(box, axis) << " on axis " << axis
                << " of its input, relative to the extent of axis "
                << read->axes[axis] << " of the apply; expected static bounds";
            attachDomain(diag, by, boxOf);
            result = diag;
            return;
          }
          if (isa<TempType>(type)) {
            addDemand(use.get(), box);
          } else if (isa<ApplyOp>(op)) {
            if (!type.getBounds())
              result = by->emitOpError("expected a field with bounds, got ")
                       << Type(type) << "; cast it first";
            else if (!GridBox(type.getBounds()).contains(box))
              result = emitBeyond(use.get(), GridBox(type.getBounds()),
                                  "halo too small: needs ", "the field has ");
          }
        });
    if (failed(result))
      return failure();
  }
  return success();
}
