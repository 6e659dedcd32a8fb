//===- MatrixProduct.cpp - Sums as products of matrices -------------------===//

#include "StencilDialect/Tile/MatrixProduct.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/Tile/MatrixBanks.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <set>

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static std::optional<MatrixElement> getMatrixElement(Type type) {
  if (type.isF64())
    return MatrixElement::F64;
  if (type.isF16())
    return MatrixElement::F16;
  if (type.isBF16())
    return MatrixElement::BF16;
  // No GPU has products of all bits of a float.
  if (type.isF32())
    return MatrixElement::TF32;
  return std::nullopt;
}

/// mma.sync: four lanes for a row of A and of C, each with elements of 32 bits,
/// or one of 64.
static MatrixFragments getMmaFragments(MLIRContext *context, int64_t m,
                                       int64_t k, int64_t pack) {
  SmallVector<LayoutDigit> a, b, c;
  if (pack > 1) {
    a.push_back({1, pack, 1});
    b.push_back({0, pack, 1});
  }
  c.push_back({1, 2, 1});
  constexpr int64_t kRows = 8, kLanes = 4;
  if (m > kRows) {
    a.push_back({0, m / kRows, kRows});
    c.push_back({0, m / kRows, kRows});
  }
  if (int64_t groups = k / (kLanes * pack); groups > 1) {
    a.push_back({1, groups, kLanes * pack});
    b.push_back({0, groups, kLanes * pack});
  }
  LayoutDigit alongK{1, kLanes, pack}, alongRow{0, kRows, 1};
  return {LayoutAttr::get(context, 2, a, {alongK, alongRow}),
          LayoutAttr::get(context, 2, b, {{0, kLanes, pack}, {1, kRows, 1}}),
          LayoutAttr::get(context, 2, c, {{1, kLanes, 2}, {0, kRows, 1}}),
          1,
          {}};
}

/// v_mfma: a lane for each row of A and column of B; each has one element along
/// k, or `pack` neighbouring ones.
static MatrixFragments getMfmaFragments(MLIRContext *context, int64_t size,
                                        int64_t k, int64_t pack) {
  constexpr int64_t kLanes = 64;
  int64_t groups = kLanes / size, rows = size / groups;
  SmallVector<LayoutDigit> a, b;
  if (pack > 1) {
    a.push_back({1, pack, 1});
    b.push_back({0, pack, 1});
  }
  // Of doubles, the rows of a lane are apart; of floats they are neighbours.
  LayoutDigit held =
      pack > 1 ? LayoutDigit{0, rows, 1} : LayoutDigit{0, rows, groups};
  LayoutDigit across =
      pack > 1 ? LayoutDigit{0, groups, rows} : LayoutDigit{0, groups, 1};
  return {LayoutAttr::get(context, 2, a, {{0, size, 1}, {1, k / pack, pack}}),
          LayoutAttr::get(context, 2, b, {{1, size, 1}, {0, k / pack, pack}}),
          LayoutAttr::get(context, 2, held, {{1, size, 1}, across}),
          1,
          {}};
}

/// v_mfma_f64_4x4x4: four blocks of four rows each. They have the rows of A one
/// above the other, and all of them the same B.
static MatrixFragments getBlockFragments(MLIRContext *context) {
  constexpr int64_t kSize = 4, kBlocks = 4, kRows = kSize * kBlocks;
  MatrixFragments fragments = {
      LayoutAttr::get(context, 2, {}, {{0, kRows, 1}, {1, kSize, 1}}),
      LayoutAttr::get(context, 2, {}, {{1, kSize, 1}, {0, kSize, 1}}),
      LayoutAttr::get(context, 2, {},
                      {{1, kSize, 1}, {0, kBlocks, kSize}, {0, kSize, 1}}),
      kBlocks,
      {}};
  return fragments;
}

