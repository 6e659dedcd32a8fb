//===- MapApply.cpp - Applies to kernels of one tile ----------------------===//
//
//   stencil.apply(%x = %u) outs (%v) { ... } to <[0, 0], [n, m]>
//     ==> tile.kernel @apply0(%a = %u, %b = %v) grid <...> {
//           %x = tile.source %a
//           tile.where {
//             %r = stencil.apply(%x) { ... }
//             tile.store %r to %b
//           }
//         }
//
//===----------------------------------------------------------------------===//

#include "StencilToTile.h"

using namespace mlir;
using namespace stencil;

/// True if no input is what is stored.
static bool isReadApart(ApplyOp op, FieldAliasAnalysis &aliases) {
  return llvm::none_of(op.getArgs(), [&](Value input) {
    return isa<GridType>(input.getType()) &&
           llvm::any_of(op.getDest(), [&](Value dest) {
             return aliases.mayAlias(input, dest);
           });
  });
}

/// What is given holds; what was chosen does if it can pay.
static bool keepsLines(ApplyOp op, const KernelFacts &facts) {
  auto given = op->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName);
  bool isGiven = given && given.getEviction();
  return facts.schedule.keepsLines &&
         (isGiven || isReadApart(op, facts.aliases));
}

LogicalResult stencil::mapApply(ApplyOp op, KernelFacts &facts,
                                StringRef name) {
  BoundsAttr domain = op.getDomain();
  ArrayRef<int64_t> points = facts.schedule.points;
  tile::GridAttr grid = makeGrid(op, domain, facts.schedule, points,
                                 points.back() & -points.back());
  if (!grid)
    return failure();
  SmallVector<Value> operands(op->getOperands());
  KernelFrame frame(op, name, grid, operands);
  bool keeps = keepsLines(op, facts);
  OpBuilder builder = OpBuilder::atBlockEnd(frame.get().getBodyBlock());
  Location loc = op.getLoc();
  SmallVector<Value> inputs, sources(op.getArgs());
  llvm::DenseMap<Value, Value> known;
  for (Value input : sources) {
    Value &source = known[input];
    if (!source)
      source = isa<FieldType>(input.getType())
                   ? makeSource(builder, loc, frame[input], {}).getRes()
                   : frame[input];
    inputs.push_back(source);
  }
  SmallVector<Type> results;
  for (unsigned index = 0; index < op.getNumOutputs(); ++index)
    results.push_back(
        TempType::get(grid.getTileBox(), op.getOutputElementType(index)));
  auto where = tile::WhereOp::create(builder, loc, TypeRange(), BoundsAttr());
  builder.createBlock(&where.getBody());
  ApplyOp stage = moveStage(builder, op, results, inputs);
  for (auto [result, dest] : llvm::zip_equal(stage.getRes(), op.getDest()))
    tile::StoreOp::create(builder, loc, result, frame[dest], Value());
  tile::YieldOp::create(builder, loc);
  return keeps ? keepLines(op, frame.get(), facts.aliases) : success();
}
