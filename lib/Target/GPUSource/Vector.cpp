//===- Vector.cpp - Vectors, lane by lane ---------------------------------===//
//
// A vector is as many scalars; only loads and stores of vectors that are known
// to be aligned are one access of up to 16 bytes.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

namespace {

struct VectorWriter {
  Writer &writer;

  LogicalResult write(vector::LoadOp op);
  LogicalResult write(vector::StoreOp op);
  LogicalResult write(vector::ExtractOp op);
  LogicalResult write(vector::InsertOp op);
  LogicalResult write(vector::BroadcastOp op);
  LogicalResult write(vector::ShuffleOp op);
  LogicalResult write(vector::ExtractStridedSliceOp op);
  LogicalResult write(vector::InsertStridedSliceOp op);
  LogicalResult write(vector::FMAOp op);
  LogicalResult write(vector::ReductionOp op);

private:
  /// One access of several lanes.
  struct Chunk {
    int64_t lanes = 1;
    std::string type;
    bool builtin = false;
  };
  Chunk getChunk(Type element, int64_t lanes, std::optional<uint64_t> bytes);
  LogicalResult checkAccess(Operation *op, Value base, VectorType type);
  SmallVector<Expression> takeIndices(OperandRange operands);
  static SmallVector<Expression> advance(ArrayRef<Expression> indices,
                                         int64_t lane);
};

} // namespace

/// The widest access that `bytes` of alignment allow.
VectorWriter::Chunk VectorWriter::getChunk(Type element, int64_t lanes,
                                           std::optional<uint64_t> bytes) {
  int64_t size = getStorageBits(element) / 8;
  int64_t count = 1;
  while (2 * count * size <= 16 && lanes % (2 * count) == 0 &&
         static_cast<uint64_t>(2 * count * size) <= bytes.value_or(0))
    count *= 2;
  Chunk chunk{count, writer.getType(element), false};
  if (count == 1)
    return chunk;
  std::string suffix = std::to_string(count);
  if (element.isF64() || element.isF32() || element.isInteger(32)) {
    chunk.type += suffix;
    chunk.builtin = true;
  } else if (element.isIndex() || element.isInteger(64)) {
    chunk.type = "longlong2";
    chunk.builtin = true;
  } else {
    writer.prologue.need(Helper::Vector);
    chunk.type = "StencilVector<" + chunk.type + ", " + suffix + ">";
  }
  return chunk;
}

SmallVector<Expression> VectorWriter::takeIndices(OperandRange operands) {
  SmallVector<Expression> indices;
  for (Value operand : operands)
    indices.push_back(
        writer.makeStable(writer.take(operand), operand.getType(), "at"));
  return indices;
}

/// The indices of lane `lane`: it is on the last axis.
SmallVector<Expression> VectorWriter::advance(ArrayRef<Expression> indices,
                                              int64_t lane) {
  SmallVector<Expression> result(indices);
  if (lane == 0 || result.empty())
    return result;
  Expression &last = result.back();
  Form form = last.form == Form::Narrow ? Form::Narrow : Form::Exact;
  int64_t number = 0;
  if (last.form == Form::Literal &&
      !StringRef(last.text).getAsInteger(10, number))
    last = makeInteger(number + lane);
  else
    last = makeBinary("+", Precedence::Add, last, makeInteger(lane));
  last.form = last.form == Form::Literal ? Form::Literal : form;
  return result;
}

LogicalResult VectorWriter::checkAccess(Operation *op, Value base,
                                        VectorType type) {
  const Memory &memory = writer.getMemory(base);
  if (type.getRank() != 1 || type.isScalable() ||
      writer.getType(type.getElementType()).empty() ||
      isa<VectorType>(memory.element))
    return emitNoForm(op, "on type " + debugString(type));
  if (memory.base.text.empty() ||
      (!memory.isArray &&
       llvm::any_of(memory.strides, [](const Expression &stride) {
         return stride.text.empty();
       })))
    return emitNoForm(op, "the strides are not known");
  return success();
}

LogicalResult VectorWriter::write(vector::LoadOp op) {
  VectorType type = op.getVectorType();
  if (failed(checkAccess(op, op.getBase(), type)))
    return failure();
  Memory memory = writer.getMemory(op.getBase());
  SmallVector<Expression> indices = takeIndices(op.getIndices());
  Chunk chunk =
      getChunk(type.getElementType(), type.getNumElements(), op.getAlignment());
  Parts parts;
  for (int64_t lane = 0; lane < type.getNumElements(); lane += chunk.lanes) {
    SmallVector<Expression> at = advance(indices, lane);
    if (chunk.lanes == 1) {
      parts.push_back(makeElement(memory, at));
      parts.back().reads |= !memory.isReadOnly;
      continue;
    }
    std::string name = writer.getName(op, memory.base.text);
    writer.line("const " + chunk.type + " " + name +
                " = *reinterpret_cast<const " + chunk.type + " *>(" +
                makeElementAddress(memory, at).text + ");");
    for (int64_t index = 0; index < chunk.lanes; ++index)
      parts.push_back(Expression::name(
          chunk.builtin ? name + "." + "xyzw"[index]
                        : name + ".at[" + std::to_string(index) + "]"));
  }
  writer.define(op, std::move(parts), memory.base.text);
  return success();
}

