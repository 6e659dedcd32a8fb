//===- RaiseLoopsPrepare.cpp - Loops of one form --------------------------===//

#include "RaiseLoopsPrepare.h"
#include "RaiseLoopsNest.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::raise;

//===----------------------------------------------------------------------===//
// Accesses of views become those of arrays
//
// Before:
//   %v = memref.subview %u[1] [62] [1]
//   scf.for %i = %c0 to %c62 { ... memref.load %v[%i]
// After:
//   scf.for %i = %c0 to %c62 { ... memref.load %u[%i + 1]
//
// This is what slices of tensors become. Copies of views become loops.
//
//===----------------------------------------------------------------------===//

static bool isView(Value memref) {
  return memref.getDefiningOp<memref::SubViewOp>() != nullptr;
}

/// Loops over the elements of a copy from or to a view.
static void lowerCopy(memref::CopyOp copy) {
  auto source = cast<MemRefType>(copy.getSource().getType());
  Location loc = copy.getLoc();
  IRRewriter rewriter(copy);
  SmallVector<Value> lower, upper, steps;
  for (int64_t axis = 0; axis < source.getRank(); ++axis) {
    lower.push_back(arith::ConstantIndexOp::create(rewriter, loc, 0));
    steps.push_back(arith::ConstantIndexOp::create(rewriter, loc, 1));
    upper.push_back(
        rewriter.createOrFold<memref::DimOp>(loc, copy.getSource(), axis));
  }
  scf::buildLoopNest(rewriter, loc, lower, upper, steps,
                     [&](OpBuilder &builder, Location, ValueRange indices) {
                       Value element = memref::LoadOp::create(
                           builder, loc, copy.getSource(), indices);
                       memref::StoreOp::create(builder, loc, element,
                                               copy.getTarget(), indices);
                     });
  rewriter.eraseOp(copy);
}

/// Accesses of memref.subview become those of what they are views of, copies of
/// them loops.
static void lowerViews(func::FuncOp function) {
  SmallVector<memref::CopyOp> copies;
  bool hasViews = false;
  function.walk([&](Operation *op) {
    hasViews |= isa<memref::SubViewOp>(op);
    auto copy = dyn_cast<memref::CopyOp>(op);
    if (copy && (isView(copy.getSource()) || isView(copy.getTarget())) &&
        isa<MemRefType>(copy.getSource().getType()) &&
        isa<MemRefType>(copy.getTarget().getType()))
      copies.push_back(copy);
  });
  if (!hasViews)
    return;
  for (memref::CopyOp copy : copies)
    lowerCopy(copy);
  RewritePatternSet patterns(function.getContext());
  memref::populateFoldMemRefAliasOpPatterns(patterns);
  memref::DimOp::getCanonicalizationPatterns(patterns, function.getContext());
  // What cannot be folded stays, and is no part of a nest.
  (void)applyPatternsGreedily(function, std::move(patterns));
}

/// More taps than this are no stencil, but a matrix.
static constexpr int64_t kMaxTaps = 1024;

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

/// Why `op` is no stencil; empty if it may be one.
static std::string findFault(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics())
    return "expected memrefs, got tensors: bufferise first, as "
           "stencil-raise-tensors does";
  if (op.hasIndexSemantics() && op.getNumReductionLoops() > 0 &&
      op.getNumParallelLoops() > 0)
    return "has a reduction that depends on its index";
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t taps = 1;
  for (auto [kind, range] :
       llvm::zip_equal(op.getIteratorTypesArray(), ranges)) {
    // Over all points, or over the taps of one.
    if (kind != utils::IteratorType::reduction || op.getNumParallelLoops() == 0)
      continue;
    bool isFew =
        !ShapedType::isDynamic(range) && range >= 1 && range <= kMaxTaps;
    taps = isFew ? taps * range : kMaxTaps + 1;
    if (taps > kMaxTaps)
      return "expected reductions over at most " + std::to_string(kMaxTaps) +
             " points in all, known at compile time";
  }
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr expr : map.getResults()) {
      bool isLinear = true;
      expr.walk([&](AffineExpr part) {
        if (auto binary = dyn_cast<AffineBinaryOpExpr>(part))
          isLinear &= binary.getKind() == AffineExprKind::Add ||
                      binary.getKind() == AffineExprKind::Mul;
      });
      if (!isLinear)
        return "has subscripts that are divided or wrap around";
    }
  return {};
}

/// A reduction of linalg has no order of its points. Over a whole array that is
/// how it is raised; over the taps of a point loops keep theirs.
static void allowAnyOrder(linalg::LinalgOp op) {
  if (op.getNumParallelLoops() != 0)
    return;
  for (Value yielded : op.getBlock()->getTerminator()->getOperands())
    if (auto add = yielded.getDefiningOp<arith::AddFOp>())
      add.setFastmath(add.getFastmath() | arith::FastMathFlags::reassoc);
}

