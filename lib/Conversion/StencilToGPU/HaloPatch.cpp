//===- HaloPatch.cpp - Boundary conditions in shared windows --------------===//
//
// The points of a plane that lie beside the box are dealt out in slabs, one per
// axis: the slab of an axis is what is beside the box along it, over the halos
// of the axes before and the box along those behind. So no point is written
// twice. A plane beyond the box, along the walk, is that of its source, and is
// written over as a whole where the condition changes values: to constants, or
// to the other sign.
//
//===----------------------------------------------------------------------===//

#include "HaloPatch.h"
#include "PlaneFetch.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

HaloPatch::HaloPatch(const PipelineContext &context, SharedRing &ring,
                     const KernelField &field)
    : context(context), ring(ring), field(field), window(ring.getWindow()),
      reach(context.plan.getReach(window)) {}

//===----------------------------------------------------------------------===//
// What the conditions ask for
//===----------------------------------------------------------------------===//

Attribute HaloPatch::getCondition(int64_t axis, bool upper) const {
  return WindowOp(window).getCondition(axis, upper);
}

int64_t HaloPatch::getReach(int64_t axis, bool upper) const {
  return upper ? reach.upper[axis] : reach.lower[axis];
}

/// Whether values beyond a side are others than those in memory.
bool HaloPatch::isChanged(int64_t axis, bool upper) const {
  return getReach(axis, upper) > 0 && !isa<KeepAttr>(getCondition(axis, upper));
}

/// Whether threads write what is beyond a side of an axis in the plane. What is
/// kept, they write as well if planes come from elsewhere: the halo of an
/// earlier axis ends where that of a later one is.
bool HaloPatch::isPatched(int64_t axis, bool upper) const {
  if (getReach(axis, upper) == 0)
    return false;
  if (isChanged(axis, upper))
    return true;
  for (int64_t earlier = 0; earlier < axis; ++earlier)
    if (isChanged(earlier, false) || isChanged(earlier, true))
      return true;
  return false;
}

/// Points of a tile and what is needed around it.
int64_t HaloPatch::getSpan(int64_t axis) const {
  const OffsetBox &needs = ring.getPlanned().needs;
  return context.getTile(axis) + needs.upper[axis] - needs.lower[axis];
}

HaloAxis HaloPatch::getAxis(int64_t axis) const {
  BoundsAttr box = *WindowOp(window).getBounds();
  return {context.kernel.getBound(box.getLb()[axis], axis),
          context.kernel.getBound(box.getUb()[axis], axis),
          {getCondition(axis, false), getCondition(axis, true)},
          {getReach(axis, false), getReach(axis, true)}};
}

/// Of the slab of an axis.
uint64_t HaloPatch::countPoints(int64_t axis) const {
  uint64_t count = 0;
  for (bool upper : {false, true})
    count += isPatched(axis, upper) ? getReach(axis, upper) : 0;
  for (int64_t other = 0; other < static_cast<int64_t>(reach.lower.size());
       ++other)
    if (other != axis && context.getWalk() != other)
      count = llvm::SaturatingMultiply<uint64_t>(count, getSpan(other));
  return count;
}

/// A window holds fewer; but a single tap may be read far beyond the box.
static constexpr uint64_t kMaxPoints = 1 << 20;

LogicalResult HaloPatch::check() const {
  for (size_t axis = 0; axis < reach.lower.size(); ++axis)
    if (context.getWalk() != static_cast<int64_t>(axis) &&
        countPoints(axis) > kMaxPoints)
      return WindowOp(window).emitOpError("expected at most ")
             << kMaxPoints << " points beside the box along axis " << axis
             << ", got " << countPoints(axis)
             << "; fill the halo with stencil.boundary instead";
  for (size_t axis = 0; axis < reach.lower.size(); ++axis)
    for (bool upper : {false, true})
      if (getReach(axis, upper) > 0 &&
          isa<ExtrapolateAttr>(getCondition(axis, upper)))
        return WindowOp(window).emitOpError("has no lowering: ")
               << getCondition(axis, upper)
               << " takes each value from several points; expected "
                  "stencil.boundary for it";
  return success();
}

Value HaloPatch::findEdge() const {
  Arithmetic math = context.kernel.math();
  OpBuilder &builder = context.kernel.body();
  const OffsetBox &needs = ring.getPlanned().needs;
  PipelineOp pipeline = context.op;
  BoundsAttr domain = pipeline.getDomain();
  Value edge;
  auto add = [&](Value here) {
    edge = edge ? builder.createOrFold<arith::OrIOp>(context.kernel.getLoc(),
                                                     edge, here)
                : here;
  };
  auto smaller = [&](Value a, Value b) {
    return math.select(math.less(a, b), a, b);
  };
  for (int64_t axis = 0; axis < domain.getRank(); ++axis) {
    HaloAxis along = getAxis(axis);
    bool isWalk = context.getWalk() == axis;
    Value limit = context.kernel.getBound(domain.getUb()[axis], axis);
    Value first = isWalk ? context.segmentStart : context.tileStart[axis];
    Value end = isWalk ? context.segmentEnd
                       : smaller(math.add(first, context.getTile(axis)), limit);
    if (isChanged(axis, false))
      add(math.less(math.add(first, needs.lower[axis]), along.lb));
    if (isChanged(axis, true))
      add(math.less(along.ub, math.add(end, needs.upper[axis])));
  }
  return edge;
}

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

