//===- BoundaryToKernel.cpp - Boundary conditions to kernels --------------===//
//
// The halo of axis d is the slab over the full extents of the axes before d and
// the interior of those behind. The slabs of all axes and sides do not overlap,
// and one kernel fills all of them, a thread per point: a value that comes from
// the halo of an earlier axis is followed to where that has it from. Where a
// condition combines several values (extrapolation), the axes are filled one
// after the other, by a kernel each.
//
// The halos beside rows take most of the time: each is an access to memory of
// its own. Neighbouring threads fill those on both sides of a row, so that what
// one reads comes with what the other one writes.
//
// Fields whose halos are filled in the same way, one after the other, share a
// kernel: a launch takes longer than a small halo.
//
//===----------------------------------------------------------------------===//

#include "HaloSource.h"
#include "KernelBuilder.h"
#include "Patterns.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

static constexpr int64_t kThreads = 128;

/// The kernel chooses among the fields by as many selects.
static constexpr size_t kMaxFields = 16;

namespace {

/// A part of the halo in which one condition holds, or, with `bothSides` of the
/// last axis, one on each side.
struct Slab {
  int64_t axis;
  bool upper, bothSides = false;
  /// Of an extrapolation, counted from the interior; else 0.
  int64_t layer = 0;
  /// With `bothSides`, along the axis, as if there were no interior: what is
  /// beyond the lower side is followed by what is beyond the upper one.
  SmallVector<int64_t> lb, ub;
};

/// The kernel that fills the halos of the axes [first, last].
class BoundaryKernel {
public:
  BoundaryKernel(ArrayRef<BoundaryOp> ops, KernelSet &kernels, int64_t first,
                 int64_t last)
      : ops(ops), op(ops.front()), kernels(kernels), first(first), last(last),
        type(cast<GridType>(op.getField().getType())), field(type.getBounds()),
        interior(op.getBounds()), slabs(findSlabs()) {}

  void emit();

private:
  SmallVector<Slab> findSlabs();
  bool joinsSides(int64_t axis);
  int64_t haloOf(int64_t axis, bool upper) const {
    return upper ? field.getUb()[axis] - interior.getUb()[axis]
                 : interior.getLb()[axis] - field.getLb()[axis];
  }
  Type chooseType();
  Value bound(int64_t value, int64_t axis) {
    return kernel->getBound(value, axis);
  }
  Value load(ValueRange point);
  Value emitValue(const Slab &slab, SmallVector<Value> point);
  HaloAxis getAxis(int64_t axis);

  SmallVector<Value> findPoint(const Slab &slab, ArrayRef<Value> extents,
                               Value number);
  Value chooseBuffer(Value &block);

  /// Which differ in their fields.
  ArrayRef<BoundaryOp> ops;
  BoundaryOp op;
  KernelSet &kernels;
  int64_t first, last;
  GridType type;
  BoundsAttr field, interior;
  SmallVector<Slab> slabs;
  std::optional<KernelBuilder> kernel;
  std::optional<DeviceLayout> layout;
  Value buffer;
};

} // namespace

/// Whether the halos on both sides of an axis are filled as one: those beside
/// rows, if both are loaded from somewhere.
bool BoundaryKernel::joinsSides(int64_t axis) {
  return axis + 1 == field.getRank() &&
         llvm::all_of(std::array{false, true}, [&](bool upper) {
           return haloOf(axis, upper) > 0 &&
                  !isa<KeepAttr, DirichletAttr, ExtrapolateAttr>(
                      op.getCondition(axis, upper));
         });
}

SmallVector<Slab> BoundaryKernel::findSlabs() {
  SmallVector<Slab> slabs;
  for (int64_t axis = first; axis <= last; ++axis)
    for (bool upper : {false, true}) {
      Attribute condition = op.getCondition(axis, upper);
      int64_t halo = haloOf(axis, upper);
      bool bothSides = joinsSides(axis);
      if (isa<KeepAttr>(condition) || halo == 0 || (upper && bothSides))
        continue;
      Slab slab;
      slab.axis = axis;
      slab.upper = upper;
      slab.bothSides = bothSides;
      for (int64_t other = 0; other < field.getRank(); ++other) {
        BoundsAttr part = other < axis ? field : interior;
        slab.lb.push_back(part.getLb()[other]);
        slab.ub.push_back(part.getUb()[other]);
      }
      slab.lb[axis] = upper ? interior.getUb()[axis] : field.getLb()[axis];
      slab.ub[axis] = upper ? field.getUb()[axis] : interior.getLb()[axis];
      if (bothSides)
        slab.ub[axis] += haloOf(axis, /*upper=*/true);
      if (!isa<ExtrapolateAttr>(condition)) {
        slabs.push_back(slab);
        continue;
      }
      for (int64_t layer = 1; layer <= halo; ++layer) {
        slab.layer = layer;
        slab.lb[axis] = upper ? interior.getUb()[axis] + layer - 1
                              : interior.getLb()[axis] - layer;
        slab.ub[axis] = slab.lb[axis] + 1;
        slabs.push_back(slab);
      }
    }
  return slabs;
}

