//===- StepBodies.cpp - Copies of what a step consists of -----------------===//

#include "StepBodies.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stencil;

ApplyOp stencil::copyApply(OpBuilder &builder, Location loc, ApplyOp original,
                           TypeRange types, ValueRange args) {
  ApplyOp apply = ApplyOp::create(builder, loc, types, args);
  IRMapping mapping;
  mapping.map(original.getBodyBlock()->getArguments(),
              apply.getBodyBlock()->getArguments());
  OpBuilder body = OpBuilder::atBlockEnd(apply.getBodyBlock());
  for (Operation &op : *original.getBodyBlock())
    body.clone(op, mapping);
  return apply;
}

ApplyOp stencil::makeCopy(OpBuilder &builder, Location loc, Value source,
                          BoundsAttr box) {
  auto type = cast<GridType>(source.getType());
  Type element = type.getElementType();
  Type made = box ? TempType::get(box, element)
                  : TempType::get(type.getRank(), element);
  auto copy =
      ApplyOp::create(builder, loc, TypeRange(made), ValueRange(source));
  OpBuilder body = OpBuilder::atBlockEnd(copy.getBodyBlock());
  SmallVector<int64_t> here(type.getRank(), 0);
  Value value =
      AccessOp::create(body, loc, copy.getBodyBlock()->getArgument(0), here);
  ReturnOp::create(body, loc, ValueRange(value), stencil::IndexAttr());
  return copy;
}

void stencil::copyNeeded(OpBuilder &builder, Block &block, ValueRange roots,
                         llvm::function_ref<bool(Operation *)> isCopied,
                         IRMapping &mapping) {
  llvm::SmallDenseSet<Operation *> needed;
  auto need = [&](Value value) {
    if (Operation *op = value.getDefiningOp();
        op && op->getBlock() == &block && isCopied(op))
      needed.insert(op);
  };
  llvm::for_each(roots, need);
  for (Operation &op : llvm::reverse(block))
    if (needed.contains(&op))
      llvm::for_each(op.getOperands(), need);
  for (Operation &op : block)
    if (needed.contains(&op))
      builder.clone(op, mapping);
}

Value stencil::makeFieldBefore(scf::ForOp loop, OpBuilder &builder, Type type) {
  OpBuilder::InsertionGuard guard(builder);
  auto function = loop->getParentOfType<FunctionOpInterface>();
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  return AllocOp::create(builder, loop.getLoc(), type);
}
