//===- Memory.cpp - Where elements of arrays are --------------------------===//

#include "Writer.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

bool gpusource::isWritten(Value memref) {
  return llvm::any_of(memref.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<memref::LoadOp, memref::DimOp, memref::PrefetchOp, vector::LoadOp>(
            user))
      return false;
    if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(user))
      return use.get() == copy.getDst();
    if (isa<ViewLikeOpInterface, memref::AssumeAlignmentOp>(user))
      return isWritten(user->getResult(0));
    return true;
  });
}

Memory gpusource::makeMemory(StringRef name, MemRefType type) {
  Memory memory;
  memory.base = Expression::name(name);
  memory.element = type.getElementType();
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  bool strided = succeeded(type.getStridesAndOffset(strides, offset));
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    auto make = [](int64_t value) {
      return ShapedType::isDynamic(value) ? Expression() : makeInteger(value);
    };
    memory.sizes.push_back(make(type.getDimSize(axis)));
    memory.strides.push_back(strided ? make(strides[axis]) : Expression());
  }
  return memory;
}

std::optional<Expression> gpusource::makeOffset(const Memory &memory,
                                                ArrayRef<Expression> indices) {
  std::optional<Expression> sum;
  for (auto [index, stride] : llvm::zip_equal(indices, memory.strides)) {
    if (index.text == "0")
      continue;
    Expression term = index;
    if (stride.text != "1")
      term = makeIndexBinary("*", Precedence::Multiply, index, stride);
    else if (term.form == Form::Unsigned || term.form == Form::Address)
      term = makeCast("long long", term);
    if (sum)
      sum = makeIndexBinary("+", Precedence::Add, *sum, term);
    else
      sum = term;
  }
  return sum;
}

Expression gpusource::makeElement(const Memory &memory,
                                  ArrayRef<Expression> indices) {
  Expression result;
  result.text = inside(memory.base, Precedence::Primary);
  for (const Expression &index : indices)
    result.reads |= index.reads;
  if (memory.isArray) {
    for (const Expression &index : indices)
      result.text += "[" + index.text + "]";
    return result;
  }
  std::optional<Expression> offset = makeOffset(memory, indices);
  result.text += "[" + (offset ? offset->text : "0") + "]";
  return result;
}

Expression gpusource::makeElementAddress(const Memory &memory,
                                         ArrayRef<Expression> indices) {
  return makeUnary("&", makeElement(memory, indices));
}

LogicalResult gpusource::writeConstantArray(Operation *op, StringRef name,
                                            Context &context,
                                            llvm::raw_ostream &os) {
  auto global = cast<memref::GlobalOp>(op);
  MemRefType type = global.getType();
  Type element = type.getElementType();
  GPULanguage language = context.prologue.language;
  auto values =
      dyn_cast_or_null<DenseElementsAttr>(global.getInitialValueAttr());
  // Those of other types are made by functions, before which nothing is
  // constant: their bits are.
  bool isOfBits = element.isF16() || element.isBF16();
  bool isPlain = element.isF32() || element.isF64() || isOfBits ||
                 (element.isSignlessInteger() && !element.isInteger(1));
  if (!values || !global.getConstant() || type.getRank() != 1 || !isPlain)
    return emitNoForm(op, "on type " + debugString(type));
  constexpr int64_t kConstantSpace = 4;
  os << (type.getMemorySpaceAsInt() == kConstantSpace ? "__constant__ "
                                                      : "__device__ ")
     << "const " << (isOfBits ? "uint16_t" : getCType(element, language)) << " "
     << name << "[" << type.getDimSize(0) << "] = {";
  constexpr int64_t kPerLine = 4;
  for (auto [number, value] : llvm::enumerate(values.getValues<Attribute>())) {
    os << (number == 0 ? "" : ",") << (number % kPerLine == 0 ? "\n    " : " ");
    auto real = dyn_cast<FloatAttr>(value);
    if (real && isOfBits)
      os << real.getValue().bitcastToAPInt().getZExtValue();
    else if (real)
      os << makeFloat(real.getValue(), element, language).text;
    else
      os << makeInteger(cast<IntegerAttr>(value).getValue(), element).text;
  }
  os << "};\n\n";
  return success();
}
