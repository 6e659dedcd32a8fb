//===- MapToTensorCores.cpp - Sums to products of matrices ----------------===//
//
// Which instruction, and which patch of outputs a row of A serves, is chosen
// here; what #tile.mma makes of it is in lib/Tile/MatrixProduct.cpp.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/PipelineSize.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Tile/MatrixBanks.h"
#include "StencilDialect/Transforms/ComposeBody.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILMAPTOTENSORCORES
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct MapToTensorCores
    : stencil::impl::StencilMapToTensorCoresBase<MapToTensorCores> {
  using StencilMapToTensorCoresBase::StencilMapToTensorCoresBase;

  void runOnOperation() override;

private:
  LogicalResult map(PipelineOp op, const TargetInfo &target);
};

/// Products of one pipeline.
class ProductChooser {
public:
  ProductChooser(PipelineOp op, const TargetInfo &target, MathMode math)
      : op(op), target(target), math(math), walk(op.getWalkAxis()),
        rank(op.getRank()) {
    auto schedule = op->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName);
    block.assign(schedule.getBlock().begin(), schedule.getBlock().end());
    for (auto [threads, points] :
         llvm::zip(schedule.getBlock(), schedule.getPoints()))
      tile.push_back(threads * points);
    isBulkCopied = llvm::any_of(
        op.getBodyBlock()->getOps<WindowOp>(),
        [](WindowOp window) { return window.getPrefetch() == Prefetch::Tma; });
  }

  /// Fails with an error if a sum can be none.
  LogicalResult choose(WeightedSumOp sum, ApplyOp stage);

private:
  struct Choice {
    tile::MmaAttr engine;
    tile::LayoutAttr layout;
    /// Cycles of a multiprocessor for a warp's results: of the matrix unit, of
    /// shared memory.
    double products, loads;
    double getTime() const { return std::max(products, loads); }
    /// Passes of shared memory that are for conflicts.
    int64_t conflicts;
    /// Multiply-adds for each output.
    int64_t depth;
  };

  LogicalResult checkSum(WeightedSumOp sum, ApplyOp stage);
  std::optional<Choice> price(tile::MmaAttr engine, WeightedSumOp sum,
                              double share);
  tile::RingPlaces getPlaces(WeightedSumOp sum, tile::MmaAttr engine) const;
  bool mayHaveGaps(WindowOp window) const;
  SmallVector<int64_t> listPads(const Choice &choice, WindowOp window,
                                Type type) const;
  void forEachPatch(int64_t outputs,
                    llvm::function_ref<void(ArrayRef<int64_t>)> visit) const;

  PipelineOp op;
  const TargetInfo &target;
  MathMode math;
  std::optional<int64_t> walk;
  int64_t rank;
  SmallVector<int64_t> block, tile;
  bool isBulkCopied = false;
  /// That of the kernel, once a sum has chosen one.
  tile::LayoutAttr layout;
};

} // namespace

