//===- Fold.cpp - stencil.fold --------------------------------------------===//
//
// The reference for reductions: floats are reduced in long double and rounded
// once at the end. Partial results are per piece of a row and joined in order,
// so that they do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#include "Ops.h"
#include "llvm/Support/ScopedPrinter.h"

#include <atomic>

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

namespace {

/// Elements of a partial result.
constexpr int64_t kPiece = 1024;

struct Partial {
  long double number = 0;
  int64_t integer = 0;
};

/// What is folded: a temp, or a field as it is now.
struct Operand {
  ArrayView array;
  /// Bytes over the array's box, 0 where nothing was stored; or null.
  const char *mask = nullptr;
};

/// NaN if either is; -0 < +0.
long double getLarger(long double a, long double b) {
  if (a != a)
    return a;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

int64_t addWrapping(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}

Partial join(const Partial &a, const Partial &b, FoldKind kind) {
  switch (kind) {
  case FoldKind::Max:
    return {getLarger(a.number, b.number), std::max(a.integer, b.integer)};
  case FoldKind::Min:
    return {-getLarger(-a.number, -b.number), std::min(a.integer, b.integer)};
  default:
    return {a.number + b.number, addWrapping(a.integer, b.integer)};
  }
}

/// Reduces pieces of rows. Every thread has its own.
class PieceReducer {
public:
  PieceReducer(ArrayRef<Operand> operands, FoldKind kind)
      : operands(operands), kind(kind),
        isInteger(!isFloat(operands[0].array.kind)) {
    toInteger = getCastKernel("arith.extsi", operands[0].array.kind, Kind::I64);
    toNumber = getCastKernel("arith.extf", operands[0].array.kind, Kind::F80);
  }

  Partial reduce(ArrayRef<int64_t> row, int64_t begin, int64_t n) {
    return isInteger ? reduceIntegers(row, begin, n)
                     : reduceNumbers(row, begin, n);
  }

private:
  const char *at(const Operand &operand, ArrayRef<int64_t> row, int64_t begin) {
    return operand.array.at(row) + begin * getSize(operand.array.kind);
  }

  Partial reduceIntegers(ArrayRef<int64_t> row, int64_t begin, int64_t n) {
    toInteger(integers, at(operands[0], row, begin), nullptr, nullptr, n);
    Partial partial = {0, integers[0]};
    for (int64_t i = 1; i < n; ++i)
      partial = join(partial, {0, integers[i]}, kind);
    return partial;
  }

  Partial reduceNumbers(ArrayRef<int64_t> row, int64_t begin, int64_t n) {
    toNumber(numbers, at(operands[0], row, begin), nullptr, nullptr, n);
    bool isVector = operands.size() > 1;
    if (isVector || kind == FoldKind::Rms) {
      // The extreme length is the root of the extreme square.
      for (int64_t i = 0; i < n; ++i)
        numbers[i] *= numbers[i];
      for (const Operand &operand : operands.drop_front()) {
        toNumber(component, at(operand, row, begin), nullptr, nullptr, n);
        for (int64_t i = 0; i < n; ++i)
          numbers[i] += component[i] * component[i];
      }
      if (kind == FoldKind::Sum)
        for (int64_t i = 0; i < n; ++i)
          numbers[i] = std::sqrt(numbers[i]);
    }
    Partial partial = {numbers[0], 0};
    for (int64_t i = 1; i < n; ++i)
      partial = join(partial, {numbers[i], 0}, kind);
    return partial;
  }

  ArrayRef<Operand> operands;
  FoldKind kind;
  bool isInteger;
  Kernel toInteger, toNumber;
  int64_t integers[kPiece];
  long double numbers[kPiece], component[kPiece];
};

} // namespace

/// Fails if a point of the box was not stored.
static LogicalResult checkSet(FoldOp op, const Operand &operand,
                              const Box &box) {
  if (!operand.mask)
    return success();
  int64_t n = box.getExtent(box.getRank() - 1);
  SmallVector<int64_t, 4> unset;
  forEachRow(box, [&](ArrayRef<int64_t> point) {
    const char *row =
        operand.mask + (operand.array.at(point) - operand.array.data) /
                           getSize(operand.array.kind);
    for (int64_t i = 0; i < n && unset.empty(); ++i)
      if (!row[i]) {
        unset.assign(point.begin(), point.end());
        unset.back() += i;
      }
  });
  if (unset.empty())
    return success();
  InFlightDiagnostic diag = op.emitError(describe(FaultKind::UnsetPoint))
                            << ": [";
  llvm::interleaveComma(unset, diag);
  return diag << ']';
}

/// True if nothing is rounded: one of the values.
static bool isExact(FoldOp op) {
  return op.getTemps().size() == 1 &&
         (op.getKind() == FoldKind::Max || op.getKind() == FoldKind::Min);
}

/// The error of what is folded, before the last rounding. `reached` is the sum,
/// or the extreme square or value.
static double getFoldError(FoldOp op, ArrayRef<Operand> operands,
                           const Box &box, double reached) {
  double largest = 0, linear = 0, magnitude = 0, largestSquare = 0;
  int64_t n = box.getExtent(box.getRank() - 1);
  bool squares = operands.size() > 1 || op.getKind() == FoldKind::Rms;
  std::vector<double> numbers(n), errors(n), sum(n);
  forEachRow(box, [&](ArrayRef<int64_t> point) {
    llvm::fill(errors, 0);
    llvm::fill(sum, 0);
    for (const Operand &operand : operands) {
      const PointError *added =
          operand.array.errors + operand.array.getIndex(point);
      toDouble(numbers.data(), operand.array.at(point), operand.array.kind, n);
      for (int64_t i = 0; i < n; ++i) {
        double error = std::fabs(added[i].bound);
        errors[i] += error;
        sum[i] += squares ? numbers[i] * numbers[i] : std::fabs(numbers[i]);
      }
    }
    for (int64_t i = 0; i < n; ++i) {
      double length = squares ? std::sqrt(sum[i]) : sum[i];
      largest = std::max(largest, errors[i]);
      largestSquare = std::max(largestSquare, sum[i]);
      // |d(v^2)| = 2 v dv; of a length, at most the sum of the errors.
      bool isSquare = op.getKind() == FoldKind::Rms;
      linear +=
          isSquare ? 2 * length * errors[i] + errors[i] * errors[i] : errors[i];
      magnitude += isSquare ? sum[i] : length;
    }
  });
  if (!(largest < kUnknown))
    return kUnknown;
  if (!std::isfinite(reached))
    return 0;
  if (!isFloat(operands[0].array.kind))
    return op.getKind() == FoldKind::Sum ? linear : largest;
  constexpr double unit = 0x1p-53;
  if (op.getKind() == FoldKind::Max || op.getKind() == FoldKind::Min)
    return squares ? largest + 4 * unit * std::sqrt(largestSquare) : largest;
  // Compiled code adds in double: the points of a slice of the first axis one
  // after the other, or fewer, and then the slices.
  double slices = static_cast<double>(box.getExtent(0));
  double terms = static_cast<double>(*box.getNumPoints()) / slices + slices;
  double error = linear + unit * terms * magnitude;
  if (op.getKind() == FoldKind::Sum)
    return error;
  double points = static_cast<double>(*box.getNumPoints());
  // The root of the mean: of d, at most d / (2 root).
  double mean = reached / points;
  return mean > 0 ? std::min(error / points / std::sqrt(mean),
                             std::sqrt(error / points))
                  : std::sqrt(error / points);
}

LogicalResult interp::evaluate(RunState &state, FoldOp op) {
  std::optional<Box> box = state.resolve(op.getBounds(), op);
  if (!box)
    return failure();
  SmallVector<Operand> operands;
  for (Value value : op.getTemps()) {
    Operand &operand = operands.emplace_back();
    if (isa<FieldType>(value.getType())) {
      operand.array = state.getField(value).getView();
      if (operand.array.box.isEmpty())
        return op.emitError("expected a field with bounds, got ")
               << value.getType();
    } else {
      TempValue *temp = state.getTemp(op, value);
      if (!temp)
        return failure();
      operand.array = temp->getView();
      operand.mask = temp->mask.get();
    }
    if (!operand.array.box.contains(*box)) {
      return op.emitError("expected the box ")
             << op.getBounds() << " to lie in the operand, "
             << llvm::to_string(operand.array.box);
    }
    if (failed(checkSet(op, operand, *box)))
      return failure();
  }

  unsigned last = box->getRank() - 1;
  int64_t extent = box->getExtent(last), points = *box->getNumPoints();
  int64_t piecesPerRow = (extent + kPiece - 1) / kPiece;
  std::vector<SmallVector<int64_t, 4>> rows;
  forEachRow(*box, [&](ArrayRef<int64_t> point) { rows.emplace_back(point); });
  std::vector<Partial> partials(rows.size() * piecesPerRow);
  constexpr int64_t worthwhile = 1 << 14;
  std::atomic<size_t> next{0};
  state.team.run(points < worthwhile ? 1 : state.team.size(), [&](unsigned) {
    PieceReducer reducer(operands, op.getKind());
    for (size_t index = next++; index < partials.size(); index = next++) {
      int64_t begin = static_cast<int64_t>(index % piecesPerRow) * kPiece;
      partials[index] = reducer.reduce(rows[index / piecesPerRow], begin,
                                       std::min(extent - begin, kPiece));
    }
  });

  Partial result = partials.front();
  for (const Partial &partial : llvm::drop_begin(partials))
    result = join(result, partial, op.getKind());
  Kind kind = operands[0].array.kind;
  double error = 0;
  if (state.analysis) {
    double reached = isFloat(kind) ? static_cast<double>(result.number)
                                   : static_cast<double>(result.integer);
    error = getFoldError(op, operands, *box, reached);
  }
  error = markBlind(error, false);
  if (!isFloat(kind)) {
    state.get(op.getRes()) =
        Scalar{kind, Cell::ofInteger(result.integer, kind), error};
    return success();
  }
  long double number = result.number;
  if (op.getKind() == FoldKind::Rms)
    number = std::sqrt(number / static_cast<long double>(points));
  else if (operands.size() > 1 && op.getKind() != FoldKind::Sum)
    number = std::sqrt(number);
  if (error > 0 && error < kUnknown && !isExact(op)) {
    Rounding rounding =
        getRounding(cast<GridType>(op.getTemps()[0].getType()).getElementType(),
                    *state.analysis);
    error += rounding.epsilon * std::fabs(static_cast<double>(number)) +
             rounding.tiny;
    error = markBlind(error, false);
  }
  state.get(op.getRes()) = Scalar{kind, Cell::ofFloat(number, kind), error};
  return success();
}
