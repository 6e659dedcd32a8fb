//===- ScatterStages.cpp - Stages that add plane by plane -----------------===//
//
// The body of the apply falls into sums whose terms read one plane each (see
// PlaneTerms.h) and the rest. The sums that the rest reads, and those that are
// results, are the roots: a stage computes their terms.
//
// The semi form (de la Cruz and Araya-Polo, "Algorithm 942: Semi-Stencil", ACM
// TOMS 40(3), 2014) adds plane by plane only to planes behind: what a point
// needs of its own plane and, in its column, of those before, is summed when
// its plane comes.
//
//===----------------------------------------------------------------------===//

#include "MakePipeline.h"
#include "StencilDialect/Conversion/SumArithmetic.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/Remarks.h"
#include "Sums/SumBodies.h"
#include "TermEmitter.h"
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
};

/// What is accumulated for a root: values of a stage, and the planes of a point
/// that they are for.
struct RootParts {
  SmallVector<int64_t> planes;
  SmallVector<Value> values;
};

class Scatter {
public:
  Scatter(PipelineDraft &draft, ApplyOp apply, MathMode mode)
      : draft(draft), apply(apply), body(*apply.getBodyBlock()), mode(mode),
        isSemi(draft.schedule.getAccumulate() == Accumulation::Semi),
        terms(apply, *draft.axis), split(terms) {}

  LogicalResult run();
  bool isOfSeveralPlanes() const;
  std::string explainNoScatter();

private:
  InFlightDiagnostic refuseSum(WeightedSumOp sum);
  SmallVector<RootGroup> groupRoots() const;
  Value sumBehind(ArrayRef<int64_t> planes, ValueRange values);
  bool readsBehind(const TermEmitter &emitter, const RootGroup &group);
  RootParts emitParts(const TermEmitter &emitter, Value root, bool readsBehind);
  FailureOr<ApplyOp> emitTerms(const RootGroup &group,
                               MutableArrayRef<RootParts> parts);
  LogicalResult addTerms(const RootGroup &group);
  Value accumulate(ArrayRef<int64_t> planes, ValueRange values);
  LogicalResult addRest();

  PipelineDraft &draft;
  /// The stage that is cut.
  ApplyOp apply;
  Block &body;
  MathMode mode;
  bool isSemi;
  PlaneTerms terms;
  /// The rest is for the last stage.
  PlaneSums split;
  /// Roots as values of the pipeline.
  llvm::DenseMap<Value, Value> sums;
};

} // namespace

//===----------------------------------------------------------------------===//
// Roots and the rest
//===----------------------------------------------------------------------===//

InFlightDiagnostic Scatter::refuseSum(WeightedSumOp sum) {
  const PlaneInfo &info = terms.get(sum.getInput());
  bool isTerms = info.kind == PlaneInfo::Terms;
  InFlightDiagnostic diagnostic = apply.emitOpError();
  if (isTerms)
    diagnostic << "expected inputs that are all read at planes "
               << info.planes.front() << " to " << info.planes.back()
               << " in a sum over a value";
  else
    diagnostic << "expected no sum over a value that is not linear in what is "
                  "read of several planes";
  diagnostic << " for an 'accumulate' that adds plane by plane";
  if (isTerms)
    diagnostic << ", got such as are read at planes " << info.readable.first
               << " to " << info.readable.last;
  diagnostic.attachNote(sum.getLoc()) << "this sum";
  return diagnostic;
}

/// Why the stage has to keep planes; empty if it need not.
std::string Scatter::explainNoScatter() {
  if (split.refused)
    return "a sum is over a value that is not linear in what is read of "
           "several planes";
  return split.mayReorder(terms, mode)
             ? ""
             : "its sums may not be computed in another order";
}

/// Whether a stage that has one plane at a time has less to keep.
bool Scatter::isOfSeveralPlanes() const {
  std::optional<PlaneRange> all;
  Footprint(apply).forEachRead([&](const InputRead &read) {
    if (auto planes = getPlanes(read, terms.getAxis()))
      all = all ? all->hull(*planes) : *planes;
  });
  return all && all->first != all->last;
}

