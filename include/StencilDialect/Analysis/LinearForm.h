//===- LinearForm.h - The algebra of weighted sums --------------*- C++ -*-===//
//
// A linear form is what a value of an apply's body is as a function of the
// values around the point:
//
//   sum over sources s and offsets o of  coefficient(s, o) * s[o]  + constant
//
// A source is an input of the apply, or a value of the body that is not taken
// apart. A coefficient, and the constant, is a number plus products of numbers
// and scalars that are the same at every point.
//
// The algebra knows nothing of rounding: numbers are held in IEEE quad
// precision (integers: modulo 2^n) and rounded once, in the end. So it may be
// used where sums may be reassociated only; who calls it sees to that.
//
// Everything is linear in the number of taps, up to a logarithm; a product of
// forms (`substitute`) in the product of their numbers of taps.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_LINEARFORM_H
#define STENCILDIALECT_ANALYSIS_LINEARFORM_H

#include "StencilDialect/Support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <variant>

namespace stencil {

/// A number: IEEE quad, or an integer modulo 2^n. Numbers that meet are of one
/// kind and width.
class Number {
public:
  /// `value` as a number for sums of `elementType` (float, integer or index).
  static Number get(mlir::Type elementType, int64_t value);
  /// The value of a float, integer or index.
  static Number get(const llvm::APFloat &value);
  static Number get(const llvm::APInt &value) { return Number(value); }
  /// The value of a FloatAttr or IntegerAttr; none of another attribute.
  static std::optional<Number> get(mlir::Attribute attribute);

  bool isZero() const;
  bool isOne() const;
  bool isMinusOne() const;
  /// False for NaN and infinity.
  bool isFinite() const;

  Number operator+(const Number &other) const;
  Number operator*(const Number &other) const;
  Number operator-() const;
  /// The quotient, of floats only.
  Number operator/(const Number &other) const;
  bool operator==(const Number &other) const;
  bool operator!=(const Number &other) const { return !(*this == other); }
  size_t getHash() const;

  /// The attribute of this value, rounded to nearest, in `elementType`; may be
  /// an infinity where the type ends before the number.
  mlir::TypedAttr round(mlir::Type elementType) const;

private:
  explicit Number(llvm::APFloat value) : value(std::move(value)) {}
  explicit Number(llvm::APInt value) : value(std::move(value)) {}

  std::variant<llvm::APFloat, llvm::APInt> value;
};

/// A product of scalars, in the order in which they came together; products
/// that differ in order only are equal. Empty: 1.
using ScalarProduct = llvm::SmallVector<mlir::Value, 2>;

struct ScalarProductInfo {
  static ScalarProduct getEmptyKey();
  static ScalarProduct getTombstoneKey();
  static unsigned getHashValue(const ScalarProduct &product);
  static bool isEqual(const ScalarProduct &a, const ScalarProduct &b);
};

/// A number plus products of numbers and scalars: 2 + 0.5 * dt * alpha.
class Coefficient {
public:
  using Terms = llvm::MapVector<
      ScalarProduct, Number,
      llvm::SmallDenseMap<ScalarProduct, unsigned, 2, ScalarProductInfo>>;

  explicit Coefficient(Number number) : number(std::move(number)) {}
  static Coefficient get(mlir::Type elementType, int64_t value) {
    return Coefficient(Number::get(elementType, value));
  }
  /// A scalar that is the same at every point, times one.
  static Coefficient get(mlir::Value scalar);

  /// The number, without the products.
  const Number &getNumber() const { return number; }
  /// The products of scalars, with the number that each is multiplied with.
  const Terms &getTerms() const { return terms; }

  bool isConstant() const { return terms.empty(); }
  bool isZero() const { return terms.empty() && number.isZero(); }
  bool isOne() const { return terms.empty() && number.isOne(); }

  /// If this is one product of scalars (maybe empty) with one number: those.
  std::optional<std::pair<ScalarProduct, Number>> getMonomial() const;

  Coefficient &operator+=(const Coefficient &other);
  Coefficient operator*(const Coefficient &other) const;
  Coefficient operator-() const;
  /// With every number rounded to the type; none if one is not finite then.
  std::optional<Coefficient> round(mlir::Type elementType) const;
  bool operator==(const Coefficient &other) const;
  bool operator!=(const Coefficient &other) const { return !(*this == other); }
  size_t getHash() const;

private:
  void addTerm(const ScalarProduct &product, const Number &factor);

  Number number;
  /// Without zeros.
  Terms terms;
};

/// What taps read: an input of the apply, or a value of its body.
struct TapSource {
  mlir::Value value;
  /// Axis of the apply for every axis of the source, strictly increasing.
  llvm::SmallVector<int64_t, 4> axes;

  bool operator==(const TapSource &other) const {
    return value == other.value && axes == other.axes;
  }
};

struct TapSourceInfo {
  static TapSource getEmptyKey();
  static TapSource getTombstoneKey();
  static unsigned getHashValue(const TapSource &source);
  static bool isEqual(const TapSource &a, const TapSource &b) { return a == b; }
};

class LinearForm {
public:
  /// One entry per axis of the source.
  using Offset = llvm::SmallVector<int64_t, 4>;
  /// In lexicographic order of the offsets.
  using Taps = std::map<Offset, Coefficient>;
  /// In the order in which they came.
  using Sources =
      llvm::MapVector<TapSource, Taps,
                      llvm::DenseMap<TapSource, unsigned, TapSourceInfo>>;

  /// Zero. `elementType` is the type in which the sum is taken: float, integer
  /// or index.
  explicit LinearForm(mlir::Type elementType);

  mlir::Type getElementType() const { return elementType; }
  const Sources &getSources() const { return sources; }
  const Coefficient &getConstant() const { return constant; }
  size_t getNumTaps() const;

  /// Adds `coefficient` * source[offset].
  void add(const TapSource &source, llvm::ArrayRef<int64_t> offset,
           const Coefficient &coefficient);
  void addConstant(const Coefficient &coefficient) { constant += coefficient; }

  /// Puts the form of a producer in the place of an input: the taps of every
  /// source whose value is `input` become taps of the producer's sources
  /// (convolution). The producer's form is in terms of values that are valid
  /// here; axis i of its sources is axis `axes[i]` of the replaced source.
  void substitute(mlir::Value input, const LinearForm &producer);

  /// Removes taps with coefficient zero, and sources without taps.
  void dropZeros();

  /// Rounds all numbers to the element type and drops what becomes zero. False
  /// if a number is not finite then.
  bool round();

private:
  mlir::Type elementType;
  Sources sources;
  Coefficient constant;
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_LINEARFORM_H
