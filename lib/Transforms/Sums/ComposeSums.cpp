//===- ComposeSums.cpp - Weighted sums of weighted sums -------------------===//
//
// stencil-compose-sums: a sum over a linear value becomes a sum over what that
// is made of.
//
//   %v = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<[a, b]>
//   %s = stencil.weighted_sum %v offsets [[-1], [1]] weights dense<[c, d]>
// ==>
//   %s = stencil.weighted_sum %x offsets [[-2], [0], [2]]
//        weights dense<[c a, c b + d a, d b]>
//
// Across applies, the producer is first put into a copy of its consumer
// (ApplyFusion); that is kept if all of it has been composed, and if it pays.
//
//===----------------------------------------------------------------------===//

#include "Fusion/ApplyFusion.h"
#include "StencilDialect/Analysis/Fusion.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/Transforms/ComposeBody.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILCOMPOSESUMS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct ComposeOptions {
  MathMode math;
  size_t maxTaps;
  FusionLimits limits;
  ArrayRef<std::string> force, forbid;
};

/// Composes the sums of one function.
class FunctionComposer {
public:
  FunctionComposer(FunctionOpInterface function, const ShapeInference &shapes,
                   const ComposeOptions &options)
      : function(function), analysis(function, shapes, options.limits),
        options(options) {}

  LogicalResult run();

private:
  enum class Outcome { Nothing, Composed, Failed };

  bool isNamed(ApplyOp apply, ArrayRef<std::string> names) {
    return llvm::any_of(names,
                        [&](StringRef name) { return hasName(apply, name); });
  }
  Outcome composeInside(ApplyOp apply);
  Outcome composeInto(ApplyOp producer, ApplyOp &consumer);
  Outcome decline(ApplyOp apply, bool isForced, const Obstacle &obstacle,
                  StringRef numbers = {});
  Outcome sweep();
  SmallVector<ApplyOp> collect();

  FunctionOpInterface function;
  FusionAnalysis analysis;
  const ComposeOptions &options;
  /// Applies that are to be composed, and have not been.
  llvm::MapVector<Operation *, Obstacle> missing;
  llvm::DenseSet<Operation *> alive;
  /// Remarks, if nothing else comes of it.
  SmallVector<std::pair<Location, std::string>> declined;
};

} // namespace

//===----------------------------------------------------------------------===//
// One body
//===----------------------------------------------------------------------===//

/// What all evaluations of a body cost that is read from the caches.
static double getWork(ApplyOp apply, const FusionLimits &limits) {
  BodyCost cost = getBodyCost(apply);
  double loads = 0;
  for (const OffsetSet &offsets : cost.reads)
    loads += countLoads(offsets);
  return cost.flops / limits.balance + 8 * loads / FusionLimits::kCacheBalance;
}

/// A remark, or the reason for an error to come.
FunctionComposer::Outcome FunctionComposer::decline(ApplyOp apply,
                                                    bool isForced,
                                                    const Obstacle &obstacle,
                                                    StringRef numbers) {
  if (isForced) {
    missing[apply] = obstacle;
    return Outcome::Failed;
  }
  std::string text = "not composed: " + obstacle.reason;
  if (!numbers.empty())
    text += (": " + numbers).str();
  declined.push_back({apply.getLoc(), std::move(text)});
  return Outcome::Nothing;
}

static void emitComposed(ApplyOp apply, const BodyComposition &composition,
                         const Twine &rest) {
  remarkPassed(apply.getLoc(), "Sums", "SumComposed",
               llvm::formatv("{0} taps became {1}", composition.partTaps,
                             composition.taps) +
                   rest);
}

FunctionComposer::Outcome FunctionComposer::composeInside(ApplyOp apply) {
  bool isForced = isNamed(apply, options.force);
  if (!hasSumsOverValues(apply) || isNamed(apply, options.forbid))
    return Outcome::Nothing;
  // A copy of the body, should it not pay.
  double before = getWork(apply, options.limits);
  IRMapping mapping;
  Region backup;
  apply.getRegion().cloneInto(&backup, mapping);
  BodyComposition composition =
      composeBody(apply, options.math, options.maxTaps);
  if (composition.sums == 0)
    return decline(apply, isForced,
                   {composition.obstacle, composition.obstacleOp});
  double after = getWork(apply, options.limits);
  if (after > before && !isForced) {
    apply.getRegion().takeBody(backup);
    return decline(
        apply, isForced, {"it would not pay", apply},
        llvm::formatv("time {0:f1} -> {1:f1} per point", before, after).str());
  }
  emitComposed(
      apply, composition,
      llvm::formatv(": time {0:f1} -> {1:f1} per point", before, after).str());
  return Outcome::Composed;
}