LogicalResult VectorWriter::write(vector::StoreOp op) {
  VectorType type = op.getVectorType();
  if (failed(checkAccess(op, op.getBase(), type)))
    return failure();
  Memory memory = writer.getMemory(op.getBase());
  SmallVector<Expression> indices = takeIndices(op.getIndices());
  Chunk chunk =
      getChunk(type.getElementType(), type.getNumElements(), op.getAlignment());
  Parts parts = writer.takeAll(op.getValueToStore());
  for (Expression &part : parts)
    part = makeExact(part, type.getElementType(), writer.prologue.language);
  // Sums of small integers are of type int, which braces do not convert.
  if (!chunk.builtin && chunk.lanes > 1 && type.getElementType().isInteger() &&
      type.getElementTypeBitWidth() > 1)
    for (Expression &part : parts)
      if (std::string ctype = writer.getType(type.getElementType());
          !part.stable && !StringRef(part.text).starts_with("(" + ctype + ")"))
        part = makeCast(ctype, part);
  // Long lanes are lines of their own.
  size_t length = 0;
  for (const Expression &part : parts)
    length += part.text.size();
  if (chunk.lanes > 1 && length > 80)
    for (Expression &part : parts)
      part = writer.makeStable(part, type.getElementType());
  // A later lane must not read what an earlier one has written.
  if (chunk.lanes < type.getNumElements())
    for (Expression &part : parts)
      if (part.reads)
        part = writer.makeStable(part, type.getElementType());
  writer.effect();
  for (int64_t lane = 0; lane < type.getNumElements(); lane += chunk.lanes) {
    SmallVector<Expression> at = advance(indices, lane);
    if (chunk.lanes == 1) {
      writer.line(makeElement(memory, at).text + " = " + parts[lane].text +
                  ";");
      continue;
    }
    ArrayRef<Expression> lanes = ArrayRef(parts).slice(lane, chunk.lanes);
    std::string value = chunk.builtin
                            ? makeCall("make_" + chunk.type, lanes).text
                            : chunk.type + "{{" +
                                  StringRef(makeCall("", lanes).text)
                                      .drop_front()
                                      .drop_back()
                                      .str() +
                                  "}}";
    writer.line("*reinterpret_cast<" + chunk.type + " *>(" +
                makeElementAddress(memory, at).text + ") = " + value + ";");
  }
  return success();
}

/// Elements under a position, which is a prefix of an index.
static std::pair<int64_t, int64_t> getSlice(VectorType type,
                                            ArrayRef<int64_t> position) {
  int64_t size = type.getNumElements(), begin = 0;
  for (auto [axis, index] : llvm::enumerate(position)) {
    size /= type.getDimSize(axis);
    begin += index * size;
  }
  return {begin, size};
}

LogicalResult VectorWriter::write(vector::ExtractOp op) {
  if (op.hasDynamicPosition())
    return emitNoForm(op, "the position is not constant");
  Parts parts = writer.takeAll(op.getSource());
  auto [begin, size] =
      getSlice(op.getSourceVectorType(), op.getStaticPosition());
  writer.define(op, Parts(ArrayRef(parts).slice(begin, size)));
  return success();
}

LogicalResult VectorWriter::write(vector::InsertOp op) {
  if (op.hasDynamicPosition())
    return emitNoForm(op, "the position is not constant");
  Parts parts = writer.takeAll(op.getDest());
  Parts values = writer.takeAll(op.getValueToStore());
  int64_t begin =
      getSlice(op.getDestVectorType(), op.getStaticPosition()).first;
  llvm::copy(values, parts.begin() + begin);
  writer.define(op, std::move(parts));
  return success();
}

LogicalResult VectorWriter::write(vector::BroadcastOp op) {
  VectorType type = op.getResultVectorType();
  Parts parts = writer.takeAll(op.getSource());
  if (auto source = dyn_cast<VectorType>(op.getSourceType()))
    if (type.getShape().take_back(source.getRank()) != source.getShape())
      return emitNoForm(op, "from type " + debugString(source));
  for (Expression &part : parts)
    part = writer.makeStable(part, type.getElementType());
  Parts result;
  while (static_cast<int64_t>(result.size()) < type.getNumElements())
    llvm::append_range(result, parts);
  writer.define(op, std::move(result));
  return success();
}

