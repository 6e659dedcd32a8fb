//===- MemRef.cpp - Ops on arrays -----------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "Writer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

namespace {

struct MemRefWriter {
  Writer &writer;

  SmallVector<Expression> takeIndices(OperandRange operands) {
    SmallVector<Expression> indices;
    for (Value operand : operands)
      indices.push_back(writer.take(operand));
    return indices;
  }

  LogicalResult write(memref::LoadOp op);
  LogicalResult write(memref::StoreOp op);
  LogicalResult write(memref::PrefetchOp op);
  LogicalResult write(memref::ReinterpretCastOp op);
  LogicalResult write(memref::SubViewOp op);
  LogicalResult write(memref::ViewOp op);
  LogicalResult write(memref::AllocaOp op);
  LogicalResult write(memref::DimOp op);
  LogicalResult write(memref::GetGlobalOp op);
  LogicalResult write(memref::ExtractStridedMetadataOp op);
  LogicalResult write(memref::AtomicRMWOp op);
  LogicalResult write(arith::SelectOp op);

private:
  bool isKnown(Value memref) {
    const Memory &memory = writer.getMemory(memref);
    return !memory.base.text.empty() &&
           (memory.isArray ||
            llvm::none_of(memory.strides, [](const Expression &stride) {
              return stride.text.empty();
            }));
  }
  Expression makeExtent(OpFoldResult extent);
  void setView(Value view, Memory memory, std::optional<Expression> offset);
};

} // namespace

static LogicalResult emitUnknownLayout(Operation *op) {
  return emitNoForm(op, "the strides are not known");
}

LogicalResult MemRefWriter::write(memref::LoadOp op) {
  if (!isKnown(op.getMemRef()))
    return emitUnknownLayout(op);
  const Memory &memory = writer.getMemory(op.getMemRef());
  Expression element = makeElement(memory, takeIndices(op.getIndices()));
  element.reads |= !memory.isReadOnly;
  std::string hint = memory.base.text;
  writer.define(
      op, element,
      llvm::all_of(hint, [](char c) { return llvm::isAlnum(c); }) ? hint : "");
  return success();
}

LogicalResult MemRefWriter::write(memref::StoreOp op) {
  if (!isKnown(op.getMemRef()))
    return emitUnknownLayout(op);
  Expression element = makeElement(writer.getMemory(op.getMemRef()),
                                   takeIndices(op.getIndices()));
  Expression value = writer.takeExact(op.getValue());
  writer.effect();
  writer.line(element.text + " = " + value.text + ";");
  return success();
}

LogicalResult MemRefWriter::write(memref::PrefetchOp op) {
  if (!isKnown(op.getMemref()))
    return emitUnknownLayout(op);
  Expression element = makeElement(writer.getMemory(op.getMemref()),
                                   takeIndices(op.getIndices()));
  // HIP has no statement for it.
  if (writer.prologue.isCUDA())
    writer.line("asm volatile(\"prefetch.global.L2 [%0];\" :: \"l\"(&" +
                element.text + "));");
  return success();
}

Expression MemRefWriter::makeExtent(OpFoldResult extent) {
  if (auto constant = getConstantIntValue(extent))
    return makeInteger(*constant);
  return writer.takeStable(cast<Value>(extent));
}

/// `memory` from its element `offset` on.
void MemRefWriter::setView(Value view, Memory memory,
                           std::optional<Expression> offset) {
  if (offset && offset->text != "0") {
    std::string name = writer.getName(view, "view");
    writer.line((memory.isConst ? "const " : "") +
                writer.getType(memory.element) + " *" + name + " = " +
                inside(memory.base, Precedence::Add) + " + " +
                inside(*offset, Precedence::Multiply) + ";");
    memory.base = Expression::name(name);
  }
  writer.setMemory(view, std::move(memory));
}

LogicalResult MemRefWriter::write(memref::ReinterpretCastOp op) {
  Memory memory = writer.getMemory(op.getSource());
  if (memory.base.text.empty())
    return emitUnknownLayout(op);
  if (memory.isArray) {
    Memory flat = makeMemory(memory.base.text, op.getType());
    flat.base.text = "&" + memory.base.text;
    for (size_t axis = 0; axis < memory.sizes.size(); ++axis)
      flat.base.text += "[0]";
    flat.base.precedence = Precedence::Unary;
    memory.base = flat.base;
    memory.isArray = false;
  }
  std::optional<Expression> offset;
  if (!isConstantIntValue(op.getMixedOffsets().front(), 0))
    offset = makeExtent(op.getMixedOffsets().front());
  memory.sizes.clear();
  memory.strides.clear();
  for (OpFoldResult size : op.getMixedSizes())
    memory.sizes.push_back(makeExtent(size));
  for (OpFoldResult stride : op.getMixedStrides())
    memory.strides.push_back(makeExtent(stride));
  setView(op, std::move(memory), offset);
  return success();
}

