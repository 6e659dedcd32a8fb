//===- ProductChooser.cpp - Which products sums are -----------------------===//

#include "ProductChooser.h"
#include "StencilDialect/Analysis/PipelineSize.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;

ProductChooser::ProductChooser(PipelineOp op, const PipelinePlan &plan,
                               const TargetInfo &target, MathMode math)
    : op(op), target(target), math(math), walk(op.getWalkAxis()),
      rank(op.getRank()) {
  ScheduleAttr schedule = ScheduleAttr::of(op);
  block.assign(schedule.getBlock().begin(), schedule.getBlock().end());
  for (auto [threads, points] :
       llvm::zip(schedule.getBlock(), schedule.getPoints()))
    tile.push_back(threads * points);
  isBulkCopied =
      llvm::any_of(op.getBodyBlock()->getOps<WindowOp>(), [](WindowOp window) {
        return window.getPrefetch() == Prefetch::Tma;
      });
  room = static_cast<int64_t>(target.sharedPerBlock);
  if (auto blocks = static_cast<int64_t>(schedule.getLaunchBounds()))
    room = std::min<int64_t>(room, target.sharedPerMultiprocessor / blocks);
  sharedBytes = PipelineSize(op, plan).getSharedBytes(tile);
}

LogicalResult ProductChooser::checkSum(WeightedSumOp sum, ApplyOp stage) {
  auto fail = [&] {
    return sum.emitOpError("is no product of matrices for 'engine = mma': ");
  };
  auto window = stage.getInput(sum.getInput()).getDefiningOp<WindowOp>();
  if (!window || window.getSpace() != Space::Shared || !window.isOfLoad())
    return fail() << "expected an input in a shared window of a field";
  Type type = sum.getRes().getType();
  Type input = getElementType(window.getRes());
  if (!hasOwnWeights(sum) || input != type)
    return fail() << "expected constant weights and inputs of type " << type
                  << ", that of the sum";
  if (static_cast<int64_t>(sum.getAxes().size()) != rank)
    return fail() << "expected an input along all " << rank << " axes, got "
                  << sum.getAxes().size();
  if (type.isF32() && math != MathMode::TF32)
    return fail() << "expected 'math = tf32' for a sum of " << type
                  << ", whose factors matrix instructions round to TF32";
  if (!tile::chooseInstruction(target, type))
    return fail() << "expected a type that " << target.chip
                  << " has a matrix instruction for, got " << type;
  return success();
}

/// All ways to cut a number of outputs into a box, but along the walk.
void ProductChooser::forEachPatch(
    int64_t outputs, llvm::function_ref<void(ArrayRef<int64_t>)> visit) const {
  SmallVector<int64_t> patch(rank, 1);
  std::function<void(int64_t, int64_t)> place = [&](int64_t axis,
                                                    int64_t left) {
    if (axis == rank) {
      if (left == 1)
        visit(patch);
      return;
    }
    for (int64_t count = 1; count <= left; count *= 2) {
      if (left % count != 0 || (axis == walk && count != 1))
        continue;
      patch[axis] = count;
      place(axis + 1, left / count);
    }
    patch[axis] = 1;
  };
  place(0, outputs);
}

/// How often all banks are read for the elements of A of all lanes, and how
/// often of that for conflicts.
static tile::MatrixBanks::Count countPasses(const tile::MatrixProduct &product,
                                            const tile::MatrixBanks &banks) {
  tile::MatrixBanks::Count all;
  for (const tile::MatrixRun &run : product.runs) {
    // The same columns of other rows are in the same banks, or all in others.
    std::vector<std::vector<int64_t>> known;
    tile::MatrixBanks::Count each;
    for (const tile::MatrixRead &read : product.listReads(run)) {
      if (read.inputs != known) {
        each = banks.count(read.inputs);
        known = read.inputs;
      }
      auto turns = static_cast<int64_t>(run.turns);
      all.passes += turns * each.passes;
      all.conflicts += turns * each.conflicts;
    }
  }
  return all;
}

std::optional<ProductChooser::Choice>
ProductChooser::price(tile::MmaAttr engine, WeightedSumOp sum, double share) {
  Type type = sum.getRes().getType();
  auto fragments = tile::getFragments(engine.getShape(), type);
  tile::LayoutAttr held =
      tile::getProductLayout(engine, *fragments, tile, llvm::product_of(block));
  if (!held || (layout && held != layout))
    return std::nullopt;
  tile::RingPlaces places = getRing(sum, engine).places;
  tile::MatrixProduct product(engine, sum, held, places, walk, &target);
  auto uses = static_cast<int64_t>(product.countUses());
  // Of 16-bit elements the rate is so high that shared memory is the limit.
  double rate = type.isF64() && target.multiprocessors != 0
                    ? share * target.fp64Matrix / 2 / target.clock /
                          target.multiprocessors
                    : 0;
  Choice choice;
  choice.engine = engine;
  choice.layout = held;
  choice.products = rate == 0
                        ? 0
                        : static_cast<double>(uses * engine.getM() *
                                              engine.getN() * engine.getK()) /
                              rate;
  tile::MatrixBanks::Count passes = countPasses(
      product, tile::MatrixBanks(engine, *fragments, places, walk,
                                 getElementBytes(type), product.pairs));
  choice.loads = static_cast<double>(passes.passes);
  choice.conflicts = passes.conflicts;
  // A loop has no registers for weights: it reads those of a warp as they lie.
  constexpr int64_t kBytesAtOnce = 128;
  auto weights = static_cast<double>(llvm::divideCeil(
      fragments->getLanes() * getElementBytes(type), kBytesAtOnce));
  for (const tile::MatrixRun &run : product.runs)
    if (run.turns > 1)
      choice.loads += static_cast<double>(
                          run.turns * run.steps *
                          static_cast<size_t>(fragments->b.countRegisters())) *
                      weights;
  choice.depth = static_cast<int64_t>(product.steps.size()) * engine.getK();
  return choice;
}