Value HaloPatch::getPlane(Value number) const {
  if (!number)
    return {};
  Arithmetic math = context.kernel.math();
  return math.add(math.add(context.firstPlane, number),
                  ring.getPlanned().newest);
}

Value HaloPatch::getSourcePlane(Value plane) const {
  int64_t walk = *context.getWalk();
  SmallVector<Value> point(reach.lower.size());
  point[walk] = plane;
  HaloSource source(context.kernel.body(), context.kernel.getLoc(),
                    ring.getElementType(), point);
  source.follow(context.kernel.math(), walk, getAxis(walk));
  return source.point[walk];
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// The point of this number in the slab of an axis.
HaloPatch::Point HaloPatch::makePoint(int64_t axis, Value number) const {
  Arithmetic math = context.kernel.math();
  const OffsetBox &needs = ring.getPlanned().needs;
  Point point;
  point.coordinates.resize(reach.lower.size());
  point.target = math.constant(0);
  Value rest = number;
  for (int64_t other = reach.lower.size() - 1; other >= 0; --other) {
    if (context.getWalk() == other)
      continue;
    HaloAxis along = getAxis(other);
    Value start = math.add(context.tileStart[other], needs.lower[other]);
    int64_t lower = isPatched(axis, false) ? getReach(axis, false) : 0;
    int64_t upper = isPatched(axis, true) ? getReach(axis, true) : 0;
    int64_t count = other == axis ? lower + upper : getSpan(other);
    Value at = math.rem(rest, math.constant(count));
    rest = math.div(rest, math.constant(count));
    Value coordinate = math.add(start, at);
    Value first = along.lb, end = along.ub;
    if (other == axis) {
      // The lower layers, then the upper ones.
      Value below = math.add(math.add(along.lb, -lower), at);
      Value above = math.add(math.add(along.ub, -lower), at);
      coordinate =
          math.select(math.less(at, math.constant(lower)), below, above);
      at = math.sub(coordinate, start);
      first = start;
      end = math.add(start, getSpan(axis));
    } else if (other < axis) {
      first = math.add(first, -reach.lower[other]);
      end = math.add(end, reach.upper[other]);
    }
    point.exists = math.both(point.exists, math.lessEqual(first, coordinate));
    point.exists = math.both(point.exists, math.less(coordinate, end));
    point.coordinates[other] = coordinate;
    int64_t margin = ring.getOrigin()[other] + needs.lower[other];
    point.target = math.add(
        point.target, math.mul(math.add(at, margin), ring.getStrides()[other]));
  }
  return point;
}

/// Those of the slab of an axis that are this thread's.
void HaloPatch::addPoints(int64_t axis) {
  Arithmetic math = context.kernel.math();
  int64_t count = countPoints(axis);
  int64_t threads = context.countThreads();
  for (int64_t first = 0; first < count; first += threads) {
    Value number = math.add(context.threadNumber, first);
    Point point = makePoint(axis, number);
    if (first + threads > count)
      point.exists =
          math.both(point.exists, math.less(number, math.constant(count)));
    points.push_back(std::move(point));
  }
}

void HaloPatch::prepare() {
  points.clear();
  for (int64_t axis = 0; axis < static_cast<int64_t>(reach.lower.size());
       ++axis)
    if (context.getWalk() != axis)
      addPoints(axis);
}

/// Where a point of a plane has its value from.
HaloSource HaloPatch::locate(const Point &point, Value plane) const {
  SmallVector<Value> coordinates = point.coordinates;
  if (plane)
    coordinates[*context.getWalk()] = plane;
  HaloSource source(context.kernel.body(), context.kernel.getLoc(),
                    ring.getElementType(), coordinates);
  for (int64_t axis = coordinates.size() - 1; axis >= 0; --axis)
    source.follow(context.kernel.math(), axis, getAxis(axis));
  return source;
}

void HaloPatch::load(Value number) {
  OpBuilder &builder = context.kernel.body();
  Location loc = context.kernel.getLoc();
  Arithmetic math = context.kernel.math();
  Type type = ring.getElementType();
  Value plane = getPlane(number);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  for (Point &point : points) {
    HaloSource source = locate(point, plane);
    Value isLoaded = point.exists;
    if (plane)
      isLoaded =
          math.both(isLoaded, context.isNeeded(ring.getPlanned().needs, plane));
    Value position =
        math.toIndex(field.layout->getPosition(math, source.point));
    auto branch = scf::IfOp::create(builder, loc, TypeRange(type), isLoaded,
                                    /*withElseRegion=*/true);
    OpBuilder inside = branch.getThenBodyBuilder();
    Value value = memref::LoadOp::create(inside, loc, field.buffer, position);
    scf::YieldOp::create(inside, loc, value);
    OpBuilder outside = branch.getElseBodyBuilder();
    scf::YieldOp::create(outside, loc, zero);
    point.loaded = branch.getResult(0);
  }
}

/// A plane beyond the box on this side of the walk, whose condition changes
/// values: beside the box, points are written on their own.
void HaloPatch::storePlane(Value plane, Value slot, bool upper) {
  OpBuilder &builder = context.kernel.body();
  Location loc = context.kernel.getLoc();
  Arithmetic math = context.kernel.math();
  int64_t walk = *context.getWalk(), rank = reach.lower.size();
  HaloAxis along = getAxis(walk);
  Value isBeyond =
      upper ? math.lessEqual(along.ub, plane) : math.less(plane, along.lb);
  auto branch = scf::IfOp::create(builder, loc, isBeyond);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  int64_t count = 1;
  for (int64_t axis = 0; axis < rank; ++axis)
    count *= axis == walk ? 1 : getSpan(axis);
  auto loop = scf::ForOp::create(builder, loc, context.threadNumber,
                                 math.constant(count),
                                 math.constant(context.countThreads()));
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  const OffsetBox &needs = ring.getPlanned().needs;
  Value rest = loop.getInductionVar(), target, isHere;
  target = math.mul(slot, ring.getPlaneElements());
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    if (axis == walk)
      continue;
    Value at = math.rem(rest, math.constant(getSpan(axis)));
    rest = math.div(rest, math.constant(getSpan(axis)));
    Value coordinate =
        math.add(math.add(context.tileStart[axis], needs.lower[axis]), at);
    HaloAxis beside = getAxis(axis);
    Value first = math.add(beside.lb,
                           isPatched(axis, false) ? 0 : -getReach(axis, false));
    Value end =
        math.add(beside.ub, isPatched(axis, true) ? 0 : getReach(axis, true));
    isHere = math.both(isHere, math.lessEqual(first, coordinate));
    isHere = math.both(isHere, math.less(coordinate, end));
    int64_t margin = ring.getOrigin()[axis] + needs.lower[axis];
    target = math.add(target,
                      math.mul(math.add(at, margin), ring.getStrides()[axis]));
  }
  if (isHere) {
    auto inside = scf::IfOp::create(builder, loc, isHere);
    builder.setInsertionPoint(inside.thenBlock()->getTerminator());
  }
  Value value;
  if (auto dirichlet = dyn_cast<DirichletAttr>(along.conditions[upper]))
    value = arith::ConstantOp::create(
        builder, loc, convertDirichletValue(dirichlet, ring.getElementType()));
  else
    value = negate(builder, loc,
                   memref::LoadOp::create(builder, loc, ring.getElements(),
                                          math.toIndex(target)));
  memref::StoreOp::create(builder, loc, value, ring.getElements(),
                          math.toIndex(target));
}

