//===- Matrix.cpp - Matrix instructions -----------------------------------===//
//
// mma.sync is assembly, which takes registers, v_mfma are clang's builtins.
// What a lane has of a matrix comes as values, which are packed into what they
// take.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

/// An array of a lane's values of a matrix: its name.
static std::string writeArray(Writer &writer, Value matrix, StringRef hint) {
  Parts parts = writer.takeAll(matrix);
  std::vector<std::string> elements;
  for (const Expression &part : parts)
    elements.push_back(part.text);
  std::string name = writer.getNames().getNumbered(hint);
  writer.line("const " + writer.getType(getElementTypeOrSelf(matrix)) + " " +
              name + "[] = {" + llvm::join(elements, ", ") + "};");
  return name;
}

/// Names the results, which are elements of `from`.
static Parts declareResults(Writer &writer, Value result, StringRef from) {
  auto type = dyn_cast<VectorType>(result.getType());
  if (!type)
    return {Expression::name(from.str())};
  std::string ctype = writer.getType(type.getElementType());
  Parts results;
  for (int64_t number = 0; number < type.getNumElements(); ++number) {
    std::string name = writer.getNames().getNumbered("r");
    writer.line(ctype + " " + name + " = " + from + "[" + Twine(number) + "];");
    results.push_back(Expression::name(name));
  }
  return results;
}

static bool isWord(VectorType type) {
  return type.getElementType().isInteger(32) && type.getNumElements() == 1;
}

/// What a register of mma.sync has of 16-bit elements, and the other way round.
LogicalResult gpusource::writeBitCast(Writer &writer, vector::BitCastOp op) {
  VectorType from = op.getSourceVectorType(), type = op.getResultVectorType();
  std::string ctype = writer.getType(type.getElementType());
  if (!writer.device || (!isWord(type) && !isWord(from)) || ctype.empty() ||
      writer.getType(from.getElementType()).empty())
    return emitNoForm(op, "from type " + debugString(from));
  writer.prologue.need(Helper::Pack);
  std::string array = writeArray(writer, op.getSource(), "a");
  Expression packed;
  if (isWord(type)) {
    packed.text = "stencilPack<" + ctype + ">(" + array + ")";
    writer.define(op, std::move(packed));
    return success();
  }
  writer.prologue.need(Helper::Vector);
  ctype =
      llvm::formatv("StencilVector<{0}, {1}>", ctype, type.getNumElements());
  std::string name = writer.getNames().getNumbered("v");
  writer.line("const " + ctype + " " + name + " = stencilPack<" + ctype + ">(" +
              array + ");");
  Parts parts;
  for (int64_t number = 0; number < type.getNumElements(); ++number)
    parts.push_back(
        Expression::name(name + ".at[" + std::to_string(number) + "]"));
  writer.define(op, std::move(parts));
  return success();
}

namespace {
/// A builtin, and the C++ types of its operands A and B and of C.
struct Builtin {
  StringRef name, operand, sum;
};
} // namespace

static std::optional<Builtin> findBuiltin(amdgpu::MFMAOp op) {
  Type element = getElementTypeOrSelf(op.getSourceA().getType());
  bool isSmall = op.getM() == 4 && op.getN() == 4 && op.getBlocks() == 4;
  if ((!isSmall &&
       (op.getM() != 16 || op.getN() != 16 || op.getBlocks() != 1)) ||
      op.getCbsz() != 0 || op.getAbid() != 0 ||
      op.getBlgp() != amdgpu::MFMAPermB::none || op.getNegateA() ||
      op.getNegateB() || op.getNegateC() ||
      op.getReducePrecision() != element.isF32())
    return std::nullopt;
  if (isSmall)
    return op.getK() == 4 && element.isF64()
               ? std::optional(Builtin{"f64_4x4x4f64", "double", "double"})
               : std::nullopt;
  if (op.getK() == 4 && element.isF64())
    return Builtin{"f64_16x16x4f64", "double", "StencilFour<double>"};
  if (op.getK() == 8 && element.isF32())
    return Builtin{"f32_16x16x8_xf32", "StencilTwo<float>",
                   "StencilFour<float>"};
  if (op.getK() == 16 && element.isF16())
    return Builtin{"f32_16x16x16f16", "StencilFour<_Float16>",
                   "StencilFour<float>"};
  if (op.getK() == 16 && element.isBF16())
    return Builtin{"f32_16x16x16bf16_1k", "StencilFour<short>",
                   "StencilFour<float>"};
  return std::nullopt;
}

LogicalResult gpusource::writeAMDGPU(Writer &writer, Operation *op) {
  auto mfma = dyn_cast<amdgpu::MFMAOp>(op);
  if (!mfma)
    return emitNoForm(op);
  if (!writer.device || writer.prologue.isCUDA())
    return emitNoForm(op, writer.device ? "in CUDA" : "on the host");
  std::optional<Builtin> builtin = findBuiltin(mfma);
  Type element = getElementTypeOrSelf(mfma.getSourceA().getType());
  if (!builtin || writer.getType(element).empty())
    return emitNoForm(op, "of this shape");
  writer.prologue.need(Helper::Pack);
  writer.prologue.need(Helper::Four);
  std::string a = writeArray(writer, mfma.getSourceA(), "a"),
              b = writeArray(writer, mfma.getSourceB(), "b"),
              c = writeArray(writer, mfma.getDestC(), "c");
  writer.effect();
  std::string result = writer.getNames().getNumbered("d");
  writer.line(
      llvm::formatv("const {0} {1} = __builtin_amdgcn_mfma_{2}(stencilPack<"
                    "{3}>({4}), stencilPack<{3}>({5}), stencilPack<{0}>({6}), "
                    "0, 0, 0);",
                    builtin->sum, result, builtin->name, builtin->operand, a, b,
                    c)
          .str());
  writer.bind(mfma.getDestD(), declareResults(writer, mfma.getDestD(), result));
  return success();
}
