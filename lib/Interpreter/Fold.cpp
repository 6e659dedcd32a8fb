//===- Fold.cpp - stencil.fold --------------------------------------------===//
//
// The reference for reductions: floats are reduced in long double and rounded
// once at the end. Partial results are per piece of a row and joined in order,
// so that they do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include <atomic>

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

namespace {

/// Elements of a partial result.
constexpr int64_t kPiece = 4096;

struct Partial {
  long double number = 0;
  uint64_t integer = 0;
};

/// NaN if either is; -0 < +0.
long double getLarger(long double a, long double b) {
  if (a != a)
    return a;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

/// One element, or the square of the length of the vector of several.
class Reader {
public:
  explicit Reader(ArrayRef<const TempValue *> temps) : temps(temps) {}

  void seek(ArrayRef<int64_t> point) {
    rows.clear();
    for (const TempValue *temp : temps)
      rows.push_back(temp->getView().at(point));
  }
  long double getNumber(unsigned operand, int64_t index) const {
    return getCell(operand, index).getFloat(temps[operand]->kind);
  }
  int64_t getInteger(int64_t index) const {
    Kind kind = temps[0]->kind;
    int64_t value = getCell(0, index).getInteger(kind);
    return kind == Kind::I1 ? -value : value;
  }
  long double getSquare(int64_t index) const {
    long double square = 0;
    for (unsigned operand = 0; operand < rows.size(); ++operand) {
      long double value = getNumber(operand, index);
      square += value * value;
    }
    return square;
  }

private:
  Cell getCell(unsigned operand, int64_t index) const {
    Cell cell;
    unsigned size = getSize(temps[operand]->kind);
    std::memcpy(cell.bytes, rows[operand] + index * size, size);
    return cell;
  }

  ArrayRef<const TempValue *> temps;
  SmallVector<const char *> rows;
};

} // namespace

static Partial reducePiece(const Reader &reader, FoldKind kind, bool isVector,
                           bool isInteger, int64_t begin, int64_t end) {
  Partial partial;
  for (int64_t i = begin; i < end; ++i) {
    if (isInteger) {
      int64_t value = reader.getInteger(i), known = partial.integer;
      if (kind == FoldKind::Sum)
        partial.integer += static_cast<uint64_t>(value);
      else if (i == begin ||
               (kind == FoldKind::Max ? value > known : value < known))
        partial.integer = static_cast<uint64_t>(value);
      continue;
    }
    // The extreme length is the root of the extreme square.
    bool isSquare = isVector || kind == FoldKind::Rms;
    long double value = isSquare ? reader.getSquare(i) : reader.getNumber(0, i);
    if (isVector && kind == FoldKind::Sum)
      value = std::sqrt(value);
    if (kind == FoldKind::Sum || kind == FoldKind::Rms)
      partial.number += value;
    else if (i == begin)
      partial.number = value;
    else if (kind == FoldKind::Max)
      partial.number = getLarger(partial.number, value);
    else
      partial.number = -getLarger(-partial.number, -value);
  }
  return partial;
}

static Partial join(ArrayRef<Partial> partials, FoldKind kind) {
  Partial result = partials.front();
  for (const Partial &partial : partials.drop_front()) {
    auto known = static_cast<int64_t>(result.integer);
    auto value = static_cast<int64_t>(partial.integer);
    switch (kind) {
    case FoldKind::Sum:
    case FoldKind::Rms:
      result.number += partial.number;
      result.integer += partial.integer;
      break;
    case FoldKind::Max:
      result.number = getLarger(result.number, partial.number);
      result.integer = std::max(known, value);
      break;
    case FoldKind::Min:
      result.number = -getLarger(-result.number, -partial.number);
      result.integer = std::min(known, value);
      break;
    }
  }
  return result;
}

/// Fails if a point of the box was not stored.
static LogicalResult checkSet(FoldOp op, const TempValue &temp,
                              const Box &box) {
  if (!temp.mask)
    return success();
  ArrayView mask = {temp.mask.get(), Kind::I1, temp.box};
  int64_t n = box.getExtent(box.getRank() - 1);
  SmallVector<int64_t, 4> unset;
  forEachRow(box, [&](ArrayRef<int64_t> point) {
    const char *row = mask.at(point);
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

LogicalResult Evaluator::evaluateFold(FoldOp op) {
  std::optional<Box> box = activation->extents.resolve(op.getBounds(), op);
  if (!box)
    return failure();
  SmallVector<const TempValue *> temps;
  for (Value operand : op.getTemps()) {
    TempValue *temp = getTemp(op, operand);
    if (!temp)
      return failure();
    if (!temp->box.contains(*box)) {
      std::string text;
      llvm::raw_string_ostream(text) << temp->box;
      return op.emitError("expected the box ")
             << op.getBounds() << " to lie in the value, " << text;
    }
    if (failed(checkSet(op, *temp, *box)))
      return failure();
    temps.push_back(temp);
  }

  unsigned last = box->getRank() - 1;
  int64_t extent = box->getExtent(last), points = *box->getNumPoints();
  int64_t piecesPerRow = (extent + kPiece - 1) / kPiece;
  std::vector<SmallVector<int64_t, 4>> rows;
  forEachRow(*box, [&](ArrayRef<int64_t> point) { rows.emplace_back(point); });
  std::vector<Partial> partials(rows.size() * piecesPerRow);
  Kind elementKind = temps[0]->kind;
  bool isInteger = !isFloat(elementKind);
  std::atomic<size_t> next{0};
  team.run(points < (1 << 14) ? 1 : team.size(), [&](unsigned) {
    Reader reader(temps);
    for (size_t row = next++; row < rows.size(); row = next++) {
      reader.seek(rows[row]);
      for (int64_t piece = 0; piece < piecesPerRow; ++piece)
        partials[row * piecesPerRow + piece] =
            reducePiece(reader, op.getKind(), temps.size() > 1, isInteger,
                        piece * kPiece, std::min(extent, (piece + 1) * kPiece));
    }
  });

  Partial result = join(partials, op.getKind());
  if (isInteger) {
    get(op.getRes()) = Scalar{
        elementKind,
        Cell::ofInteger(static_cast<int64_t>(result.integer), elementKind)};
    return success();
  }
  long double number = result.number;
  if (op.getKind() == FoldKind::Rms)
    number = std::sqrt(number / static_cast<long double>(points));
  else if (temps.size() > 1 && op.getKind() != FoldKind::Sum)
    number = std::sqrt(number);
  get(op.getRes()) = Scalar{elementKind, Cell::ofFloat(number, elementKind)};
  return success();
}
