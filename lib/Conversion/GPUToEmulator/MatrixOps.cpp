//===- MatrixOps.cpp - mma.sync in all its forms, mfma, ldmatrix ----------===//
//
// mma.sync comes as nvgpu.mma.sync, nvvm.mma.sync, and as PTX in
// llvm.inline_asm and nvvm.inline_ptx, which is recognised by its mnemonic:
//
//   "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {$0,$1,$2,$3}, ..."
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "StencilRuntime/EmulatorCalls.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace stencil::emulator;
using stencil::runtime::EmulatorElement;

namespace {

struct Shape {
  int64_t m, n, k;
  EmulatorElement element, accumulator;

  bool operator==(const Shape &other) const {
    return m == other.m && n == other.n && k == other.k &&
           element == other.element && accumulator == other.accumulator;
  }
  /// Bytes of a lane's part of A, B, C.
  uint64_t getBytesA() const { return m * k / 32 * getBytes(element); }
  uint64_t getBytesB() const { return k * n / 32 * getBytes(element); }
  uint64_t getBytesC() const { return m * n / 32 * getBytes(accumulator); }

private:
  static uint64_t getBytes(EmulatorElement element) {
    using Element = EmulatorElement;
    return element == Element::F64                               ? 8
           : element == Element::F16 || element == Element::BF16 ? 2
           : element == Element::S8                              ? 1
                                                                 : 4;
  }
};

} // namespace

/// The mma.sync that the emulator has.
static bool isKnown(const Shape &shape) {
  using Element = EmulatorElement;
  static const Shape known[] = {
      {8, 8, 4, Element::F64, Element::F64},
      {16, 8, 4, Element::F64, Element::F64},
      {16, 8, 8, Element::F64, Element::F64},
      {16, 8, 16, Element::F64, Element::F64},
      {16, 8, 4, Element::TF32, Element::F32},
      {16, 8, 8, Element::TF32, Element::F32},
      {16, 8, 8, Element::BF16, Element::F32},
      {16, 8, 16, Element::BF16, Element::F32},
      {16, 8, 8, Element::F16, Element::F32},
      {16, 8, 8, Element::F16, Element::F16},
      {16, 8, 16, Element::F16, Element::F32},
      {16, 8, 16, Element::F16, Element::F16},
      {16, 8, 16, Element::S8, Element::S32},
      {16, 8, 32, Element::S8, Element::S32},
  };
  return llvm::is_contained(known, shape);
}

static std::optional<EmulatorElement> getElement(Type type) {
  if (type.isF64())
    return EmulatorElement::F64;
  if (type.isF32())
    return EmulatorElement::F32;
  if (type.isF16())
    return EmulatorElement::F16;
  if (type.isBF16())
    return EmulatorElement::BF16;
  if (type.isInteger(8))
    return EmulatorElement::S8;
  if (type.isInteger(32))
    return EmulatorElement::S32;
  return std::nullopt;
}

/// Of a PTX type's name.
static std::optional<EmulatorElement> getElement(StringRef name) {
  return llvm::StringSwitch<std::optional<EmulatorElement>>(name)
      .Case("f64", EmulatorElement::F64)
      .Case("tf32", EmulatorElement::TF32)
      .Case("f32", EmulatorElement::F32)
      .Case("f16", EmulatorElement::F16)
      .Case("bf16", EmulatorElement::BF16)
      .Case("s8", EmulatorElement::S8)
      .Case("s32", EmulatorElement::S32)
      .Default(std::nullopt);
}

/// The values one after another in memory.
static FailureOr<Value> pack(KernelWriter &b, ValueRange values, uint64_t bytes,
                             StringRef what) {
  uint64_t total = 0;
  for (Value value : values)
    total += b.getBytes(value.getType());
  if (total != bytes)
    return b.op->emitOpError("expected ") << bytes << " bytes of matrix "
                                          << what << " per lane, got " << total;
  Type byte = b.getI8Type();
  Value slot = b.slot(LLVM::LLVMArrayType::get(byte, bytes));
  int32_t offset = 0;
  for (Value value : values) {
    Value address = b.element(slot, byte, offset);
    b.store(b.lower(value), address);
    offset += static_cast<int32_t>(b.getBytes(value.getType()));
  }
  return slot;
}

