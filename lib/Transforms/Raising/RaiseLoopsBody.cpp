//===- RaiseLoopsBody.cpp - The ops of a raised nest ----------------------===//

#include "RaiseLoopsBody.h"
#include "RaiseLoopsNest.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::raise;

Value stencil::raise::materialise(OpBuilder &builder, Location loc,
                                  const Bound &bound) {
  Value offset;
  if (!bound.root || bound.offset != 0)
    offset = arith::ConstantIndexOp::create(builder, loc, bound.offset);
  if (!bound.root)
    return offset;
  Value root = bound.root.value;
  if (bound.root.axis >= 0)
    root = memref::DimOp::create(builder, loc, root, bound.root.axis);
  return offset ? arith::AddIOp::create(builder, loc, root, offset) : root;
}

namespace {
/// Builds the body of one apply in a block of its own, and then the apply.
class BodyEmitter {
public:
  BodyEmitter(const LoopNest &nest, const FieldPlan &plan, const Group &group,
              const IRMapping &outside)
      : nest(nest), plan(plan), group(group), outside(outside),
        builder(nest.root->getContext()) {
    builder.setInsertionPointToEnd(&block);
  }

  /// `getTemp` gives the value of the field of a memref.
  ApplyOp emit(OpBuilder &outer, llvm::function_ref<Value(Value)> getTemp);

private:
  Value lookup(Value value);
  Value access(const Access &place);
  Value getCurrent(const Access &place);
  const Access &getAccess(Operation *op) {
    return nest.accesses[nest.accessOf.find(op)->second];
  }
  void emitOp(Operation *op);
  void emitIf(scf::IfOp op);
  void hold(const Access &place, Value value);

  const LoopNest &nest;
  const FieldPlan &plan;
  const Group &group;
  /// From values of the nest to those in front of it.
  const IRMapping &outside;
  OpBuilder builder;
  /// From values of the nest to those of the body.
  IRMapping mapping;
  Block block;
  /// From values around the nest to arguments of the body.
  llvm::MapVector<Value, BlockArgument> inputs, scalars;
  /// What the places that were stored to hold now.
  SmallVector<std::pair<const Access *, Value>> current;
};
} // namespace

/// The value in the body of one of the nest, or of one around it: constants
/// are copied, coordinates are those of the apply.
Value BodyEmitter::lookup(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Value outer = outside.lookupOrDefault(value);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&block);
  Value inner;
  if (int loop = nest.findLoop(value); loop >= 0) {
    SmallVector<int64_t> offset(group.box.lb.size(), 0);
    offset[group.axes[loop]] = -group.shifts[loop];
    inner = stencil::IndexOp::create(builder, value.getLoc(), group.axes[loop],
                                     offset);
  } else if (auto it = nest.fixed.find(value); it != nest.fixed.end()) {
    inner = arith::ConstantIndexOp::create(builder, value.getLoc(), it->second);
  } else if (matchPattern(outer, m_Constant())) {
    inner = builder.clone(*outer.getDefiningOp())->getResult(0);
  } else {
    BlockArgument &scalar = scalars[outer];
    if (!scalar)
      scalar = block.addArgument(outer.getType(), outer.getLoc());
    return scalar;
  }
  mapping.map(value, inner);
  return inner;
}

/// Reads an input at a place.
Value BodyEmitter::access(const Access &place) {
  Tap tap = *getTap(plan, group, place);
  auto field = plan.getType(place.memref);
  BlockArgument &input = inputs[place.memref];
  if (!input)
    input = block.addArgument(
        TempType::get(field.getRank(), field.getElementType()),
        place.op->getLoc());
  stencil::IndexAttr axes;
  if (tap.axes.size() < group.box.lb.size())
    axes = stencil::IndexAttr::get(builder.getContext(), tap.axes);
  return AccessOp::create(builder, place.op->getLoc(), input, tap.offset, axes);
}

/// What a place holds now: what was stored last, or what was there before.
Value BodyEmitter::getCurrent(const Access &place) {
  for (auto &[known, value] : current)
    if (known->isSamePlace(place))
      return value;
  return access(place);
}

/// From now on a place holds the value.
void BodyEmitter::hold(const Access &place, Value value) {
  for (auto &[known, held] : current)
    if (known->isSamePlace(place)) {
      held = value;
      return;
    }
  current.push_back({&place, value});
}

/// A branch gives what its stores store; where it has none, what is there.
void BodyEmitter::emitIf(scf::IfOp op) {
  SmallVector<const Access *> places;
  SmallVector<Type> types(op.getResultTypes());
  op->walk([&](memref::StoreOp store) {
    const Access &place = getAccess(store);
    if (!group.needed.contains(store) ||
        llvm::any_of(places, [&](const Access *known) {
          return known->isSamePlace(place);
        }))
      return;
    places.push_back(&place);
    types.push_back(store.getValueToStore().getType());
  });
  if (types.empty())
    return;
  auto branch =
      scf::IfOp::create(builder, op.getLoc(), types, lookup(op.getCondition()),
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [from, to] : {std::pair(&op.getThenRegion(), branch.thenBlock()),
                          std::pair(&op.getElseRegion(), branch.elseBlock())}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(to);
    auto before = current;
    SmallVector<Value> yielded;
    if (!from->empty()) {
      for (Operation &inner : from->front().without_terminator())
        emitOp(&inner);
      for (Value value : from->front().getTerminator()->getOperands())
        yielded.push_back(lookup(value));
    }
    for (const Access *place : places)
      yielded.push_back(getCurrent(*place));
    scf::YieldOp::create(builder, op.getLoc(), yielded);
    current = std::move(before);
  }
  for (auto [from, to] : llvm::zip(
           op.getResults(), branch.getResults().take_front(op.getNumResults())))
    mapping.map(from, to);
  for (auto [place, value] : llvm::zip_equal(
           places, branch.getResults().drop_front(op.getNumResults())))
    hold(*place, value);
}

