//===- CheckedKernels.cpp - Integer ops that can fail ---------------------===//

#include "KernelTemplates.h"

using namespace stencil::interp;

namespace {

template <typename F, typename T>
int64_t checked(void *result, const void *a, const void *b, const uint8_t *mask,
                int64_t n, FaultKind &fault) {
  using I = Int<T>;
  auto *r = static_cast<typename I::Unsigned *>(result);
  const auto *x = static_cast<const typename I::Unsigned *>(a);
  const auto *y = static_cast<const typename I::Unsigned *>(b);
  for (int64_t i = 0; i < n; ++i) {
    r[i] = 0;
    if (mask && !mask[i])
      continue;
    fault = F::template check<I>(x[i], y[i]);
    if (fault != FaultKind::None)
      return i;
    r[i] = I::wrap(F::template apply<I>(x[i], y[i]));
  }
  return n;
}

/// The divisor is not 0.
struct UnsignedDivision {
  template <typename I>
  static FaultKind check(typename I::Unsigned, typename I::Unsigned b) {
    return b == 0 ? FaultKind::DivisionByZero : FaultKind::None;
  }
};

/// ... and the quotient of the least value by -1, which hardware refuses, is
/// not asked for.
struct SignedDivision {
  template <typename I>
  static FaultKind check(typename I::Unsigned a, typename I::Unsigned b) {
    if (b == 0)
      return FaultKind::DivisionByZero;
    bool overflows = I::toSigned(a) == I::min && I::toSigned(b) == -1;
    return overflows ? FaultKind::DivisionOverflow : FaultKind::None;
  }
};

struct DivUI : UnsignedDivision {
  template <typename I>
  static auto apply(typename I::Unsigned a, typename I::Unsigned b) {
    return static_cast<typename I::Wide>(a / b);
  }
};
struct RemUI : UnsignedDivision {
  template <typename I>
  static auto apply(typename I::Unsigned a, typename I::Unsigned b) {
    return static_cast<typename I::Wide>(a % b);
  }
};
struct CeilDivUI : UnsignedDivision {
  template <typename I>
  static auto apply(typename I::Unsigned a, typename I::Unsigned b) {
    return static_cast<typename I::Wide>(a / b + (a % b != 0 ? 1 : 0));
  }
};

struct DivSI : SignedDivision {
  template <typename I>
  static auto apply(typename I::Unsigned a, typename I::Unsigned b) {
    return static_cast<typename I::Wide>(I::toSigned(a) / I::toSigned(b));
  }
};
struct RemSI : SignedDivision {
  template <typename I>
  static auto apply(typename I::Unsigned a, typename I::Unsigned b) {
    return static_cast<typename I::Wide>(I::toSigned(a) % I::toSigned(b));
  }
};
struct CeilDivSI : SignedDivision {
  template <typename I>
  static auto apply(typename I::Unsigned a, typename I::Unsigned b) {
    auto x = I::toSigned(a), y = I::toSigned(b);
    bool up = x % y != 0 && (x < 0) == (y < 0);
    return static_cast<typename I::Wide>(x / y + (up ? 1 : 0));
  }
};
struct FloorDivSI : SignedDivision {
  template <typename I>
  static auto apply(typename I::Unsigned a, typename I::Unsigned b) {
    auto x = I::toSigned(a), y = I::toSigned(b);
    bool down = x % y != 0 && (x < 0) != (y < 0);
    return static_cast<typename I::Wide>(x / y - (down ? 1 : 0));
  }
};

/// A negative exponent divides: 0 has no inverse, that of 1 and -1 is itself,
/// all others truncate to 0.
struct IPowI {
  template <typename I>
  static FaultKind check(typename I::Unsigned a, typename I::Unsigned b) {
    return a == 0 && I::toSigned(b) < 0 ? FaultKind::DivisionByZero
                                        : FaultKind::None;
  }
  template <typename I>
  static auto apply(typename I::Unsigned a, typename I::Unsigned b) {
    using Wide = typename I::Wide;
    if (I::toSigned(b) < 0) {
      bool isUnit = I::toSigned(a) == 1 || I::toSigned(a) == -1;
      return isUnit && (I::toSigned(a) == 1 || (b & 1)) ? Wide(a)
                                                        : Wide(isUnit);
    }
    Wide power = 1, square = a;
    for (Wide exponent = b; exponent != 0; exponent >>= 1) {
      if (exponent & 1)
        power *= square;
      square *= square;
    }
    return power;
  }
};

struct CheckedEntry {
  llvm::StringLiteral name;
  std::array<CheckedKernel, 5> row;
};

template <typename F> constexpr std::array<CheckedKernel, 5> row() {
  return {checked<F, Bool>, checked<F, uint8_t>, checked<F, uint16_t>,
          checked<F, uint32_t>, checked<F, uint64_t>};
}

} // namespace

CheckedKernel stencil::interp::getCheckedKernel(llvm::StringRef op, Kind kind) {
  static constexpr CheckedEntry entries[] = {
      {"arith.divui", row<DivUI>()},
      {"arith.divsi", row<DivSI>()},
      {"arith.ceildivui", row<CeilDivUI>()},
      {"arith.ceildivsi", row<CeilDivSI>()},
      {"arith.floordivsi", row<FloorDivSI>()},
      {"arith.remui", row<RemUI>()},
      {"arith.remsi", row<RemSI>()},
      {"math.ipowi", row<IPowI>()},
  };
  for (const CheckedEntry &entry : entries)
    if (entry.name == op && !isFloat(kind))
      return entry.row[static_cast<unsigned>(kind)];
  return nullptr;
}
