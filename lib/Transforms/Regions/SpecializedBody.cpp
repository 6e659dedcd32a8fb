//===- SpecializedBody.cpp - A body some branches of which are taken ------===//

#include "Bodies/BodyPruning.h"
#include "RegionSplitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

SpecializedBody::SpecializedBody(ApplyOp apply) : apply(apply) {}

void SpecializedBody::copy(Block &block, OpBuilder &builder) {
  for (Operation &op : block)
    copy(op, builder);
}

void SpecializedBody::copy(Operation &op, OpBuilder &builder) {
  if (auto it = decided->find(&op); it != decided->end()) {
    bool isTrue = it->second;
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      mapping.map(select.getResult(),
                  mapping.lookupOrDefault(isTrue ? select.getTrueValue()
                                                 : select.getFalseValue()));
      return;
    }
    auto ifOp = cast<scf::IfOp>(op);
    Block *taken = isTrue ? ifOp.thenBlock() : ifOp.elseBlock();
    if (!taken)
      return;
    for (Operation &inner : taken->without_terminator())
      copy(inner, builder);
    for (auto [result, value] : llvm::zip_equal(
             ifOp.getResults(), taken->getTerminator()->getOperands()))
      mapping.map(result, mapping.lookupOrDefault(value));
    return;
  }
  if (op.getNumResults() == 1)
    if (auto it = known->find(op.getResult(0)); it != known->end()) {
      mapping.map(op.getResult(0),
                  arith::ConstantOp::create(builder, op.getLoc(),
                                            builder.getBoolAttr(it->second)));
      return;
    }
  Operation *created = builder.cloneWithoutRegions(op, mapping);
  for (auto [from, to] :
       llvm::zip_equal(op.getRegions(), created->getRegions())) {
    // Structured control flow: a block at most.
    if (!from.hasOneBlock()) {
      from.cloneInto(&to, mapping);
      continue;
    }
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&to);
    for (BlockArgument argument : from.getArguments())
      mapping.map(argument,
                  block->addArgument(argument.getType(), argument.getLoc()));
    copy(from.front(), builder);
  }
}

void SpecializedBody::build(
    const llvm::DenseMap<Operation *, bool> &decidedBranches,
    const llvm::DenseMap<Value, bool> &knownConditions) {
  decided = &decidedBranches;
  known = &knownConditions;
  OpBuilder builder(apply.getContext());
  Block *block = builder.createBlock(&region);
  for (BlockArgument argument : apply.getBodyBlock()->getArguments())
    mapping.map(argument,
                block->addArgument(argument.getType(), argument.getLoc()));
  copy(*apply.getBodyBlock(), builder);
}

SmallVector<Value> SpecializedBody::getReturned(unsigned result) {
  ValueRange returned = region.front().getTerminator()->getOperands();
  size_t lanes = returned.size() / apply.getNumOutputs();
  return llvm::to_vector(returned.slice(result * lanes, lanes));
}

bool SpecializedBody::isEmpty(unsigned result) {
  return llvm::all_of(getReturned(result), [](Value value) {
    auto stored = value.getDefiningOp<StoreResultOp>();
    return stored && !stored.getArg();
  });
}

void SpecializedBody::keep(ArrayRef<unsigned> results) {
  SmallVector<Value> returned;
  for (unsigned result : results) {
    SmallVector<Value> values = getReturned(result);
    bool isStored = llvm::all_of(values, [](Value value) {
      auto stored = value.getDefiningOp<StoreResultOp>();
      return stored && stored.getArg();
    });
    for (Value value : values)
      returned.push_back(
          isStored ? value.getDefiningOp<StoreResultOp>().getArg() : value);
  }
  region.front().getTerminator()->setOperands(returned);
  eraseUnusedOps(region);
}

void SpecializedBody::moveTo(ApplyOp created) {
  Block *body = created.getBodyBlock();
  for (auto [from, to] :
       llvm::zip_equal(region.front().getArguments(), body->getArguments()))
    from.replaceAllUsesWith(to);
  body->getOperations().splice(body->end(), region.front().getOperations());
  dropUnusedOperands(created);
}
