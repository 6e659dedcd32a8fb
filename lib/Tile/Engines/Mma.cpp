//===- Mma.cpp - Sums as products of matrices -----------------------------===//
//
// All threads compute the sums of all of their points, also of those beyond the
// domain, where rings have zeros.
//
//===----------------------------------------------------------------------===//

#include "Engines.h"
#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/Conversion/SumLoops.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Tile/LayoutDigits.h"
#include "StencilDialect/Tile/MatrixProduct.h"
#include "StencilDialect/Tile/OnlySum.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

LogicalResult
MmaAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                DenseI64ArrayAttr shape, DenseI64ArrayAttr patch, int64_t along,
                int64_t stack, int64_t pad, int64_t gap) {
  if (shape.size() != 3)
    return emitError() << "expected a shape of M, N and K, got " << shape;
  constexpr int64_t kMax = 256;
  for (int64_t count :
       llvm::concat<const int64_t>(shape.asArrayRef(), patch.asArrayRef()))
    if (count < 1 || count > kMax)
      return emitError() << "expected numbers from 1 to " << kMax << ", got "
                         << count;
  int64_t outputs = 1;
  for (int64_t count : patch.asArrayRef())
    outputs = std::min(outputs * count, kMax + 1);
  if (outputs != shape[1])
    return emitError() << "expected a patch of N = " << shape[1]
                       << " outputs, got " << patch;
  if (along < 0 || along >= patch.size())
    return emitError() << "expected 'along' to be an axis from 0 to "
                       << patch.size() - 1 << ", got " << along;
  if (stack < 1 || stack > kMax)
    return emitError() << "expected a stack of 1 to " << kMax
                       << " patches, got " << stack;
  if (pad < 0 || pad > kMax)
    return emitError() << "expected 'pad' to be from 0 to " << kMax
                       << " elements, got " << pad;
  if (gap < 0 || gap > kMax)
    return emitError() << "expected 'gap' to be from 0 to " << kMax
                       << " elements, got " << gap;
  if (gap != 0 && along != patch.size() - 1)
    return emitError() << "expected no 'gap', as rows of A lie along axis "
                       << along << ", not the last one";
  return success();
}

int64_t MmaAttr::getDistance(const RingPlaces &places) const {
  std::vector<int64_t> offset(places.strides.size(), 0);
  offset[getAlong()] = getRowDistance();
  return places.getDistance(offset, std::nullopt);
}

/// What is made of a stage that was checked.
static MatrixProduct getProduct(MmaAttr engine, ApplyOp stage,
                                KernelOp kernel) {
  auto source = stage.getArgs().front().getDefiningOp<SourceOp>();
  return {engine,
          getOnlySum(stage),
          kernel.getLayout(),
          cast<RingType>(source.getMemory().getType()).getPlaces(),
          kernel.getGrid().getWalk(),
          findTarget(stage)};
}

namespace {

struct Mma : EngineAttrInterface::ExternalModel<Mma, MmaAttr> {
  LogicalResult check(Attribute attribute, ApplyOp stage,
                      KernelOp kernel) const;

  bool takesAllThreads(Attribute) const { return true; }
  // What an interface has a default for, a model replaces.
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method)
  bool takesAllPoints(Attribute) const { return true; }
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method)
  OperandAccess getOperandAccess(Attribute attribute, ApplyOp, unsigned) const {
    auto engine = cast<MmaAttr>(attribute);
    int64_t gap = engine.getGap();
    return {kSectorBytes, engine.getPad(),
            gap == 0 ? 1 : engine.getRowDistance(), gap,
            /*multipliesAll=*/true};
  }

  EngineCount count(Attribute attribute, ApplyOp stage, int64_t points) const {
    auto engine = cast<MmaAttr>(attribute);
    auto kernel = stage->getParentOfType<KernelOp>();
    MatrixProduct product = getProduct(engine, stage, kernel);
    const MatrixFragments &fragments = product.fragments;
    auto steps = static_cast<int64_t>(product.steps.size());
    int64_t held = kernel.getLayout().countRegisters();
    EngineCount count;
    // Of all points of a thread, the part of these.
    count.values = llvm::divideCeil(static_cast<int64_t>(product.countReads()) *
                                        (product.pairs ? 2 : 1) * points,
                                    held);
    count.weights = steps * fragments.b.countRegisters();
    count.products = steps * engine.getK() * points;
    return count;
  }

  LogicalResult emit(Attribute attribute, StageEmission &emission) const;
};

