//===- CastKernels.cpp - Conversions, selections and copies ---------------===//
//
// Conversions of floats to integers saturate and take NaN to 0 where MLIR has
// poison, so that a run is repeatable.
//
//===----------------------------------------------------------------------===//

#include "KernelTemplates.h"
#include "llvm/ADT/StringSwitch.h"

#include <cstring>
#include <limits>

using namespace stencil::interp;

namespace {

template <typename T>
constexpr bool isFloatType =
    std::is_same_v<T, Half> || std::is_same_v<T, BFloat> ||
    std::is_floating_point_v<T>;

/// What a register of T holds.
template <typename T, bool = isFloatType<T>> struct Storage {
  using Type = T;
};
template <typename T> struct Storage<T, false> {
  using Type = typename Int<T>::Unsigned;
};

enum class Cast : uint8_t { Signed, Unsigned, Float };

/// The integer nearest to zero from `value`, within what I holds.
template <typename I, bool isSigned, typename C>
typename I::Wide toInteger(C value) {
  if (value != value)
    return 0;
  // 2^(width-1) or 2^width, exact in every type.
  C limit = std::ldexp(C(1), I::width - (isSigned ? 1 : 0));
  if constexpr (isSigned) {
    if (value >= limit)
      return static_cast<typename I::Wide>(
          static_cast<typename I::Signed>(-(I::min + 1)));
    if (value < -limit)
      return static_cast<typename I::Wide>(I::min);
    return static_cast<typename I::Wide>(static_cast<int64_t>(value));
  } else {
    if (value >= limit)
      return static_cast<typename I::Wide>(
          std::numeric_limits<uint64_t>::max());
    return value <= 0
               ? 0
               : static_cast<typename I::Wide>(static_cast<uint64_t>(value));
  }
}

template <typename From, typename To, Cast cast>
void convert(void *result, const void *a, const void *, const void *,
             int64_t n) {
  constexpr bool isSigned = cast == Cast::Signed;
  auto *__restrict r = static_cast<typename Storage<To>::Type *>(result);
  const auto *__restrict x =
      static_cast<const typename Storage<From>::Type *>(a);
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (isFloatType<From> && isFloatType<To>) {
      r[i] = narrow<To>(widen(x[i]));
    } else if constexpr (isFloatType<From>) {
      r[i] = Int<To>::wrap(toInteger<Int<To>, isSigned>(widen(x[i])));
    } else if constexpr (isFloatType<To>) {
      // One rounding: 32 bits are exact in double, 64 in long double.
      using Exact = std::conditional_t<(sizeof(x[i]) < 8), double, long double>;
      Exact value;
      if constexpr (isSigned)
        value = static_cast<Exact>(Int<From>::toSigned(x[i]));
      else
        value = static_cast<Exact>(x[i]);
      r[i] = narrow<To>(value);
    } else if constexpr (isSigned) {
      r[i] = Int<To>::wrap(
          static_cast<typename Int<To>::Wide>(Int<From>::toSigned(x[i])));
    } else {
      r[i] = Int<To>::wrap(static_cast<typename Int<To>::Wide>(x[i]));
    }
  }
}

template <typename From, Cast cast> constexpr KernelRow toIntegers() {
  return {convert<From, Bool, cast>, convert<From, uint8_t, cast>,
          convert<From, uint16_t, cast>, convert<From, uint32_t, cast>,
          convert<From, uint64_t, cast>};
}
template <typename From, Cast cast> constexpr KernelRow toFloats() {
  return {convert<From, Half, cast>, convert<From, BFloat, cast>,
          convert<From, float, cast>, convert<From, double, cast>,
          convert<From, long double, cast>};
}

using Table = std::array<KernelRow, 5>;
template <Cast cast>
constexpr Table integersToIntegers = {
    toIntegers<Bool, cast>(), toIntegers<uint8_t, cast>(),
    toIntegers<uint16_t, cast>(), toIntegers<uint32_t, cast>(),
    toIntegers<uint64_t, cast>()};
template <Cast cast>
constexpr Table integersToFloats = {
    toFloats<Bool, cast>(), toFloats<uint8_t, cast>(),
    toFloats<uint16_t, cast>(), toFloats<uint32_t, cast>(),
    toFloats<uint64_t, cast>()};
template <Cast cast>
constexpr Table floatsToIntegers = {
    toIntegers<Half, cast>(), toIntegers<BFloat, cast>(),
    toIntegers<float, cast>(), toIntegers<double, cast>(),
    toIntegers<long double, cast>()};
constexpr Table floatsToFloats = {
    toFloats<Half, Cast::Float>(), toFloats<BFloat, Cast::Float>(),
    toFloats<float, Cast::Float>(), toFloats<double, Cast::Float>(),
    toFloats<long double, Cast::Float>()};

template <typename T>
void copy(void *result, const void *a, const void *, const void *, int64_t n) {
  std::memcpy(result, a, n * sizeof(T));
}

Kernel getCopy(unsigned size) {
  switch (size) {
  case 1:
    return copy<uint8_t>;
  case 2:
    return copy<uint16_t>;
  case 4:
    return copy<uint32_t>;
  case 8:
    return copy<uint64_t>;
  default:
    return copy<long double>;
  }
}

template <typename T>
void select(void *result, const void *a, const void *b, const void *c,
            int64_t n) {
  auto *__restrict r = static_cast<T *>(result);
  const auto *__restrict condition = static_cast<const uint8_t *>(a);
  const auto *__restrict x = static_cast<const T *>(b);
  const auto *__restrict y = static_cast<const T *>(c);
  for (int64_t i = 0; i < n; ++i)
    r[i] = condition[i] ? x[i] : y[i];
}

