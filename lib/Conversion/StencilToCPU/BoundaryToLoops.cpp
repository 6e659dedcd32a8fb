//===- BoundaryToLoops.cpp - Boundary conditions to loops -----------------===//
//
// Axis by axis, lower side and upper side: a loop over the halo slab that reads
// the interior (or a slab filled before) along that axis.
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "Patterns.h"
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

  /// The coordinate that the halo point at `coordinate` takes its value from.
  Value sourceOf(OpBuilder &builder, Value coordinate);
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

/// The value of a Dirichlet condition in the element type of the field.
static TypedAttr convertValue(DirichletAttr condition, Type elementType) {
  TypedAttr value = condition.getValue();
  if (auto type = dyn_cast<FloatType>(elementType)) {
    bool losesInfo = false;
    APFloat number(0.0);
    if (auto attr = dyn_cast<FloatAttr>(value))
      number = attr.getValue();
    else
      number.convertFromAPInt(cast<IntegerAttr>(value).getValue(),
                              /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return FloatAttr::get(type, number);
  }
  unsigned width = cast<IntegerType>(elementType).getWidth();
  return IntegerAttr::get(
      elementType, cast<IntegerAttr>(value).getValue().sextOrTrunc(width));
}

Value SideEmitter::sourceOf(OpBuilder &builder, Value coordinate) {
  Value lb = bound(builder, interior.getLb()[axis], axis);
  Value ub = bound(builder, interior.getUb()[axis], axis);
  Value last = arith::SubIOp::create(builder, loc, ub, constant(builder, 1));
  Attribute condition = op.getCondition(axis, upper);
  if (isa<NeumannAttr>(condition))
    return upper ? last : lb;
  if (isa<SymmetricAttr, AntisymmetricAttr>(condition)) {
    Value mirror = upper ? last : lb;
    Value twice = arith::AddIOp::create(builder, loc, mirror, mirror);
    return arith::SubIOp::create(builder, loc, twice, coordinate);
  }
  // Periodic: lb + (c - lb) mod n. The dividend is made positive by a multiple
  // of n that is at least as large as the halo.
  Value n = arith::SubIOp::create(builder, loc, ub, lb);
  Value lift =
      arith::MulIOp::create(builder, loc, n, constant(builder, haloWidth()));
  Value distance = arith::SubIOp::create(builder, loc, coordinate, lb);
  Value positive = arith::AddIOp::create(builder, loc, distance, lift);
  Value wrapped = arith::RemUIOp::create(builder, loc, positive, n);
  return arith::AddIOp::create(builder, loc, lb, wrapped);
}

/// Loops over a slab, on parallel threads if it is a plane of a volume.
LogicalResult SideEmitter::emitSlab(OpBuilder &builder, const LoopBox &slab,
                                    PointBody body) {
  int64_t rank = field.getRank();
  SmallVector<int64_t> tile(rank, 0), steps(rank, 1);
  bool parallel = rank >= 3;
  if (parallel)
    tile[axis == 0 ? 1 : 0] = 16;
  return emitTiles(builder, loc, slab, tile, parallel,
                   [&](OpBuilder &inner, const LoopBox &part) {
                     return emitPoints(inner, loc, part, steps, body);
                   });
}

/// Halo layer m = 1, 2, ... is the polynomial through the interior points
/// 0..order, counted from the boundary inwards, at -m. Its Lagrange weights are
/// the integers prod_{l != j} (-m - l) / (j - l).
LogicalResult SideEmitter::emitExtrapolation(OpBuilder &builder, LoopBox slab,
                                             int64_t order) {
  Type elementType = type.getElementType();
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
          Value sum;
          for (int64_t node = 0; node <= order; ++node) {
            double weight = 1;
            for (int64_t other = 0; other <= order; ++other)
              if (other != node)
                weight *= static_cast<double>(-layer - other) /
                          static_cast<double>(node - other);
            weight = std::nearbyint(weight);
            Value source = arith::AddIOp::create(
                inner, loc, edge, constant(inner, upper ? -node : node));
            Value value = load(inner, point, source);
            Value term;
            if (isa<FloatType>(elementType)) {
              Value factor = arith::ConstantOp::create(
                  inner, loc, inner.getFloatAttr(elementType, weight));
              term = arith::MulFOp::create(inner, loc, value, factor);
              sum =
                  sum ? arith::AddFOp::create(inner, loc, sum, term).getResult()
                      : term;
            } else {
              Value factor = arith::ConstantOp::create(
                  inner, loc,
                  inner.getIntegerAttr(elementType,
                                       static_cast<int64_t>(weight)));
              term = arith::MulIOp::create(inner, loc, value, factor);
              sum =
                  sum ? arith::AddIOp::create(inner, loc, sum, term).getResult()
                      : term;
            }
          }
          store(inner, point, sum);
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
  if (auto extrapolate = dyn_cast<ExtrapolateAttr>(condition))
    return emitExtrapolation(builder, slab, extrapolate.getOrder());
  return emitSlab(builder, slab, [&](OpBuilder &inner, ValueRange point) {
    Type elementType = type.getElementType();
    Value value;
    if (auto dirichlet = dyn_cast<DirichletAttr>(condition)) {
      value = arith::ConstantOp::create(inner, loc,
                                        convertValue(dirichlet, elementType));
    } else {
      value = load(inner, point, sourceOf(inner, point[axis]));
    }
    if (isa<AntisymmetricAttr>(condition)) {
      if (isa<FloatType>(elementType)) {
        value = arith::NegFOp::create(inner, loc, value);
      } else {
        Value zero = arith::ConstantOp::create(inner, loc,
                                               inner.getZeroAttr(elementType));
        value = arith::SubIOp::create(inner, loc, zero, value);
      }
    }
    store(inner, point, value);
    return success();
  });
}

void stencil::populateBoundaryToLoops(const TypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<BoundaryLowering>(converter, patterns.getContext());
}
