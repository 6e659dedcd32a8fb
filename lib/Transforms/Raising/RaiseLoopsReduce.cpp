//===- RaiseLoopsReduce.cpp - Sums and extrema over a nest ----------------===//
//
// Before:
//   %s = scf.for %i = ... iter_args(%sum = %zero) -> f64 {
//     %x = memref.load %u[%i]
//     %n = arith.addf %sum, %x fastmath<reassoc>
//     scf.yield %n
//   }
// After:
//   %s = stencil.fold %t(<[0], [?]>) sum
//
// What one point gives is the result of an apply, whose box is that of a load.
//
//===----------------------------------------------------------------------===//

#include "RaiseLoopsNest.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::raise;

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

bool stencil::raise::isReduction(Operation *loop, const Extents &extents) {
  return loop->getNumResults() > 0 &&
         llvm::all_of(loop->getResultTypes(),
                      [](Type type) { return type.isIntOrIndexOrFloat(); }) &&
         hasSubscriptOf<memref::LoadOp>(loop, extents);
}

scf::ForOp stencil::raise::getCarryingLoop(Value yielded, scf::ForOp outer) {
  auto inner = yielded.getDefiningOp<scf::ForOp>();
  if (!inner || inner->getParentOp() != outer)
    return {};
  return inner;
}

/// What `combiner` makes of two numbers, in any order of the points; nothing if
/// the order matters, or if that is no fold.
static std::optional<FoldKind> getKind(Operation *combiner, bool anyOrder) {
  auto hasFlag = [&](arith::FastMathFlags flag) {
    auto math = dyn_cast<arith::ArithFastMathInterface>(combiner);
    return math && arith::bitEnumContainsAny(
                       math.getFastMathFlagsAttr().getValue(), flag);
  };
  if (isa<arith::AddFOp>(combiner) && !anyOrder &&
      !hasFlag(arith::FastMathFlags::reassoc))
    return std::nullopt;
  // These leave NaN out, a fold does not.
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(combiner) &&
      !hasFlag(arith::FastMathFlags::nnan))
    return std::nullopt;
  if (isa<arith::AddIOp, arith::AddFOp>(combiner))
    return FoldKind::Sum;
  if (isa<arith::MaximumFOp, arith::MaxSIOp, arith::MaxNumFOp>(combiner))
    return FoldKind::Max;
  if (isa<arith::MinimumFOp, arith::MinSIOp, arith::MinNumFOp>(combiner))
    return FoldKind::Min;
  return std::nullopt;
}

static LogicalResult setKind(Operation *combiner, bool anyOrder,
                             Reduction &reduction, Refusal &refusal) {
  Type type = combiner->getResult(0).getType();
  if (type.isIndex() || type.isInteger(1))
    return refusal.set(combiner, "combines points to a value of a type that no "
                                 "fold has");
  std::optional<FoldKind> kind = getKind(combiner, anyOrder);
  if (!kind) {
    if (isa<arith::AddFOp>(combiner))
      return refusal.set(combiner, "adds up points in their order: expected "
                                   "fastmath<reassoc> or a parallel loop");
    return refusal.set(combiner, "carries a value from point to point that is "
                                 "no sum, maximum or minimum");
  }
  reduction.kind = *kind;
  reduction.combiner = combiner;
  return success();
}

/// `combiner` joins `carried` with what a point gives, and nothing else sees
/// either.
static LogicalResult setCombiner(Operation *combiner, Value carried,
                                 Reduction &reduction, Operation *loop,
                                 Refusal &refusal) {
  if (!combiner || combiner->getNumOperands() != 2 ||
      combiner->getNumResults() != 1 || !combiner->getResult(0).hasOneUse() ||
      !carried.hasOneUse() || *carried.user_begin() != combiner)
    return refusal.set(loop, "carries a value from point to point that is no "
                             "sum, maximum or minimum");
  reduction.value = combiner->getOperand(combiner->getOperand(0) == carried);
  return success();
}

static LogicalResult readFor(scf::ForOp root, unsigned number,
                             Reduction &reduction, Refusal &refusal) {
  scf::ForOp loop = root;
  while (true) {
    Value carried = loop.getRegionIterArg(number);
    Value yielded = loop.getYieldedValues()[number];
    scf::ForOp inner = getCarryingLoop(yielded, loop);
    if (!inner) {
      Operation *combiner = yielded.getDefiningOp();
      if (combiner && combiner->getBlock() != loop.getBody())
        combiner = nullptr;
      return success(
          succeeded(setCombiner(combiner, carried, reduction, loop, refusal)) &&
          succeeded(setKind(combiner, /*anyOrder=*/false, reduction, refusal)));
    }
    unsigned next = cast<OpResult>(yielded).getResultNumber();
    if (!carried.hasOneUse() || !yielded.hasOneUse() ||
        inner.getInitArgs()[next] != carried)
      return refusal.set(inner, "carries a value from point to point that does "
                                "not begin with that of the loop around it");
    loop = inner;
    number = next;
  }
}