/// Says before `op` which extents of its operands are equal: those along one of
/// its loops, of memrefs that the function begins with.
static void assertExtents(linalg::LinalgOp op, Block *entry) {
  OpBuilder builder(entry->findAncestorOpInBlock(*op));
  Location loc = op.getLoc();
  auto isEarly = [&](Value memref) {
    return memref.getParentBlock() == entry &&
           isa<MemRefType>(memref.getType());
  };
  SmallVector<Value> extents(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    Value memref = operand.get();
    if (!isEarly(memref))
      continue;
    for (auto [axis, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      Value extent = builder.createOrFold<memref::DimOp>(
          loc, memref, static_cast<int64_t>(axis));
      Value &first = extents[dim.getPosition()];
      if (!first) {
        first = extent;
        continue;
      }
      if (getConstantIntValue(first) && getConstantIntValue(extent))
        continue;
      Value holds = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, extent, first);
      cf::AssertOp::create(builder, loc, holds,
                           "expected equal extents of the operands");
    }
  }
}

static void lowerLinalg(func::FuncOp function, Report report) {
  IRRewriter rewriter(function.getContext());
  for (linalg::LinalgOp op : listWithin<linalg::LinalgOp>(function)) {
    std::string fault = findFault(op);
    if (!fault.empty()) {
      report(op, fault);
      continue;
    }
    allowAnyOrder(op);
    assertExtents(op, &function.getBody().front());
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      report(op, "has no loops");
    else
      rewriter.eraseOp(op);
  }
}

//===----------------------------------------------------------------------===//
// affine
//===----------------------------------------------------------------------===//

static void lowerAffine(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  populateAffineToStdConversionPatterns(patterns);
  populateAffineToVectorConversionPatterns(patterns);
  ConversionTarget target(*function.getContext());
  target.addLegalDialect<arith::ArithDialect, memref::MemRefDialect,
                         scf::SCFDialect, vector::VectorDialect>();
  // What cannot be converted stays, and is no part of a nest.
  (void)applyPartialConversion(function, target, std::move(patterns));
}

//===----------------------------------------------------------------------===//
// Loops over taps
//===----------------------------------------------------------------------===//

/// The number of iterations of a loop with constant bounds; -1 for others.
static int64_t getTripCount(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || !step || *step < 1 || loop.getUnsignedCmp() ||
      std::abs(*lower) > kMaxTaps || std::abs(*upper) > kMaxTaps)
    return -1;
  return std::max<int64_t>(0, llvm::divideCeil(*upper - *lower, *step));
}

/// Upstream's loopUnrollFull is for bounds that are not negative.
static void unroll(scf::ForOp loop) {
  IRRewriter rewriter(loop);
  int64_t lower = *getConstantIntValue(loop.getLowerBound());
  int64_t step = *getConstantIntValue(loop.getStep());
  SmallVector<Value> carried(loop.getInitArgs());
  for (int64_t i = 0, count = getTripCount(loop); i < count; ++i) {
    IRMapping mapping;
    Value iv = arith::ConstantOp::create(
        rewriter, loop.getLoc(),
        rewriter.getIntegerAttr(loop.getInductionVar().getType(),
                                lower + i * step));
    mapping.map(loop.getInductionVar(), iv);
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      rewriter.clone(op, mapping);
    for (auto [value, yielded] :
         llvm::zip_equal(carried, loop.getYieldedValues()))
      value = mapping.lookupOrDefault(yielded);
  }
  rewriter.replaceOp(loop, carried);
}

/// Taps of a point, over all loops over taps in `loop`; -1 if one of them has
/// no constant bounds, or more than is sensible.
static int64_t countTaps(scf::ForOp loop) {
  int64_t inner = 1;
  for (Operation &op : loop.getBody()->without_terminator())
    op.walk<WalkOrder::PreOrder>([&](Operation *nested) {
      if (inner < 0 || !isa<LoopLikeOpInterface>(nested))
        return WalkResult::advance();
      auto nestedFor = dyn_cast<scf::ForOp>(nested);
      int64_t taps = nestedFor ? countTaps(nestedFor) : -1;
      inner = taps < 0 ? -1 : inner + taps;
      return WalkResult::skip();
    });
  int64_t count = getTripCount(loop);
  return inner < 0 || count < 0 || inner * count > kMaxTaps ? -1
                                                            : inner * count;
}