LogicalResult ProductChooser::choose(WeightedSumOp sum, ApplyOp stage) {
  if (failed(checkSum(sum, stage)))
    return failure();
  Type type = sum.getRes().getType();
  MLIRContext *context = op.getContext();
  auto window = stage.getInput(sum.getInput()).getDefiningOp<WindowOp>();
  std::optional<Choice> best;
  auto rank = [](const Choice &of) {
    return std::tuple(of.conflicts != 0, of.getTime(), of.products + of.loads);
  };
  auto tryEngine = [&](tile::MmaAttr engine, double share) {
    auto choice = hasRoom(sum, engine) && canBeCopied(sum, engine)
                      ? price(engine, sum, share)
                      : std::optional<Choice>();
    if (choice && (!best || rank(*choice) < rank(*best)))
      best = choice;
    return choice;
  };
  // Other rows than those of a choice with conflicts; all sums that read a
  // window have the same gaps.
  auto known = gaps.find(window);
  auto tryRows = [&](const Choice &choice, double share,
                     ArrayRef<Rows> others) {
    for (auto [pad, gap] : others) {
      if (known != gaps.end() && known->second != gap)
        continue;
      auto other = tryEngine(withRows(choice.engine, {pad, gap}), share);
      if (other && other->conflicts == 0)
        return true;
    }
    return false;
  };
  /// With the share of the matrix unit's rate that the instruction has.
  std::vector<std::pair<Choice, double>> plain;
  auto tryPatch = [&](const MatrixInstruction &instruction,
                      ArrayRef<int64_t> patch, int64_t along) {
    auto shape = DenseI64ArrayAttr::get(
        context, {instruction.getRows(), instruction.n, instruction.k});
    int64_t patches = llvm::product_of(tile) / llvm::product_of(block) *
                      target.warpSize / (instruction.getRows() * instruction.n);
    int64_t gap = known == gaps.end() ? 0 : known->second;
    if (gap != 0 && along != this->rank - 1)
      return;
    // All patches that a warp has along the axis, or some of them.
    for (int64_t stack = 1; stack <= patches; ++stack) {
      if (patches % stack != 0)
        continue;
      auto choice =
          tryEngine(tile::MmaAttr::get(context, shape,
                                       DenseI64ArrayAttr::get(context, patch),
                                       along, stack, /*pad=*/0, gap),
                    instruction.share);
      if (!choice || choice->conflicts == 0)
        continue;
      plain.emplace_back(*choice, instruction.share);
      tryRows(*choice, instruction.share, listRows(*choice, window, type));
    }
  };
  // Those in blocks are for tiles that are too small for the usual one.
  for (const MatrixInstruction &instruction :
       tile::listInstructions(target, type)) {
    if (best)
      break;
    forEachPatch(instruction.n, [&](ArrayRef<int64_t> patch) {
      for (int64_t along = 0; along < this->rank; ++along)
        if (along != walk)
          tryPatch(instruction, patch, along);
    });
  }
  if (best && best->conflicts != 0) {
    // The fastest patch first.
    auto order = llvm::to_vector(llvm::seq<size_t>(0, plain.size()));
    llvm::sort(order, [&](size_t l, size_t r) {
      return std::tuple(rank(plain[l].first), l) <
             std::tuple(rank(plain[r].first), r);
    });
    for (size_t number : order) {
      const auto &[choice, share] = plain[number];
      if (tryRows(choice, share, listMoreRows(choice, window, type)))
        break;
    }
  }
  if (!best && layout)
    return sum.emitOpError("is no product of matrices for 'engine = mma': "
                           "expected an instruction whose results threads hold "
                           "as those of another sum of the kernel, ")
           << layout;
  MatrixInstruction usual = *tile::chooseInstruction(target, type);
  if (!best)
    return sum.emitOpError("is no product of matrices for 'engine = mma': "
                           "expected a tile of whole patches of ")
           << usual.n << " outputs, " << usual.m
           << " side by side, for each warp of " << target.warpSize
           << " threads, got tiles of " << tile << " points for "
           << llvm::product_of(block) << " threads";
  layout = best->layout;
  gaps.try_emplace(window, best->engine.getGap());
  sum->setDiscardableAttr(kMatrixProductAttr, best->engine);
  remarkPassed(
      sum.getLoc(), "Engines", "Product",
      llvm::formatv("{0}: {1} multiply-adds per output for {2} taps; for a "
                    "warp, {3:F0} cycles of the matrix unit, {4:F0} of "
                    "shared memory",
                    best->engine, best->depth, sum.getNumTaps(), best->products,
                    best->loads));
  return success();
}
