//===- ScatterStages.cpp - Stages that add plane by plane -----------------===//
//
// The body of the apply falls into sums whose terms read one plane each (see
// PlaneTerms.h) and the rest. The sums that the rest reads, and those that are
// results, are the roots: a stage computes their terms.
//
//===----------------------------------------------------------------------===//

#include "ScatterStages.h"
#include "PlaneTerms.h"
#include "StencilDialect/IR/Footprint.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Roots whose terms one stage computes: of any plane that it has, all of them.
struct RootGroup {
  SmallVector<Value> roots;
  /// Of the terms, and where their inputs can be read.
  PlaneRange planes, readable;

  int64_t getLead() const { return std::max<int64_t>(0, planes.last); }
};

class Scatter {
public:
  Scatter(PipelineDraft &draft, MathMode mode)
      : draft(draft), apply(draft.apply), body(*draft.apply.getBodyBlock()),
        mode(mode), terms(draft.apply, *draft.axis) {}

  LogicalResult run();

private:
  LogicalResult findRest();
  LogicalResult requireOperands(Operation *op);
  LogicalResult checkSum(WeightedSumOp sum);
  void require(Value value);
  bool isRoot(Value value) const;
  SmallVector<RootGroup> groupRoots() const;
  LogicalResult addTerms(const RootGroup &group);
  Value accumulate(Value root, const RootGroup &group, ValueRange values);
  LogicalResult addRest();

  PipelineDraft &draft;
  ApplyOp apply;
  Block &body;
  MathMode mode;
  PlaneTerms terms;
  /// Ops of the last stage.
  llvm::DenseSet<Operation *> rest;
  llvm::SetVector<Value> roots;
  /// Roots as values of the pipeline that can be read where results are
  /// stored.
  llvm::DenseMap<Value, Value> sums;
};

} // namespace

//===----------------------------------------------------------------------===//
// Roots and the rest
//===----------------------------------------------------------------------===//

/// What needs other points of a plane, or other planes, comes from a stage that
/// has them.
bool Scatter::isRoot(Value value) const {
  const PlaneInfo &info = terms.get(value);
  return terms.canScatter(value) && !(info.isHere() && info.isPointwise);
}

void Scatter::require(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &body)
    return;
  if (isRoot(value))
    roots.insert(value);
  else
    rest.insert(op);
}

/// The rest has the point itself only.
LogicalResult Scatter::checkSum(WeightedSumOp sum) {
  if (sum.isOverInput())
    return success();
  const PlaneInfo &info = terms.get(sum.getInput());
  if (info.kind == PlaneInfo::Invariant ||
      (info.kind == PlaneInfo::Terms && !isRoot(sum.getInput())))
    return success();
  InFlightDiagnostic diagnostic = apply.emitOpError(
      "expected no sum over a value that is not linear in what is read of "
      "several planes for an 'accumulate' that adds plane by plane");
  diagnostic.attachNote(sum.getLoc()) << "this sum";
  return diagnostic;
}

LogicalResult Scatter::requireOperands(Operation *op) {
  WalkResult walk = op->walk([&](Operation *inner) {
    if (auto sum = dyn_cast<WeightedSumOp>(inner); sum && failed(checkSum(sum)))
      return WalkResult::interrupt();
    for (Value operand : inner->getOperands())
      require(operand);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult Scatter::findRest() {
  for (Value result : body.getTerminator()->getOperands())
    require(result);
  // Users come after what they use.
  for (Operation &op : llvm::reverse(body))
    if (rest.contains(&op) && failed(requireOperands(&op)))
      return failure();
  return success();
}

SmallVector<RootGroup> Scatter::groupRoots() const {
  SmallVector<RootGroup> groups;
  for (Operation &op : body)
    for (Value root : op.getResults()) {
      if (!roots.contains(root))
        continue;
      const PlaneInfo &info = terms.get(root);
      auto *group = llvm::find_if(groups, [&](const RootGroup &other) {
        return other.readable.intersect(info.readable)
            .contains(other.planes.hull(info.getHull()));
      });
      if (group == groups.end()) {
        groups.push_back({{root}, info.getHull(), info.readable});
        continue;
      }
      group->roots.push_back(root);
      group->planes = group->planes.hull(info.getHull());
      group->readable = group->readable.intersect(info.readable);
    }
  return groups;
}

//===----------------------------------------------------------------------===//
// Stages of terms
//===----------------------------------------------------------------------===//

/// Makes the body compute nothing twice: terms that are equal become one value.
static void shareTerms(ApplyOp stage) {
  IRRewriter rewriter(stage.getContext());
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, stage);
}

static SmallVector<Type> getTempTypes(int64_t rank, ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) -> Type {
    return PipelineDraft::getTempType(rank, value.getType());
  });
}

/// The mapping from inputs of a body to those of a stage.
static IRMapping mapInputs(Block &from, Block &to) {
  IRMapping mapping;
  for (BlockArgument argument : from.getArguments())
    mapping.map(argument, to.getArgument(argument.getArgNumber()));
  return mapping;
}

