//===- RaiseLoopsCarry.cpp - Fields of memrefs ----------------------------===//

#include "RaiseLoopsIndex.h"
#include "RaiseLoopsPrepare.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::raise;

Value RaisedFields::get(Value memref, FieldType type) {
  memref = stripCasts(memref);
  auto it = fields.find(memref);
  if (it != fields.end())
    return it->second;
  OpBuilder builder(memref.getContext());
  builder.setInsertionPointAfterValue(memref);
  // In the order of the arguments.
  auto argument = dyn_cast<BlockArgument>(memref);
  if (argument && last.contains(argument.getOwner()))
    builder.setInsertionPointAfter(last[argument.getOwner()]);
  auto memrefType = cast<MemRefType>(memref.getType());
  FieldType open = memrefType.hasStaticShape()
                       ? type
                       : FieldType::get(type.getRank(), type.getElementType());
  Value field = ExternalLoadOp::create(builder, memref.getLoc(), open, memref)
                    .getResult();
  if (open != type)
    field = CastOp::create(builder, memref.getLoc(), type, field);
  if (argument)
    last[argument.getOwner()] = field.getDefiningOp();
  return fields[memref] = field;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// One loop whose memrefs become fields.
class stencil::raise::LoopCarrier {
public:
  LoopCarrier(RaisedFields &fields, scf::ForOp loop)
      : fields(fields), loop(loop), positions(loop.getNumRegionIterArgs()) {}

  void run() {
    findCarried();
    if (llvm::none_of(positions, isCarried) || mayAlias())
      return;
    readExtentsOfInits();
    SmallVector<Value> operands = layOut();
    replace(operands);
  }

private:
  /// What becomes of an argument of the loop.
  struct Position {
    /// Of the field, if the loop carries one; null otherwise.
    FieldType type;
    /// The position whose argument is yielded here, or -1.
    int64_t next = -1;
    /// In the new loop; -1 for none.
    int64_t memref = -1, field = -1;
  };
  static bool isCarried(const Position &position) {
    return static_cast<bool>(position.type);
  }

  void findCarried();
  bool mayAlias();
  void readExtentsOfInits();
  bool isOnlyField(Value value);
  SmallVector<Value> layOut();
  void replace(ArrayRef<Value> operands);
  void replaceUses(Value from, Value memref, Value field);

  RaisedFields &fields;
  scf::ForOp loop;
  SmallVector<Position> positions;
};

/// Those that take turns with one whose field is used.
void LoopCarrier::findCarried() {
  for (auto [position, yielded] :
       llvm::zip_equal(positions, loop.getYieldedValues()))
    if (auto argument = dyn_cast<BlockArgument>(stripCasts(yielded));
        argument && argument.getOwner() == loop.getBody() &&
        argument.getArgNumber() > 0)
      position.next = argument.getArgNumber() - 1;
  for (unsigned start = 0; start < positions.size(); ++start) {
    Value field = fields.fields.lookup(loop.getRegionIterArg(start));
    if (!field)
      field = fields.fields.lookup(loop.getResult(start));
    if (!field)
      continue;
    SmallVector<unsigned> cycle = {start};
    int64_t at = positions[start].next;
    for (; at >= 0 && at != start && cycle.size() < positions.size();
         at = positions[at].next)
      cycle.push_back(at);
    if (at != start)
      continue;
    for (unsigned member : cycle)
      positions[member].type = cast<FieldType>(field.getType());
  }
}

/// Fields that a loop carries are to be distinct memory.
bool LoopCarrier::mayAlias() {
  FieldAliasAnalysis aliases;
  for (auto [index, position] : llvm::enumerate(positions))
    for (unsigned other = 0; other < index; ++other)
      if (isCarried(position) && isCarried(positions[other]) &&
          aliases.mayAlias(loop.getInitArgs()[index],
                           loop.getInitArgs()[other]))
        return true;
  return false;
}

/// Extents are those of the initial memrefs, as the casts to fields check.
void LoopCarrier::readExtentsOfInits() {
  for (auto [index, position] : llvm::enumerate(positions))
    for (Value value :
         {Value(loop.getRegionIterArg(index)), Value(loop.getResult(index))})
      for (OpOperand &use : llvm::make_early_inc_range(value.getUses()))
        if (isCarried(position) && isa<memref::DimOp>(use.getOwner()))
          use.set(loop.getInitArgs()[index]);
}

bool LoopCarrier::isOnlyField(Value value) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    return isa<ExternalLoadOp>(use.getOwner()) ||
           (use.getOwner() == loop.getBody()->getTerminator() &&
            isCarried(positions[use.getOperandNumber()]));
  });
}