//===----------------------------------------------------------------------===//
// Producer and consumer
//===----------------------------------------------------------------------===//

static size_t countSumsOverValues(ApplyOp apply) {
  size_t count = 0;
  apply.getRegion().walk(
      [&](WeightedSumOp sum) { count += !sum.isOverInput(); });
  return count;
}

/// Replaces `consumer` by one that reads what `producer` reads, if that is
/// linear.
FunctionComposer::Outcome FunctionComposer::composeInto(ApplyOp producer,
                                                        ApplyOp &consumer) {
  bool isForced = isNamed(producer, options.force);
  if (isNamed(producer, options.forbid) || isNamed(consumer, options.forbid))
    return Outcome::Nothing;
  FusionVerdict verdict =
      analysis.judgeProducer(producer, consumer, /*isForced=*/true);
  if (verdict.kind == FusionVerdict::Illegal)
    return decline(producer, isForced, verdict.obstacle);
  if (!isForced && producer->getBlock() != consumer->getBlock())
    return decline(producer, isForced,
                   {"it is not evaluated as often as its consumer", consumer});

  OpBuilder builder(consumer);
  auto inner = cast<ApplyOp>(builder.clone(*producer));
  auto outer = cast<ApplyOp>(builder.clone(*consumer));
  for (OpOperand &use : outer.getArgsMutable())
    if (use.get().getDefiningOp() == producer)
      use.set(inner.getRes()[cast<OpResult>(use.get()).getResultNumber()]);
  size_t sums = countSumsOverValues(inner) + countSumsOverValues(outer);
  ApplyOp fused = inlineProducer(inner, outer, /*keepsResults=*/false, outer);
  analysis.setPlace(fused, consumer);
  for (auto [result, old] : llvm::zip_equal(fused.getRes(), consumer.getRes()))
    analysis.setBox(result, analysis.getBox(old));

  BodyComposition composition =
      composeBody(fused, options.math, options.maxTaps);
  auto refuse = [&](const Obstacle &obstacle, StringRef numbers) {
    // What is to blame may be gone.
    Outcome outcome = decline(producer, isForced, obstacle, numbers);
    fused.erase();
    return outcome;
  };
  bool isRead = llvm::any_of(producer->getUsers(),
                             [&](Operation *user) { return user != consumer; });
  if (composition.sums == 0 && countSumsOverValues(fused) == 0)
    // Read at one offset: a matter of fusion, not of composition.
    return refuse({"it is read at one offset only", consumer}, {});
  if (countSumsOverValues(fused) > sums)
    return refuse({composition.obstacle.empty() ? "it is not linear"
                                                : composition.obstacle,
                   producer},
                  {});
  KernelCost alone = analysis.getCost(producer);
  KernelCost before = alone, after = analysis.getCost(fused);
  before += analysis.getCost(consumer);
  if (isRead)
    after += alone;
  after.bytes += verdict.copied;
  after.time += verdict.copied;
  std::string numbers = describeChange(before, after, verdict.points);
  if (!isForced && after.time * options.limits.gain > before.time)
    return refuse({"it would not pay", producer}, numbers);
  emitComposed(producer, composition, ": " + Twine(numbers));
  consumer->replaceAllUsesWith(fused->getResults());
  alive.erase(consumer);
  consumer.erase();
  consumer = fused;
  alive.insert(fused);
  if (producer->use_empty()) {
    alive.erase(producer);
    missing.erase(producer);
    producer.erase();
  }
  return Outcome::Composed;
}

