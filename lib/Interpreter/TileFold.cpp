//===- TileFold.cpp - tile.fold -------------------------------------------===//
//
// In the order that the op's description says, so to the bit what threads
// compute.
//
//===----------------------------------------------------------------------===//

#include "TileOps.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

namespace {

/// Folds registers whose lanes are the places of a tile.
class PlaceFolder {
public:
  PlaceFolder(tile::FoldOp op, Kind element, Kind number, int64_t places)
      : places(places), kind(op.getKind()), element(element), number(number),
        isVector(op.getTemps().size() > 1) {
    bool isNumber = isFloat(number);
    auto pickKernel = [&](StringRef forFloats, StringRef forIntegers) {
      return isNumber ? getFloatKernel(forFloats, number)
                      : getIntegerKernel(forIntegers, number);
    };
    join = kind == FoldKind::Max   ? pickKernel("arith.maximumf", "arith.maxsi")
           : kind == FoldKind::Min ? pickKernel("arith.minimumf", "arith.minsi")
                                   : pickKernel("arith.addf", "arith.addi");
    widen =
        getCastKernel(isNumber ? "arith.extf" : "arith.extsi", element, number);
    multiply = isNumber ? getFloatKernel("arith.mulf", number) : nullptr;
    add = isNumber ? getFloatKernel("arith.addf", number) : nullptr;
    root = isNumber ? getMathKernel("math.sqrt", number) : nullptr;
    for (Register *each : {&sums, &term, &wide, &scratch})
      each->resize(places * getSize(number));
    splat(sums.data(), getIdentity().bytes, number, places);
  }

  /// Folds what the first `n` places have of each operand.
  void addPoints(ArrayRef<const char *> operands, int64_t n);
  /// Folds a number to each of the first `n` places.
  void addNumbers(const char *numbers, int64_t n) {
    combine(sums.data(), numbers, n);
  }
  /// What all places have: one number.
  const char *finish();

private:
  using Register = std::vector<char>;

  Cell getIdentity() const;
  /// Of the first `n` lanes, into the first operand.
  void combine(char *into, const char *with, int64_t n) {
    join(scratch.data(), into, with, nullptr, n);
    std::memcpy(into, scratch.data(), n * getSize(number));
  }

  int64_t places;
  FoldKind kind;
  Kind element, number;
  bool isVector;
  Kernel join, widen, multiply, add, root;
  Register sums, term, wide, scratch;
};

} // namespace

Cell PlaceFolder::getIdentity() const {
  bool isMax = kind == FoldKind::Max;
  bool isSum = !isMax && kind != FoldKind::Min;
  if (isFloat(number)) {
    long double largest = std::numeric_limits<long double>::infinity();
    return Cell::ofFloat(isSum ? 0 : isMax ? -largest : largest, number);
  }
  using Limits = std::numeric_limits<int64_t>;
  return Cell::ofInteger(isSum   ? 0
                         : isMax ? Limits::min()
                                 : Limits::max(),
                         number);
}

void PlaceFolder::addPoints(ArrayRef<const char *> operands, int64_t n) {
  bool squares = isVector || kind == FoldKind::Rms;
  int64_t bytes = n * getSize(number);
  for (auto [index, operand] : llvm::enumerate(operands)) {
    if (element == number)
      std::memcpy(wide.data(), operand, bytes);
    else
      widen(wide.data(), operand, nullptr, nullptr, n);
    Register &into = index == 0 ? term : scratch;
    if (squares)
      multiply(into.data(), wide.data(), wide.data(), nullptr, n);
    else
      std::memcpy(into.data(), wide.data(), bytes);
    if (index == 0)
      continue;
    add(wide.data(), term.data(), scratch.data(), nullptr, n);
    std::memcpy(term.data(), wide.data(), bytes);
  }
  if (isVector && kind == FoldKind::Sum) {
    root(wide.data(), term.data(), nullptr, nullptr, n);
    std::memcpy(term.data(), wide.data(), bytes);
  }
  combine(sums.data(), term.data(), n);
}

const char *PlaceFolder::finish() {
  for (int64_t half = places / 2; half >= 1; half /= 2)
    combine(sums.data(), sums.data() + half * getSize(number), half);
  return sums.data();
}

LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::FoldOp op) {
  const TileList &list = *block.list;
  FieldStorage &partial = *state.getField(op.getPartial()).storage;
  FieldStorage &result = *state.getField(op.getResult()).storage;
  SmallVector<ArrayView> operands;
  for (Value temp : op.getTemps())
    operands.push_back(std::get<SourceValue>(state.get(temp)).field.getView());
  Kind element = operands.front().kind, number = partial.kind;
  int64_t size = getSize(element), places = list.threads;
  PlaceFolder folder(op, element, number, places);
  std::vector<std::vector<char>> values(operands.size(),
                                        std::vector<char>(places * size));
  SmallVector<int64_t, 4> point;
  for (int64_t piece = block.piece; piece * places < list.total;
       piece += list.blocks) {
    int64_t n = std::min(places, list.total - piece * places);
    for (int64_t place = 0; place < n; ++place) {
      list.find(piece * places + place, /*part=*/0, point);
      for (auto [operand, value] : llvm::zip_equal(operands, values))
        std::memcpy(value.data() + place * size, operand.at(point), size);
    }
    SmallVector<const char *> lanes;
    for (const std::vector<char> &value : values)
      lanes.push_back(value.data());
    folder.addPoints(lanes, n);
  }
  if (failed(state.prepareWrite(op, partial)) ||
      failed(state.prepareWrite(op, result)))
    return failure();
  int64_t bytes = getSize(number);
  std::memcpy(partial.data + block.piece * bytes, folder.finish(), bytes);
  if (!block.isLast)
    return success();
  PlaceFolder last(op, element, number, places);
  for (int64_t first = 0; first < list.blocks; first += places)
    last.addNumbers(partial.data + first * bytes,
                    std::min(places, list.blocks - first));
  std::memcpy(result.data, last.finish(), bytes);
  // Nothing is known of how many roundings.
  if (result.errors)
    *result.errors = {kUnknown, 0, 0};
  return success();
}
