//===- MathKernels.cpp - Elementary functions -----------------------------===//
//
// Types narrower than f64 are computed in double and rounded once, so that
// their results are correctly rounded but for one case in 2^28; f64 and f80
// have the accuracy of the C library (below one unit in the last place).
//
//===----------------------------------------------------------------------===//

#include "KernelTemplates.h"

using namespace stencil::interp;

namespace {

/// The type in which functions of T are computed.
template <typename T>
using MathType =
    std::conditional_t<std::is_same_v<T, long double>, long double, double>;

template <typename F, typename T> struct MathUnary {
  static void run(void *result, const void *a, const void *, const void *,
                  int64_t n) {
    auto *__restrict r = static_cast<T *>(result);
    const auto *__restrict x = static_cast<const T *>(a);
    for (int64_t i = 0; i < n; ++i)
      r[i] = narrow<T>(F::apply(static_cast<MathType<T>>(widen(x[i]))));
  }
};

template <typename F, typename T> struct MathBinary {
  static void run(void *result, const void *a, const void *b, const void *,
                  int64_t n) {
    auto *__restrict r = static_cast<T *>(result);
    const auto *__restrict x = static_cast<const T *>(a);
    const auto *__restrict y = static_cast<const T *>(b);
    for (int64_t i = 0; i < n; ++i)
      r[i] = narrow<T>(F::apply(static_cast<MathType<T>>(widen(x[i])),
                                static_cast<MathType<T>>(widen(y[i]))));
  }
};

// A functor for a function of the C library, overloaded for double and long
// double.
#define STENCIL_UNARY(Name, function)                                          \
  struct Name {                                                                \
    template <typename C> static C apply(C a) { return std::function(a); }     \
  }
STENCIL_UNARY(Abs, fabs);
STENCIL_UNARY(Acos, acos);
STENCIL_UNARY(Acosh, acosh);
STENCIL_UNARY(Asin, asin);
STENCIL_UNARY(Asinh, asinh);
STENCIL_UNARY(Atan, atan);
STENCIL_UNARY(Atanh, atanh);
STENCIL_UNARY(Cbrt, cbrt);
STENCIL_UNARY(Ceil, ceil);
STENCIL_UNARY(Cos, cos);
STENCIL_UNARY(Cosh, cosh);
STENCIL_UNARY(Erf, erf);
STENCIL_UNARY(Erfc, erfc);
STENCIL_UNARY(Exp, exp);
STENCIL_UNARY(Exp2, exp2);
STENCIL_UNARY(ExpM1, expm1);
STENCIL_UNARY(Floor, floor);
STENCIL_UNARY(Log, log);
STENCIL_UNARY(Log10, log10);
STENCIL_UNARY(Log1p, log1p);
STENCIL_UNARY(Log2, log2);
STENCIL_UNARY(Round, round);
STENCIL_UNARY(RoundEven, nearbyint);
STENCIL_UNARY(Sin, sin);
STENCIL_UNARY(Sinh, sinh);
STENCIL_UNARY(Sqrt, sqrt);
STENCIL_UNARY(Tan, tan);
STENCIL_UNARY(Tanh, tanh);
STENCIL_UNARY(Trunc, trunc);
#undef STENCIL_UNARY

struct Rsqrt {
  // The C library has no such function; long double keeps the result of f64
  // within one rounding.
  template <typename C> static long double apply(C a) {
    return 1.0L / std::sqrt(static_cast<long double>(a));
  }
};
struct Atan2 {
  template <typename C> static C apply(C a, C b) { return std::atan2(a, b); }
};
struct CopySign {
  template <typename C> static C apply(C a, C b) { return std::copysign(a, b); }
};
struct Pow {
  template <typename C> static C apply(C a, C b) { return std::pow(a, b); }
};

/// a * b + c with one rounding, for operands of at most 11 bits: the product is
/// exact in double, and the sum is rounded to odd with the error that TwoSum
/// (Knuth) gives.
float fmaRoundedToOdd(float a, float b, float c) {
  double product = static_cast<double>(a) * b;
  double addend = c;
  double sum = product + addend;
  double virtualAddend = sum - product;
  double error = (product - (sum - virtualAddend)) + (addend - virtualAddend);
  auto bits = llvm::bit_cast<int64_t>(sum);
  if (error != 0 && std::isfinite(sum) && (bits & 1) == 0)
    bits += (error > 0) == (sum > 0) ? 1 : -1;
  return roundToOdd(llvm::bit_cast<double>(bits));
}

struct Fma {
  template <typename F, typename T> struct Loop {
    static void run(void *result, const void *a, const void *b, const void *c,
                    int64_t n) {
      auto *r = static_cast<T *>(result);
      const auto *x = static_cast<const T *>(a);
      const auto *y = static_cast<const T *>(b);
      const auto *z = static_cast<const T *>(c);
      for (int64_t i = 0; i < n; ++i)
        if constexpr (sizeof(T) == 2)
          r[i] =
              narrow<T>(fmaRoundedToOdd(widen(x[i]), widen(y[i]), widen(z[i])));
        else
          r[i] = std::fma(x[i], y[i], z[i]);
    }
  };
};

/// The exponent in long double, which holds every i64.
template <typename T, typename E>
void fpowi(void *result, const void *a, const void *b, const void *,
           int64_t n) {
  auto *r = static_cast<T *>(result);
  const auto *x = static_cast<const T *>(a);
  const auto *y = static_cast<const typename Int<E>::Unsigned *>(b);
  for (int64_t i = 0; i < n; ++i)
    r[i] =
        narrow<T>(std::pow(static_cast<long double>(widen(x[i])),
                           static_cast<long double>(Int<E>::toSigned(y[i]))));
}

template <typename T> constexpr KernelRow fpowiRow() {
  return {fpowi<T, Bool>, fpowi<T, uint8_t>, fpowi<T, uint16_t>,
          fpowi<T, uint32_t>, fpowi<T, uint64_t>};
}

struct MathEntry {
  llvm::StringLiteral name;
  KernelRow row;
};

} // namespace

