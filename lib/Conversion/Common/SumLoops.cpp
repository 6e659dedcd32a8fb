//===- SumLoops.cpp - Loops over the taps of a sum ------------------------===//
//
//   for the rows of a box of taps
//     for K taps of the row at a time
//       for the K taps and all points (unrolled)
//         sum[point] += weight[tap] * value[point + tap]
//
// Vectors side by side share what they read instead of the weights:
//
//   for the rows of a box of taps
//     for K positions of the row at a time, from the first tap of the first
//     vector to the last one of the last
//       for the K positions and the vectors with a tap there (unrolled)
//         sum[vector] += weight[position - lanes * vector] * value[position]
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/SumLoops.h"
#include "StencilDialect/Conversion/SumArithmetic.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stencil;

Value stencil::getConstantArray(OpBuilder &builder, Location loc,
                                Operation *symbols, DenseElementsAttr values,
                                Attribute memorySpace) {
  auto shaped = cast<ShapedType>(values.getType());
  auto type = MemRefType::get(shaped.getShape(), shaped.getElementType(),
                              MemRefLayoutAttrInterface(), memorySpace);
  Block &body = symbols->getRegion(0).front();
  for (auto global : body.getOps<memref::GlobalOp>())
    if (global.getType() == type && global.getConstant() &&
        global.getInitialValue() == values)
      return memref::GetGlobalOp::create(builder, loc, type,
                                         global.getSymName());
  std::string name;
  for (unsigned number = 0; name.empty(); ++number) {
    std::string candidate = "tap_weights" + std::to_string(number);
    if (!SymbolTable::lookupSymbolIn(symbols, candidate))
      name = std::move(candidate);
  }
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&body);
    memref::GlobalOp::create(builder, loc, name,
                             builder.getStringAttr("private"), type, values,
                             /*constant=*/true, /*alignment=*/IntegerAttr());
  }
  return memref::GetGlobalOp::create(builder, loc, type, name);
}

namespace {

/// Emits the loops of one sum.
class SumLoops {
public:
  SumLoops(OpBuilder &builder, WeightedSumOp sum, Value weights,
           const SumLoopOptions &options, ReadTap read)
      : b(sum.getLoc(), builder), type(sum.getRes().getType()),
        weights(weights), options(options),
        flags(addFastMathFlags(sum.getFastmath(), options.math)), read(read) {
    if (options.lanes > 1)
      type = VectorType::get({options.lanes}, type);
  }

  SmallVector<Value> emit(ArrayRef<TapBox> boxes);

private:
  /// The sums so far, and behind them what neighbours have read already.
  using State = SmallVector<Value>;