LogicalResult MemRefWriter::write(memref::SubViewOp op) {
  Memory memory = writer.getMemory(op.getSource());
  if (!isKnown(op.getSource()) || memory.isArray)
    return emitNoForm(op);
  SmallVector<Expression> offsets;
  for (OpFoldResult offset : op.getMixedOffsets())
    offsets.push_back(makeExtent(offset));
  std::optional<Expression> offset = makeOffset(memory, offsets);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<Expression, 4> sizes, strides;
  for (auto [axis, size, step] :
       llvm::enumerate(op.getMixedSizes(), op.getMixedStrides())) {
    if (dropped.test(axis))
      continue;
    sizes.push_back(makeExtent(size));
    Expression factor = makeExtent(step), stride = memory.strides[axis];
    if (factor.text != "1")
      stride = writer.makeStable(
          makeIndexBinary("*", Precedence::Multiply, stride, factor),
          IndexType::get(op.getContext()));
    strides.push_back(stride);
  }
  memory.sizes = std::move(sizes);
  memory.strides = std::move(strides);
  setView(op, std::move(memory), offset);
  return success();
}

/// Typed memory in an array of bytes.
LogicalResult MemRefWriter::write(memref::ViewOp op) {
  const Memory &bytes = writer.getMemory(op.getSource());
  MemRefType type = op.getType();
  if (bytes.base.text.empty() || !type.getLayout().isIdentity())
    return emitNoForm(op);
  std::string ctype = writer.getType(type.getElementType());
  if (ctype.empty())
    return emitNoForm(op);
  Expression shift = writer.take(op.getByteShift());
  std::string name = writer.getName(op, "view");
  writer.line(ctype + " *" + name + " = reinterpret_cast<" + ctype + " *>(" +
              makeElementAddress(bytes, {shift}).text + ");");
  Memory memory = makeMemory(name, type);
  auto dynamicSize = op.getSizes().begin();
  for (Expression &size : memory.sizes)
    if (size.text.empty())
      size = writer.takeStable(*dynamicSize++);
  Expression stride = makeInteger(1);
  for (int64_t axis = type.getRank() - 1; axis >= 0 && !type.hasStaticShape();
       --axis) {
    memory.strides[axis] = stride;
    stride = writer.makeStable(makeIndexBinary("*", Precedence::Multiply,
                                               memory.strides[axis],
                                               memory.sizes[axis]),
                               IndexType::get(op.getContext()));
  }
  writer.setMemory(op, std::move(memory));
  return success();
}

LogicalResult MemRefWriter::write(memref::AllocaOp op) {
  MemRefType type = op.getType();
  std::string ctype = writer.getType(type.getElementType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || ctype.empty())
    return emitNoForm(op, "on type " + debugString(type));
  std::string name = writer.getName(op, "local");
  std::string text = ctype + " " + name;
  for (int64_t size : type.getShape())
    text += "[" + std::to_string(size) + "]";
  if (type.getRank() == 0)
    text += "[1]";
  writer.line(text + ";");
  Memory memory = makeMemory(name, type);
  memory.isArray = type.getRank() > 0;
  writer.setMemory(op, std::move(memory));
  return success();
}

LogicalResult MemRefWriter::write(memref::GetGlobalOp op) {
  auto known = writer.context.arrays.find(
      SymbolTable::lookupNearestSymbolFrom(op, op.getNameAttr()));
  if (known == writer.context.arrays.end())
    return emitNoForm(op);
  Memory memory = makeMemory(known->second, op.getType());
  // Written as bits (writeConstantArray).
  Type element = op.getType().getElementType();
  if (element.isF16() || element.isBF16())
    memory.base = Expression::name("((const " + writer.getType(element) +
                                   " *)" + known->second + ")");
  memory.isConst = memory.isReadOnly = true;
  writer.setMemory(op, std::move(memory));
  return success();
}

LogicalResult MemRefWriter::write(memref::DimOp op) {
  std::optional<int64_t> axis = op.getConstantIndex();
  const Memory &memory = writer.getMemory(op.getSource());
  if (!axis || *axis < 0 ||
      *axis >= static_cast<int64_t>(memory.sizes.size()) ||
      memory.sizes[*axis].text.empty())
    return emitNoForm(op, "the extent is not known");
  writer.bind(op, {memory.sizes[*axis]});
  return success();
}

LogicalResult MemRefWriter::write(memref::ExtractStridedMetadataOp op) {
  if (!isKnown(op.getSource()))
    return emitUnknownLayout(op);
  Memory memory = writer.getMemory(op.getSource());
  for (auto [results, extents] : {std::pair(op.getSizes(), memory.sizes),
                                  std::pair(op.getStrides(), memory.strides)})
    for (auto [result, extent] : llvm::zip_equal(results, extents)) {
      if (extent.text.empty() && !result.use_empty())
        return emitNoForm(op, "an extent is not known");
      writer.bind(result, {extent});
    }
  // The pointer includes the offset.
  writer.bind(op.getOffset(), {makeInteger(0)});
  memory.sizes.clear();
  memory.strides.clear();
  writer.setMemory(op.getBaseBuffer(), std::move(memory));
  return success();
}

