//===- MathMode.h - What floating-point arithmetic may do -------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_MATHMODE_H
#define STENCILDIALECT_IR_MATHMODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"

namespace stencil {

/// Floating-point freedom (DESIGN section 7). Every mode includes the ones
/// before it.
enum class MathMode {
  /// As written.
  Strict,
  /// A product and the sum that it is added in may be rounded once.
  Contract,
  /// Sums in any order, common factors, shared partial sums.
  Reassociate,
  /// Where a sum of f32 is a product of matrices, factors have the 11 bits of
  /// TF32; sums stay f32.
  TF32
};

/// The values of the option `math` of passes and tools.
inline llvm::cl::ValuesClass getMathModeValues() {
  return llvm::cl::values(
      clEnumValN(MathMode::Strict, "strict", "as written"),
      clEnumValN(MathMode::Contract, "contract",
                 "a product and the sum it is added in may be rounded once"),
      clEnumValN(MathMode::Reassociate, "reassociate",
                 "sums in any order, factored and shared"),
      clEnumValN(MathMode::TF32, "tf32",
                 "and factors of f32 rounded to TF32 by matrix units"));
}

/// "strict", "contract", "reassociate" or "tf32".
inline llvm::StringRef getMathModeName(MathMode mode) {
  switch (mode) {
  case MathMode::Strict:
    return "strict";
  case MathMode::Contract:
    return "contract";
  case MathMode::Reassociate:
    return "reassociate";
  case MathMode::TF32:
    return "tf32";
  }
  llvm_unreachable("an unknown mode");
}

/// The mode of this name; nothing if there is none.
inline std::optional<MathMode> parseMathMode(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<MathMode>>(name)
      .Case("strict", MathMode::Strict)
      .Case("contract", MathMode::Contract)
      .Case("reassociate", MathMode::Reassociate)
      .Case("tf32", MathMode::TF32)
      .Default(std::nullopt);
}

/// True if all sums may be computed in another order.
inline bool mayReassociate(MathMode mode) {
  return mode >= MathMode::Reassociate;
}

/// The flags of arithmetic that `mode` adds to those that an op has.
inline mlir::arith::FastMathFlags
addFastMathFlags(mlir::arith::FastMathFlags flags, MathMode mode) {
  return mode == MathMode::Strict
             ? flags
             : flags | mlir::arith::FastMathFlags::contract;
}

/// The flags of an op of arith or math, or of a weighted sum.
inline mlir::arith::FastMathFlags getFastMathFlags(mlir::Operation *op) {
  auto math = llvm::dyn_cast<mlir::arith::ArithFastMathInterface>(op);
  mlir::arith::FastMathFlagsAttr flags =
      math ? math.getFastMathFlagsAttr() : mlir::arith::FastMathFlagsAttr();
  return flags ? flags.getValue() : mlir::arith::FastMathFlags::none;
}

/// True if the value of `op` may be computed in another order: in this mode, by
/// its own `reassoc` flag, or because it computes with integers.
inline bool mayReassociate(mlir::Operation *op, MathMode mode) {
  if (mayReassociate(mode))
    return true;
  if (op->getNumResults() == 1 &&
      op->getResult(0).getType().isSignlessInteger())
    return true;
  return mlir::arith::bitEnumContainsAll(getFastMathFlags(op),
                                         mlir::arith::FastMathFlags::reassoc);
}

} // namespace stencil

#endif // STENCILDIALECT_IR_MATHMODE_H