  unsigned countKept() const {
    return options.areNeighbours ? options.points - 1 : 0;
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value add(Value index, int64_t value) {
    if (value == 0)
      return index;
    if (!index)
      return constant(value);
    return arith::AddIOp::create(b, index, constant(value));
  }
  State emitLoop(int64_t end, int64_t step, const State &state,
                 llvm::function_ref<State(Value, State)> emitBody);
  State emitRows(const TapBox &box, unsigned axis, TapOffset offset, Value row,
                 State sums);
  State emitRow(const TapBox &box, const TapOffset &offset, Value row,
                State sums);
  State emitTaps(const TapOffset &offset, Value row, int64_t first,
                 int64_t count, State state);
  bool isReadByPosition(const TapBox &box) const;
  State emitPositions(const TapBox &box, const TapOffset &offset, Value row,
                      State sums);
  State emitStretch(const TapOffset &offset, Value row, int64_t from,
                    int64_t to, int64_t firstColumn, State sums);
  Value readValue(unsigned point, const TapOffset &offset, int64_t further);
  Value readWeight(Value row, Value variable, int64_t tap);

  ImplicitLocOpBuilder b;
  Type type;
  Value weights;
  const SumLoopOptions &options;
  arith::FastMathFlags flags;
  ReadTap read;
};

} // namespace

SmallVector<Value> SumLoops::emit(ArrayRef<TapBox> boxes) {
  // What changes no sum, not even the sign of a zero.
  Attribute neutral = b.getZeroAttr(type);
  Type element = getElementTypeOrSelf(type);
  if (auto real = dyn_cast<FloatType>(element)) {
    Attribute zero = FloatAttr::get(
        real, APFloat::getZero(real.getFloatSemantics(), /*Negative=*/true));
    neutral = options.lanes > 1 ? Attribute(DenseElementsAttr::get(
                                      cast<ShapedType>(type), ArrayRef(zero)))
                                : zero;
  }
  Value none = arith::ConstantOp::create(b, cast<TypedAttr>(neutral));
  State sums(options.points, none);
  for (const TapBox &box : boxes) {
    TapOffset offset{box.lower, {}};
    offset.variable.resize(box.lower.size());
    sums = emitRows(box, 0, offset, {}, sums);
  }
  return sums;
}

/// A loop from 0 to `end` that hands the state on.
SumLoops::State
SumLoops::emitLoop(int64_t end, int64_t step, const State &state,
                   llvm::function_ref<State(Value, State)> emitBody) {
  auto loop =
      scf::ForOp::create(b, constant(0), constant(end), constant(step), state);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  State next =
      emitBody(loop.getInductionVar(), State(loop.getRegionIterArgs()));
  scf::YieldOp::create(b, next);
  return State(loop.getResults());
}

/// `row` is the number of the box's row so far, an index; null for 0.
SumLoops::State SumLoops::emitRows(const TapBox &box, unsigned axis,
                                   TapOffset offset, Value row, State sums) {
  if (axis + 1 == box.shape.size()) {
    Value first;
    if (row)
      first = arith::MulIOp::create(b, row, constant(box.shape.back()));
    return emitRow(box, offset, add(first, box.first), std::move(sums));
  }
  int64_t count = box.shape[axis];
  if (count == 1)
    return emitRows(box, axis + 1, offset, row, std::move(sums));
  return emitLoop(count, 1, sums, [&](Value number, State inner) {
    offset.variable[axis] = number;
    Value next = number;
    if (row) {
      next = arith::MulIOp::create(b, row, constant(count));
      next = arith::AddIOp::create(b, next, number);
    }
    return emitRows(box, axis + 1, offset, next, std::move(inner));
  });
}

/// Taps, or positions, per turn of a loop.
static constexpr int64_t kTaps = 4;

/// The taps of a row; `row` is the number of the first one's weight.
SumLoops::State SumLoops::emitRow(const TapBox &box, const TapOffset &offset,
                                  Value row, State sums) {
  if (isReadByPosition(box))
    return emitPositions(box, offset, row, std::move(sums));
  int64_t length = box.shape.back();
  // As many taps as points: as many new values as weights.
  int64_t step =
      options.areNeighbours ? std::max<int64_t>(kTaps, options.points) : kTaps;
  int64_t whole = length / step * step;
  State state = std::move(sums);
  for (unsigned i = 0; i < countKept(); ++i)
    state.push_back(readValue(0, offset, i));
  if (whole > 0)
    state = emitLoop(whole, step, state, [&](Value number, State inner) {
      TapOffset here = offset;
      here.variable.back() = number;
      return emitTaps(here, row, 0, step, std::move(inner));
    });
  state = emitTaps(offset, row, whole, length - whole, std::move(state));
  state.truncate(options.points);
  return state;
}

/// Taps number `first` and the next ones of a row.
SumLoops::State SumLoops::emitTaps(const TapOffset &offset, Value row,
                                   int64_t first, int64_t count, State state) {
  if (count == 0)
    return state;
  SumArithmetic arithmetic(b, b.getLoc(), type, flags);
  SmallVector<Value> window(ArrayRef(state).drop_front(options.points));
  for (int64_t tap = 0; tap < count; ++tap) {
    if (options.areNeighbours)
      window.push_back(readValue(0, offset, first + tap + countKept()));
    Value weight = readWeight(row, offset.variable.back(), first + tap);
    for (unsigned point = 0; point < options.points; ++point) {
      Value value = options.areNeighbours
                        ? window[tap + point]
                        : readValue(point, offset, first + tap);
      state[point] = arithmetic.addProduct(state[point], weight, value);
    }
  }
  state.truncate(options.points);
  llvm::append_range(state, ArrayRef(window).take_back(countKept()));
  return state;
}

/// A vector at each position of the row, and a weight for each of its uses,
/// against a vector for each use, and a weight for each tap. A weight is one
/// element, which every multiplication can fetch for itself; an unaligned
/// vector of a whole cache line costs two accesses. Rows not much longer than a
/// vector have about as many positions as uses.
bool SumLoops::isReadByPosition(const TapBox &box) const {
  return options.columns > 1 && options.lanes > 1 &&
         2 * box.shape.back() >= 3 * options.lanes;
}

/// The taps of a row, for vectors side by side. In a stretch of positions, the
/// same vectors have a tap everywhere. There are few at the ends of the row,
/// and no vector multiplies what is not its own: that could be an infinity.
SumLoops::State SumLoops::emitPositions(const TapBox &box,
                                        const TapOffset &offset, Value row,
                                        State sums) {
  int64_t length = box.shape.back(), lanes = options.lanes,
          columns = options.columns, rows = options.points / columns,
          end = length + lanes * (columns - 1);
  for (int64_t from = 0, to; from < end; from = to) {
    int64_t first = from < length ? 0 : (from - length) / lanes + 1;
    int64_t last = std::min(columns, from / lanes + 1);
    to = std::min(last < columns ? last * lanes : end, first * lanes + length);
    MutableArrayRef<Value> active =
        MutableArrayRef(sums).slice(first * rows, (last - first) * rows);
    llvm::copy(emitStretch(offset, row, from, to, first, State(active)),
               active.begin());
  }
  return sums;
}

/// The positions from `from` up to `to` of a row; `sums` are those of the
/// vectors from number `firstColumn` on, of each row of points.
SumLoops::State SumLoops::emitStretch(const TapOffset &offset, Value row,
                                      int64_t from, int64_t to,
                                      int64_t firstColumn, State sums) {
  SumArithmetic arithmetic(b, b.getLoc(), type, flags);
  unsigned rows = options.points / options.columns;
  auto emitSome = [&](const TapOffset &here, int64_t first, int64_t count,
                      State state) {
    for (int64_t position = first; position < first + count; ++position) {
      SmallVector<Value> values;
      for (unsigned point = 0; point < rows; ++point)
        values.push_back(readValue(point, here, position));
      for (auto [number, sum] : llvm::enumerate(state)) {
        int64_t column = firstColumn + static_cast<int64_t>(number / rows);
        Value weight = readWeight(row, here.variable.back(),
                                  position - column * options.lanes);
        Value value = values[number % rows];
        sum = matchPattern(sum, m_Constant())
                  ? arithmetic.multiply(weight, value)
                  : arithmetic.addProduct(sum, weight, value);
      }
    }
    return state;
  };
  int64_t whole = (to - from) / kTaps * kTaps;
  if (whole <= kTaps)
    whole = 0;
  if (whole > 0) {
    sums = emitLoop(whole, kTaps, sums, [&](Value number, State inner) {
      TapOffset here = offset;
      here.variable.back() = number;
      return emitSome(here, from, kTaps, std::move(inner));
    });
    // Unrolled, the weights would be known, and kept in registers for the next
    // vector, of which there are not enough.
    keepAsLoop(sums.front().getDefiningOp<scf::ForOp>());
  }
  return emitSome(offset, from + whole, to - from - whole, std::move(sums));
}

Value SumLoops::readValue(unsigned point, const TapOffset &offset,
                          int64_t further) {
  TapOffset tap = offset;
  tap.constant.back() += further;
  Value value = read(b, point, tap);
  // An input without the last axis has one value for all lanes.
  if (value.getType() == type)
    return value;
  if (getElementTypeOrSelf(value.getType()) != getElementTypeOrSelf(type)) {
    Type wider = getElementTypeOrSelf(type);
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      wider = vector.clone(wider);
    value = arith::ExtFOp::create(b, wider, value);
  }
  if (value.getType() != type)
    value = vector::BroadcastOp::create(b, type, value);
  return value;
}

Value SumLoops::readWeight(Value row, Value variable, int64_t tap) {
  Value index = row;
  if (variable)
    index = index ? arith::AddIOp::create(b, index, variable) : variable;
  index = add(index, tap);
  if (!index)
    index = constant(0);
  Value weight = memref::LoadOp::create(b, weights, index);
  if (options.lanes > 1)
    weight = vector::BroadcastOp::create(b, type, weight);
  return weight;
}

SmallVector<Value> stencil::emitSumLoops(OpBuilder &builder, WeightedSumOp sum,
                                         Value weights,
                                         const SumLoopOptions &options,
                                         ReadTap read) {
  return SumLoops(builder, sum, weights, options, read).emit(findTapBoxes(sum));
}

void stencil::keepAsLoop(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  BoolAttr yes = BoolAttr::get(context, true);
  LLVM::LoopVectorizeAttr noVectors = LLVM::LoopVectorizeAttr::get(
      context, /*disable=*/yes, {}, {}, {}, {}, {}, {});
  LLVM::LoopUnrollAttr noUnroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/yes, {}, {}, {}, {}, {}, {});
  // The conversions to control flow and to LLVM pass it on: the name is that of
  // the attribute of llvm.br.
  loop->setAttr("loop_annotation", LLVM::LoopAnnotationAttr::get(
                                       context, {}, noVectors, {}, noUnroll, {},
                                       {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
}
