//===- BoundaryToKernel.cpp - Boundary conditions to kernels --------------===//
//
// The halo of axis d is the slab over the full extents of the axes before d and
// the interior of those behind. The slabs of all axes and sides do not overlap,
// and one kernel fills all of them, a thread per point: a value that comes from
// the halo of an earlier axis is followed to where that has it from. Where a
// condition combines several values (extrapolation), the axes are filled one
// after the other, by a kernel each.
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

namespace {

/// A part of the halo in which one condition holds.
struct Slab {
  int64_t axis;
  bool upper;
  /// Of an extrapolation, counted from the interior; else 0.
  int64_t layer = 0;
  SmallVector<int64_t> lb, ub;
};

/// The kernel that fills the halos of the axes [first, last].
class BoundaryKernel {
public:
  BoundaryKernel(BoundaryOp op, HostFunction &host, int64_t first, int64_t last)
      : op(op), host(host), first(first), last(last),
        type(cast<GridType>(op.getField().getType())), field(type.getBounds()),
        interior(op.getBounds()), slabs(findSlabs()) {}

  void emit();

private:
  SmallVector<Slab> findSlabs();
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

  BoundaryOp op;
  HostFunction &host;
  int64_t first, last;
  GridType type;
  BoundsAttr field, interior;
  SmallVector<Slab> slabs;
  std::optional<KernelBuilder> kernel;
  std::optional<DeviceLayout> layout;
  Value buffer;
};

} // namespace

SmallVector<Slab> BoundaryKernel::findSlabs() {
  SmallVector<Slab> slabs;
  for (int64_t axis = first; axis <= last; ++axis)
    for (bool upper : {false, true}) {
      Attribute condition = op.getCondition(axis, upper);
      int64_t halo = haloOf(axis, upper);
      if (isa<KeepAttr>(condition) || halo == 0)
        continue;
      Slab slab;
      slab.axis = axis;
      slab.upper = upper;
      for (int64_t other = 0; other < field.getRank(); ++other) {
        BoundsAttr part = other < axis ? field : interior;
        slab.lb.push_back(part.getLb()[other]);
        slab.ub.push_back(part.getUb()[other]);
      }
      slab.lb[axis] = upper ? interior.getUb()[axis] : field.getLb()[axis];
      slab.ub[axis] = upper ? field.getUb()[axis] : interior.getLb()[axis];
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
  point[axis] = getBoundarySource(math, condition, slab.upper, lb, ub,
                                  haloOf(axis, slab.upper), point[axis]);
  HaloSource source(builder, loc, type.getElementType(), point);
  if (isa<AntisymmetricAttr>(condition))
    source.isNegated = arith::ConstantIntOp::create(builder, loc, 1, 1);
  for (int64_t earlier = axis - 1; earlier >= first; --earlier)
    source.follow(math, earlier, getAxis(earlier));
  return source.finish(load(source.point));
}

void BoundaryKernel::emit() {
  if (slabs.empty())
    return;
  Location loc = op.getLoc();
  kernel.emplace(host, op, "boundary", chooseType(),
                 std::array<int64_t, 3>{kThreads, 1, 1});
  layout.emplace(kernel->math(), type, [&](int64_t value, int64_t axis) {
    return bound(value, axis);
  });
  buffer = kernel->addBuffer(host.getBuffer(op.getField()),
                             {/*isolated=*/true, /*readOnly=*/false});
  OpBuilder &outside = kernel->outside();
  Arithmetic hostMath(outside, loc, outside.getIndexType());
  Arithmetic math = kernel->math();
  OpBuilder &builder = kernel->body();
  Value id = math.add(math.mul(kernel->getBlock(), kThreads),
                      kernel->getThread(gpu::Dimension::x));
  // Slab after slab: a thread's number within the slab, if it is in it.
  Value total = hostMath.constant(0), begin = math.constant(0);
  for (const Slab &slab : slabs) {
    Value points = hostMath.constant(1), size = math.constant(1);
    SmallVector<Value> extents;
    for (int64_t axis = 0; axis < field.getRank(); ++axis) {
      points = hostMath.mul(
          points,
          hostMath.sub(host.getBound(outside, loc, slab.ub[axis], axis),
                       host.getBound(outside, loc, slab.lb[axis], axis)));
      extents.push_back(
          math.sub(bound(slab.ub[axis], axis), bound(slab.lb[axis], axis)));
      size = math.mul(size, extents.back());
    }
    total = hostMath.add(total, points);
    Value end = math.add(begin, size);
    Value isHere = math.both(math.lessEqual(begin, id), math.less(id, end));
    auto branch = scf::IfOp::create(builder, loc, isHere);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    Value rest = math.sub(id, begin);
    SmallVector<Value> point(field.getRank());
    for (int64_t axis = field.getRank() - 1; axis >= 0; --axis) {
      Value position = axis == 0 ? rest : math.rem(rest, extents[axis]);
      rest = math.div(rest, extents[axis]);
      point[axis] = math.add(bound(slab.lb[axis], axis), position);
    }
    Value value = emitValue(slab, point);
    memref::StoreOp::create(builder, loc, value, buffer,
                            math.toIndex(layout->getPosition(math, point)));
    begin = end;
  }
  kernel->launch(hostMath.ceilDiv(total, kThreads));
}

LogicalResult stencil::lowerBoundary(BoundaryOp op, HostFunction &host) {
  bool isSequential =
      llvm::any_of(op.getConditions(), llvm::IsaPred<ExtrapolateAttr>);
  int64_t rank = op.getBounds().getRank();
  if (!isSequential)
    BoundaryKernel(op, host, 0, rank - 1).emit();
  else
    for (int64_t axis = 0; axis < rank; ++axis)
      BoundaryKernel(op, host, axis, axis).emit();
  host.addWritten(op.getField());
  return success();
}