/// Composes into the applies what they read, once each: sums of a long chain
/// double their length with every sweep, which is faster than one that grows
/// tap by tap.
FunctionComposer::Outcome FunctionComposer::sweep() {
  declined.clear();
  llvm::DenseSet<Operation *> touched;
  Outcome result = Outcome::Nothing;
  SmallVector<ApplyOp> applies = collect();
  for (ApplyOp consumer : llvm::reverse(applies)) {
    if (!alive.contains(consumer) || consumer.isBufferised())
      continue;
    for (Value input : SmallVector<Value>(consumer.getArgs())) {
      auto producer = input.getDefiningOp<ApplyOp>();
      if (!producer || producer.isBufferised() || touched.contains(producer))
        continue;
      Outcome outcome = composeInto(producer, consumer);
      if (outcome == Outcome::Failed)
        return outcome;
      if (outcome != Outcome::Composed)
        continue;
      touched.insert(consumer);
      result = outcome;
      break;
    }
  }
  return result;
}

SmallVector<ApplyOp> FunctionComposer::collect() {
  SmallVector<ApplyOp> applies;
  alive.clear();
  for (Operation *op : listProgram(function.getFunctionBody()))
    // The steps of a time loop are stages, for which they are left apart.
    if (auto apply = dyn_cast<ApplyOp>(op);
        apply && !apply->hasAttr(kStepsAttr)) {
      applies.push_back(apply);
      alive.insert(apply);
    }
  return applies;
}

LogicalResult FunctionComposer::run() {
  for (ApplyOp apply : collect()) {
    bool isForced = isNamed(apply, options.force);
    bool isProducer = llvm::any_of(apply->getUsers(), llvm::IsaPred<ApplyOp>);
    Outcome outcome = composeInside(apply);
    if (isForced && outcome != Outcome::Composed && !isProducer)
      missing.try_emplace(
          apply, Obstacle{"it has no weighted sum over a value of its body, "
                          "and no stencil.apply reads its results",
                          nullptr});
    else if (isForced && isProducer)
      missing.erase(apply);
  }
  auto inside = std::move(declined);
  constexpr int patience = 64;
  for (int i = 0; missing.empty() && i < patience; ++i)
    if (sweep() != Outcome::Composed)
      break;
  llvm::append_range(inside, declined);
  for (const auto &[loc, text] : inside)
    remarkMissed(loc, "Sums", "SumNotComposed", text);
  for (auto &[op, obstacle] : missing) {
    InFlightDiagnostic diag = op->emitOpError("cannot be composed as asked: ")
                              << obstacle.reason;
    if (obstacle.op && obstacle.op != op)
      diag.attachNote(obstacle.op->getLoc()) << "because of this";
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ComposeSums : stencil::impl::StencilComposeSumsBase<ComposeSums> {
  using StencilComposeSumsBase::StencilComposeSumsBase;

  LogicalResult checkOptions(ComposeOptions &options);
  void runOnOperation() override;
};
} // namespace

LogicalResult ComposeSums::checkOptions(ComposeOptions &options) {
  ModuleOp module = getOperation();
  if (gain <= 0)
    return emitError(getStart(module))
           << "expected a positive gain, got " << gain;
  llvm::StringSet<llvm::MallocAllocator> names;
  module.walk([&](ApplyOp apply) {
    for (StringRef name : llvm::split(getApplyName(apply), '+'))
      names.insert(name);
  });
  for (StringRef wish : llvm::concat<const std::string>(*force, *forbid))
    if (!names.contains(wish))
      return emitError(getStart(module))
             << "expected the name of a stencil.apply (attribute "
             << kApplyNameAttr << "), got '" << wish << "'";
  for (const std::string &name : force)
    if (llvm::is_contained(forbid, name))
      return emitError(getStart(module))
             << "'" << name << "' is to be composed, and not to be";
  options.force = *force;
  options.forbid = *forbid;
  options.math = math;
  options.maxTaps = maxTaps;
  options.limits.gain = gain;
  return success();
}

void ComposeSums::runOnOperation() {
  ComposeOptions options;
  if (failed(checkOptions(options)) || failed(checkProgram(getOperation())))
    return signalPassFailure();
  FailureOr<ShapeInference> shapes = ShapeInference::compute(getOperation());
  if (failed(shapes))
    return signalPassFailure();
  auto compose = [&](FunctionOpInterface function) -> WalkResult {
    if (!function.isExternal() &&
        failed(FunctionComposer(function, *shapes, options).run()))
      return WalkResult::interrupt();
    return WalkResult::skip();
  };
  if (failed(checkWithin<WalkOrder::PreOrder>(getOperation(), compose)))
    signalPassFailure();
}