Type BoundaryKernel::chooseType() {
  auto size = DeviceLayout::getStaticSize(type);
  // Halo points are less than points.
  return chooseIndexType(op.getContext(), type,
                         size.value_or(kSymbolBase) + kThreads);
}

Value BoundaryKernel::load(ValueRange point) {
  Arithmetic math = kernel->math();
  return memref::LoadOp::create(kernel->body(), op.getLoc(), buffer,
                                math.toIndex(layout->getPosition(math, point)));
}

HaloAxis BoundaryKernel::getAxis(int64_t axis) {
  return {bound(interior.getLb()[axis], axis),
          bound(interior.getUb()[axis], axis),
          {op.getCondition(axis, false), op.getCondition(axis, true)},
          {haloOf(axis, false), haloOf(axis, true)}};
}

/// The value of a halo point.
Value BoundaryKernel::emitValue(const Slab &slab, SmallVector<Value> point) {
  OpBuilder &builder = kernel->body();
  Location loc = op.getLoc();
  Arithmetic math = kernel->math();
  int64_t axis = slab.axis;
  Attribute condition = op.getCondition(axis, slab.upper);
  Value lb = bound(interior.getLb()[axis], axis);
  Value ub = bound(interior.getUb()[axis], axis);
  if (auto polynomial = dyn_cast<ExtrapolateAttr>(condition)) {
    SmallVector<Value> values;
    for (int64_t node = 0; node <= polynomial.getOrder(); ++node) {
      point[axis] = slab.upper ? math.add(ub, -1 - node) : math.add(lb, node);
      values.push_back(load(point));
    }
    return extrapolate(builder, loc, values, polynomial.getOrder(), slab.layer);
  }
  if (auto dirichlet = dyn_cast<DirichletAttr>(condition))
    return arith::ConstantOp::create(
        builder, loc, convertDirichletValue(dirichlet, type.getElementType()));
  if (!slab.bothSides)
    point[axis] = getBoundarySource(math, condition, slab.upper, lb, ub,
                                    haloOf(axis, slab.upper), point[axis]);
  HaloSource source(builder, loc, type.getElementType(), point);
  if (slab.bothSides)
    source.follow(math, axis, getAxis(axis));
  else if (isa<AntisymmetricAttr>(condition))
    source.isNegated = arith::ConstantIntOp::create(builder, loc, 1, 1);
  for (int64_t earlier = axis - 1; earlier >= first; --earlier)
    source.follow(math, earlier, getAxis(earlier));
  return source.finish(load(source.point));
}

/// The halo point of a slab that has a number.
SmallVector<Value> BoundaryKernel::findPoint(const Slab &slab,
                                             ArrayRef<Value> extents,
                                             Value number) {
  Arithmetic math = kernel->math();
  SmallVector<Value> point(field.getRank());
  for (int64_t axis = field.getRank() - 1; axis >= 0; --axis) {
    Value extent = extents[axis];
    Value position = axis == 0 ? number : math.rem(number, extent);
    number = math.div(number, extent);
    point[axis] = math.add(bound(slab.lb[axis], axis), position);
  }
  if (!slab.bothSides)
    return point;
  int64_t axis = slab.axis;
  Value lb = bound(interior.getLb()[axis], axis);
  Value ub = bound(interior.getUb()[axis], axis);
  Value beyond = math.add(point[axis], math.sub(ub, lb));
  point[axis] = math.select(math.less(point[axis], lb), point[axis], beyond);
  return point;
}

/// The field that a block works on, and the block's number among those that do.
/// They take turns: all fields are at the same place at the same time.
Value BoundaryKernel::chooseBuffer(Value &block) {
  SmallVector<Value> buffers;
  for (BoundaryOp each : ops)
    buffers.push_back(
        kernel->addField(each.getField(), KernelAccess::ReadWrite,
                         {/*isolated=*/true, /*readOnly=*/false}));
  Value chosen = buffers.front();
  if (buffers.size() == 1)
    return chosen;
  Arithmetic math = kernel->math();
  Value count = math.constant(static_cast<int64_t>(buffers.size()));
  Value field = math.rem(block, count);
  block = math.div(block, count);
  for (auto [number, other] : llvm::drop_begin(llvm::enumerate(buffers))) {
    Value isOther = math.lessEqual(math.constant(number), field);
    chosen = math.select(isOther, other, chosen);
  }
  return chosen;
}