SmallVector<RootGroup> Scatter::groupRoots() const {
  SmallVector<RootGroup> groups;
  for (Operation &op : body)
    for (Value root : op.getResults()) {
      if (!split.roots.contains(root))
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

/// The sum of the terms of a plane and those before it, at this plane: the
/// terms are values of the body, which are moved by sums of one tap.
Value Scatter::sumBehind(ArrayRef<int64_t> planes, ValueRange values) {
  OpBuilder &builder = draft.builder;
  Value total;
  for (auto [plane, value] : llvm::zip_equal(planes, values)) {
    Location loc = value.getLoc();
    Type type = value.getType();
    if (plane != 0) {
      SmallVector<int64_t> offset(apply.getRank(), 0);
      offset[terms.getAxis()] = plane;
      value = shiftValue(builder, loc, value, offset);
    }
    SumArithmetic math(builder, loc, type, arith::FastMathFlags::none);
    total = total ? math.add(total, value) : value;
  }
  return total;
}

/// True if what planes behind contribute to the newest one is to be read again,
/// not kept: in the semi form, if it is all in the column of the point. A stage
/// does not do both, which would read planes further behind.
bool Scatter::readsBehind(const TermEmitter &emitter, const RootGroup &group) {
  Block &block = *draft.builder.getInsertionBlock();
  for (Value root : group.roots)
    for (int64_t plane : terms.get(root).planes)
      if (plane < 0 && !dependsOnPointOnly(emitter.get(root, plane), block))
        return false;
  return isSemi;
}

/// Emits what is accumulated for a root.
RootParts Scatter::emitParts(const TermEmitter &emitter, Value root,
                             bool readsBehind) {
  RootParts parts;
  ArrayRef<int64_t> planes = terms.get(root).planes;
  auto values = llvm::map_to_vector(
      planes, [&](int64_t plane) { return emitter.get(root, plane); });
  size_t behind = 0;
  if (readsBehind)
    behind = llvm::count_if(planes, [](int64_t plane) { return plane <= 0; });
  if (behind) {
    parts.planes.push_back(0);
    parts.values.push_back(sumBehind(planes.take_front(behind),
                                     ArrayRef(values).take_front(behind)));
  }
  llvm::append_range(parts.planes, planes.drop_front(behind));
  llvm::append_range(parts.values, ArrayRef(values).drop_front(behind));
  return parts;
}

/// Copies the terms of all roots of a group to a stage. It returns them all, to
/// see which are equal.
FailureOr<ApplyOp> Scatter::emitTerms(const RootGroup &group,
                                      MutableArrayRef<RootParts> parts) {
  OpBuilder &builder = draft.builder;
  ApplyOp stage = draft.addStage(apply, {}, {});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(stage.getBodyBlock());
  TermEmitter emitter(terms, mode, draft.mapInto(apply, stage));
  for (Value root : group.roots)
    for (int64_t plane : terms.get(root).planes)
      emitter.require(root, plane);
  if (failed(emitter.emit(builder)))
    return failure();
  bool isBehindRead = readsBehind(emitter, group);
  SmallVector<Value> returned;
  for (auto [root, of] : llvm::zip_equal(group.roots, parts)) {
    of = emitParts(emitter, root, isBehindRead);
    llvm::append_range(returned, of.values);
  }
  stencil::ReturnOp::create(builder, apply.getLoc(), returned);
  // The body is to compute nothing twice: terms that are equal become one
  // value.
  IRRewriter rewriter(stage.getContext());
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, stage);
  return stage;
}

/// Adds the stage of a group, which returns every term of every root once.
LogicalResult Scatter::addTerms(const RootGroup &group) {
  SmallVector<RootParts> parts(group.roots.size());
  auto all = emitTerms(group, parts);
  if (failed(all))
    return failure();
  Operation *terminator = all->getBodyBlock()->getTerminator();
  SmallVector<Value> returned(terminator->getOperands());
  llvm::SetVector<Value> distinct(returned.begin(), returned.end());
  ApplyOp stage =
      draft.addStage(apply, draft.getTempTypes(distinct.getArrayRef()), {});
  stage.getRegion().takeBody(all->getRegion());
  terminator->setOperands(distinct.getArrayRef());
  draft.replaceStage(*all, {});

  ArrayRef<Value> next = returned;
  for (auto [root, of] : llvm::zip_equal(group.roots, parts)) {
    auto results =
        llvm::map_to_vector(next.take_front(of.planes.size()), [&](Value term) {
          return Value(
              stage.getResult(llvm::find(distinct, term) - distinct.begin()));
        });
    next = next.drop_front(of.planes.size());
    sums[root] = accumulate(of.planes, results);
  }
  return isSemi ? draft.readColumns(stage) : success();
}

/// A sum of terms.
Value Scatter::accumulate(ArrayRef<int64_t> planes, ValueRange values) {
  if (planes.size() == 1 && planes.front() == 0)
    return values.front();
  auto sum = AccumulateOp::create(draft.builder, apply.getLoc(),
                                  values.front().getType(), values, planes);
  // What may not be in any order is not scattered. The stages of a leg take
  // all registers: their sums are to hold no terms.
  if (draft.schedule.getRelay())
    sum->setDiscardableAttr(kAnyOrderAttr, draft.builder.getUnitAttr());
  return sum;
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
  Operation *terminator = body.getTerminator();
  SmallVector<Value> read(split.roots.getArrayRef()), returned, results;
  for (Value result : terminator->getOperands())
    if (!sums.contains(result))
      returned.push_back(result);
  ApplyOp stage;
  if (!returned.empty()) {
    auto values =
        llvm::map_to_vector(read, [&](Value root) { return sums[root]; });
    stage = draft.addStage(apply, draft.getTempTypes(returned), values);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(stage.getBodyBlock());
    IRMapping mapping = draft.mapInto(apply, stage, read);
    for (Operation &op : body)
      if (split.rest.contains(&op))
        builder.clone(op, mapping);
    stencil::ReturnOp::create(builder, apply.getLoc(),
                              llvm::map_to_vector(returned, [&](Value value) {
                                return mapping.lookup(value);
                              }));
  }
  unsigned next = 0;
  for (Value result : terminator->getOperands())
    results.push_back(sums.contains(result) ? sums[result]
                                            : stage.getResult(next++));
  draft.replaceStage(apply, results);
  if (!stage)
    return success();
  if (failed(draft.assignLeads()) || failed(draft.readBranches(stage)))
    return failure();
  // What a stage of terms has read of a plane is kept until the rest needs it.
  return draft.readQueues(stage, [&](unsigned input) {
    return draft.isReadAhead(stage, input) && isReadHereOnly(stage, input);
  });
}

LogicalResult Scatter::run() {
  if (split.refused)
    return refuseSum(split.refused);
  for (const RootGroup &group : groupRoots())
    if (failed(addTerms(group)))
      return failure();
  return addRest();
}

/// Scatters a stage that others follow, if there is a gain, and nothing in the
/// way.
static LogicalResult scatterInner(PipelineDraft &draft, ApplyOp stage,
                                  MathMode mode) {
  Scatter scatter(draft, stage, mode);
  if (!scatter.isOfSeveralPlanes())
    return success();
  std::string why = scatter.explainNoScatter();
  if (why.empty())
    return scatter.run();
  remarkMissed(stage.getLoc(), "Schedule", "Accumulate",
               "a stage that others follow keeps the planes that it reads: " +
                   why);
  return success();
}

LogicalResult stencil::scatterStages(PipelineDraft &draft, MathMode mode) {
  // What a stage reads of others is known when these come.
  SmallVector<ApplyOp> stages(draft.getStages());
  if (failed(Scatter(draft, stages.pop_back_val(), mode).run()))
    return failure();
  while (!stages.empty())
    if (failed(scatterInner(draft, stages.pop_back_val(), mode)))
      return failure();
  return success();
}