/// Adds the stage of a group, which returns every term of every root once.
LogicalResult Scatter::addTerms(const RootGroup &group) {
  int64_t rank = apply.getRank();
  OpBuilder &builder = draft.builder;
  // First with a result for every term, to see which are equal.
  SmallVector<Type> types;
  for (Value root : group.roots)
    types.append(terms.get(root).planes.size(),
                 PipelineDraft::getTempType(rank, root.getType()));
  ApplyOp all = draft.addStage(types, {}, group.getLead());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(all.getBodyBlock());
    TermEmitter emitter(terms, mode, mapInputs(body, *all.getBodyBlock()));
    for (Value root : group.roots)
      for (int64_t plane : terms.get(root).planes)
        emitter.require(root, plane);
    if (failed(emitter.emit(builder)))
      return failure();
    SmallVector<Value> returned;
    for (Value root : group.roots)
      for (int64_t plane : terms.get(root).planes)
        returned.push_back(emitter.get(root, plane));
    stencil::ReturnOp::create(builder, apply.getLoc(), returned,
                              stencil::IndexAttr());
  }
  shareTerms(all);

  Operation *terminator = all.getBodyBlock()->getTerminator();
  llvm::SetVector<Value> distinct(terminator->operand_begin(),
                                  terminator->operand_end());
  SmallVector<unsigned> resultOf;
  for (Value value : terminator->getOperands())
    resultOf.push_back(llvm::find(distinct, value) - distinct.begin());
  ApplyOp stage = draft.addStage(getTempTypes(rank, distinct.getArrayRef()), {},
                                 group.getLead());
  stage.getRegion().takeBody(all.getRegion());
  terminator->setOperands(distinct.getArrayRef());
  draft.eraseStage(all);

  ArrayRef<unsigned> next = resultOf;
  for (Value root : group.roots) {
    size_t count = terms.get(root).planes.size();
    auto values = llvm::map_to_vector(
        next.take_front(count), [&](unsigned i) { return stage.getResult(i); });
    next = next.drop_front(count);
    sums[root] = accumulate(root, group, values);
  }
  return success();
}

Value Scatter::accumulate(Value root, const RootGroup &group,
                          ValueRange values) {
  const PlaneInfo &info = terms.get(root);
  if (info.isHere())
    return draft.delay(values.front(), group.getLead());
  Value sum =
      AccumulateOp::create(draft.builder, apply.getLoc(),
                           values.front().getType(), values, info.planes);
  return draft.delay(sum, group.getLead() - info.planes.back());
}

//===----------------------------------------------------------------------===//
// The last stage
//===----------------------------------------------------------------------===//

static bool isReadHereOnly(ApplyOp stage, unsigned input) {
  bool result = true;
  Footprint(stage).forEachRead(input, [&](const InputRead &read) {
    result &= read.isPointwise(stage.getRank());
  });
  return result;
}

LogicalResult Scatter::addRest() {
  OpBuilder &builder = draft.builder;
  int64_t rank = apply.getRank();
  Operation *terminator = body.getTerminator();
  SmallVector<Value> read(roots.begin(), roots.end()), returned, results;
  for (Value result : terminator->getOperands())
    if (!sums.contains(result))
      returned.push_back(result);
  ApplyOp stage;
  if (!returned.empty()) {
    auto values =
        llvm::map_to_vector(read, [&](Value root) { return sums[root]; });
    stage = draft.addStage(getTempTypes(rank, returned), values, /*lead=*/0);
    Block &block = *stage.getBodyBlock();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&block);
    IRMapping mapping = mapInputs(body, block);
    SmallVector<int64_t> here(rank, 0);
    for (auto [i, root] : llvm::enumerate(read))
      mapping.map(root, AccessOp::create(
                            builder, root.getLoc(),
                            block.getArgument(body.getNumArguments() + i), here)
                            .getRes());
    for (Operation &op : body)
      if (rest.contains(&op))
        builder.clone(op, mapping);
    stencil::ReturnOp::create(
        builder, apply.getLoc(),
        llvm::map_to_vector(returned,
                            [&](Value value) { return mapping.lookup(value); }),
        stencil::IndexAttr());
  }
  unsigned next = 0;
  for (Value result : terminator->getOperands())
    results.push_back(sums.contains(result) ? sums[result]
                                            : stage.getResult(next++));
  draft.store(results);
  if (!stage)
    return success();
  // What a stage of terms has read of a plane is kept until the rest needs it.
  return draft.readQueues(stage, [&](unsigned input) {
    return draft.isReadAhead(input) && isReadHereOnly(stage, input);
  });
}

LogicalResult Scatter::run() {
  if (failed(findRest()))
    return failure();
  for (const RootGroup &group : groupRoots())
    if (failed(addTerms(group)))
      return failure();
  return addRest();
}

LogicalResult stencil::addScatterStages(PipelineDraft &draft, MathMode mode) {
  bool hasResult = false;
  draft.apply.walk([&](StoreResultOp) { hasResult = true; });
  if (hasResult)
    return draft.apply.emitOpError(
        "expected no stencil.store_result for an 'accumulate' that adds plane "
        "by plane: results are stored at all points");
  return Scatter(draft, mode).run();
}