LogicalResult ProductChooser::checkSum(WeightedSumOp sum, ApplyOp stage) {
  auto fail = [&] {
    return sum.emitOpError("is no product of matrices for 'engine = mma': ");
  };
  auto argument = cast<BlockArgument>(sum.getInput());
  auto window =
      stage.getArgs()[argument.getArgNumber()].getDefiningOp<WindowOp>();
  if (!window || window.getSpace() != Space::Shared ||
      !isa_and_nonnull<LoadOp>(window.getTemp().getDefiningOp()))
    return fail() << "expected an input in a shared window of a field";
  Type type = sum.getRes().getType();
  Type input = cast<GridType>(window.getRes().getType()).getElementType();
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

/// Elements from one point of a ring to the next, per axis; 0 along the walk.
tile::RingPlaces ProductChooser::getPlaces(WeightedSumOp sum,
                                           tile::MmaAttr engine) const {
  SmallVector<int64_t> lower(rank, 0), upper(rank, 0);
  tile::RingPlaces places;
  places.strides.assign(rank, 0);
  forEachTap(sum, [&](int64_t tap, bool) {
    for (auto [axis, along] : llvm::enumerate(sum.getOffset(tap))) {
      lower[axis] = std::min(lower[axis], along);
      upper[axis] = std::max(upper[axis], along);
    }
  });
  // Rows are multiples of a sector (EngineAttrInterface).
  int64_t bytes = getElementBytes(sum.getRes().getType());
  auto align = [&](int64_t points) {
    return static_cast<int64_t>(
        llvm::alignTo(points * bytes, tile::kSectorBytes) / bytes);
  };
  int64_t stride = 1;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    if (axis == walk)
      continue;
    places.strides[axis] = stride;
    stride *= axis == rank - 1
                  ? align(align(-lower[axis]) + tile[axis] + upper[axis]) +
                        engine.getPad()
                  : upper[axis] - lower[axis] + tile[axis];
  }
  if (engine.getGap() != 0) {
    places.segment = engine.getRowDistance();
    places.gap = engine.getGap();
  }
  return places;
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
  tile::RingPlaces places = getPlaces(sum, engine);
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

/// Whether all that is read of a window are sums, which are products: others do
/// not read rows with gaps.
bool ProductChooser::mayHaveGaps(WindowOp window) const {
  return !isBulkCopied && llvm::all_of(window->getUses(), [](OpOperand &use) {
    auto stage = dyn_cast<ApplyOp>(use.getOwner());
    return stage && llvm::all_of(stage.getBodyBlock()
                                     ->getArgument(use.getOperandNumber())
                                     .getUsers(),
                                 llvm::IsaPred<WeightedSumOp>);
  });
}

/// How many elements longer rows may be, or the gaps within a single one, so
/// that lanes meet in no bank; none if that costs more. For the copy engine it
/// is the least that it copies, one more sector of memory for each row, so
/// products have to be what takes longest; cp.async would no more write whole
/// lines of shared memory (docs/notebook.md has what was measured). AMD's
/// threads copy as many elements one by one; that was not measured.
SmallVector<int64_t> ProductChooser::listPads(const Choice &choice,
                                              WindowOp window,
                                              Type type) const {
  constexpr int64_t kCopyBytes = 16;
  int64_t copied = kCopyBytes / getElementBytes(type);
  if (rank == 1)
    return mayHaveGaps(window) ? SmallVector<int64_t>{copied, 2 * copied}
                               : SmallVector<int64_t>();
  if (target.vendor == GPUVendor::AMD)
    return tile::readsPairs(choice.engine, type) ? SmallVector<int64_t>()
                                                 : SmallVector<int64_t>{1};
  double bytes = 2 * static_cast<double>(getElementBytes(type)) *
                 static_cast<double>(choice.layout.countRegisters()) *
                 target.warpSize;
  double memory =
      bytes * target.clock * target.multiprocessors / target.dramBandwidth;
  return isBulkCopied && choice.products > memory ? SmallVector<int64_t>{copied}
                                                  : SmallVector<int64_t>();
}

LogicalResult ProductChooser::choose(WeightedSumOp sum, ApplyOp stage) {
  if (failed(checkSum(sum, stage)))
    return failure();
  Type type = sum.getRes().getType();
  MLIRContext *context = op.getContext();
  auto window = cast<WindowOp>(
      stage.getArgs()[cast<BlockArgument>(sum.getInput()).getArgNumber()]
          .getDefiningOp());
  std::optional<Choice> best;
  auto rank = [](const Choice &of) {
    return std::tuple(of.conflicts != 0, of.getTime(), of.products + of.loads);
  };
  auto tryPatch = [&](const MatrixInstruction &instruction,
                      ArrayRef<int64_t> patch, int64_t along) {
    auto shape = DenseI64ArrayAttr::get(
        context, {instruction.getRows(), instruction.n, instruction.k});
    int64_t patches = llvm::product_of(tile) / llvm::product_of(block) *
                      target.warpSize / (instruction.getRows() * instruction.n);
    // All patches that a warp has along the axis, or some of them.
    for (int64_t stack = 1; stack <= patches; ++stack) {
      if (patches % stack != 0)
        continue;
      auto tryPad = [&](int64_t pad) {
        auto choice =
            price(tile::MmaAttr::get(context, shape,
                                     DenseI64ArrayAttr::get(context, patch),
                                     along, stack, pad),
                  sum, instruction.share);
        if (choice && (!best || rank(*choice) < rank(*best)))
          best = choice;
        return choice;
      };
      auto choice = tryPad(0);
      if (choice && choice->conflicts != 0)
        for (int64_t pad : listPads(*choice, window, type))
          tryPad(pad);
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
  sum->setDiscardableAttr(kMatrixProductAttr, best->engine);
  std::string engine;
  llvm::raw_string_ostream(engine) << best->engine;
  remark::passed(sum.getLoc(),
                 remark::RemarkOpts::name("Product").category("Engines"))
      << llvm::formatv("{0}: {1} multiply-adds per output for {2} taps; for a "
                       "warp, {3:F0} cycles of the matrix unit, {4:F0} of "
                       "shared memory",
                       engine, best->depth, sum.getNumTaps(), best->products,
                       best->loads)
             .str();
  return success();
}

LogicalResult MapToTensorCores::map(PipelineOp op, const TargetInfo &target) {
  auto schedule = op->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName);
  if (!schedule || schedule.getEngine() != Engine::Mma)
    return success();
  if (!mayReassociate(math))
    return op.emitOpError(
        "expected 'math = reassociate' or 'tf32' for 'engine = mma', "
        "which sums in the order of the matrix unit");
  if (target.matrixInstructions.empty())
    return op.emitOpError("expected a GPU with matrix instructions for 'engine "
                          "= mma', got ")
           << target.chip;
  if (static_cast<int64_t>(schedule.getBlock().size()) != op.getRank() ||
      static_cast<int64_t>(schedule.getPoints().size()) != op.getRank())
    return op.emitOpError("expected 'block' and 'points' for 'engine = mma'; "
                          "run stencil-tile-registers");
  SmallVector<WeightedSumOp> sums;
  for (ApplyOp stage : op.getBodyBlock()->getOps<ApplyOp>()) {
    // Partial sums that points share are of no use here: where nobody asked for
    // matrices before (stencil-factor-sums), they are multiplied out.
    constexpr size_t kMaxTaps = 1 << 16;
    if (!composeWholeBody(stage, math, kMaxTaps) && hasSumsOverValues(stage))
      composeBody(stage, math, kMaxTaps);
    // What is left are sums of what else the body computes.
    llvm::copy_if(stage.getBodyBlock()->getOps<WeightedSumOp>(),
                  std::back_inserter(sums),
                  [](WeightedSumOp sum) { return sum.isOverInput(); });
  }
  // A kernel has one layout: the longest sum chooses it.
  auto *longest = llvm::max_element(sums, [](WeightedSumOp l, WeightedSumOp r) {
    return l.getNumTaps() < r.getNumTaps();
  });
  if (longest != sums.end())
    std::rotate(sums.begin(), longest, std::next(longest));
  ProductChooser chooser(op, target, math);
  for (WeightedSumOp sum : sums)
    if (failed(chooser.choose(sum, sum->getParentOfType<ApplyOp>())))
      return failure();
  if (!sums.empty())
    return success();
  return op.emitOpError("has no sum for 'engine = mma': expected a "
                        "stencil.weighted_sum with constant weights of an "
                        "input in a shared window");
}

void MapToTensorCores::runOnOperation() {
  SmallVector<PipelineOp> pipelines;
  getOperation().walk([&](PipelineOp op) { pipelines.push_back(op); });
  if (pipelines.empty())
    return;
  FailureOr<const TargetInfo *> target = requireTarget(getOperation());
  if (failed(target))
    return signalPassFailure();
  for (PipelineOp op : pipelines)
    if (failed(map(op, **target)))
      return signalPassFailure();
}
