//===- ShareRowLoads.cpp - Vectors of a row made of those beside them -----===//
//
// A vector that is as long as a line, and does not begin at one, takes two
// accesses to the first-level cache. Where a block loads the two vectors that
// it lies across as well, it is put together from these, which takes one
// instruction (valignq of AVX-512).
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace stencil {
#define GEN_PASS_DEF_STENCILSHAREROWLOADS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

namespace {

/// A sum of values, each so many times, and of a constant.
struct LinearIndex {
  std::map<void *, int64_t> terms;
  int64_t constant = 0;
};

/// Where a vector is loaded from: all but the constant of its last index.
using Row = std::pair<std::vector<void *>, std::map<void *, int64_t>>;

/// The vectors of one row, by the constant of their last index.
using RowLoads = std::map<int64_t, SmallVector<vector::LoadOp, 2>>;

class BlockSharer {
public:
  BlockSharer(Block &block, int64_t lineBytes, int64_t registers,
              int64_t acrossPercent)
      : block(block), lineBytes(lineBytes), registers(registers),
        acrossPercent(acrossPercent) {}

  void run();

private:
  bool isLine(VectorType type) const;
  void add(vector::LoadOp load);
  bool pays() const;
  void share();
  void shareRow(const RowLoads &loads);
  int64_t chooseResidue(const RowLoads &loads, int64_t lanes) const;

  Block &block;
  int64_t lineBytes, registers, acrossPercent;
  /// Of loads with no store between them.
  llvm::MapVector<Value, std::vector<std::pair<Row, RowLoads>>> rows;
  /// Of the vectors that the block stores: where they begin, modulo a vector.
  std::set<int64_t> stored;
};

} // namespace

/// Adds `factor` times the value to the sum.
static void addTo(LinearIndex &sum, Value value, int64_t factor) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 32) {
    sum.constant += factor * constant.getSExtValue();
    return;
  }
  // What wraps around does so in each form.
  if (auto op = value.getDefiningOp<arith::AddIOp>()) {
    addTo(sum, op.getLhs(), factor);
    return addTo(sum, op.getRhs(), factor);
  }
  if (auto op = value.getDefiningOp<arith::SubIOp>()) {
    addTo(sum, op.getLhs(), factor);
    return addTo(sum, op.getRhs(), -factor);
  }
  int64_t &count = sum.terms[value.getAsOpaquePointer()];
  count += factor;
  if (count == 0)
    sum.terms.erase(value.getAsOpaquePointer());
}

static LinearIndex getLinearIndex(Value value) {
  LinearIndex sum;
  addTo(sum, value, 1);
  return sum;
}

bool BlockSharer::isLine(VectorType type) const {
  return type.getRank() == 1 && !type.isScalable() &&
         type.getElementType().isIntOrFloat() &&
         type.getNumElements() * type.getElementTypeBitWidth() == 8 * lineBytes;
}

void BlockSharer::add(vector::LoadOp load) {
  if (!isLine(load.getVectorType()))
    return;
  Row row;
  for (Value index : load.getIndices().drop_back())
    row.first.push_back(index.getAsOpaquePointer());
  LinearIndex last = getLinearIndex(load.getIndices().back());
  row.second = last.terms;
  auto &known = rows[load.getBase()];
  auto found =
      llvm::find_if(known, [&](auto &entry) { return entry.first == row; });
  if (found == known.end())
    found = known.insert(known.end(), {row, {}});
  found->second[last.constant].push_back(load);
}

/// Which of the vectors the others are made of: those that begin where what is
/// stored does, modulo a vector, as rows of all fields begin at lines; else
/// those in the middle.
int64_t BlockSharer::chooseResidue(const RowLoads &loads, int64_t lanes) const {
  std::map<int64_t, int64_t> sums, counts;
  int64_t total = 0;
  for (const auto &[constant, ops] : loads) {
    int64_t residue = llvm::mod(constant, lanes);
    sums[residue] += constant;
    ++counts[residue];
    total += constant;
  }
  std::optional<int64_t> best;
  double nearest = 0, middle = double(total) / double(loads.size());
  for (auto [residue, count] : counts) {
    if (count < 2)
      continue;
    if (stored.count(residue))
      return residue;
    double distance = std::abs(double(sums[residue]) / double(count) - middle);
    if (!best || distance < nearest) {
      best = residue;
      nearest = distance;
    }
  }
  return best.value_or(-1);
}

