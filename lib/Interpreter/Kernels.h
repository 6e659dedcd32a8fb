//===- Kernels.h - Loops over the elements of registers ---------*- C++ -*-===//
//
// One kernel evaluates one elementwise op on `n` consecutive elements. Kernels
// are found by the name of the op and the kinds of its operands and results,
// and know no MLIR. Registers never overlap.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_INTERPRETER_KERNELS_H
#define STENCIL_LIB_INTERPRETER_KERNELS_H

#include "Elements.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>

namespace stencil::interp {

/// Up to three operands; those that the op does not have are null.
using Kernel = void (*)(void *result, const void *a, const void *b,
                        const void *c, int64_t n);

/// What can go wrong at one point.
enum class FaultKind : uint8_t {
  None,
  DivisionByZero,
  DivisionOverflow,
  OutOfRange,
  UnsetPoint,
  BadStep,
  Unspecified
};

/// A kernel of an op that is not defined for all operands. Lanes whose mask is
/// 0 are not evaluated; a null mask means all. Returns the first lane that
/// fails and says why in `fault`, or returns n.
using CheckedKernel = int64_t (*)(void *result, const void *a, const void *b,
                                  const uint8_t *mask, int64_t n,
                                  FaultKind &fault);

/// Kernels per kind: F16, BF16, F32, F64, F80, or I1, I8, I16, I32, I64.
using KernelRow = std::array<Kernel, 5>;

/// The entry of a row for `kind`.
inline Kernel pick(const KernelRow &row, Kind kind) {
  unsigned first = static_cast<unsigned>(isFloat(kind) ? Kind::F16 : Kind::I1);
  return row[static_cast<unsigned>(kind) - first];
}

/// Null where there is no such op or kind.
Kernel getFloatKernel(llvm::StringRef op, Kind kind);
Kernel getMathKernel(llvm::StringRef op, Kind kind);
Kernel getIntegerKernel(llvm::StringRef op, Kind kind);
CheckedKernel getCheckedKernel(llvm::StringRef op, Kind kind);
Kernel getCastKernel(llvm::StringRef op, Kind from, Kind to);

/// math.fpowi: the kinds of base and exponent.
Kernel getFPowIKernel(Kind base, Kind exponent);

/// Result number `result` of an op with two results, such as math.sincos or
/// arith.addui_extended.
Kernel getPairKernel(llvm::StringRef op, unsigned result, Kind kind);

/// arith.cmpf and arith.cmpi; `predicate` as in their attribute. I1 results.
Kernel getCompareFloatKernel(unsigned predicate, Kind kind);
Kernel getCompareIntegerKernel(unsigned predicate, Kind kind);

/// a is an I1 condition, b and c are chosen from.
Kernel getSelectKernel(Kind kind);

/// arith.bitcast between `from` and `to` where every float is held as F80.
Kernel getExtendedBitcastKernel(Kind from, Kind to);

/// result[i] = *a for all i.
void splat(void *result, const void *value, Kind kind, int64_t n);

/// result[i] = source[i * stride] and result[i * stride] = source[i].
void gather(void *result, const void *source, int64_t stride, unsigned size,
            int64_t n);
void scatter(void *result, int64_t stride, const void *source, unsigned size,
             int64_t n);

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_KERNELS_H
