//===- Expression.h - Pieces of C++ text ---------------------------*- C++
//-*-===//
//
// A value as C++ writes it, with what its user must know to put it into a
// larger expression: how tightly it binds, and in which type it comes out.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_GPUSOURCE_EXPRESSION_H
#define STENCILDIALECT_TARGET_GPUSOURCE_EXPRESSION_H

#include "StencilDialect/Target/GPUSource.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

#include <string>

namespace stencil::gpusource {

/// From loose to tight, as in C++.
enum class Precedence : uint8_t {
  Conditional,
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relational,
  Shift,
  Add,
  Multiply,
  Unary,
  Primary
};

/// How the text stands for a value of its MLIR type.
enum class Form : uint8_t {
  /// It has the C type of the MLIR type; integers are signed.
  Exact,
  /// The unsigned integer with the same bits.
  Unsigned,
  /// An `int` for an index or i64 that fits: a thread's number, for example.
  Narrow,
  /// A literal integer, which takes on the type of its surroundings.
  Literal,
  /// A pointer for the `index` that is its address.
  Address
};

struct Expression {
  std::string text;
  Precedence precedence = Precedence::Primary;
  Form form = Form::Exact;
  /// May be repeated: a name or a literal.
  bool stable = false;
  /// Reads memory, and must not move past a write.
  bool reads = false;
  /// The C type, where the MLIR type does not say it; of an address, what it
  /// points to.
  std::string type;

  /// A variable or parameter.
  static Expression name(llvm::StringRef text, Form form = Form::Exact) {
    return {text.str(), Precedence::Primary, form, /*stable=*/true, false, {}};
  }
};

/// The C type of a scalar; empty if there is none.
std::string getCType(mlir::Type type, GPULanguage language);
/// The unsigned C type with the width of an integer or index.
llvm::StringRef getUnsignedCType(mlir::Type type);
/// Bits of a scalar in memory.
unsigned getStorageBits(mlir::Type type);

/// Literals. A floating-point literal is the shortest one that reads back as
/// the same value.
Expression makeInteger(const llvm::APInt &value, mlir::Type type);
Expression makeInteger(int64_t value);
Expression makeFloat(const llvm::APFloat &value, mlir::Type type,
                     GPULanguage language);

/// The text, in parentheses if it binds more loosely than `around`.
std::string inside(const Expression &expression, Precedence around);

/// `left op right`, which groups to the left.
Expression makeBinary(llvm::StringRef op, Precedence precedence,
                      const Expression &left, const Expression &right);
/// `left op right` of two indices, which does not overflow where they do not.
Expression makeIndexBinary(llvm::StringRef op, Precedence precedence,
                           Expression left, Expression right);
/// An address, some bytes after another one.
Expression makePointerSum(const Expression &pointer, const Expression &bytes);
/// `op operand`.
Expression makeUnary(llvm::StringRef op, const Expression &operand);
/// `(type)operand`.
Expression makeCast(llvm::StringRef type, const Expression &operand);
/// `function(operands...)`.
Expression makeCall(llvm::StringRef function,
                    llvm::ArrayRef<Expression> operands);
Expression makeConditional(const Expression &condition, const Expression &left,
                           const Expression &right);

/// The same value in form Exact (or Literal): with its C type's own width and
/// sign, so that C++ arithmetic on it is the arithmetic of the MLIR type.
Expression makeExact(const Expression &expression, mlir::Type type,
                     GPULanguage language);
/// The same bits as an unsigned integer.
Expression makeUnsigned(const Expression &expression, mlir::Type type);

} // namespace stencil::gpusource

#endif // STENCILDIALECT_TARGET_GPUSOURCE_EXPRESSION_H
