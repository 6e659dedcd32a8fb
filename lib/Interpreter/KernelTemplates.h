//===- KernelTemplates.h - Loops that the kernels are made of ---*- C++ -*-===//
//
// A functor says what happens to one element; these templates make the loops.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_INTERPRETER_KERNELTEMPLATES_H
#define STENCIL_LIB_INTERPRETER_KERNELTEMPLATES_H

#include "Kernels.h"

#include <type_traits>
#include <utility>

namespace stencil::interp {

//===----------------------------------------------------------------------===//
// Floating point: F computes in the type that T widens to
//===----------------------------------------------------------------------===//

template <typename F, typename T> struct Unary {
  static void run(void *result, const void *a, const void *, const void *,
                  int64_t n) {
    auto *__restrict r = static_cast<T *>(result);
    const auto *__restrict x = static_cast<const T *>(a);
    for (int64_t i = 0; i < n; ++i)
      r[i] = narrow<T>(F::apply(widen(x[i])));
  }
};

template <typename F, typename T> struct Binary {
  static void run(void *result, const void *a, const void *b, const void *,
                  int64_t n) {
    auto *__restrict r = static_cast<T *>(result);
    const auto *__restrict x = static_cast<const T *>(a);
    const auto *__restrict y = static_cast<const T *>(b);
    for (int64_t i = 0; i < n; ++i)
      r[i] = narrow<T>(F::apply(widen(x[i]), widen(y[i])));
  }
};

template <typename F, typename T> struct UnaryTest {
  static void run(void *result, const void *a, const void *, const void *,
                  int64_t n) {
    auto *__restrict r = static_cast<uint8_t *>(result);
    const auto *__restrict x = static_cast<const T *>(a);
    for (int64_t i = 0; i < n; ++i)
      r[i] = F::apply(widen(x[i]));
  }
};

template <typename F, typename T> struct BinaryTest {
  static void run(void *result, const void *a, const void *b, const void *,
                  int64_t n) {
    auto *__restrict r = static_cast<uint8_t *>(result);
    const auto *__restrict x = static_cast<const T *>(a);
    const auto *__restrict y = static_cast<const T *>(b);
    for (int64_t i = 0; i < n; ++i)
      r[i] = F::apply(widen(x[i]), widen(y[i]));
  }
};

/// The kernels of one op for all floating-point kinds.
template <typename F, template <typename, typename> class Loop>
constexpr KernelRow floatRow() {
  return {Loop<F, Half>::run, Loop<F, BFloat>::run, Loop<F, float>::run,
          Loop<F, double>::run, Loop<F, long double>::run};
}

//===----------------------------------------------------------------------===//
// Integers: F gets unsigned values and their traits
//===----------------------------------------------------------------------===//

/// Stands for i1.
struct Bool;

template <typename T> struct Int {
  using Unsigned = T;
  using Signed = std::make_signed_t<T>;
  /// At least `unsigned`, so that arithmetic does not promote to `int`.
  using Wide = std::common_type_t<T, unsigned>;
  static constexpr unsigned width = 8 * sizeof(T);
  static constexpr Signed min = static_cast<Signed>(T(1) << (width - 1));
  static Unsigned wrap(Wide value) { return static_cast<T>(value); }
  static Signed toSigned(Unsigned value) { return static_cast<Signed>(value); }
};

template <> struct Int<Bool> {
  using Unsigned = uint8_t;
  using Signed = int8_t;
  using Wide = unsigned;
  static constexpr unsigned width = 1;
  static constexpr Signed min = -1;
  static Unsigned wrap(Wide value) { return value & 1; }
  static Signed toSigned(Unsigned value) {
    return static_cast<Signed>(-static_cast<int>(value));
  }
};

template <typename F, typename T> struct IntUnary {
  static void run(void *result, const void *a, const void *, const void *,
                  int64_t n) {
    using I = Int<T>;
    auto *__restrict r = static_cast<typename I::Unsigned *>(result);
    const auto *__restrict x = static_cast<const typename I::Unsigned *>(a);
    for (int64_t i = 0; i < n; ++i)
      r[i] = I::wrap(F::template apply<I>(x[i]));
  }
};

template <typename F, typename T> struct IntBinary {
  static void run(void *result, const void *a, const void *b, const void *,
                  int64_t n) {
    using I = Int<T>;
    auto *__restrict r = static_cast<typename I::Unsigned *>(result);
    const auto *__restrict x = static_cast<const typename I::Unsigned *>(a);
    const auto *__restrict y = static_cast<const typename I::Unsigned *>(b);
    for (int64_t i = 0; i < n; ++i)
      r[i] = I::wrap(F::template apply<I>(x[i], y[i]));
  }
};

template <typename F, typename T> struct IntTest {
  static void run(void *result, const void *a, const void *b, const void *,
                  int64_t n) {
    using I = Int<T>;
    auto *__restrict r = static_cast<uint8_t *>(result);
    const auto *__restrict x = static_cast<const typename I::Unsigned *>(a);
    const auto *__restrict y = static_cast<const typename I::Unsigned *>(b);
    for (int64_t i = 0; i < n; ++i)
      r[i] = F::template apply<I>(x[i], y[i]);
  }
};

/// The kernels of one op for all integer kinds.
template <typename F, template <typename, typename> class Loop>
constexpr KernelRow intRow() {
  return {Loop<F, Bool>::run, Loop<F, uint8_t>::run, Loop<F, uint16_t>::run,
          Loop<F, uint32_t>::run, Loop<F, uint64_t>::run};
}

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_KERNELTEMPLATES_H
