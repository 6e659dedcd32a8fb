//===- ApplyMerge.cpp - Siblings become one, readers of combines two ------===//

#include "ApplyFusion.h"

using namespace mlir;
using namespace stencil;

StringRef stencil::getApplyName(ApplyOp apply) {
  if (auto name = apply->getAttrOfType<StringAttr>(kApplyNameAttr))
    return name.getValue();
  if (auto name = dyn_cast<NameLoc>(apply->getLoc()))
    return name.getName().getValue();
  return {};
}

bool stencil::hasName(ApplyOp apply, StringRef name) {
  StringRef own = getApplyName(apply);
  return !own.empty() &&
         (own == name || llvm::is_contained(llvm::split(own, '+'), name));
}

//===----------------------------------------------------------------------===//
// Siblings
//===----------------------------------------------------------------------===//

/// Applies and buffers see their operands' boxes.
static void updateTypes(Value value) {
  for (OpOperand &use : value.getUses()) {
    if (auto apply = dyn_cast<ApplyOp>(use.getOwner())) {
      if (use.getOperandNumber() < apply.getArgs().size())
        apply.getBodyBlock()
            ->getArgument(use.getOperandNumber())
            .setType(value.getType());
    } else if (auto buffer = dyn_cast<BufferOp>(use.getOwner())) {
      BoundsAttr bounds = cast<GridType>(value.getType()).getBounds();
      auto type = cast<GridType>(buffer.getRes().getType());
      if (type.getBounds() == bounds)
        continue;
      buffer.getRes().setType(type.withBounds(bounds));
      updateTypes(buffer.getRes());
    }
  }
}

ApplyOp stencil::mergeSiblings(ApplyOp a, ApplyOp b, Operation *place) {
  OpBuilder builder(place);
  SmallVector<Type> types(a->getResultTypes());
  llvm::append_range(types, b->getResultTypes());
  // All results have one box. Where it is not written down, or not as one, it
  // is to be inferred.
  auto getBounds = [](Type type) { return cast<GridType>(type).getBounds(); };
  if (!llvm::all_equal(llvm::map_range(types, getBounds)))
    for (Type &type : types)
      type = cast<GridType>(type).withBounds({});
  Location loc = builder.getFusedLoc({a.getLoc(), b.getLoc()});
  auto merged = ApplyOp::create(builder, loc, types, a.getArgs());
  merged->setDiscardableAttrs(a->getDiscardableAttrDictionary());
  StringRef nameA = getApplyName(a), nameB = getApplyName(b);
  if (!nameA.empty() && !nameB.empty())
    merged->setAttr(kApplyNameAttr, builder.getStringAttr(nameA + "+" + nameB));
  merged.getRegion().takeBody(a.getRegion());

  IRMapping mapping;
  addInputs(merged, b, mapping);
  Operation *terminator = merged.getBodyBlock()->getTerminator();
  builder.setInsertionPoint(terminator);
  Block *body = b.getBodyBlock();
  for (Operation &op : body->without_terminator())
    builder.clone(op, mapping);
  for (Value value : body->getTerminator()->getOperands())
    terminator->insertOperands(terminator->getNumOperands(),
                               mapping.lookupOrDefault(value));
  unsigned next = 0;
  for (ApplyOp old : {a, b})
    for (Value result : old.getRes()) {
      Value by = merged.getRes()[next++];
      result.replaceAllUsesWith(by);
      updateTypes(by);
    }
  a.erase();
  b.erase();
  return merged;
}

//===----------------------------------------------------------------------===//
// Combines
//===----------------------------------------------------------------------===//

SplitApply stencil::splitAtCombine(ApplyOp apply, CombineOp combine,
                                   BoundsAttr lower, BoundsAttr upper) {
  OpBuilder builder(apply);
  auto makeSide = [&](bool isUpper) {
    auto side = cast<ApplyOp>(builder.clone(*apply));
    for (OpOperand &use : side.getArgsMutable()) {
      auto part = use.get().getDefiningOp<CombineOp>();
      if (!part || part.getDim() != combine.getDim() ||
          part.getIndex() != combine.getIndex())
        continue;
      unsigned index = cast<OpResult>(use.get()).getResultNumber();
      unsigned pairs = part.getLower().size();
      if (index < pairs)
        use.set(isUpper ? part.getUpper()[index] : part.getLower()[index]);
      else
        use.set(part->getOperand(pairs + index));
      side.getBodyBlock()
          ->getArgument(use.getOperandNumber())
          .setType(use.get().getType());
    }
    // Boxes that are not written down are to be inferred.
    for (Value result : side.getRes())
      if (auto type = cast<TempType>(result.getType()); type.getBounds())
        result.setType(
            TempType::get(isUpper ? upper : lower, type.getElementType()));
    return side;
  };
  SplitApply split;
  split.lower = makeSide(false);
  split.upper = makeSide(true);
  split.combine = CombineOp::create(
      builder, combine.getLoc(), apply->getResultTypes(), combine.getDimAttr(),
      combine.getIndexAttr(), split.lower.getRes(), split.upper.getRes(),
      ValueRange(), ValueRange());
  apply->replaceAllUsesWith(split.combine);
  return split;
}