SmallVector<int64_t> MatrixFragments::getPointOfB(int64_t lane,
                                                  int64_t reg) const {
  int64_t columns = b.getThreads().front().count;
  if (blocks > 1)
    lane = lane % columns + lane / (columns * blocks) * columns;
  return b.getPoint(lane, reg);
}

LayoutDigit MatrixFragments::getColumns() const {
  return *llvm::find_if(
      a.getThreads(), [](const LayoutDigit &digit) { return digit.axis == 1; });
}

std::optional<MatrixFragments> tile::getFragments(ArrayRef<int64_t> shape,
                                                  Type element) {
  if (shape.size() != 3 || !getMatrixElement(element))
    return std::nullopt;
  MLIRContext *context = element.getContext();
  int64_t m = shape[0], n = shape[1], k = shape[2];
  constexpr int64_t kBits = 32;
  int64_t pack = element.isF64() ? 1 : kBits / element.getIntOrFloatBitWidth();
  std::optional<MatrixFragments> fragments;
  if (n == 8 && element.isF64() &&
      ((m == 8 && k == 4) || (m == 16 && (k == 4 || k == 8 || k == 16))))
    fragments = getMmaFragments(context, m, k, pack);
  else if (n == 8 && pack == 2 && m == 16 && (k == 8 || k == 16))
    fragments = getMmaFragments(context, m, k, pack);
  else if (n == 8 && element.isF32() && m == 16 && (k == 4 || k == 8))
    fragments = getMmaFragments(context, m, k, pack);
  else if (m == 16 && n == 16 && element.isF32() && k == 8)
    fragments = getMfmaFragments(context, m, k, /*pack=*/2);
  else if (m == 16 && n == 16 && element.isF64() && k == 4)
    fragments = getMfmaFragments(context, m, k, pack);
  else if (m == 16 && n == 4 && element.isF64() && k == 4)
    fragments = getBlockFragments(context);
  else if (m == 16 && n == 16 && pack == 2 && k == 16)
    fragments = getMfmaFragments(context, m, k, /*pack=*/4);
  if (fragments)
    fragments->accumulator =
        element.isF64() ? element : Float32Type::get(context);
  return fragments;
}

bool tile::hasInstruction(const TargetInfo &target, ArrayRef<int64_t> shape,
                          Type element) {
  auto known = getMatrixElement(element);
  return known &&
         llvm::any_of(target.matrixInstructions,
                      [&](const MatrixInstruction &instruction) {
                        return instruction.getRows() == shape[0] &&
                               instruction.n == shape[1] &&
                               instruction.k == shape[2] &&
                               instruction.operand == *known &&
                               instruction.accumulator != MatrixElement::F16;
                      });
}

std::optional<MatrixInstruction>
tile::chooseInstruction(const TargetInfo &target, Type element) {
  auto known = getMatrixElement(element);
  std::optional<MatrixInstruction> best;
  for (const MatrixInstruction &instruction : target.matrixInstructions) {
    if (!known || instruction.operand != *known || instruction.blocks != 1 ||
        instruction.accumulator == MatrixElement::F16 ||
        !getFragments({instruction.m, instruction.n, instruction.k}, element))
      continue;
    // The more rows, the higher the rate (m8n8k4 has half of it on sm_90); but
    // of doubles, the depth, too.
    bool isDeeper = !element.isF64() && best && instruction.k > best->k;
    if (!best || instruction.m > best->m ||
        (instruction.m == best->m && isDeeper))
      best = instruction;
  }
  return best;
}