/// Makes the code of a thread.
class ProductEmitter {
public:
  ProductEmitter(MmaAttr engine, StageEmission &emission)
      : engine(engine), emission(emission), stage(emission.getStage()),
        kernel(stage->getParentOfType<KernelOp>()),
        product(getProduct(engine, stage, kernel)), loc(stage.getLoc()),
        math(emission.getBuilder(), loc, emission.getBuilder().getIndexType()) {
  }

  void emit();

private:
  Value getLaneShift();
  /// Which of the lanes along the columns of A this one is.
  Value getDigit() {
    return math.div(ownOfA[1],
                    math.constant(product.fragments.getColumns().stride));
  }
  Value getRow(const MatrixRead &read);
  Value getMask(const MatrixStep &step, size_t pair);
  Value loadA(const MatrixRead &read);
  SmallVector<Value> splitPairs(ValueRange pairs, const MatrixStep &step);
  SmallVector<Value> loadB(size_t step);
  void addUse(ValueRange a, const MatrixRun::Use &use);
  void emitTurn(const MatrixRun &run);
  void emitLoop(const MatrixRun &run);
  int64_t getPosition(ArrayRef<int64_t> offset) {
    return places.getDistance(offset, kernel.getGrid().getWalk());
  }

  MmaAttr engine;
  StageEmission &emission;
  ApplyOp stage;
  KernelOp kernel;
  MatrixProduct product;
  Location loc;
  Arithmetic math;
  Value lane, weights;
  /// The lane's first element of A: row, column.
  SmallVector<Value> ownOfA;
  /// In a loop: how much further on a turn's inputs and weights are than those
  /// of the first one.
  Value turnInputs, turnWeights;
  /// By plane: the ring, and where the lane's row of A begins in it.
  struct Plane {
    OperandMemory memory;
    Value row;
  };
  std::map<int64_t, Plane> planes;
  /// By plane and the distances of the lanes' columns from the first one's.
  std::map<std::pair<int64_t, std::vector<int64_t>>, Value> rows;
  /// Of pairs with a hole: what is kept of them, by the lanes' own.
  std::map<std::vector<int64_t>, Value> masks;
  RingPlaces places;
  std::map<size_t, SmallVector<Value>> loaded;
  std::vector<SmallVector<Value>> sums;
};

} // namespace

//===----------------------------------------------------------------------===//
// What can be a product
//===----------------------------------------------------------------------===//

static LogicalResult checkSum(ApplyOp stage, MmaAttr engine,
                              llvm::function_ref<InFlightDiagnostic()> fail,
                              KernelOp kernel) {
  FailureOr<RingType> ring = checkOnlySum(stage, fail);
  if (failed(ring))
    return failure();
  WeightedSumOp sum = getOnlySum(stage);
  int64_t rank = kernel.getGrid().getRank();
  if (static_cast<int64_t>(sum.getAxes().size()) != rank)
    return fail() << "expected a sum over all " << rank << " axes, got one of "
                  << sum.getAxes().size();
  Type type = sum.getRes().getType();
  if (ring->getElementType() != type)
    return fail() << "expected constant weights and inputs of type " << type
                  << ", that of the sum";
  int64_t begin = ring->getBox().getLb().back();
  if (readsPairs(engine, type) &&
      (begin % 2 != 0 || ring->getPitch() % 2 != 0 || ring->getGap() % 2 != 0))
    return fail() << "expected rows that begin at an even coordinate, an even "
                     "number of elements apart, of which two are read at once, "
                     "got "
                  << *ring;
  const TargetInfo *target = findTarget(stage);
  if (!getFragments(engine.getShape(), type) ||
      (target && !hasInstruction(*target, engine.getShape(), type)))
    return fail() << "expected the shape of a matrix instruction for " << type
                  << (target ? " on " + target->chip : std::string())
                  << ", got " << engine.getM() << "x" << engine.getN() << "x"
                  << engine.getK();
  return success();
}