/// What `slot` holds; the fields of a struct lie one after another.
static Value unpack(KernelWriter &b, Value slot, Type type) {
  auto fields = dyn_cast<LLVM::LLVMStructType>(type);
  if (!fields)
    return LLVM::LoadOp::create(b, type, slot);
  Value result = LLVM::UndefOp::create(b, type);
  int32_t offset = 0;
  for (auto [i, field] : llvm::enumerate(fields.getBody())) {
    Value address = b.element(slot, b.getI8Type(), offset);
    Value value = LLVM::LoadOp::create(b, field, address);
    result = LLVM::InsertValueOp::create(
        b, result, value, llvm::ArrayRef<int64_t>{static_cast<int64_t>(i)});
    offset += static_cast<int32_t>(b.getBytes(field));
  }
  return result;
}

static LogicalResult replaceByContents(KernelWriter &b, Value slot) {
  // nvvm.inline_ptx has a result per register.
  auto types = llvm::map_to_vector(b.op->getResultTypes(), [&](Type type) {
    return b.context.types.convertType(type);
  });
  bool isMany = types.size() > 1;
  Type whole = isMany ? LLVM::LLVMStructType::getLiteral(b.getContext(), types)
                      : types.front();
  Value contents = unpack(b, slot, whole);
  for (auto [i, result] : llvm::enumerate(b.op->getResults())) {
    Value value = contents;
    if (isMany)
      value = LLVM::ExtractValueOp::create(
          b, contents, llvm::ArrayRef<int64_t>{static_cast<int64_t>(i)});
    result.replaceAllUsesWith(b.castTo(result.getType(), value));
  }
  return b.erase();
}

static LogicalResult convertMma(KernelWriter &b, const Shape &shape,
                                ValueRange matrixA, ValueRange matrixB,
                                ValueRange matrixC) {
  if (!isKnown(shape))
    return b.op->emitOpError(
               "expected an mma.sync that the emulator knows, got "
               "another shape or type: m")
           << shape.m << "n" << shape.n << "k" << shape.k;
  uint64_t resultBytes = 0;
  for (Type type : b.op->getResultTypes())
    if (auto fields = dyn_cast<LLVM::LLVMStructType>(type))
      for (Type field : fields.getBody())
        resultBytes += b.getBytes(field);
    else
      resultBytes += b.getBytes(type);
  if (resultBytes != shape.getBytesC())
    return b.op->emitOpError("expected ")
           << shape.getBytesC() << " bytes of matrix D per lane, got "
           << resultBytes;
  FailureOr<Value> slotA = pack(b, matrixA, shape.getBytesA(), "A");
  FailureOr<Value> slotB = pack(b, matrixB, shape.getBytesB(), "B");
  FailureOr<Value> slotC = pack(b, matrixC, shape.getBytesC(), "C");
  if (failed(slotA) || failed(slotB) || failed(slotC))
    return failure();
  b.callTogether("stencilEmulatorMma", Type(),
                 {b.i32(shape.m), b.i32(shape.n), b.i32(shape.k),
                  b.i32(static_cast<int32_t>(shape.element)),
                  b.i32(static_cast<int32_t>(shape.accumulator)), *slotA,
                  *slotB, *slotC});
  return replaceByContents(b, *slotC);
}

static LogicalResult convertMfma(KernelWriter &b, amdgpu::MFMAOp mfma) {
  uint32_t m = mfma.getM(), n = mfma.getN(), k = mfma.getK();
  uint32_t blocks = mfma.getBlocks();
  Type type = getElementTypeOrSelf(mfma.getSourceA().getType());
  bool isLarge = m == 16 && n == 16 && blocks == 1;
  bool isSmall = m == 4 && n == 4 && k == 4 && blocks == 4;
  bool isKnownShape =
      (type.isF64() && ((isLarge && k == 4) || isSmall)) ||
      (type.isF32() && isLarge && k == 8 && mfma.getReducePrecision()) ||
      ((type.isF16() || type.isBF16()) && isLarge && k == 16);
  if (!isKnownShape || mfma.getCbsz() || mfma.getAbid() ||
      (mfma.getReducePrecision() && !type.isF32()) ||
      mfma.getBlgp() != amdgpu::MFMAPermB::none)
    return b.op->emitOpError(
        "expected an mfma that the emulator knows: f64, 16x16x4 or 4x4x4 with "
        "4 blocks, f32, 16x16x8 of reduced precision, or f16 or bf16, "
        "16x16x16; no permutation");
  EmulatorElement element =
      type.isF32() ? EmulatorElement::TF32 : *getElement(type);
  int32_t negate = (mfma.getNegateA() ? 1 : 0) | (mfma.getNegateB() ? 2 : 0) |
                   (mfma.getNegateC() ? 4 : 0);
  Value matrixA = b.spill(mfma.getSourceA());
  Value matrixB = b.spill(mfma.getSourceB());
  Value matrixC = b.spill(mfma.getDestC());
  b.callTogether("stencilEmulatorMfma", Type(),
                 {b.i32(m), b.i32(n), b.i32(k), b.i32(blocks),
                  b.i32(static_cast<int32_t>(element)), b.i32(negate), matrixA,
                  matrixB, matrixC});
  return replaceByContents(b, matrixC);
}