void BodyEmitter::emitOp(Operation *op) {
  if (!group.needed.contains(op) || isa<memref::CastOp, memref::DimOp>(op) ||
      llvm::is_contained(nest.invariants, op))
    return;
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return hold(getAccess(store), lookup(store.getValueToStore()));
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return emitIf(ifOp);
  if (isa<memref::LoadOp>(op)) {
    mapping.map(op->getResult(0), getCurrent(getAccess(op)));
    return;
  }
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, lookup(operand));
  Operation *clone = builder.clone(*op, operands);
  mapping.map(op->getResults(), clone->getResults());
}

ApplyOp BodyEmitter::emit(OpBuilder &outer,
                          llvm::function_ref<Value(Value)> getTemp) {
  for (Operation *op : nest.body)
    emitOp(op);
  SmallVector<Value> results, operands;
  SmallVector<Type> types;
  int64_t rank = group.box.lb.size();
  for (unsigned index : group.stores) {
    const Access &store = nest.accesses[index];
    results.push_back(store.isWrite()
                          ? getCurrent(store)
                          : lookup(nest.reductions[store.reduction].value));
    types.push_back(TempType::get(rank, results.back().getType()));
  }
  ReturnOp::create(builder, nest.root->getLoc(), results);
  for (auto &[memref, argument] : inputs)
    operands.push_back(getTemp(memref));
  // Arguments of a block in their order, then others as they are used.
  SmallVector<std::pair<std::pair<unsigned, size_t>, Value>> order;
  for (auto &[value, scalar] : scalars) {
    auto argument = dyn_cast<BlockArgument>(value);
    unsigned number = argument ? argument.getArgNumber() : ~0u;
    order.push_back({{number, order.size()}, value});
  }
  llvm::sort(order, llvm::less_first());
  llvm::append_range(operands, llvm::make_second_range(order));
  auto apply = ApplyOp::create(outer, nest.root->getLoc(), types, operands);
  Block *body = apply.getBodyBlock();
  unsigned next = 0;
  for (auto &[memref, argument] : inputs)
    argument.replaceAllUsesWith(body->getArgument(next++));
  for (auto &[place, value] : order)
    scalars.find(value)->second.replaceAllUsesWith(body->getArgument(next++));
  body->getOperations().splice(body->end(), block.getOperations());
  return apply;
}

/// Before the nest: what its body needs of extents, and of memory that it does
/// not change.
static void emitInvariants(LoopNest &nest, OpBuilder &builder,
                           IRMapping &outside) {
  nest.root->walk([&](memref::DimOp dim) {
    Value extent = memref::DimOp::create(builder, dim.getLoc(),
                                         stripCasts(dim.getSource()),
                                         *dim.getConstantIndex());
    outside.map(dim.getResult(), extent);
  });
  for (Operation *op : nest.invariants) {
    const Access &load = nest.accesses[nest.accessOf.find(op)->second];
    SmallVector<Value> indices;
    for (auto [index, subscript] : llvm::zip_equal(
             cast<memref::LoadOp>(op).getIndices(), load.subscripts))
      indices.push_back(
          nest.isInside(index)
              ? materialise(builder, op->getLoc(), subscript.bound)
              : index);
    outside.map(op->getResult(0), memref::LoadOp::create(builder, op->getLoc(),
                                                         load.memref, indices)
                                      .getResult());
  }
}

void stencil::raise::emitGroups(LoopNest &nest, const FieldPlan &plan,
                                ArrayRef<Group> groups,
                                llvm::function_ref<Value(Value)> getField) {
  OpBuilder builder(nest.root);
  IRMapping outside;
  emitInvariants(nest, builder, outside);

  // All loads come first: every apply reads what was there before.
  llvm::MapVector<Value, Value> temps;
  Operation *last = nest.root->getPrevNode();
  SmallVector<std::pair<Operation *, const Group *>> applies;
  auto getTemp = [&](Value memref) {
    Value &temp = temps[memref];
    if (temp)
      return temp;
    OpBuilder::InsertionGuard guard(builder);
    if (last)
      builder.setInsertionPointAfter(last);
    else
      builder.setInsertionPointToStart(nest.root->getBlock());
    auto load = LoadOp::create(builder, nest.root->getLoc(), getField(memref));
    last = load;
    return temp = load.getRes();
  };
  for (const Group &group : groups) {
    BodyEmitter emitter(nest, plan, group, outside);
    applies.push_back({emitter.emit(builder, getTemp), &group});
  }
  for (auto [apply, group] : applies) {
    BoundsAttr box = group->box.get(builder.getContext());
    for (auto [result, index] : llvm::zip_equal(
             SmallVector<Value>(apply->getResults()), group->stores)) {
      const Access &store = nest.accesses[index];
      if (store.isWrite())
        StoreOp::create(builder, store.op->getLoc(), result,
                        getField(store.memref), box);
      else
        emitFold(builder, nest, store.reduction, result, box);
    }
  }
  nest.root->erase();
}