LogicalResult Mma::check(Attribute attribute, ApplyOp stage,
                         KernelOp kernel) const {
  auto engine = cast<MmaAttr>(attribute);
  auto fail = [&] {
    return stage.emitOpError("cannot be computed by ") << attribute << ": ";
  };
  if (failed(checkSum(stage, engine, fail, kernel)))
    return failure();
  GridAttr grid = kernel.getGrid();
  if (engine.getPatch().size() != grid.getRank())
    return fail() << "expected a patch along " << grid.getRank()
                  << " axes, got " << engine.getPatch().size();
  if (auto walk = grid.getWalk())
    if (engine.getPatch()[*walk] != 1 || engine.getAlong() == *walk)
      return fail() << "expected a patch of one plane along the walk, got "
                    << engine.getPatch();
  if (stage->hasAttr(TileDialect::kLayoutAttrName))
    return fail() << "expected the layout of the kernel";
  SmallVector<int64_t> tile;
  for (int64_t axis = 0; axis < grid.getRank(); ++axis)
    tile.push_back(grid.getTile(axis));
  auto fragments =
      getFragments(engine.getShape(), getOnlySum(stage).getRes().getType());
  LayoutAttr expected =
      getProductLayout(engine, *fragments, tile, grid.countThreads());
  if (!expected)
    return fail() << "expected tiles of whole patches for each warp of "
                  << fragments->getLanes() << " threads: multiples of "
                  << engine.getPatch() << " points, "
                  << engine.getM() * engine.getStack()
                  << " times as many along axis " << engine.getAlong()
                  << ", got " << grid.getTileBox() << " for "
                  << grid.countThreads() << " threads";
  if (expected != kernel.getLayout())
    return fail() << "expected a grid with 'layout = " << expected << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// The code of a thread
//===----------------------------------------------------------------------===//

/// How far from a warp's first point the lane's own first one is.
Value ProductEmitter::getLaneShift() {
  Value shift = math.constant(0);
  for (auto [axis, along] : llvm::enumerate(
           findPoint(math, kernel.getLayout().getThreads(), lane,
                     product.fragments.getLanes(), kernel.getGrid().getRank())))
    shift = math.add(shift, places.findPlace(math, static_cast<int64_t>(axis),
                                             along, /*first=*/0));
  return shift;
}

/// Where a lane finds the first of its columns, less where the first lane does:
/// known for each pattern of columns.
Value ProductEmitter::getRow(const MatrixRead &read) {
  std::optional<int64_t> walk = kernel.getGrid().getWalk();
  int64_t own = walk ? read.inputs.front()[*walk] : 0;
  auto [known, isNew] = planes.try_emplace(own);
  Plane &plane = known->second;
  if (isNew) {
    int64_t lead = walk ? stage.getDomain().getLb()[*walk] : 0;
    plane.memory = emission.getMemory(0, lead + own);
    places = plane.memory.places;
    Value patches = math.mul(ownOfA[0], engine.getDistance(places));
    plane.row = math.add(math.sub(plane.memory.own, getLaneShift()), patches);
  }
  // The columns of the lanes, in steps of a digit of theirs.
  std::vector<int64_t> distances;
  int64_t first = getPosition(read.inputs.front());
  for (const std::vector<int64_t> &input : read.inputs)
    distances.push_back(getPosition(input) - first);
  Value &row = rows[{own, distances}];
  if (row)
    return row;
  Value digit = getDigit();
  bool isEven = true;
  for (auto [number, distance] : llvm::enumerate(distances))
    isEven &= distance == static_cast<int64_t>(number) * distances[1];
  Value shift = math.mul(digit, distances[1]);
  if (!isEven) {
    shift = math.constant(0);
    for (size_t number = 1; number < distances.size(); ++number) {
      Value isThis = math.compare(arith::CmpIPredicate::eq, digit,
                                  math.constant(static_cast<int64_t>(number)));
      shift = math.select(isThis, math.constant(distances[number]), shift);
    }
  }
  return row = math.add(plane.row, shift);
}

/// The bits that a lane keeps of its pair with a number. Null if that is all of
/// them, as it is where no lane has a hole.
Value ProductEmitter::getMask(const MatrixStep &step, size_t pair) {
  constexpr int64_t kBits = 16, kHalf = (1 << kBits) - 1, kAll = -1;
  LayoutDigit lanes = product.fragments.getColumns();
  int64_t column =
      product.fragments.a.getPoint(0, static_cast<int64_t>(2 * pair))[1];
  std::vector<int64_t> words;
  for (int64_t number = 0; number < lanes.count; ++number) {
    int64_t first = number * lanes.stride + column;
    words.push_back(!step.isRead[first + 1] ? kHalf
                    : !step.isRead[first]   ? kHalf << kBits
                                            : kAll);
  }
  if (llvm::all_of(words, [](int64_t word) { return word == kAll; }))
    return {};
  Value &mask = masks[words];
  if (mask)
    return mask;
  auto constant = [&](int64_t word) -> Value {
    return arith::ConstantIntOp::create(emission.getBuilder(), loc,
                                        static_cast<int32_t>(word), 2 * kBits);
  };
  mask = constant(kAll);
  for (auto [number, word] : llvm::enumerate(words))
    if (word != kAll) {
      Value isThis = math.compare(arith::CmpIPredicate::eq, getDigit(),
                                  math.constant(static_cast<int64_t>(number)));
      mask = math.select(isThis, constant(word), mask);
    }
  return mask;
}

/// An element, or a pair.
Value ProductEmitter::loadA(const MatrixRead &read) {
  std::optional<int64_t> walk = kernel.getGrid().getWalk();
  Value row = getRow(read);
  if (turnInputs)
    row = math.add(row, turnInputs);
  const Plane &plane = planes[walk ? read.inputs.front()[*walk] : 0];
  int64_t position =
      getPosition(read.inputs.front()) + read.row * engine.getDistance(places);
  Value elements = plane.memory.elements, place = math.add(row, position);
  OpBuilder &builder = emission.getBuilder();
  if (!product.pairs)
    return emission.getFactor(
        loc, memref::LoadOp::create(builder, loc, elements, place));
  constexpr uint64_t kBytes = 4;
  Type element = cast<MemRefType>(elements.getType()).getElementType();
  return vector::LoadOp::create(builder, loc, VectorType::get({2}, element),
                                elements, place, /*nontemporal=*/false,
                                llvm::MaybeAlign(kBytes));
}

/// The elements of pairs, in order, with zeros for holes: what is there may be
/// no number.
SmallVector<Value> ProductEmitter::splitPairs(ValueRange pairs,
                                              const MatrixStep &step) {
  OpBuilder &builder = emission.getBuilder();
  SmallVector<Value> elements;
  for (auto [number, pair] : llvm::enumerate(pairs)) {
    Value kept = pair;
    if (Value mask = getMask(step, number)) {
      auto word = VectorType::get({1}, mask.getType());
      Value bits = vector::ExtractOp::create(
          builder, loc, vector::BitCastOp::create(builder, loc, word, pair), 0);
      bits = arith::AndIOp::create(builder, loc, bits, mask);
      kept = vector::BitCastOp::create(
          builder, loc, pair.getType(),
          vector::FromElementsOp::create(builder, loc, word, bits));
    }
    for (int64_t half : {0, 1})
      elements.push_back(vector::ExtractOp::create(builder, loc, kept, half));
  }
  return elements;
}

SmallVector<Value> ProductEmitter::loadB(size_t step) {
  SmallVector<Value> &elements = loaded[step];
  const MatrixFragments &fragments = product.fragments;
  Value begin = lane;
  if (turnWeights)
    begin = math.add(lane, turnWeights);
  if (elements.empty())
    for (int64_t reg = 0; reg < fragments.b.countRegisters(); ++reg) {
      int64_t first =
          (static_cast<int64_t>(step) * fragments.b.countRegisters() + reg) *
          fragments.getLanes();
      elements.push_back(memref::LoadOp::create(
          emission.getBuilder(), loc, weights, math.add(begin, first)));
    }
  return elements;
}

void ProductEmitter::addUse(ValueRange a, const MatrixRun::Use &use) {
  SmallVector<Value> &sum = sums[use.stack];
  sum = emission.multiply(loc, engine.getShape(), a, loadB(use.step), sum);
}

void ProductEmitter::emitTurn(const MatrixRun &run) {
  std::map<MatrixRead, Value> before;
  for (const auto &[inputs, uses] : run.operands) {
    std::map<MatrixRead, Value> now;
    SmallVector<Value> values;
    for (const MatrixRead &read : product.listReads(inputs)) {
      Value &value = now[read];
      if (!value)
        value = before[read];
      if (!value)
        value = loadA(read);
      values.push_back(value);
    }
    before = std::move(now);
    // Most uses have the same holes.
    std::map<std::vector<bool>, SmallVector<Value>> known;
    for (const MatrixRun::Use &use : uses) {
      const MatrixStep &step = product.steps[use.step];
      SmallVector<Value> &a = known[step.isRead];
      if (a.empty())
        a = product.pairs ? splitPairs(values, step) : values;
      addUse(a, use);
    }
  }
}

/// A loop over the turns of a run, which hand on the sums.
void ProductEmitter::emitLoop(const MatrixRun &run) {
  OpBuilder &builder = emission.getBuilder();
  // What all turns use is known before the first one.
  for (const auto &[inputs, uses] : run.operands)
    for (auto [number, read] : llvm::enumerate(product.listReads(inputs))) {
      getRow(read);
      for (const MatrixRun::Use &use : uses)
        if (product.pairs)
          getMask(product.steps[use.step], number);
    }
  SmallVector<Value> state;
  for (const SmallVector<Value> &sum : sums)
    llvm::append_range(state, sum);
  auto constant = [&](size_t value) {
    return arith::ConstantIndexOp::create(builder, loc,
                                          static_cast<int64_t>(value));
  };
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(run.turns),
                                 constant(1), state);
  keepAsLoop(loop);
  auto takeSums = [&](ValueRange values) {
    for (SmallVector<Value> &sum : sums) {
      llvm::copy(values.take_front(sum.size()), sum.begin());
      values = values.drop_front(sum.size());
    }
  };
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    takeSums(loop.getRegionIterArgs());
    Value turn = loop.getInductionVar();
    turnInputs = math.mul(turn, getPosition(run.shift));
    turnWeights = math.mul(turn, static_cast<int64_t>(run.steps) *
                                     product.fragments.b.countRegisters() *
                                     product.fragments.getLanes());
    emitTurn(run);
    state.clear();
    for (const SmallVector<Value> &sum : sums)
      llvm::append_range(state, sum);
    scf::YieldOp::create(builder, loc, state);
  }
  takeSums(loop.getResults());
  // Those of a turn are not known behind the loop.
  turnInputs = turnWeights = {};
  loaded.clear();
}