static LogicalResult convertLdMatrix(KernelWriter &b, nvgpu::LdMatrixOp load) {
  auto type = cast<VectorType>(load.getRes().getType());
  unsigned bits = type.getElementTypeBitWidth();
  if (load.getTranspose() && bits != 16)
    return b.op->emitOpError("expected elements of 16 bits to transpose, got ")
           << bits;
  Value address = b.elementAddress(load.getSrcMemref(), load.getIndices());
  Value slot = b.slot(b.context.types.convertType(type));
  b.callTogether(
      "stencilEmulatorLdMatrix", Type(),
      {address, slot, b.i32(load.getNumTiles()), b.i32(load.getTranspose())});
  return replaceByContents(b, slot);
}

/// Takes the instruction apart; operands must be written in the order that the
/// op has them: D, A, B, C.
static LogicalResult convertPtx(KernelWriter &b, StringRef text,
                                ValueRange operands) {
  static const llvm::Regex mnemonic(
      "^[[:space:]]*mma\\.sync\\.aligned\\.m([0-9]+)n([0-9]+)k([0-9]+)"
      "\\.row\\.col\\.([a-z0-9]+)\\.([a-z0-9]+)\\.([a-z0-9]+)\\.([a-z0-9]+)"
      "[[:space:]]*([^;]*);?[[:space:]]*$");
  llvm::SmallVector<StringRef> parts;
  if (!mnemonic.match(text, &parts))
    return b.op->emitOpError("expected PTX that the emulator knows, got '")
           << text << "'";
  Shape shape = {};
  std::optional<EmulatorElement> elementD = getElement(parts[4]),
                                 elementA = getElement(parts[5]),
                                 elementB = getElement(parts[6]),
                                 elementC = getElement(parts[7]);
  bool numbers = llvm::to_integer(parts[1], shape.m) &&
                 llvm::to_integer(parts[2], shape.n) &&
                 llvm::to_integer(parts[3], shape.k);
  if (!numbers || !elementD || !elementA || elementA != elementB ||
      elementC != elementD)
    return b.op->emitOpError(
               "expected an mma.sync that the emulator knows, got '")
           << text << "'";
  shape.element = *elementA;
  shape.accumulator = *elementC;
  // A register is 32 bits, or one f64.
  auto getCount = [](uint64_t bytes, EmulatorElement element) {
    return bytes / (element == EmulatorElement::F64 ? 8 : 4);
  };
  unsigned numA = getCount(shape.getBytesA(), shape.element);
  unsigned numB = getCount(shape.getBytesB(), shape.element);
  unsigned numC = getCount(shape.getBytesC(), shape.accumulator);
  static const llvm::Regex number("[$%]([0-9]+)");
  llvm::SmallVector<unsigned> order;
  for (StringRef rest = parts[8]; number.match(rest, &parts);
       rest = rest.substr(parts[0].data() + parts[0].size() - rest.data())) {
    unsigned value = 0;
    if (!llvm::to_integer(parts[1], value))
      break;
    order.push_back(value);
  }
  llvm::SmallVector<unsigned> expected;
  for (unsigned i = 0; i < 2 * numC + numA + numB; ++i)
    expected.push_back(i);
  // C may share the registers of D.
  llvm::SmallVector<unsigned> tied(expected);
  for (unsigned i = 0; i < numC; ++i)
    tied[numC + numA + numB + i] = i;
  if ((order != expected && order != tied) ||
      operands.size() != numA + numB + numC)
    return b.op->emitOpError("expected registers in the order D, A, B, C: ")
           << numC << ", " << numA << ", " << numB << " and " << numC;
  return convertMma(b, shape, operands.take_front(numA),
                    operands.slice(numA, numB),
                    operands.slice(numA + numB, numC));
}

