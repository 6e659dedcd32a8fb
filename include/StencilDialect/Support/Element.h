//===- Element.h - Kinds of field elements ----------------------*- C++ -*-===//
//
// The element kinds that a field can have at run time, their sizes and names,
// and correctly rounded conversions between them and double. Shared by the
// file readers, the interpreter and the execution engine; knows no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_ELEMENT_H
#define STENCILDIALECT_SUPPORT_ELEMENT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace stencil {

/// What one element of a field is. Integers are signless, as in MLIR; where a
/// value has to be read as a number they are two's complement, and I1 is 0 or
/// 1.
enum class ElementKind : uint8_t { F16, BF16, F32, F64, I1, I8, I16, I32, I64 };

/// All kinds, for loops over them.
inline constexpr ElementKind kAllElementKinds[] = {
    ElementKind::F16, ElementKind::BF16, ElementKind::F32,
    ElementKind::F64, ElementKind::I1,   ElementKind::I8,
    ElementKind::I16, ElementKind::I32,  ElementKind::I64};

/// Bytes of one element in memory and in a file. I1 takes a byte, as a
/// memref<i1> does.
constexpr unsigned getElementSize(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
  case ElementKind::I8:
    return 1;
  case ElementKind::F16:
  case ElementKind::BF16:
  case ElementKind::I16:
    return 2;
  case ElementKind::F32:
  case ElementKind::I32:
    return 4;
  case ElementKind::F64:
  case ElementKind::I64:
    return 8;
  }
  return 0;
}

constexpr bool isFloatKind(ElementKind kind) {
  return kind <= ElementKind::F64;
}

/// The MLIR spelling: "f16", "bf16", "f32", "f64", "i1", "i8", ...
llvm::StringRef getElementName(ElementKind kind);

/// The kind with this MLIR spelling, if there is one.
std::optional<ElementKind> parseElementKind(llvm::StringRef name);

/// The distance from 1 to the next value of a float kind (2^-52 for F64); 0 for
/// integers.
double getElementEpsilon(ElementKind kind);

/// IEEE binary16 and bfloat16 as their bit patterns. Widening is exact.
/// Narrowing rounds to nearest, ties to even, in one step from the double;
/// overflow becomes infinity, subnormals are kept, a NaN stays a (quiet) NaN.
double f16ToDouble(uint16_t bits);
double bf16ToDouble(uint16_t bits);
uint16_t doubleToF16(double value);
uint16_t doubleToBF16(double value);

/// Element `index` of an array of `kind`. Exact but for I64 beyond 2^53, which
/// is rounded.
double loadElement(ElementKind kind, const void *data, int64_t index);

/// Sets element `index`. A float is rounded once; an integer is truncated
/// towards zero and clamped to the signed range of the kind (I1: any value but
/// zero is 1), and NaN becomes 0.
void storeElement(ElementKind kind, void *data, int64_t index, double value);

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_ELEMENT_H