void BoundaryKernel::emit() {
  if (slabs.empty())
    return;
  Location loc = op.getLoc();
  kernel.emplace(kernels, op, "boundary", chooseType(),
                 std::array<int64_t, 3>{kThreads, 1, 1});
  Arithmetic math = kernel->math();
  OpBuilder &outside = kernel->outside();
  OpBuilder &builder = kernel->body();
  Arithmetic hostMath(outside, loc, outside.getIndexType());
  // Slab after slab, from `begins`, of `extents`.
  Value total = hostMath.constant(0);
  SmallVector<Value> begins = {math.constant(0)};
  SmallVector<SmallVector<Value>> extents(slabs.size());
  for (auto [slab, sizes] : llvm::zip_equal(slabs, extents)) {
    Value points = hostMath.constant(1), size = math.constant(1);
    for (int64_t axis = 0; axis < field.getRank(); ++axis) {
      points = hostMath.mul(
          points,
          hostMath.sub(kernels.getBound(outside, loc, slab.ub[axis], axis),
                       kernels.getBound(outside, loc, slab.lb[axis], axis)));
      sizes.push_back(
          math.sub(bound(slab.ub[axis], axis), bound(slab.lb[axis], axis)));
      size = math.mul(size, sizes.back());
    }
    total = hostMath.add(total, points);
    begins.push_back(math.add(begins.back(), size));
  }
  Value block = kernel->getBlock();
  buffer = chooseBuffer(block);
  layout.emplace(
      math, type, kernels.getRows(),
      [&](int64_t value, int64_t axis) { return bound(value, axis); });
  // A thread's number within the slab, if it is in it.
  Value id =
      math.add(math.mul(block, kThreads), kernel->getThread(gpu::Dimension::x));
  for (auto [index, slab] : llvm::enumerate(slabs)) {
    Value isHere = math.both(math.lessEqual(begins[index], id),
                             math.less(id, begins[index + 1]));
    auto branch = scf::IfOp::create(builder, loc, isHere);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    SmallVector<Value> point =
        findPoint(slab, extents[index], math.sub(id, begins[index]));
    Value value = emitValue(slab, point);
    memref::StoreOp::create(builder, loc, value, buffer,
                            math.toIndex(layout->getPosition(math, point)));
  }
  kernel->launch(hostMath.mul(hostMath.ceilDiv(total, kThreads), ops.size()));
}

/// `op` and those behind it that do the same to other fields, with nothing but
/// scalars in between.
static SmallVector<BoundaryOp> findGroup(BoundaryOp op,
                                         FieldAliasAnalysis &aliases) {
  SmallVector<BoundaryOp> group = {op};
  for (Operation *next = op->getNextNode(); next && group.size() < kMaxFields;
       next = next->getNextNode()) {
    auto boundary = dyn_cast<BoundaryOp>(next);
    if (!boundary && isMemoryEffectFree(next) && next->getNumRegions() == 0)
      continue;
    if (!boundary || boundary.getField().getType() != op.getField().getType() ||
        boundary.getBounds() != op.getBounds() ||
        boundary.getConditions() != op.getConditions())
      break;
    Operation *source = boundary.getField().getDefiningOp();
    bool isKnown = !source || source->getBlock() != op->getBlock() ||
                   source->isBeforeInBlock(op);
    if (!isKnown || llvm::any_of(group, [&](BoundaryOp other) {
          return aliases.mayAlias(other.getField(), boundary.getField());
        }))
      break;
    group.push_back(boundary);
  }
  return group;
}

LogicalResult
stencil::lowerBoundary(BoundaryOp op, KernelSet &kernels,
                       llvm::SmallPtrSetImpl<Operation *> &joined) {
  if (joined.erase(op))
    return success();
  SmallVector<BoundaryOp> group = findGroup(op, kernels.getAliases());
  bool isSequential =
      llvm::any_of(op.getConditions(), llvm::IsaPred<ExtrapolateAttr>);
  int64_t rank = op.getBounds().getRank();
  if (!isSequential)
    BoundaryKernel(group, kernels, 0, rank - 1).emit();
  else
    for (int64_t axis = 0; axis < rank; ++axis)
      BoundaryKernel(group, kernels, axis, axis).emit();
  joined.insert(group.begin() + 1, group.end());
  return success();
}