static LogicalResult convertNvgpu(KernelWriter &b, nvgpu::MmaSyncOp mma) {
  std::array<int64_t, 3> mnk = mma.getMmaShapeAsArray();
  auto get = [](Value value) {
    return getElement(cast<VectorType>(value.getType()).getElementType());
  };
  std::optional<EmulatorElement> element = get(mma.getMatrixA());
  std::optional<EmulatorElement> accumulator = get(mma.getMatrixC());
  if (!element || !accumulator)
    return mma.emitOpError("expected element types that the emulator knows");
  // As on the device, f32 factors are rounded to tf32.
  if (element == EmulatorElement::F32)
    element = EmulatorElement::TF32;
  return convertMma(b, {mnk[0], mnk[1], mnk[2], *element, *accumulator},
                    mma.getMatrixA(), mma.getMatrixB(), mma.getMatrixC());
}

static LogicalResult convertNvvm(KernelWriter &b, NVVM::MmaOp mma) {
  auto get = [](std::optional<NVVM::MMATypes> type) {
    return type ? getElement(NVVM::stringifyMMATypes(*type)) : std::nullopt;
  };
  std::optional<EmulatorElement> element = get(mma.getMultiplicandAPtxType());
  std::optional<EmulatorElement> accumulator = get(mma.accumPtxType());
  if (!element || !accumulator || mma.getLayoutA() != NVVM::MMALayout::row ||
      mma.getLayoutB() != NVVM::MMALayout::col)
    return mma.emitOpError("expected an mma.sync that the emulator knows");
  return convertMma(b,
                    {mma.getShape().getM(), mma.getShape().getN(),
                     mma.getShape().getK(), *element, *accumulator},
                    mma.getOperandA(), mma.getOperandB(), mma.getOperandC());
}

/// To the nearest, of two the one away from zero: what is kept are the upper 19
/// bits. A NaN stays one.
static LogicalResult convertToTF32(KernelWriter &b,
                                   NVVM::ConvertFloatToTF32Op op) {
  if (op.getRnd() != NVVM::FPRoundingMode::RNA || op.getRelu() ||
      op.getSat() != NVVM::SaturationMode::NONE)
    return op.emitOpError("expected 'rnd = rna', no saturation and no relu, "
                          "which the emulator knows");
  constexpr int32_t kHalf = 0x1000, kKept = ~0x1fff;
  auto constant = [&](int32_t value) -> Value {
    return arith::ConstantIntOp::create(b, value, 32);
  };
  Value number = op.getSrc();
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), number);
  Value rounded = arith::AndIOp::create(
      b, arith::AddIOp::create(b, bits, constant(kHalf)), constant(kKept));
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, number, number);
  Value result = arith::SelectOp::create(b, isNaN, bits, rounded);
  return b.replace(result);
}

Conversion stencil::emulator::convertMatrixOp(KernelWriter &b) {
  return llvm::TypeSwitch<Operation *, Conversion>(b.op)
      .Case([&](nvgpu::MmaSyncOp mma) { return convertNvgpu(b, mma); })
      .Case([&](NVVM::MmaOp mma) { return convertNvvm(b, mma); })
      .Case([&](NVVM::ConvertFloatToTF32Op op) { return convertToTF32(b, op); })
      .Case([&](amdgpu::MFMAOp mfma) { return convertMfma(b, mfma); })
      .Case([&](nvgpu::LdMatrixOp load) { return convertLdMatrix(b, load); })
      .Case([&](LLVM::InlineAsmOp assembly) {
        return convertPtx(b, assembly.getAsmString(), assembly.getOperands());
      })
      .Case([&](NVVM::InlinePtxOp ptx) -> LogicalResult {
        if (!ptx.getReadWriteArgs().empty() || ptx.getPredicate())
          return ptx.emitOpError("expected PTX without predicate and without "
                                 "operands that are read and written");
        return convertPtx(b, ptx.getPtxCode(), ptx.getReadOnlyArgs());
      })
      .Default(std::nullopt);
}