void ProductEmitter::emit() {
  OpBuilder &builder = emission.getBuilder();
  const MatrixFragments &fragments = product.fragments;
  lane = emission.getLane();
  ownOfA = findPoint(math, fragments.a.getThreads(), lane, fragments.getLanes(),
                     /*rank=*/2);
  weights = emission.getTable(loc, product.getWeights());
  Value zero = arith::getZeroConstant(builder, loc, fragments.accumulator);
  int64_t held = fragments.c.countRegisters();
  sums.assign(product.countStacks(), SmallVector<Value>(held, zero));
  for (const MatrixRun &run : product.runs)
    if (run.turns > 1)
      emitLoop(run);
    else
      emitTurn(run);
  Type type = getOnlySum(stage).getRes().getType();
  std::optional<int64_t> walk = kernel.getGrid().getWalk();
  for (int64_t reg = 0; reg < kernel.getLayout().countRegisters(); ++reg) {
    SmallVector<int64_t> point = kernel.getLayout().getPoint(0, reg);
    if (walk)
      point[*walk] = stage.getDomain().getLb()[*walk];
    Value value = sums[reg / held][reg % held];
    if (value.getType() != type)
      value = arith::TruncFOp::create(builder, loc, type, value);
    emission.setResult(0, std::vector<int64_t>(point.begin(), point.end()),
                       value);
  }
}

LogicalResult Mma::emit(Attribute attribute, StageEmission &emission) const {
  ProductEmitter(cast<MmaAttr>(attribute), emission).emit();
  return success();
}

void tile::attachMma(MLIRContext *context) {
  MmaAttr::attachInterface<Mma>(*context);
}