/// The loops that hand on what `root` carries from point to point.
static void findCarrying(Operation *root,
                         llvm::SmallPtrSetImpl<Operation *> &loops) {
  auto loop = dyn_cast<scf::ForOp>(root);
  if (!loop || !loops.insert(loop).second)
    return;
  for (Value yielded : loop.getYieldedValues())
    if (scf::ForOp inner = getCarryingLoop(yielded, loop))
      findCarrying(inner, loops);
}

/// Unrolls what is in loops over points and goes over none itself.
static void unrollTaps(func::FuncOp function) {
  SmallVector<scf::ForOp> taps;
  {
    Extents extents(function);
    auto isPoints = [&](Operation *op) {
      return isa<scf::ForOp, scf::ParallelOp>(op) && isOverPoints(op, extents);
    };
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool combines =
          isa<scf::ForOp, scf::ParallelOp>(op) && isReduction(op, extents);
      if (!combines && !isPoints(op))
        return WalkResult::advance();
      llvm::SmallPtrSet<Operation *, 4> carrying;
      if (combines)
        findCarrying(op, carrying);
      op->walk<WalkOrder::PreOrder>([&](scf::ForOp inner) {
        bool holdsPoints = anyWithin(inner, [&](Operation *nested) {
          return isPoints(nested) || carrying.contains(nested);
        });
        if (holdsPoints || countTaps(inner) < 0)
          return WalkResult::advance();
        taps.push_back(inner);
        return WalkResult::skip();
      });
      return WalkResult::skip();
    });
  }
  // From the inside out.
  for (scf::ForOp outer : taps)
    for (scf::ForOp loop : listWithin<scf::ForOp>(*outer))
      unroll(loop);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The loop over the points of a tile that starts at `start`: the only user of
/// it, but for the end of the tile, `min(start + step, upper)`.
static scf::ForOp findPoints(Value start, Value step, Value upper) {
  scf::ForOp points;
  SmallVector<Value> ends;
  SmallVector<Operation *> others;
  for (OpOperand &use : start.getUses()) {
    auto loop = dyn_cast<scf::ForOp>(use.getOwner());
    if (loop && !points && use.getOperandNumber() == 0) {
      points = loop;
      continue;
    }
    auto add = dyn_cast<arith::AddIOp>(use.getOwner());
    if (!add || (add.getLhs() != start ? add.getLhs() : add.getRhs()) != step)
      return {};
    for (Operation *user : add->getUsers()) {
      auto min = dyn_cast<arith::MinSIOp>(user);
      if (!min || (min.getLhs() != add ? min.getLhs() : min.getRhs()) != upper)
        return {};
      ends.push_back(min);
    }
  }
  if (!points || points.getUnsignedCmp() || !points.getInitArgs().empty() ||
      getConstantIntValue(points.getStep()) != 1 ||
      !llvm::is_contained(ends, points.getUpperBound()) ||
      llvm::any_of(ends, [&](Value end) {
        return !llvm::all_of(end.getUsers(),
                             [&](Operation *user) { return user == points; });
      }))
    return {};
  return points;
}

/// Loops over tiles and over the points of each become one over all points:
/// the loop over tiles takes steps of 1, that over points has one iteration.
static void mergeTiles(func::FuncOp function) {
  function.walk([&](Operation *op) {
    OpBuilder builder(op);
    auto merge = [&](Value iv, Value step, Value upper, unsigned stepOperand) {
      std::optional<int64_t> size = getConstantIntValue(step);
      if (!size || *size < 1 || !iv.getType().isIndex())
        return;
      scf::ForOp points = findPoints(iv, step, upper);
      if (!points)
        return;
      Value one = arith::ConstantIndexOp::create(builder, op->getLoc(), 1);
      op->setOperand(stepOperand, one);
      points.getInductionVar().replaceAllUsesWith(iv);
      points.getBody()->getTerminator()->erase();
      points->getBlock()->getOperations().splice(
          points->getIterator(), points.getBody()->getOperations());
      points.erase();
    };
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return merge(loop.getInductionVar(), loop.getStep(), loop.getUpperBound(),
                   2);
    auto parallel = dyn_cast<scf::ParallelOp>(op);
    if (!parallel)
      return;
    for (unsigned axis = 0; axis < parallel.getNumLoops(); ++axis)
      merge(parallel.getInductionVars()[axis], parallel.getStep()[axis],
            parallel.getUpperBound()[axis], 2 * parallel.getNumLoops() + axis);
  });
}

void stencil::raise::prepareLoops(func::FuncOp function, Report report) {
  lowerLinalg(function, report);
  lowerViews(function);
  lowerAffine(function);
  mergeTiles(function);
  carrySums(function);
  unrollTaps(function);
}
