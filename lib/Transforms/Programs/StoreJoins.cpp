//===- StoreJoins.cpp - Values that come from several places --------------===//

#include "StoreJoins.h"
#include "StencilDialect/Analysis/ShapeInference.h"

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
  LogicalResult storeCombine(CombineOp combine);
  void storeParts(CombineOp combine, unsigned pair, Value field,
                  BoundsAttr box);
  LogicalResult storeAndLoad(OpResult result,
                             llvm::function_ref<void(Value, BoundsAttr)> store);

  FunctionOpInterface function;
  OpBuilder builder;
  SmallVectorImpl<Value> &temporaries;
};
} // namespace

/// Replaces the uses of `result` by a load of a temporary, behind what `store`
/// builds to fill it.
LogicalResult
Joins::storeAndLoad(OpResult result,
                    llvm::function_ref<void(Value, BoundsAttr)> store) {
  Operation *join = result.getOwner();
  auto type = cast<GridType>(result.getType());
  if (!type.getBounds())
    return join->emitOpError("expected values of known box, got ")
           << Type(type) << "; run stencil-infer-shapes first";
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Value field =
      AllocOp::create(builder, join->getLoc(),
                      FieldType::get(type.getBounds(), type.getElementType()));
  temporaries.push_back(field);
  builder.setInsertionPoint(join);
  store(field, type.getBounds());
  result.replaceAllUsesWith(
      LoadOp::create(builder, join->getLoc(), result.getType(), field));
  return success();
}

LogicalResult Joins::storeBuffer(BufferOp buffer) {
  auto store = [&](Value field, BoundsAttr box) {
    StoreOp::create(builder, buffer.getLoc(), buffer.getTemp(), field, box);
  };
  if (failed(storeAndLoad(buffer->getResult(0), store)))
    return failure();
  buffer.erase();
  return success();
}

/// Stores either side of a result of `combine` to its part of `box`.
void Joins::storeParts(CombineOp combine, unsigned pair, Value field,
                       BoundsAttr box) {
  int64_t axis = combine.getDim().getSExtValue();
  for (bool isBelow : {true, false}) {
    GridBox part(box);
    part.cut(combine, isBelow);
    if (part.lb[axis] < part.ub[axis])
      StoreOp::create(builder, combine.getLoc(),
                      (isBelow ? combine.getLower() : combine.getUpper())[pair],
                      field,
                      BoundsAttr::get(box.getContext(), part.lb, part.ub));
  }
}

LogicalResult Joins::storeCombine(CombineOp combine) {
  unsigned pairs = combine.getLower().size();
  for (unsigned pair = 0; pair < pairs; ++pair) {
    OpResult result = combine->getResult(pair);
    if (!llvm::all_of(result.getUsers(), llvm::IsaPred<StoreOp>)) {
      auto store = [&](Value field, BoundsAttr box) {
        storeParts(combine, pair, field, box);
      };
      if (failed(storeAndLoad(result, store)))
        return failure();
      continue;
    }
    for (Operation *user : llvm::make_early_inc_range(result.getUsers())) {
      auto whole = cast<StoreOp>(user);
      builder.setInsertionPoint(whole);
      storeParts(combine, pair, whole.getField(), whole.getBounds());
      whole.erase();
    }
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
    if (failed(storeCombine(combine)))
      return failure();
  return success();
}

LogicalResult stencil::storeJoins(FunctionOpInterface function,
                                  SmallVectorImpl<Value> &temporaries) {
  return Joins(function, temporaries).run();
}