Kernel stencil::interp::getMathKernel(llvm::StringRef op, Kind kind) {
  static constexpr MathEntry entries[] = {
      {"math.absf", floatRow<Abs, MathUnary>()},
      {"math.acos", floatRow<Acos, MathUnary>()},
      {"math.acosh", floatRow<Acosh, MathUnary>()},
      {"math.asin", floatRow<Asin, MathUnary>()},
      {"math.asinh", floatRow<Asinh, MathUnary>()},
      {"math.atan", floatRow<Atan, MathUnary>()},
      {"math.atan2", floatRow<Atan2, MathBinary>()},
      {"math.atanh", floatRow<Atanh, MathUnary>()},
      {"math.cbrt", floatRow<Cbrt, MathUnary>()},
      {"math.ceil", floatRow<Ceil, MathUnary>()},
      {"math.copysign", floatRow<CopySign, MathBinary>()},
      {"math.cos", floatRow<Cos, MathUnary>()},
      {"math.cosh", floatRow<Cosh, MathUnary>()},
      {"math.erf", floatRow<Erf, MathUnary>()},
      {"math.erfc", floatRow<Erfc, MathUnary>()},
      {"math.exp", floatRow<Exp, MathUnary>()},
      {"math.exp2", floatRow<Exp2, MathUnary>()},
      {"math.expm1", floatRow<ExpM1, MathUnary>()},
      {"math.floor", floatRow<Floor, MathUnary>()},
      {"math.fma", floatRow<Fma, Fma::Loop>()},
      {"math.log", floatRow<Log, MathUnary>()},
      {"math.log10", floatRow<Log10, MathUnary>()},
      {"math.log1p", floatRow<Log1p, MathUnary>()},
      {"math.log2", floatRow<Log2, MathUnary>()},
      {"math.powf", floatRow<Pow, MathBinary>()},
      {"math.round", floatRow<Round, MathUnary>()},
      {"math.roundeven", floatRow<RoundEven, MathUnary>()},
      {"math.rsqrt", floatRow<Rsqrt, MathUnary>()},
      {"math.sin", floatRow<Sin, MathUnary>()},
      {"math.sinh", floatRow<Sinh, MathUnary>()},
      {"math.sqrt", floatRow<Sqrt, MathUnary>()},
      {"math.tan", floatRow<Tan, MathUnary>()},
      {"math.tanh", floatRow<Tanh, MathUnary>()},
      {"math.trunc", floatRow<Trunc, MathUnary>()},
  };
  for (const MathEntry &entry : entries)
    if (entry.name == op && isFloat(kind))
      return pick(entry.row, kind);
  return nullptr;
}

Kernel stencil::interp::getFPowIKernel(Kind base, Kind exponent) {
  static constexpr KernelRow rows[] = {fpowiRow<Half>(), fpowiRow<BFloat>(),
                                       fpowiRow<float>(), fpowiRow<double>(),
                                       fpowiRow<long double>()};
  if (!isFloat(base) || isFloat(exponent))
    return nullptr;
  return pick(
      rows[static_cast<unsigned>(base) - static_cast<unsigned>(Kind::F16)],
      exponent);
}