LogicalResult VectorWriter::write(vector::ShuffleOp op) {
  if (op.getV1VectorType().getRank() != 1)
    return emitNoForm(op);
  Parts parts = writer.takeAll(op.getV1());
  llvm::append_range(parts, writer.takeAll(op.getV2()));
  Type element = op.getResultVectorType().getElementType();
  for (Expression &part : parts)
    part = writer.makeStable(part, element);
  Parts result;
  for (int64_t lane : op.getMask())
    result.push_back(lane < 0 ? makeInteger(0) : parts[lane]);
  writer.define(op, std::move(result));
  return success();
}

LogicalResult VectorWriter::write(vector::ExtractStridedSliceOp op) {
  VectorType type = op.getSourceVectorType();
  if (type.getRank() != 1)
    return emitNoForm(op, "on type " + debugString(type));
  Parts parts = writer.takeAll(op.getSource());
  auto offset = cast<IntegerAttr>(op.getOffsets()[0]).getInt();
  auto size = cast<IntegerAttr>(op.getSizes()[0]).getInt();
  writer.define(op, Parts(ArrayRef(parts).slice(offset, size)));
  return success();
}

LogicalResult VectorWriter::write(vector::InsertStridedSliceOp op) {
  VectorType type = op.getDestVectorType();
  if (type.getRank() != 1)
    return emitNoForm(op, "on type " + debugString(type));
  Parts parts = writer.takeAll(op.getDest());
  Parts values = writer.takeAll(op.getValueToStore());
  auto offset = cast<IntegerAttr>(op.getOffsets()[0]).getInt();
  llvm::copy(values, parts.begin() + offset);
  writer.define(op, std::move(parts));
  return success();
}

LogicalResult VectorWriter::write(vector::FMAOp op) {
  Parts left = writer.takeAll(op.getLhs()), right = writer.takeAll(op.getRhs()),
        sum = writer.takeAll(op.getAcc()), result;
  Type type = getElementTypeOrSelf(op.getType());
  if (!type.isF64() && !type.isF32())
    return emitNoForm(op, "on type " + debugString(op.getType()));
  for (auto [l, r, s] : llvm::zip_equal(left, right, sum))
    result.push_back(makeCall(type.isF64() ? "fma" : "fmaf", {l, r, s}));
  writer.define(op, std::move(result));
  return success();
}

/// From lane 0 on, as it is written.
LogicalResult VectorWriter::write(vector::ReductionOp op) {
  Type type = op.getType();
  bool product = op.getKind() == vector::CombiningKind::MUL;
  if (!isa<FloatType>(type) ||
      (!product && op.getKind() != vector::CombiningKind::ADD))
    return emitNoForm(op, "of kind " +
                              vector::stringifyCombiningKind(op.getKind()) +
                              " on type " + debugString(type));
  Parts parts = writer.takeAll(op.getVector());
  Expression result =
      op.getAcc() ? writer.take(op.getAcc()) : Expression(parts.front());
  for (const Expression &part : ArrayRef(parts).drop_front(op.getAcc() ? 0 : 1))
    result = makeBinary(product ? "*" : "+",
                        product ? Precedence::Multiply : Precedence::Add,
                        result, part);
  writer.define(op, result);
  return success();
}

LogicalResult gpusource::writeVector(Writer &writer, Operation *op) {
  VectorWriter vector{writer};
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<vector::LoadOp, vector::StoreOp, vector::ExtractOp,
            vector::InsertOp, vector::BroadcastOp, vector::ShuffleOp,
            vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp,
            vector::FMAOp, vector::ReductionOp>(
          [&](auto op) { return vector.write(op); })
      .Case([&](vector::BitCastOp op) { return writeBitCast(writer, op); })
      .Case([&](vector::ShapeCastOp op) {
        writer.define(op, writer.takeAll(op.getSource()));
        return success();
      })
      .Case([&](vector::FromElementsOp op) {
        // An element that is given twice is two uses, and so a name.
        Parts parts;
        for (Value element : op.getElements())
          parts.push_back(writer.take(element));
        writer.define(op, std::move(parts));
        return success();
      })
      .Case([&](vector::ToElementsOp op) {
        Parts parts = writer.takeAll(op.getSource());
        for (auto [result, part] : llvm::zip_equal(op.getResults(), parts))
          writer.define(result, part);
        return success();
      })
      .Default([](Operation *op) { return emitNoForm(op); });
}
