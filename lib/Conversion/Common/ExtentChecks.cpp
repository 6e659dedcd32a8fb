//===- ExtentChecks.cpp - Where run-time extents become known -------------===//

#include "StencilDialect/Conversion/ExtentChecks.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

/// Has the program end with a message unless two indices compare so.
static void require(OpBuilder &builder, Location loc,
                    arith::CmpIPredicate predicate, Value a, Value b,
                    const Twine &message) {
  Value holds = arith::CmpIOp::create(builder, loc, predicate, a, b);
  cf::AssertOp::create(builder, loc, holds, describe(loc, message));
}

void stencil::bindExtents(OpBuilder &builder, Location loc, GridType type,
                          Value buffer, FunctionFacts &facts) {
  Extents own;
  own.learn(builder, loc, type, buffer);
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    Value extent = own.get(axis);
    if (!extent)
      continue;
    if (Value known = facts.extents.get(axis)) {
      require(builder, loc, arith::CmpIPredicate::eq, extent, known,
              "the interior extent of axis " + Twine(axis) +
                  " differs from that of another field");
      continue;
    }
    int64_t minimal = 1;
    if (axis < static_cast<int64_t>(facts.minimalExtents.size()))
      minimal = std::max<int64_t>(1, facts.minimalExtents[axis]);
    Value bound = arith::ConstantIndexOp::create(builder, loc, minimal);
    require(builder, loc, arith::CmpIPredicate::sge, extent, bound,
            "expected an interior extent of at least " + Twine(minimal) +
                " on axis " + Twine(axis));
    facts.extents.set(axis, extent);
  }
}

void stencil::checkCastExtents(OpBuilder &builder, Location loc, GridType type,
                               Value buffer) {
  BoundsAttr bounds = type.getBounds();
  if (!bounds)
    return;
  auto from = cast<MemRefType>(buffer.getType());
  for (auto [axis, extent] : llvm::enumerate(bounds.getShape())) {
    if (ShapedType::isDynamic(extent) || !from.isDynamicDim(axis))
      continue;
    Value size = memref::DimOp::create(builder, loc, buffer, axis);
    Value expected = arith::ConstantIndexOp::create(builder, loc, extent);
    require(builder, loc, arith::CmpIPredicate::eq, size, expected,
            "expected an extent of " + Twine(extent) + " on axis " +
                Twine(axis));
  }
}

void stencil::bindArgumentExtents(func::FuncOp function, FunctionFacts &facts) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  for (auto [index, type] : facts.symbolicArguments)
    bindExtents(builder, function.getLoc(), type, function.getArgument(index),
                facts);
  facts.symbolicArguments.clear();
}

FunctionFacts &stencil::getFactsAround(Operation *op, FactsOfFunctions &facts) {
  auto function = op->getParentOfType<func::FuncOp>();
  FunctionFacts &known = facts[function];
  bindArgumentExtents(function, known);
  return known;
}

LogicalResult stencil::requireExtent(Operation *op, const Extents &extents,
                                     int64_t axis) {
  if (extents.get(axis))
    return success();
  return op->emitOpError("the extent of axis ")
         << axis << " is not bound by a field argument or a cast before";
}

void stencil::takeBoundExtents(Operation *op, FactsOfFunctions &facts,
                               Extents &extents) {
  auto function = op->getParentOfType<func::FuncOp>();
  if (op->getBlock() == &function.front())
    return;
  const FunctionFacts &known = getFactsAround(op, facts);
  for (int64_t axis = 0; axis < known.extents.getNumAxes(); ++axis)
    if (Value extent = known.extents.get(axis);
        extent && !extents.get(axis) &&
        extent.getParentBlock() == &function.front())
      extents.set(axis, extent);
}

LogicalResult stencil::completeExtents(Operation *op, BoundsAttr bounds,
                                       FactsOfFunctions &facts,
                                       Extents &extents) {
  SmallVector<BoundsAttr> all = {bounds};
  for (Type type : op->getOperandTypes())
    if (auto grid = dyn_cast<GridType>(type); grid && grid.getBounds())
      all.push_back(grid.getBounds());
  for (BoundsAttr box : all)
    for (auto [axis, lb, ub] : llvm::enumerate(box.getLb(), box.getUb())) {
      if (extents.get(axis) || !(isSymbolic(lb) || isSymbolic(ub)))
        continue;
      const FunctionFacts &known = getFactsAround(op, facts);
      if (failed(requireExtent(op, known.extents, axis)))
        return failure();
      extents.set(axis, known.extents.get(axis));
    }
  return success();
}

/// The allocations that `value` may stand for.
static void findAllocations(Value value, llvm::DenseSet<Value> &seen,
                            llvm::DenseSet<Operation *> &allocations) {
  if (!seen.insert(value).second)
    return;
  if (auto alloc = value.getDefiningOp<AllocOp>()) {
    allocations.insert(alloc);
  } else if (auto castOp = value.getDefiningOp<CastOp>()) {
    findAllocations(castOp.getField(), seen, allocations);
  } else if (Operation *op = value.getDefiningOp();
             op && op->getNumRegions() > 0) {
    // Structured control flow hands on what it is given or yields.
    for (Value operand : op->getOperands())
      if (operand.getType() == value.getType())
        findAllocations(operand, seen, allocations);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value yielded : block.getTerminator()->getOperands())
          if (yielded.getType() == value.getType())
            findAllocations(yielded, seen, allocations);
  }
}

FactsOfFunctions stencil::collectFacts(ModuleOp module) {
  FactsOfFunctions all;
  module.walk([&](func::FuncOp function) {
    if (function.isExternal())
      return;
    FunctionFacts &facts = all[function];
    facts.minimalExtents = minimalExtents(function);
    for (BlockArgument argument : function.getArguments())
      if (auto type = dyn_cast<GridType>(argument.getType());
          type && type.getBounds() && type.getBounds().isSymbolic())
        facts.symbolicArguments.emplace_back(argument.getArgNumber(), type);
    llvm::DenseSet<Value> seen;
    function.walk([&](func::ReturnOp op) {
      for (Value value : op.getOperands())
        findAllocations(value, seen, facts.returned);
    });
  });
  return all;
}
