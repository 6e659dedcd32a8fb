//===- SumWriter.cpp - Sums over planes, term by term ---------------------===//
//
// Partial sums of the terms %a, %b, %c at [-1, 0, 1], of a stage of lead 1: the
// number of a partial sum is that of its last term.
//
//   tile.walk ... carry(%s0 : [1,2], %s1 : [0,1]) {
//     %t0 = %a, for plane p + 2
//     %t1 = %s0 + %b, for plane p + 1
//     %t2 = %s1 + %c, for plane p: complete
//     tile.yield tile.shift %t0, tile.shift %t1
//   }
//
//===----------------------------------------------------------------------===//

#include "KernelWriter.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace stencil;

/// Planes are added as they come.
static constexpr arith::FastMathFlags kAnyOrder = arith::FastMathFlags::reassoc;

/// The stage that adds a term of plane p + `lead` to a partial sum (null:
/// begins one) for the plane `plane` planes before.
Value SumWriter::addTerm(AccumulateOp sum, Value partial, Value term,
                         int64_t lead, int64_t plane) {
  Location loc = sum.getLoc();
  Type element = getElementType(term);
  SmallVector<Value> given;
  if (partial)
    given.push_back(partial);
  given.push_back(term);
  auto stage = ApplyOp::create(
      builder, loc,
      TypeRange(draft.chains.getHeldType(sum, element, lead - plane)), given);
  draft.chains.setLayout(sum, stage);
  Block *body = stage.getBodyBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);
  SmallVector<int64_t> there(pipeline.getRank(), 0);
  there[*pipeline.axis] = plane;
  Value result =
      AccessOp::create(builder, loc, body->getArguments().back(), there);
  if (partial) {
    Value before = AccessOp::create(builder, loc, body->getArgument(0));
    if (isa<IntegerType, IndexType>(element))
      result = arith::AddIOp::create(builder, loc, before, result);
    else
      result = arith::AddFOp::create(builder, loc, before, result, kAnyOrder);
  }
  ReturnOp::create(builder, loc, result);
  return stage.getRes().front();
}

/// The first summand of a sum of a body: `(a + b) + c` begins with a.
static OpOperand *findFirstSummand(Value sum) {
  OpOperand *first = nullptr;
  while (auto add = sum.getDefiningOp<arith::AddFOp>()) {
    if (first && !sum.hasOneUse())
      break;
    first = &add->getOpOperand(0);
    sum = first->get();
  }
  return first;
}

/// Has an op take a partial sum, and with it as the first summand the term that
/// it takes, of what that chooses between too. A term of zero adds nothing.
static void addBefore(OpBuilder &builder, Value before, OpOperand &taken) {
  Value term = taken.get();
  if (matchPattern(term, m_PosZeroFloat())) {
    taken.set(before);
    return;
  }
  bool isOnlyHere = term.hasOneUse();
  if (auto choice = term.getDefiningOp<arith::SelectOp>();
      choice && isOnlyHere) {
    addBefore(builder, before, choice.getTrueValueMutable());
    addBefore(builder, before, choice.getFalseValueMutable());
    return;
  }
  OpOperand *first = isOnlyHere ? findFirstSummand(term) : nullptr;
  OpOperand &summand = first ? *first : taken;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(summand.getOwner());
  summand.set(arith::AddFOp::create(builder, term.getLoc(), before,
                                    summand.get(), kAnyOrder));
}

/// As addTerm, of a sum in any order: the partial sum is the first summand of
/// the term, so that each product is added as it is made, and no term is held.
/// Null if the term is not made by a stage here.
Value SumWriter::fuseTerm(AccumulateOp sum, Value partial, Value term,
                          int64_t lead, int64_t plane) {
  auto made = term.getDefiningOp<ApplyOp>();
  Type element = getElementType(term);
  if (!sum->hasAttr(kAnyOrderAttr) || !made || !isa<FloatType>(element) ||
      draft.chains.getLayout(sum))
    return {};
  Location loc = sum.getLoc();
  SmallVector<Value> given(made.getArgs());
  if (partial)
    given.push_back(partial);
  // In the coordinates of the stage: plane p + lead.
  auto stage = ApplyOp::create(
      builder, loc, TypeRange(pipeline.getTileType(element, lead - plane)),
      given);
  Block *body = stage.getBodyBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  auto arguments = body->getArguments().take_front(made.getArgs().size());
  mapping.map(made.getBodyBlock()->getArguments(), arguments);
  for (Operation &inner : made.getBodyBlock()->without_terminator())
    builder.clone(inner, mapping);
  // A stage is computed at the points of its results: its reads are moved, and
  // its coordinates.
  auto move = [&](auto op) {
    SmallVector<int64_t> offset(op.getOffset().getValues());
    offset[*pipeline.axis] += plane;
    op.setOffsetAttr(stencil::IndexAttr::get(stage.getContext(), offset));
  };
  llvm::for_each(body->getOps<AccessOp>(), move);
  llvm::for_each(body->getOps<stencil::IndexOp>(), move);
  if (Attribute number = made->getAttr(tile::kPlaneAttrName))
    stage->setAttr(tile::kPlaneAttrName, number);
  Value result =
      mapping.lookupOrDefault(made.getBodyBlock()->getTerminator()->getOperand(
          cast<OpResult>(term).getResultNumber()));
  auto end = ReturnOp::create(builder, loc, result);
  eraseDead(body);
  if (partial) {
    builder.setInsertionPointToStart(body);
    Value before = AccessOp::create(builder, loc, body->getArguments().back());
    addBefore(builder, before, end->getOpOperand(0));
    eraseDead(body);
  }
  return stage.getRes().front();
}

void SumWriter::add(AccumulateOp sum) {
  ArrayRef<int64_t> planes = sum.getPlanes();
  int64_t lead = pipeline.plan.get(sum.getTerms().front()).lead;
  llvm::SmallDenseMap<int64_t, Value> terms;
  for (auto [term, at] : llvm::zip_equal(sum.getTerms(), planes))
    terms[at] = inputs.get(term);
  const MappedQueue &queue = draft.queues.find(sum)->second;
  ArrayRef<Value> carried = walk.getCarried(queue);
  Value partial;
  for (int64_t at = planes.front(); at <= planes.back(); ++at) {
    // What the iteration before has for the same plane.
    if (at != planes.front())
      partial = carried[at - planes.front() - 1];
    if (Value term = terms.lookup(at)) {
      Value fused = fuseTerm(sum, partial, term, lead, at);
      partial = fused ? fused : addTerm(sum, partial, term, lead, at);
    }
    if (at != planes.back())
      walk.push(queue, sum.getLoc(), partial, queue.types[at - planes.front()]);
  }
  inputs.set(sum.getRes(), partial);
  llvm::SmallSetVector<Operation *, 2> fused;
  for (auto &[at, term] : terms)
    if (auto made = term.getDefiningOp<ApplyOp>(); made && made.use_empty())
      fused.insert(made);
  for (Operation *made : fused)
    made->erase();
}