SmallVector<MatrixInstruction> tile::listInstructions(const TargetInfo &target,
                                                      Type element) {
  SmallVector<MatrixInstruction> list;
  if (auto best = chooseInstruction(target, element))
    list.push_back(*best);
  auto known = getMatrixElement(element);
  for (const MatrixInstruction &instruction : target.matrixInstructions)
    if (known && instruction.operand == *known && instruction.blocks > 1 &&
        getFragments({instruction.getRows(), instruction.n, instruction.k},
                     element))
      list.push_back(instruction);
  return list;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

bool tile::readsPairs(MmaAttr engine, Type element) {
  constexpr unsigned kBits = 16;
  return element.getIntOrFloatBitWidth() == kBits &&
         engine.getPatch().asArrayRef().back() % 2 == 0;
}

/// The other input of an aligned pair.
static std::vector<int64_t> getPartner(ArrayRef<int64_t> input) {
  std::vector<int64_t> partner(input);
  partner.back() += llvm::mod(partner.back(), 2) == 0 ? 1 : -1;
  return partner;
}

std::vector<MatrixStep>
tile::makeMatrixSteps(ArrayRef<std::vector<int64_t>> taps,
                      ArrayRef<int64_t> patch, int64_t depth,
                      std::optional<int64_t> walk, bool pairs) {
  // All outputs of a patch, the last axis fastest.
  SmallVector<int64_t> single(patch.size(), 1);
  auto outputs = llvm::to_vector(StaticTileOffsetRange(patch, single));
  // By plane, then offset: for each output the number of the tap; of a hole,
  // nothing.
  using Row = std::vector<int64_t>;
  std::map<int64_t, std::map<std::vector<int64_t>, Row>> planes;
  for (auto [number, tap] : llvm::enumerate(taps))
    for (auto [column, output] : llvm::enumerate(outputs)) {
      std::vector<int64_t> input(tap);
      for (auto [whole, part] : llvm::zip_equal(input, output))
        whole += part;
      auto &rows = planes[walk ? input[*walk] : 0];
      if (pairs)
        rows.try_emplace(getPartner(input));
      Row &row = rows[input];
      row.resize(outputs.size(), -1);
      row[column] = static_cast<int64_t>(number);
    }
  std::vector<MatrixStep> steps;
  for (auto &[plane, rows] : planes) {
    bool isFull = true;
    for (auto &[input, row] : rows) {
      if (isFull)
        steps.emplace_back();
      MatrixStep &step = steps.back();
      step.inputs.push_back(input);
      step.isRead.push_back(!row.empty());
      row.resize(outputs.size(), -1);
      llvm::append_range(step.taps, row);
      isFull = static_cast<int64_t>(step.inputs.size()) == depth;
    }
    // What is left over is read again, for nothing. Of pairs that is all of the
    // step, so that registers may be the same.
    MatrixStep &last = steps.back();
    size_t distance = pairs ? last.inputs.size() : 1;
    while (static_cast<int64_t>(last.inputs.size()) < depth) {
      size_t again = last.inputs.size() - distance;
      last.inputs.push_back(std::vector<int64_t>(last.inputs[again]));
      last.isRead.push_back(last.isRead[again]);
    }
    last.taps.resize(depth * outputs.size(), -1);
  }
  return steps;
}

//===----------------------------------------------------------------------===//
// Who holds the results
//===----------------------------------------------------------------------===//

/// A digit of a fragment's columns, as digits of the places in a patch.
static bool splitColumns(const LayoutDigit &digit, ArrayRef<int64_t> patch,
                         SmallVectorImpl<LayoutDigit> &digits) {
  int64_t count = digit.count, stride = digit.stride, before = 1;
  for (int64_t axis = static_cast<int64_t>(patch.size()) - 1;
       axis >= 0 && count > 1; --axis) {
    int64_t end = before * patch[axis];
    if (stride < end) {
      if (stride % before != 0 || end % stride != 0)
        return false;
      int64_t along = std::min(count, end / stride);
      if (count % along != 0)
        return false;
      digits.push_back({axis, along, stride / before});
      count /= along;
      stride = end;
    }
    before = end;
  }
  return count == 1;
}

/// The digits of D's rows and columns as digits of points.
static bool placeDigits(MmaAttr engine, ArrayRef<LayoutDigit> of,
                        SmallVectorImpl<LayoutDigit> &digits) {
  for (const LayoutDigit &digit : of) {
    if (digit.axis == 0)
      digits.push_back({engine.getAlong(), digit.count,
                        digit.stride * engine.getRowDistance()});
    else if (!splitColumns(digit, engine.getPatch(), digits))
      return false;
  }
  return true;
}

LayoutAttr tile::getProductLayout(MmaAttr engine,
                                  const MatrixFragments &fragments,
                                  ArrayRef<int64_t> tile, int64_t threads) {
  ArrayRef<int64_t> patch = engine.getPatch();
  auto rank = static_cast<int64_t>(tile.size());
  if (threads % fragments.getLanes() != 0)
    return {};
  SmallVector<LayoutDigit> registers, lanes;
  if (!placeDigits(engine, fragments.c.getRegisters(), registers) ||
      !placeDigits(engine, fragments.c.getThreads(), lanes))
    return {};
  if (engine.getStack() > 1)
    registers.push_back(
        {engine.getAlong(), engine.getStack(), patch[engine.getAlong()]});
  // As many warps side by side as there are, the last axis first; each has
  // what is left along an axis, stacked.
  int64_t warps = threads / fragments.getLanes();
  SmallVector<LayoutDigit> stacks, blocks;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    int64_t unit = axis == engine.getAlong()
                       ? engine.getRowDistance() * engine.getM()
                       : patch[axis];
    if (tile[axis] % unit != 0)
      return {};
    int64_t units = tile[axis] / unit;
    int64_t here = std::gcd(units, warps);
    warps /= here;
    int64_t stacked = units / here;
    if (stacked > 1)
      stacks.push_back({axis, stacked, unit});
    if (here > 1)
      blocks.push_back({axis, here, unit * stacked});
  }
  if (warps != 1)
    return {};
  llvm::append_range(registers, stacks);
  llvm::append_range(lanes, blocks);
  return LayoutAttr::get(engine.getContext(), rank, registers, lanes);
}