void BlockSharer::shareRow(const RowLoads &loads) {
  vector::LoadOp first = loads.begin()->second.front();
  int64_t lanes = first.getVectorType().getNumElements();
  int64_t residue = chooseResidue(loads, lanes);
  if (residue < 0)
    return;
  for (const auto &[constant, ops] : loads)
    for (vector::LoadOp load : ops)
      if (load->isBeforeInBlock(first))
        first = load;
  int64_t place = getLinearIndex(first.getIndices().back()).constant;
  OpBuilder builder(first);
  Location loc = first.getLoc();
  std::map<int64_t, Value> whole;
  auto getWhole = [&](int64_t constant) {
    Value &value = whole[constant];
    if (value)
      return value;
    SmallVector<Value> indices(first.getIndices());
    if (constant != place)
      indices.back() = arith::AddIOp::create(
          builder, loc, indices.back(),
          arith::ConstantIndexOp::create(builder, loc, constant - place));
    value = vector::LoadOp::create(builder, loc, first.getVectorType(),
                                   first.getBase(), indices);
    return value;
  };
  // Those that are left are loaded as they were; the whole ones once.
  SmallVector<std::pair<vector::LoadOp, Value>> replaced;
  for (const auto &[constant, ops] : loads) {
    int64_t distance = llvm::mod(constant - residue, lanes);
    int64_t lower = constant - distance;
    if (distance == 0 || !loads.count(lower) || !loads.count(lower + lanes))
      continue;
    auto order = llvm::to_vector(llvm::seq(distance, distance + lanes));
    Value low = getWhole(lower), high = getWhole(lower + lanes);
    Value made = vector::ShuffleOp::create(builder, loc, low, high, order);
    for (vector::LoadOp load : ops)
      replaced.emplace_back(load, made);
  }
  for (auto [constant, value] : whole)
    for (vector::LoadOp load : loads.at(constant))
      replaced.emplace_back(load, value);
  for (auto [load, value] : replaced) {
    load.replaceAllUsesWith(value);
    load.erase();
  }
}

/// Whether what is put together is worth its instructions.
bool BlockSharer::pays() const {
  int64_t total = 0, across = 0, kept = 0;
  for (const auto &[memory, known] : rows)
    for (const auto &[row, loads] : known) {
      vector::LoadOp first = loads.begin()->second.front();
      int64_t lanes = first.getVectorType().getNumElements();
      int64_t residue = chooseResidue(loads, lanes);
      for (const auto &[constant, ops] : loads) {
        ++total;
        across += residue >= 0 && llvm::mod(constant, lanes) != residue;
        kept += llvm::any_of(
            ops, [](vector::LoadOp load) { return !load->hasOneUse(); });
      }
    }
  // An operand in memory can be read twice; what is put together has to stay in
  // a register until then.
  return kept <= registers && 100 * across >= acrossPercent * total;
}

void BlockSharer::share() {
  if (!pays())
    rows.clear();
  for (auto &[memory, known] : rows)
    for (auto &[row, loads] : known)
      shareRow(loads);
  rows.clear();
}

void BlockSharer::run() {
  for (auto store : block.getOps<vector::StoreOp>())
    if (isLine(store.getVectorType()))
      stored.insert(
          llvm::mod(getLinearIndex(store.getIndices().back()).constant,
                    store.getVectorType().getNumElements()));
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto load = dyn_cast<vector::LoadOp>(op))
      add(load);
    else if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op))
      share();
  }
}

namespace {

struct ShareRowLoads : stencil::impl::StencilShareRowLoadsBase<ShareRowLoads> {
  using StencilShareRowLoadsBase::StencilShareRowLoadsBase;

  void runOnOperation() override {
    if (!llvm::isPowerOf2_64(lineBytes)) {
      emitError(getOperation().getLoc(),
                "expected line-bytes to be a power of two, got ")
          << uint64_t(lineBytes);
      return signalPassFailure();
    }
    getOperation().walk([&](Block *block) {
      BlockSharer(*block, static_cast<int64_t>(lineBytes),
                  static_cast<int64_t>(registers),
                  static_cast<int64_t>(acrossPercent))
          .run();
    });
  }
};

} // namespace
