//===- TileMatrix.cpp - Matrix instructions of a warp ---------------------===//

#include "TilePhases.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;

Value ThreadStage::getLane() {
  int64_t warp = block.kernels.getOptions().target.warpSize;
  return math.toIndex(math.rem(block.threadNumber, warp));
}

/// What registers have of a matrix A or B: doubles as they are, floats of TF32
/// as integers, elements of 16 bits by two.
static SmallVector<Value> getRegisters(OpBuilder &builder, Location loc,
                                       ValueRange values) {
  constexpr unsigned kBits = 32;
  unsigned bits = values.front().getType().getIntOrFloatBitWidth();
  if (values.front().getType().isF32()) {
    Type word = builder.getIntegerType(kBits);
    return llvm::map_to_vector(values, [&](Value value) -> Value {
      return arith::BitcastOp::create(builder, loc, word, value);
    });
  }
  if (bits >= kBits)
    return values;
  auto word = VectorType::get({1}, builder.getIntegerType(kBits));
  SmallVector<Value> registers;
  for (; !values.empty(); values = values.drop_front(kBits / bits)) {
    Value both = vector::BitCastOp::create(
        builder, loc, word,
        pack(builder, loc, values.take_front(kBits / bits)));
    registers.push_back(vector::ExtractOp::create(builder, loc, both, 0));
  }
  return registers;
}

/// mma.sync as text: upstream has one shape of doubles, and none for bf16. It
/// is said to have effects, so that no lane goes without it: what only some
/// lanes need is not moved to them.
static SmallVector<Value> multiplyByMma(OpBuilder &builder, Location loc,
                                        ArrayRef<int64_t> shape, ValueRange a,
                                        ValueRange b, ValueRange c) {
  unsigned next = 0;
  auto list = [&](size_t count) {
    std::string names;
    for (size_t i = 0; i < count; ++i)
      names += (i == 0 ? "$" : ", $") + std::to_string(next++);
    return "{" + names + "}";
  };
  StringRef floating = c.front().getType().isF64() ? "d" : "f";
  bool isFloat = b.front().getType().isF32();
  std::string registers = list(c.size());
  std::string constraints = llvm::join(
      std::vector<std::string>(c.size(), ("=" + floating).str()), ",");
  SmallVector<Value> operands;
  for (ValueRange values : {a, b, c}) {
    SmallVector<Value> held(values);
    if (values != c)
      held = getRegisters(builder, loc, values);
    registers += ", " + list(held.size());
    for (Value value : held)
      constraints +=
          ("," + (value.getType().isInteger() ? "r" : floating)).str();
    llvm::append_range(operands, held);
  }
  std::string text =
      llvm::formatv("mma.sync.aligned.m{0}n{1}k{2}.row.col.{4}.{3}.{3}.{4} "
                    "{5};",
                    shape[0], shape[1], shape[2],
                    isFloat ? "tf32" : debugString(b.front().getType()),
                    debugString(c.front().getType()), registers)
          .str();
  SmallVector<Type> types(c.getTypes());
  auto structure =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  Value all = LLVM::InlineAsmOp::create(
                  builder, loc, structure, operands, text, constraints,
                  /*has_side_effects=*/true,
                  /*is_align_stack=*/false, LLVM::TailCallKind::None,
                  /*asm_dialect=*/{}, /*operand_attrs=*/{})
                  .getResult(0);
  SmallVector<Value> results;
  for (size_t i = 0; i < c.size(); ++i)
    results.push_back(LLVM::ExtractValueOp::create(builder, loc, all,
                                                   static_cast<int64_t>(i)));
  return results;
}

static SmallVector<Value> multiplyByMfma(OpBuilder &builder, Location loc,
                                         ArrayRef<int64_t> shape, ValueRange a,
                                         ValueRange b, ValueRange c) {
  // Square blocks, one above the other; a lane has one element of four of them.
  Value sum = pack(builder, loc, c);
  Value left = pack(builder, loc, a), right = pack(builder, loc, b);
  Value result = amdgpu::MFMAOp::create(
      builder, loc, sum.getType(), shape[1], shape[1], shape[2],
      /*blocks=*/shape[0] / shape[1], left, right, sum, /*cbsz=*/0,
      /*abid=*/0, amdgpu::MFMAPermB::none,
      /*reducePrecision=*/b.front().getType().isF32(), /*negateA=*/false,
      /*negateB=*/false, /*negateC=*/false);
  if (c.size() == 1)
    return {result};
  auto elements = vector::ToElementsOp::create(builder, loc, result);
  return llvm::to_vector_of<Value>(elements.getElements());
}

/// A float is rounded before an instruction that would cut off what TF32 does
/// not have.
Value ThreadStage::getFactor(Location loc, Value value) {
  if (!value.getType().isF32() || block.kernels.getOptions().target.roundsTF32)
    return value;
  OpBuilder &builder = kernel.body();
  return NVVM::ConvertFloatToTF32Op::create(builder, loc, builder.getI32Type(),
                                            value, NVVM::FPRoundingMode::RNA);
}

SmallVector<Value> ThreadStage::multiply(Location loc, ArrayRef<int64_t> shape,
                                         ValueRange a, ValueRange b,
                                         ValueRange c) {
  OpBuilder &builder = kernel.body();
  switch (block.kernels.getOptions().target.matrixForm) {
  case MatrixForm::MmaSync:
    return multiplyByMma(builder, loc, shape, a, b, c);
  case MatrixForm::Mfma:
    return multiplyByMfma(builder, loc, shape, a, b, c);
  case MatrixForm::None:
    break;
  }
  llvm_unreachable("engines check that there are matrix instructions");
}