//===----------------------------------------------------------------------===//
// MatrixProduct
//===----------------------------------------------------------------------===//

MatrixProduct::MatrixProduct(MmaAttr engine, WeightedSumOp sum,
                             LayoutAttr layout, const RingPlaces &places,
                             std::optional<int64_t> walk,
                             const TargetInfo *target)
    : fragments(*getFragments(engine.getShape(), sum.getRes().getType())),
      pairs(readsPairs(engine, sum.getRes().getType())), engine(engine),
      sum(sum), layout(layout) {
  std::vector<std::vector<int64_t>> taps;
  forEachTap(sum, [&](int64_t tap, bool) {
    numbers.push_back(tap);
    ArrayRef<int64_t> offset = sum.getOffset(tap);
    taps.emplace_back(offset.begin(), offset.end());
  });
  steps = avoidConflicts(
      makeMatrixSteps(taps, engine.getPatch(), engine.getK(), walk, pairs),
      MatrixBanks(engine, fragments, places, walk,
                  getElementBytes(sum.getRes().getType()), pairs),
      engine.getPatch());
  if (target && !fitsRegisters(*target))
    runs = cutIntoRuns(steps, countStacks(),
                       places.gap == 0 ? 1 : places.segment, walk);
  else
    runs.push_back({0, steps.size(), 1, {}, {}});
  for (MatrixRun &run : runs)
    findOperands(run);
}

/// Whether a thread holds the weights of all steps, beside its sums.
bool MatrixProduct::fitsRegisters(const TargetInfo &target) {
  // What is read of A, and where.
  constexpr int64_t kOther = 32;
  constexpr int64_t kBits = 32;
  auto countWords = [](int64_t elements, Type type) {
    return llvm::divideCeil(elements * type.getIntOrFloatBitWidth(), kBits);
  };
  int64_t weights =
      countWords(fragments.b.countRegisters(), sum.getRes().getType()) *
      static_cast<int64_t>(steps.size());
  int64_t sums = countWords(layout.countRegisters(), fragments.accumulator);
  int64_t registers = std::min<int64_t>(target.registersPerThread,
                                        target.registersPerMultiprocessor /
                                            layout.countThreads());
  return weights + sums + kOther <= registers;
}

