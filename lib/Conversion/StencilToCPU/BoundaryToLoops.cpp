//===- BoundaryToLoops.cpp - Boundary conditions to loops -----------------===//
//
// Axis by axis, lower side and upper side: a loop over the halo slab that reads
// the interior (or a slab filled before) along that axis.
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "Patterns.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

namespace {

/// One side of one axis: the slab and how its values come about.
class SideEmitter {
public:
  SideEmitter(BoundaryOp op, Value buffer, const Extents &extents, int64_t axis,
              bool upper)
      : op(op), loc(op.getLoc()), buffer(buffer), extents(extents), axis(axis),
        upper(upper), type(cast<GridType>(op.getField().getType())),
        field(type.getBounds()), interior(op.getBounds()) {}

  LogicalResult emit(OpBuilder &builder);

private:
  int64_t haloWidth() const {
    return upper ? field.getUb()[axis] - interior.getUb()[axis]
                 : interior.getLb()[axis] - field.getLb()[axis];
  }

  Value bound(OpBuilder &builder, int64_t value, int64_t boundAxis) {
    return extents.getBound(builder, loc, value, boundAxis);
  }

  Value constant(OpBuilder &builder, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  /// The value at `point`, moved along the axis to `coordinate`.
  Value load(OpBuilder &builder, ValueRange point, Value coordinate);
  void store(OpBuilder &builder, ValueRange point, Value value);

  LogicalResult emitExtrapolation(OpBuilder &builder, LoopBox slab,
                                  int64_t order);
  LogicalResult emitSlab(OpBuilder &builder, const LoopBox &slab,
                         PointBody body);

  BoundaryOp op;
  Location loc;
  Value buffer;
  const Extents &extents;
  int64_t axis;
  bool upper;
  GridType type;
  BoundsAttr field, interior;
};

struct BoundaryLowering : OpConversionPattern<BoundaryOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BoundaryOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Extents extents;
    extents.learn(rewriter, op.getLoc(),
                  cast<GridType>(op.getField().getType()), adaptor.getField());
    for (int64_t axis = 0; axis < op.getBounds().getRank(); ++axis)
      for (bool upper : {false, true}) {
        SideEmitter side(op, adaptor.getField(), extents, axis, upper);
        if (failed(side.emit(rewriter)))
          return failure();
      }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

Value SideEmitter::load(OpBuilder &builder, ValueRange point,
                        Value coordinate) {
  SmallVector<Value> source(point);
  source[axis] = coordinate;
  return memref::LoadOp::create(builder, loc, buffer,
                                extents.getIndices(builder, loc, type, source));
}

void SideEmitter::store(OpBuilder &builder, ValueRange point, Value value) {
  memref::StoreOp::create(builder, loc, value, buffer,
                          extents.getIndices(builder, loc, type, point));
}

/// Loops over a slab, on parallel threads if it is a plane of a volume.
LogicalResult SideEmitter::emitSlab(OpBuilder &builder, const LoopBox &slab,
                                    PointBody body) {
  int64_t rank = field.getRank();
  SmallVector<int64_t> tile(rank, 0), steps(rank, 1);
  bool parallel = rank >= 3;
  if (parallel)
    tile[axis == 0 ? 1 : 0] = 16;
  return emitTiles(builder, loc, slab, getTileSizes(builder, loc, tile),
                   parallel, [&](OpBuilder &inner, const LoopBox &part) {
                     return emitPoints(inner, loc, part, steps, body);
                   });
}

/// Layer by layer: each has weights of its own.
LogicalResult SideEmitter::emitExtrapolation(OpBuilder &builder, LoopBox slab,
                                             int64_t order) {
  for (int64_t layer = 1; layer <= haloWidth(); ++layer) {
    Value edge = upper ? bound(builder, interior.getUb()[axis] - 1, axis)
                       : bound(builder, interior.getLb()[axis], axis);
    Value at = arith::AddIOp::create(builder, loc, edge,
                                     constant(builder, upper ? layer : -layer));
    slab.lb[axis] = at;
    slab.ub[axis] =
        arith::AddIOp::create(builder, loc, at, constant(builder, 1));
    LogicalResult result =
        emitSlab(builder, slab, [&](OpBuilder &inner, ValueRange point) {
          SmallVector<Value> values;
          for (int64_t node = 0; node <= order; ++node)
            values.push_back(load(
                inner, point,
                arith::AddIOp::create(inner, loc, edge,
                                      constant(inner, upper ? -node : node))));
          store(inner, point, extrapolate(inner, loc, values, order, layer));
          return success();
        });
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult SideEmitter::emit(OpBuilder &builder) {
  Attribute condition = op.getCondition(axis, upper);
  if (isa<KeepAttr>(condition) || haloWidth() == 0)
    return success();
  LoopBox slab;
  for (int64_t other = 0; other < field.getRank(); ++other) {
    BoundsAttr part = other < axis ? field : interior;
    slab.lb.push_back(bound(builder, part.getLb()[other], other));
    slab.ub.push_back(bound(builder, part.getUb()[other], other));
  }
  if (upper) {
    slab.lb[axis] = bound(builder, interior.getUb()[axis], axis);
    slab.ub[axis] = bound(builder, field.getUb()[axis], axis);
  } else {
    slab.lb[axis] = bound(builder, field.getLb()[axis], axis);
    slab.ub[axis] = bound(builder, interior.getLb()[axis], axis);
  }
  if (auto polynomial = dyn_cast<ExtrapolateAttr>(condition))
    return emitExtrapolation(builder, slab, polynomial.getOrder());
  return emitSlab(builder, slab, [&](OpBuilder &inner, ValueRange point) {
    Value value;
    if (auto dirichlet = dyn_cast<DirichletAttr>(condition)) {
      value = arith::ConstantOp::create(
          inner, loc, convertDirichletValue(dirichlet, type.getElementType()));
    } else {
      Arithmetic math(inner, loc, inner.getIndexType());
      value = load(inner, point,
                   getBoundarySource(math, condition, upper,
                                     bound(inner, interior.getLb()[axis], axis),
                                     bound(inner, interior.getUb()[axis], axis),
                                     haloWidth(), point[axis]));
    }
    if (isa<AntisymmetricAttr>(condition))
      value = negate(inner, loc, value);
    store(inner, point, value);
    return success();
  });
}

void stencil::populateBoundaryToLoops(const TypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<BoundaryLowering>(converter, patterns.getContext());
}
