//===- CallVectorLibrary.cpp - Vectors of exponentials --------------------===//
//
//   math.exp %x : vector<8xf64>
//     ==> two calls of @_ZGVdN4v_exp, for four lanes each
//
// LLVM calls a function of one number for each lane instead, and saves all
// vector registers around each.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/Conversion/VectorLibrary.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILCALLVECTORLIBRARY
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

/// A form of libmvec's functions: the letter in their names (x86-64 vector
/// function ABI), and bits of a vector.
struct Form {
  char letter;
  unsigned bits;
};

struct CallVectorLibrary
    : stencil::impl::StencilCallVectorLibraryBase<CallVectorLibrary> {
  using StencilCallVectorLibraryBase::StencilCallVectorLibraryBase;

  void runOnOperation() override {
    SmallVector<Form, 3> forms = getForms();
    if (forms.empty())
      return;
    getOperation().walk([&](Operation *op) {
      if (StringRef name = getFunction(op); !name.empty())
        call(op, name, forms);
    });
  }

private:
  SmallVector<Form, 3> getForms() const;
  static StringRef getFunction(Operation *op);
  void call(Operation *op, StringRef name, ArrayRef<Form> forms);
  static std::string getSymbol(StringRef name, Type element, unsigned lanes,
                               unsigned arguments, char letter);
};

} // namespace

/// Widest first.
SmallVector<Form, 3> CallVectorLibrary::getForms() const {
  VectorMathLibrary chosen = library;
  switch (chosen) {
  case VectorMathLibrary::None:
    return {};
  case VectorMathLibrary::LibmvecSSE4:
    return {{'b', 128}};
  case VectorMathLibrary::LibmvecAVX:
    return {{'c', 256}, {'b', 128}};
  case VectorMathLibrary::LibmvecAVX2:
    return {{'d', 256}, {'b', 128}};
  case VectorMathLibrary::LibmvecAVX512:
    return {{'e', 512}, {'d', 256}, {'b', 128}};
  }
  llvm_unreachable("a library that is not in the list");
}

/// The C library's name of what an op computes, if there are vectors of it;
/// empty for others.
StringRef CallVectorLibrary::getFunction(Operation *op) {
  if (isa<math::PowFOp>(op))
    return "pow";
  return isa<math::AcosOp, math::AsinOp, math::AtanOp, math::CbrtOp,
             math::CosOp, math::CoshOp, math::ErfOp, math::ExpOp, math::Exp2Op,
             math::ExpM1Op, math::LogOp, math::Log10Op, math::Log1pOp,
             math::Log2Op, math::SinOp, math::SinhOp, math::TanOp,
             math::TanhOp>(op)
             ? op->getName().stripDialect()
             : StringRef();
}

std::string CallVectorLibrary::getSymbol(StringRef name, Type element,
                                         unsigned lanes, unsigned arguments,
                                         char letter) {
  std::string symbol = "_ZGV";
  symbol += letter;
  symbol += "N" + std::to_string(lanes) + std::string(arguments, 'v') + "_";
  return symbol + name.str() + (element.isF32() ? "f" : "");
}

/// Replaces the op by calls for pieces of its vector, if they come out even.
void CallVectorLibrary::call(Operation *op, StringRef name,
                             ArrayRef<Form> forms) {
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!type || type.getRank() != 1 || type.isScalable())
    return;
  Type element = type.getElementType();
  if (!element.isF32() && !element.isF64())
    return;
  unsigned lanes = type.getDimSize(0);
  const auto *form = llvm::find_if(forms, [&](const Form &candidate) {
    return lanes % (candidate.bits / element.getIntOrFloatBitWidth()) == 0;
  });
  if (form == forms.end())
    return;
  unsigned width = form->bits / element.getIntOrFloatBitWidth();
  auto pieceType = VectorType::get({width}, element);

  OpBuilder builder(op);
  Location loc = op->getLoc();
  SmallVector<Type> operandTypes(op->getNumOperands(), pieceType);
  std::string symbol =
      getSymbol(name, element, width, operandTypes.size(), form->letter);
  // Another function of this name, and other types: leaves the op alone.
  Operation *taken = SymbolTable::lookupSymbolIn(getOperation(), symbol);
  auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(taken);
  if (taken && (!function || !function.isExternal()))
    return;
  if (!function) {
    auto created = LLVM::lookupOrCreateFn(builder, getOperation(), symbol,
                                          operandTypes, pieceType);
    if (failed(created))
      return;
    function = *created;
    SmallVector<LLVM::ModRefInfo> none(6, LLVM::ModRefInfo::NoModRef);
    function.setMemoryEffectsAttr(
        LLVM::MemoryEffectsAttr::get(&getContext(), none));
    function.setNoUnwind(true);
    function.setWillReturn(true);
  }

  Value result;
  for (unsigned first = 0; first < lanes; first += width) {
    SmallVector<Value> pieces(op->getOperands());
    if (width < lanes)
      for (Value &piece : pieces)
        piece = vector::ExtractStridedSliceOp::create(
            builder, loc, piece, ArrayRef<int64_t>{first},
            ArrayRef<int64_t>{width}, ArrayRef<int64_t>{1});
    Value part =
        LLVM::CallOp::create(builder, loc, function, pieces).getResult();
    if (width == lanes) {
      result = part;
      break;
    }
    if (!result)
      result =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    result = vector::InsertStridedSliceOp::create(builder, loc, part, result,
                                                  ArrayRef<int64_t>{first},
                                                  ArrayRef<int64_t>{1});
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}