void MatrixProduct::findOperands(MatrixRun &run) const {
  for (int64_t stack = 0; stack < countStacks(); ++stack) {
    SmallVector<int64_t> place =
        layout.getPoint(0, stack * fragments.c.countRegisters());
    for (size_t number = run.first; number < run.first + run.steps; ++number) {
      std::vector<std::vector<int64_t>> inputs(steps[number].inputs);
      for (std::vector<int64_t> &input : inputs)
        for (auto [whole, part] : llvm::zip_equal(input, place))
          whole += part;
      run.operands[inputs].push_back({number, stack});
    }
  }
}

size_t MatrixRun::countUses() const {
  size_t uses = 0;
  for (const auto &entry : operands)
    uses += entry.second.size();
  return uses;
}

std::vector<MatrixRead>
MatrixProduct::listReads(ArrayRef<std::vector<int64_t>> inputs) const {
  LayoutDigit lanes = fragments.getColumns();
  std::vector<MatrixRead> reads;
  int64_t atOnce = pairs ? 2 : 1;
  for (int64_t reg = 0; reg < fragments.a.countRegisters(); reg += atOnce) {
    SmallVector<int64_t> at = fragments.a.getPoint(0, reg);
    MatrixRead &read = reads.emplace_back();
    read.row = at[0];
    for (int64_t number = 0; number < lanes.count; ++number)
      read.inputs.push_back(inputs[at[1] + number * lanes.stride]);
  }
  return reads;
}

std::vector<MatrixRead> MatrixProduct::listReads(const MatrixRun &run) const {
  std::vector<MatrixRead> reads;
  std::set<MatrixRead> before;
  for (const auto &entry : run.operands) {
    std::set<MatrixRead> now;
    for (MatrixRead &read : listReads(entry.first))
      if (now.insert(read).second && !before.count(read))
        reads.push_back(std::move(read));
    before = std::move(now);
  }
  return reads;
}

size_t MatrixProduct::countReads() const {
  size_t count = 0;
  for (const MatrixRun &run : runs)
    count += run.turns * listReads(run).size();
  return count;
}

size_t MatrixProduct::countUses() const {
  size_t count = 0;
  for (const MatrixRun &run : runs)
    count += run.turns * run.countUses();
  return count;
}

/// As a factor of the matrix unit: of a float, what TF32 has.
static Attribute roundWeight(Attribute weight) {
  auto number = cast<FloatAttr>(weight);
  if (!number.getType().isF32())
    return weight;
  APFloat value = number.getValue();
  bool losesInfo = false;
  value.convert(APFloat::FloatTF32(), APFloat::rmNearestTiesToAway, &losesInfo);
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToAway,
                &losesInfo);
  return FloatAttr::get(number.getType(), value);
}

DenseElementsAttr MatrixProduct::getWeights() {
  auto type = sum.getRes().getType();
  auto all = llvm::map_to_vector(sum.getDenseWeights().getValues<Attribute>(),
                                 roundWeight);
  Attribute zero = FloatAttr::get(type, 0.0);
  SmallVector<Attribute> elements;
  for (const MatrixStep &step : steps)
    for (int64_t reg = 0; reg < fragments.b.countRegisters(); ++reg)
      for (int64_t lane = 0; lane < fragments.getLanes(); ++lane) {
        SmallVector<int64_t> at = fragments.getPointOfB(lane, reg);
        int64_t tap = step.taps[at[0] * engine.getN() + at[1]];
        elements.push_back(tap < 0 ? zero : all[numbers[tap]]);
      }
  return DenseElementsAttr::get(
      RankedTensorType::get({static_cast<int64_t>(elements.size())}, type),
      elements);
}