void HaloPatch::store(const PipelineStep &step) {
  OpBuilder &builder = context.kernel.body();
  Location loc = context.kernel.getLoc();
  Arithmetic math = context.kernel.math();
  Value plane = getPlane(step.number);
  Value slot = ring.getSlot(step, 0);
  if (plane)
    for (bool upper : {false, true})
      if (getReach(*context.getWalk(), upper) > 0 &&
          isa<DirichletAttr, AntisymmetricAttr>(
              getCondition(*context.getWalk(), upper)))
        storePlane(plane, slot, upper);
  for (const Point &point : points) {
    Value value = locate(point, plane).finish(point.loaded);
    Value target = math.toIndex(
        math.add(point.target, math.mul(slot, ring.getPlaneElements())));
    auto branch = scf::IfOp::create(builder, loc, point.exists);
    OpBuilder inside = branch.getThenBodyBuilder();
    memref::StoreOp::create(inside, loc, value, ring.getElements(), target);
  }
  // The copy engine writes to the same place later.
  if (WindowOp(window).getPrefetch() == Prefetch::Tma)
    fenceCopyEngine(builder, loc);
}

void HaloPatch::appendState(SmallVectorImpl<Value> &state) const {
  if (context.isAtEdge)
    for (const Point &point : points)
      state.push_back(point.loaded);
}

void HaloPatch::restoreState(ValueRange &state) {
  if (!context.isAtEdge)
    return;
  for (Point &point : points) {
    point.loaded = state.front();
    state = state.drop_front();
  }
}