static LogicalResult readReduce(scf::ParallelOp root, unsigned number,
                                Reduction &reduction, Refusal &refusal) {
  auto reduce = cast<scf::ReduceOp>(root.getBody()->getTerminator());
  Block &block = reduce.getReductions()[number].front();
  Operation *combiner = block.getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getBlock() != &block ||
      combiner->getNumOperands() != 2 ||
      combiner->getOperand(0) == combiner->getOperand(1) ||
      !llvm::all_of(combiner->getOperands(), [&](Value operand) {
        return llvm::is_contained(block.getArguments(), operand);
      }))
    return refusal.set(reduce, "combines points to what is no sum, maximum or "
                               "minimum");
  reduction.value = reduce.getOperands()[number];
  return setKind(combiner, /*anyOrder=*/true, reduction, refusal);
}

LogicalResult stencil::raise::readReductions(LoopNest &nest, Refusal &refusal) {
  for (OpResult result : nest.root->getResults()) {
    Reduction reduction;
    unsigned number = result.getResultNumber();
    auto loop = dyn_cast<scf::ForOp>(nest.root);
    auto parallel = dyn_cast<scf::ParallelOp>(nest.root);
    if (loop ? failed(readFor(loop, number, reduction, refusal))
             : failed(readReduce(parallel, number, reduction, refusal)))
      return failure();
    reduction.init =
        loop ? loop.getInitArgs()[number] : parallel.getInitVals()[number];
    nest.reductions.push_back(reduction);
  }
  return success();
}

/// A load at each point of a place of its own: the one in the middle, so that
/// others are at small offsets.
static const Access *findPlace(const LoopNest &nest) {
  SmallVector<std::pair<int64_t, size_t>> candidates;
  for (auto [number, access] : llvm::enumerate(nest.accesses)) {
    int64_t offset = 0;
    for (const Subscript &subscript : access.subscripts)
      offset += subscript.bound.offset;
    if (nest.isAtEachPoint(access))
      candidates.push_back({offset, number});
  }
  llvm::sort(candidates);
  return candidates.empty()
             ? nullptr
             : &nest.accesses[candidates[candidates.size() / 2].second];
}

LogicalResult stencil::raise::placeReductions(LoopNest &nest,
                                              Refusal &refusal) {
  if (nest.reductions.empty())
    return success();
  const Access *found = findPlace(nest);
  if (!found || nest.loops.empty())
    return refusal.set(nest.root, "combines points: expected an access with "
                                  "every induction variable in one of its "
                                  "subscripts");
  Access place = *found;
  place.isStore = true;
  place.isConditional = false;
  for (auto [number, reduction] : llvm::enumerate(nest.reductions)) {
    place.op = reduction.combiner;
    place.reduction = static_cast<int>(number);
    nest.accessOf[place.op] = nest.accesses.size();
    nest.accesses.push_back(place);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// True if a fold that begins with `init` is that without it.
static bool isNeutral(Value init, FoldKind kind) {
  if (kind == FoldKind::Sum)
    return matchPattern(init, m_AnyZeroFloat()) || matchPattern(init, m_Zero());
  return kind == FoldKind::Max ? matchPattern(init, m_NegInfFloat())
                               : matchPattern(init, m_PosInfFloat());
}

/// What `value` is at all points, if its apply does nothing but read that.
static Value getPlainValue(Value value) {
  auto apply = value.getDefiningOp<ApplyOp>();
  unsigned number = cast<OpResult>(value).getResultNumber();
  auto access = apply.getBodyBlock()
                    ->getTerminator()
                    ->getOperand(number)
                    .getDefiningOp<AccessOp>();
  if (!access || access.getOffsetMapping() || !access.getOffset().isZero())
    return value;
  return apply.getInput(access.getTemp());
}

void stencil::raise::emitFold(OpBuilder &builder, const LoopNest &nest,
                              unsigned number, Value value, BoundsAttr box) {
  const Reduction &reduction = nest.reductions[number];
  Location loc = reduction.combiner->getLoc();
  Value plain = getPlainValue(value);
  Value result =
      FoldOp::create(builder, loc, ValueRange{plain}, box, reduction.kind);
  auto apply = value.getDefiningOp<ApplyOp>();
  if (plain != value && apply->use_empty())
    apply->erase();
  if (!isNeutral(reduction.init, reduction.kind)) {
    Operation *joined = builder.clone(*reduction.combiner);
    joined->setOperands({reduction.init, result});
    result = joined->getResult(0);
  }
  nest.root->getResult(number).replaceAllUsesWith(result);
}
