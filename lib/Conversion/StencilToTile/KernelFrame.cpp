//===- KernelFrame.cpp - What all kernels of tiles have -------------------===//

#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/ChoiceAttrs.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilToTile.h"

using namespace mlir;
using namespace stencil;

tile::GridAttr stencil::makeGrid(Operation *op, BoundsAttr domain,
                                 const GPUSchedule &schedule,
                                 ArrayRef<int64_t> points, int64_t alignment,
                                 tile::LayoutAttr layout, BoundsAttr inner,
                                 tile::CutAttr cut) {
  MLIRContext *context = op->getContext();
  int64_t rank = domain.getRank(), last = rank - 1;
  // Where a box begins nobody knows, or at any plane of a walk, nothing is
  // aligned.
  if (isSymbolic(domain.getLb()[last]) || schedule.walk == last)
    alignment = 1;
  DenseI64ArrayAttr order, panel, tail;
  for (auto [place, axis] : llvm::enumerate(schedule.order))
    if (axis != last - static_cast<int64_t>(place))
      order = DenseI64ArrayAttr::get(context, schedule.order);
  if (llvm::any_of(schedule.panel, [](int64_t count) { return count != 0; }))
    panel = DenseI64ArrayAttr::get(context, schedule.panel);
  if (schedule.walk && !cut && !schedule.tail.empty())
    tail = DenseI64ArrayAttr::get(context, schedule.tail);
  return tile::GridAttr::getChecked(
      [&] { return op->emitOpError("has no grid of tiles: "); }, context,
      domain, DenseI64ArrayAttr::get(context, schedule.block),
      DenseI64ArrayAttr::get(context, points), order, panel, alignment,
      schedule.walk, schedule.walk && !cut ? schedule.segments.value_or(1) : 1,
      schedule.launchBounds, layout, inner, cut, schedule.getRelay(), tail);
}

tile::GridAttr stencil::makeListGrid(BoundsAttr domain, int64_t threads) {
  MLIRContext *context = domain.getContext();
  SmallVector<int64_t> points(domain.getRank(), 1), block(points);
  block.back() = threads;
  return tile::GridAttr::get(context, domain,
                             DenseI64ArrayAttr::get(context, block),
                             DenseI64ArrayAttr::get(context, points), {}, {},
                             /*align=*/1, {}, /*segments=*/1,
                             /*launch_bounds=*/0, /*layout=*/{}, /*inner=*/{},
                             /*cut=*/{}, /*relay=*/1, /*tail=*/{});
}

tile::KernelOp stencil::makeKernel(Operation *op, StringRef name,
                                   tile::GridAttr grid,
                                   ArrayRef<Value> operands,
                                   tile::ListAttr list) {
  llvm::SetVector<Value> different(operands.begin(), operands.end());
  OpBuilder builder(op);
  auto kernel = tile::KernelOp::create(
      builder, op->getLoc(), builder.getStringAttr(name),
      different.getArrayRef(), grid, list, /*keeps_lines=*/nullptr);
  Block &body = kernel.getBody().emplaceBlock();
  for (Value operand : different)
    body.addArgument(operand.getType(), operand.getLoc());
  for (StringRef name : {RegionGroupAttr::kAttrName, kInnerAttr, kNarrowAttr})
    if (Attribute value = op->getDiscardableAttr(name))
      kernel->setDiscardableAttr(name, value);
  copyChoice(op, kernel);
  return kernel;
}

Value stencil::getArgument(tile::KernelOp kernel, Value outside) {
  auto args = kernel.getArgs();
  return kernel.getBodyBlock()->getArgument(llvm::find(args, outside) -
                                            args.begin());
}

LogicalResult stencil::keepLines(Operation *op, tile::KernelOp kernel,
                                 FieldAliasAnalysis &aliases) {
  kernel.setKeepsLines(true);
  if (kernel.copiesPastRegisters())
    return success();
  auto isApart = [&](Value field) {
    return llvm::none_of(kernel.getArgs(), [&](Value other) {
      return other != field && isa<FieldType>(other.getType()) &&
             aliases.mayAlias(other, field);
    });
  };
  for (auto [operand, argument] :
       llvm::zip_equal(kernel.getArgs(), kernel.getBodyBlock()->getArguments()))
    if (isa<FieldType>(operand.getType()) && isApart(operand) &&
        llvm::none_of(argument.getUsers(), llvm::IsaPred<tile::StoreOp>))
      return success();
  return op->emitOpError("expected an input that is apart from what is stored "
                         "for 'eviction = last', got none");
}

ApplyOp stencil::moveStage(OpBuilder &builder, ApplyOp apply, TypeRange results,
                           ValueRange inputs) {
  auto stage = ApplyOp::create(builder, apply.getLoc(), results, inputs);
  stage.getRegion().takeBody(apply.getRegion());
  stage.retypeArguments();
  for (NamedAttribute attribute : apply->getDiscardableAttrs())
    if (!llvm::is_contained({ScheduleAttr::kAttrName, StageAttr::kAttrName,
                             RegionGroupAttr::kAttrName},
                            attribute.getName().getValue()))
      stage->setDiscardableAttr(attribute.getName(), attribute.getValue());
  return stage;
}

tile::SourceOp stencil::makeSource(OpBuilder &builder, Location loc,
                                   Value field, Value plane) {
  auto type = cast<FieldType>(field.getType());
  return tile::SourceOp::create(
      builder, loc, TempType::get(type.getRank(), type.getElementType()), field,
      plane);
}