LogicalResult MemRefWriter::write(memref::AtomicRMWOp op) {
  Type type = op.getType();
  using Kind = arith::AtomicRMWKind;
  auto [function, isUnsigned] = [&]() -> std::pair<StringRef, bool> {
    switch (op.getKind()) {
    case Kind::addf:
      return {"atomicAdd", false};
    case Kind::addi:
      return {"atomicAdd", true};
    case Kind::andi:
      return {"atomicAnd", true};
    case Kind::ori:
      return {"atomicOr", true};
    case Kind::xori:
      return {"atomicXor", true};
    case Kind::maxs:
      return {"atomicMax", false};
    case Kind::maxu:
      return {"atomicMax", true};
    case Kind::mins:
      return {"atomicMin", false};
    case Kind::minu:
      return {"atomicMin", true};
    case Kind::assign:
      return {"atomicExch", !isa<FloatType>(type)};
    default:
      return {"", false};
    }
  }();
  bool wide = type.isIndex() || type.isInteger(64);
  bool supported = type.isF32() || type.isInteger(32) || wide ||
                   (type.isF64() && op.getKind() == Kind::addf);
  if (!writer.device || function.empty() || !supported ||
      !isKnown(op.getMemref()))
    return emitNoForm(op, "of kind " +
                              arith::stringifyAtomicRMWKind(op.getKind()) +
                              " on type " + debugString(type));
  std::string address = makeElementAddress(writer.getMemory(op.getMemref()),
                                           takeIndices(op.getIndices()))
                            .text;
  Expression value = writer.takeExact(op.getValue());
  if (isUnsigned) {
    address = ("(" + getUnsignedCType(type) + " *)" + address).str();
    value = makeUnsigned(value, type);
  }
  writer.effect();
  Expression result;
  result.text = (function + "(" + address + ", " + value.text + ")").str();
  if (op.getResult().use_empty())
    writer.line(result.text + ";");
  else
    writer.defineVariable(op.getResult(), result);
  return success();
}

/// One of two pointers.
LogicalResult MemRefWriter::write(arith::SelectOp op) {
  Memory memory = writer.getMemory(op.getTrueValue());
  Memory other = writer.getMemory(op.getFalseValue());
  if (!isKnown(op.getTrueValue()) || !isKnown(op.getFalseValue()))
    return emitUnknownLayout(op);
  if (memory.isArray || other.isArray)
    return emitNoForm(op, "on a local array");
  memory.isConst |= other.isConst;
  memory.isReadOnly &= other.isReadOnly;
  std::string condition =
      inside(writer.takeStable(op.getCondition()), Precedence::Unary);
  auto choose = [&](const Expression &one, const Expression &two) {
    return condition + " ? " + inside(one, Precedence::Unary) + " : " +
           inside(two, Precedence::Unary);
  };
  // What is only known when the kernel runs is of the one that is chosen.
  auto chooseExtents = [&](MutableArrayRef<Expression> ones,
                           ArrayRef<Expression> twos) {
    for (auto [one, two] : llvm::zip_equal(ones, twos))
      if (one.text != two.text) {
        Expression either;
        if (!one.text.empty() && !two.text.empty()) {
          either.text = choose(one, two);
          either.precedence = Precedence::Conditional;
          either = writer.makeStable(either, IndexType::get(op.getContext()));
        }
        one = either;
      }
  };
  chooseExtents(memory.sizes, other.sizes);
  chooseExtents(memory.strides, other.strides);
  std::string name = writer.getName(op, "view");
  writer.line((memory.isConst ? "const " : "") +
              writer.getType(memory.element) + " *" + name + " = " +
              choose(memory.base, other.base) + ";");
  memory.base = Expression::name(name);
  writer.setMemory(op, std::move(memory));
  return success();
}

LogicalResult gpusource::writeMemRef(Writer &writer, Operation *op) {
  MemRefWriter memref{writer};
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<memref::LoadOp, memref::StoreOp, memref::PrefetchOp,
            memref::ReinterpretCastOp, memref::SubViewOp, memref::ViewOp,
            memref::AllocaOp, memref::DimOp, memref::GetGlobalOp,
            memref::ExtractStridedMetadataOp, memref::AtomicRMWOp,
            arith::SelectOp>([&](auto op) { return memref.write(op); })
      .Case<memref::AssumeAlignmentOp, memref::CastOp,
            memref::MemorySpaceCastOp>([&](Operation *op) {
        writer.setMemory(op->getResult(0),
                         Memory(writer.getMemory(op->getOperand(0))));
        return success();
      })
      .Case([&](memref::ExtractAlignedPointerAsIndexOp op) {
        const Memory &memory = writer.getMemory(op.getSource());
        Expression pointer = memory.base;
        // An array is a pointer to its rows.
        if (memory.isArray && memory.sizes.size() > 1)
          return emitNoForm(op, "on a local array");
        pointer.form = Form::Address;
        pointer.type = writer.getType(memory.element);
        writer.bind(op, {pointer});
        return success();
      })
      .Default([](Operation *op) { return emitNoForm(op); });
}