/// The operands of the new loop: fields in the place of memrefs. If something
/// else uses one of these, all memrefs are carried on, and fields behind them.
SmallVector<Value> LoopCarrier::layOut() {
  bool isReplaced = true;
  for (auto [index, position] : llvm::enumerate(positions))
    isReplaced &=
        !isCarried(position) || (isOnlyField(loop.getRegionIterArg(index)) &&
                                 isOnlyField(loop.getResult(index)));
  SmallVector<Value> operands(loop.getInitArgs());
  for (auto [index, position] : llvm::enumerate(positions)) {
    position.memref = index;
    if (!isCarried(position))
      continue;
    Value field = fields.get(loop.getInitArgs()[index], position.type);
    if (isReplaced) {
      position.memref = -1;
      position.field = index;
      operands[index] = field;
    } else {
      position.field = operands.size();
      operands.push_back(field);
    }
  }
  return operands;
}

/// The new names of an argument or result of the loop; null for none.
void LoopCarrier::replaceUses(Value from, Value memref, Value field) {
  Value old = fields.fields.lookup(from);
  fields.fields.erase(from);
  if (old && field) {
    Operation *definition = old.getDefiningOp();
    old.replaceAllUsesWith(field);
    while (definition && definition->use_empty() &&
           definition->hasTrait<FieldView>()) {
      Operation *source = definition->getOperand(0).getDefiningOp();
      definition->erase();
      definition = source;
    }
  }
  if (!memref)
    return;
  if (old || field)
    fields.fields[memref] = field ? field : old;
  from.replaceAllUsesWith(memref);
}

void LoopCarrier::replace(ArrayRef<Value> operands) {
  OpBuilder builder(loop);
  auto replacement = scf::ForOp::create(
      builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
      loop.getStep(), operands, /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  replacement->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = replacement.getBody();
  body->getOperations().splice(body->end(), loop.getBody()->getOperations());
  loop.getInductionVar().replaceAllUsesWith(replacement.getInductionVar());

  Operation *yield = body->getTerminator();
  SmallVector<Value> yielded(operands.size());
  for (auto [index, position] : llvm::enumerate(positions)) {
    if (position.memref >= 0)
      yielded[position.memref] = yield->getOperand(index);
    if (position.field >= 0)
      yielded[position.field] =
          replacement.getRegionIterArg(positions[position.next].field);
  }
  yield->setOperands(yielded);

  for (auto [index, position] : llvm::enumerate(positions)) {
    auto get = [&](ValueRange values, int64_t at) {
      return at < 0 ? Value() : values[at];
    };
    ValueRange arguments = replacement.getRegionIterArgs();
    ValueRange results = replacement.getResults();
    replaceUses(loop.getRegionIterArg(index), get(arguments, position.memref),
                get(arguments, position.field));
    replaceUses(loop.getResult(index), get(results, position.memref),
                get(results, position.field));
  }
  fields.last.erase(loop.getBody());
  loop.erase();
}

void RaisedFields::carryFields(func::FuncOp function) {
  // Loops in loops come first: what they start with are the outer one's.
  for (scf::ForOp loop : listWithin<scf::ForOp>(function))
    LoopCarrier(*this, loop).run();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void RaisedFields::makeArguments(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    SmallVector<Operation *> loads(argument.getUsers());
    if (!isa<MemRefType>(argument.getType()) || loads.empty() ||
        !llvm::all_of(loads, [&](Operation *user) {
          return isa<ExternalLoadOp>(user) &&
                 user->getResultTypes() == loads.front()->getResultTypes();
        }))
      continue;
    argument.setType(loads.front()->getResult(0).getType());
    for (Operation *load : loads) {
      load->getResult(0).replaceAllUsesWith(argument);
      load->erase();
    }
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     function.getResultTypes()));
  fields.clear();
}
