//===- StoreJoins.cpp - Values that come from several places --------------===//

#include "StoreJoins.h"
#include "StencilDialect/IR/StencilOps.h"

using namespace mlir;
using namespace stencil;

namespace {
class Joins {
public:
  Joins(FunctionOpInterface function, SmallVectorImpl<Value> &temporaries)
      : function(function), builder(function.getContext()),
        temporaries(temporaries) {}
  LogicalResult run();

private:
  LogicalResult storeBuffer(BufferOp buffer);
  LogicalResult storeParts(CombineOp combine);
  LogicalResult store(Operation *join, Value value, Value field,
                      BoundsAttr box);
  FailureOr<Value> allocate(Operation *join, Value value);

  FunctionOpInterface function;
  OpBuilder builder;
  SmallVectorImpl<Value> &temporaries;
};
} // namespace

/// Stores `value` to `box` at the insertion point.
LogicalResult Joins::store(Operation *join, Value value, Value field,
                           BoundsAttr box) {
  BoundsAttr known = cast<GridType>(value.getType()).getBounds();
  if (known && !known.contains(box)) {
    InFlightDiagnostic diag = join->emitOpError("expected a value on ")
                              << box << ", got one on " << known;
    diag.attachNote(value.getLoc()) << "it is defined here";
    return diag;
  }
  StoreOp::create(builder, join->getLoc(), value, field, box);
  return success();
}

/// A field for `value`, a result of `join`.
FailureOr<Value> Joins::allocate(Operation *join, Value value) {
  auto type = cast<GridType>(value.getType());
  if (!type.getBounds())
    return join->emitOpError("expected values of known box, got ")
           << Type(type) << "; run stencil-infer-shapes first";
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Value field =
      AllocOp::create(builder, join->getLoc(),
                      FieldType::get(type.getBounds(), type.getElementType()))
          .getField();
  temporaries.push_back(field);
  return field;
}

LogicalResult Joins::storeBuffer(BufferOp buffer) {
  Value result = buffer.getRes();
  FailureOr<Value> field = allocate(buffer, result);
  if (failed(field))
    return failure();
  builder.setInsertionPoint(buffer);
  if (failed(store(buffer, buffer.getTemp(), *field,
                   cast<GridType>(result.getType()).getBounds())))
    return failure();
  result.replaceAllUsesWith(
      LoadOp::create(builder, buffer.getLoc(), result.getType(), *field));
  buffer.erase();
  return success();
}

/// The part of `box` below (or from) `index` on `axis`; null if it is empty.
static BoundsAttr getPart(BoundsAttr box, int64_t axis, int64_t index,
                          bool isUpper) {
  SmallVector<int64_t> lb(box.getLb()), ub(box.getUb());
  if (isUpper)
    lb[axis] = std::max(lb[axis], index);
  else
    ub[axis] = std::min(ub[axis], index);
  if (ub[axis] <= lb[axis])
    return {};
  return BoundsAttr::get(box.getContext(), lb, ub);
}

LogicalResult Joins::storeParts(CombineOp combine) {
  int64_t axis = combine.getDim().getSExtValue();
  int64_t index = combine.getIndex().getSExtValue();
  unsigned pairs = combine.getLower().size();
  auto storeBoth = [&](unsigned pair, Value field, BoundsAttr box) {
    for (bool isUpper : {false, true}) {
      BoundsAttr part = getPart(box, axis, index, isUpper);
      Value value =
          isUpper ? combine.getUpper()[pair] : combine.getLower()[pair];
      if (part && failed(store(combine, value, field, part)))
        return failure();
    }
    return success();
  };
  for (unsigned pair = 0; pair < pairs; ++pair) {
    Value result = combine.getResult(pair);
    if (result.use_empty())
      continue;
    if (llvm::all_of(result.getUsers(), llvm::IsaPred<StoreOp>)) {
      for (Operation *user : llvm::make_early_inc_range(result.getUsers())) {
        auto whole = cast<StoreOp>(user);
        builder.setInsertionPoint(whole);
        if (failed(storeBoth(pair, whole.getField(), whole.getBounds())))
          return failure();
        whole.erase();
      }
      continue;
    }
    FailureOr<Value> field = allocate(combine, result);
    if (failed(field))
      return failure();
    builder.setInsertionPoint(combine);
    if (failed(storeBoth(pair, *field,
                         cast<GridType>(result.getType()).getBounds())))
      return failure();
    result.replaceAllUsesWith(
        LoadOp::create(builder, combine.getLoc(), result.getType(), *field));
  }
  for (auto [i, value] : llvm::enumerate(
           llvm::concat<Value>(combine.getLowerext(), combine.getUpperext())))
    combine.getResult(pairs + i).replaceAllUsesWith(value);
  combine.erase();
  return success();
}

LogicalResult Joins::run() {
  SmallVector<BufferOp> buffers;
  SmallVector<CombineOp> combines;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto buffer = dyn_cast<BufferOp>(op))
      buffers.push_back(buffer);
    else if (auto combine = dyn_cast<CombineOp>(op))
      combines.push_back(combine);
    return isa<ApplyOp, ReduceOp>(op) ? WalkResult::skip()
                                      : WalkResult::advance();
  });
  // In this order, and users first, most combines are stored only.
  for (BufferOp buffer : buffers)
    if (failed(storeBuffer(buffer)))
      return failure();
  for (CombineOp combine : llvm::reverse(combines))
    if (failed(storeParts(combine)))
      return failure();
  return success();
}

LogicalResult stencil::storeJoins(FunctionOpInterface function,
                                  SmallVectorImpl<Value> &temporaries) {
  return Joins(function, temporaries).run();
}