template <typename T>
void gatherAs(void *result, const void *source, int64_t stride, int64_t n) {
  auto *r = static_cast<T *>(result);
  const auto *x = static_cast<const T *>(source);
  for (int64_t i = 0; i < n; ++i)
    r[i] = x[i * stride];
}

template <typename T>
void scatterAs(void *result, int64_t stride, const void *source, int64_t n) {
  auto *r = static_cast<T *>(result);
  const auto *x = static_cast<const T *>(source);
  for (int64_t i = 0; i < n; ++i)
    r[i * stride] = x[i];
}

/// Bits of an F80 register as if it held F.
template <typename F, typename I>
void bitsOf(void *result, const void *a, const void *, const void *,
            int64_t n) {
  auto *r = static_cast<I *>(result);
  const auto *x = static_cast<const long double *>(a);
  for (int64_t i = 0; i < n; ++i)
    r[i] = llvm::bit_cast<I>(narrow<F>(x[i]));
}
template <typename I, typename F>
void fromBits(void *result, const void *a, const void *, const void *,
              int64_t n) {
  auto *r = static_cast<long double *>(result);
  const auto *x = static_cast<const I *>(a);
  for (int64_t i = 0; i < n; ++i)
    r[i] = widen(llvm::bit_cast<F>(x[i]));
}

} // namespace

Kernel stencil::interp::getCastKernel(llvm::StringRef op, Kind from, Kind to) {
  bool isFrom = isFloat(from), isTo = isFloat(to);
  auto row = [&](const Table &table) {
    return &table[static_cast<unsigned>(from) -
                  static_cast<unsigned>(isFrom ? Kind::F16 : Kind::I1)];
  };
  if (op == "arith.bitcast")
    return getSize(from) == getSize(to) ? getCopy(getSize(from)) : nullptr;
  const KernelRow *found = nullptr;
  if (!isFrom && !isTo)
    found = llvm::StringSwitch<const KernelRow *>(op)
                .Cases({"arith.extui", "arith.trunci", "arith.index_castui"},
                       row(integersToIntegers<Cast::Unsigned>))
                .Cases({"arith.extsi", "arith.index_cast"},
                       row(integersToIntegers<Cast::Signed>))
                .Default(nullptr);
  else if (!isFrom)
    found = llvm::StringSwitch<const KernelRow *>(op)
                .Case("arith.sitofp", row(integersToFloats<Cast::Signed>))
                .Case("arith.uitofp", row(integersToFloats<Cast::Unsigned>))
                .Default(nullptr);
  else if (!isTo)
    found = llvm::StringSwitch<const KernelRow *>(op)
                .Case("arith.fptosi", row(floatsToIntegers<Cast::Signed>))
                .Case("arith.fptoui", row(floatsToIntegers<Cast::Unsigned>))
                .Default(nullptr);
  else if (op == "arith.extf" || op == "arith.truncf")
    found = row(floatsToFloats);
  return found ? pick(*found, to) : nullptr;
}

Kernel stencil::interp::getExtendedBitcastKernel(Kind from, Kind to) {
  if (from == to || (!isFloat(from) && !isFloat(to)))
    return getCopy(isFloat(from) ? sizeof(long double) : getSize(from));
  if (from == Kind::F16 && to == Kind::I16)
    return bitsOf<Half, uint16_t>;
  if (from == Kind::BF16 && to == Kind::I16)
    return bitsOf<BFloat, uint16_t>;
  if (from == Kind::F32 && to == Kind::I32)
    return bitsOf<float, uint32_t>;
  if (from == Kind::F64 && to == Kind::I64)
    return bitsOf<double, uint64_t>;
  if (from == Kind::I16 && to == Kind::F16)
    return fromBits<uint16_t, Half>;
  if (from == Kind::I16 && to == Kind::BF16)
    return fromBits<uint16_t, BFloat>;
  if (from == Kind::I32 && to == Kind::F32)
    return fromBits<uint32_t, float>;
  if (from == Kind::I64 && to == Kind::F64)
    return fromBits<uint64_t, double>;
  return nullptr;
}

Kernel stencil::interp::getSelectKernel(Kind kind) {
  switch (getSize(kind)) {
  case 1:
    return select<uint8_t>;
  case 2:
    return select<uint16_t>;
  case 4:
    return select<uint32_t>;
  case 8:
    return select<uint64_t>;
  default:
    return select<long double>;
  }
}

void stencil::interp::splat(void *result, const void *value, Kind kind,
                            int64_t n) {
  gather(result, value, 0, getSize(kind), n);
}

void stencil::interp::gather(void *result, const void *source, int64_t stride,
                             unsigned size, int64_t n) {
  switch (size) {
  case 1:
    return gatherAs<uint8_t>(result, source, stride, n);
  case 2:
    return gatherAs<uint16_t>(result, source, stride, n);
  case 4:
    return gatherAs<uint32_t>(result, source, stride, n);
  case 8:
    return gatherAs<uint64_t>(result, source, stride, n);
  default:
    return gatherAs<long double>(result, source, stride, n);
  }
}

void stencil::interp::scatter(void *result, int64_t stride, const void *source,
                              unsigned size, int64_t n) {
  switch (size) {
  case 1:
    return scatterAs<uint8_t>(result, stride, source, n);
  case 2:
    return scatterAs<uint16_t>(result, stride, source, n);
  case 4:
    return scatterAs<uint32_t>(result, stride, source, n);
  case 8:
    return scatterAs<uint64_t>(result, stride, source, n);
  default:
    return scatterAs<long double>(result, stride, source, n);
  }
}
