//===- FloatKernels.cpp - Floating-point arithmetic and comparison --------===//
//
// Compiled without contraction: every op is rounded to its type. 16-bit types
// are computed in float and rounded after each op, which is correct for + - * /
// (24 >= 2 * 11 + 2 bits; Figueroa 1995).
//
//===----------------------------------------------------------------------===//

#include "KernelTemplates.h"

using namespace stencil::interp;

namespace {

struct Add {
  template <typename C> static C apply(C a, C b) { return a + b; }
};
struct Sub {
  template <typename C> static C apply(C a, C b) { return a - b; }
};
struct Mul {
  template <typename C> static C apply(C a, C b) { return a * b; }
};
struct Div {
  template <typename C> static C apply(C a, C b) { return a / b; }
};
struct Rem {
  template <typename C> static C apply(C a, C b) { return std::fmod(a, b); }
};
struct Neg {
  template <typename C> static C apply(C a) { return -a; }
};

/// NaN if either is; -0 < +0.
struct Maximum {
  template <typename C> static C apply(C a, C b) {
    C larger = a > b || (a == b && !std::signbit(a)) ? a : b;
    return a != a ? a : larger;
  }
};
struct Minimum {
  template <typename C> static C apply(C a, C b) {
    C smaller = a < b || (a == b && std::signbit(a)) ? a : b;
    return a != a ? a : smaller;
  }
};
/// The other one if either is NaN. MLIR leaves the order of zeros open; here
/// it is the same on all targets.
struct MaxNum {
  template <typename C> static C apply(C a, C b) {
    return a != a ? b : b != b ? a : Maximum::apply(a, b);
  }
};
struct MinNum {
  template <typename C> static C apply(C a, C b) {
    return a != a ? b : b != b ? a : Minimum::apply(a, b);
  }
};

struct IsNaN {
  template <typename C> static bool apply(C a) { return a != a; }
};
struct IsInf {
  template <typename C> static bool apply(C a) { return std::isinf(a); }
};
struct IsFinite {
  template <typename C> static bool apply(C a) { return std::isfinite(a); }
};

/// Normal in T, which may have fewer exponents than the type computed in.
template <typename T>
void isNormal(void *result, const void *a, const void *, const void *,
              int64_t n) {
  auto *r = static_cast<uint8_t *>(result);
  const auto *x = static_cast<const T *>(a);
  for (int64_t i = 0; i < n; ++i) {
    auto value = widen(x[i]);
    if constexpr (std::is_same_v<T, Half>)
      r[i] = std::isfinite(value) && std::fabs(value) >= 0x1p-14F;
    else
      r[i] = std::isnormal(value);
  }
}

/// Predicates in the order of arith::CmpFPredicate.
template <unsigned predicate> struct Compare {
  template <typename C> static bool apply(C a, C b) {
    constexpr bool unordered = (predicate & 8) != 0;
    constexpr unsigned relation = predicate & 7;
    if constexpr (predicate == 0 || predicate == 15) {
      return predicate == 15;
    } else if constexpr (predicate == 7) {
      return a == a && b == b;
    } else if constexpr (predicate == 14) {
      return a != a || b != b;
    } else {
      bool isUnordered = a != a || b != b;
      // Ordered: 1 eq, 2 gt, 3 ge, 4 lt, 5 le, 6 ne. Unordered, less 8: 0 eq,
      // 1 gt, 2 ge, 3 lt, 4 le, 5 ne.
      constexpr unsigned code = unordered ? relation + 1 : relation;
      bool holds = false;
      if constexpr (code == 1)
        holds = a == b;
      else if constexpr (code == 2)
        holds = a > b;
      else if constexpr (code == 3)
        holds = a >= b;
      else if constexpr (code == 4)
        holds = a < b;
      else if constexpr (code == 5)
        holds = a <= b;
      else
        holds = a < b || a > b;
      return holds || (unordered && isUnordered);
    }
  }
};

template <unsigned... predicates>
Kernel getCompare(unsigned predicate, Kind kind,
                  std::integer_sequence<unsigned, predicates...>) {
  static constexpr KernelRow rows[] = {
      floatRow<Compare<predicates>, BinaryTest>()...};
  return pick(rows[predicate], kind);
}

struct FloatEntry {
  llvm::StringLiteral name;
  KernelRow row;
};

} // namespace

Kernel stencil::interp::getFloatKernel(llvm::StringRef op, Kind kind) {
  static constexpr FloatEntry entries[] = {
      {"arith.addf", floatRow<Add, Binary>()},
      {"arith.subf", floatRow<Sub, Binary>()},
      {"arith.mulf", floatRow<Mul, Binary>()},
      {"arith.divf", floatRow<Div, Binary>()},
      {"arith.remf", floatRow<Rem, Binary>()},
      {"arith.negf", floatRow<Neg, Unary>()},
      {"arith.maximumf", floatRow<Maximum, Binary>()},
      {"arith.minimumf", floatRow<Minimum, Binary>()},
      {"arith.maxnumf", floatRow<MaxNum, Binary>()},
      {"arith.minnumf", floatRow<MinNum, Binary>()},
      {"math.isnan", floatRow<IsNaN, UnaryTest>()},
      {"math.isinf", floatRow<IsInf, UnaryTest>()},
      {"math.isfinite", floatRow<IsFinite, UnaryTest>()},
      {"math.isnormal",
       {isNormal<Half>, isNormal<BFloat>, isNormal<float>, isNormal<double>,
        isNormal<long double>}},
  };
  for (const FloatEntry &entry : entries)
    if (entry.name == op && isFloat(kind))
      return pick(entry.row, kind);
  return nullptr;
}

Kernel stencil::interp::getCompareFloatKernel(unsigned predicate, Kind kind) {
  if (predicate > 15 || !isFloat(kind))
    return nullptr;
  return getCompare(predicate, kind,
                    std::make_integer_sequence<unsigned, 16>());
}
