//===- UlpDiff.cpp - Distance of fields in units in the last place --------===//
//
// Nearly all points of nearly all comparisons are within the bound, so a first
// sweep only takes the largest distance of each chunk; only if that is beyond
// the bound does a second sweep look for the points.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Support/UlpDiff.h"
#include "FloatFormat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace stencil;

uint64_t stencil::getUlpDistance(ElementKind kind, uint64_t a, uint64_t b) {
  return withFormat(kind, [&](auto format) {
    using Int = typename decltype(format)::Int;
    return format.distance(Int(a), Int(b));
  });
}

/// Element `index` exactly, whatever its kind.
static long double loadExactly(ElementKind kind, const void *data,
                               int64_t index) {
  if (kind == ElementKind::I64)
    return static_cast<const int64_t *>(data)[index];
  return loadElement(kind, data, index);
}

//===----------------------------------------------------------------------===//
// Sweeps over arrays
//===----------------------------------------------------------------------===//

static constexpr int64_t kChunk = 1 << 16;

/// Calls `function(chunk, begin, end)` for each chunk of the range, in
/// parallel.
template <typename Function>
static void forEachChunk(int64_t count, Function function) {
  // Small fields are not worth starting threads.
  if (count <= kChunk) {
    if (count > 0)
      function(0, 0, count);
    return;
  }
  llvm::parallelFor(0, llvm::divideCeil(count, kChunk), [&](size_t chunk) {
    int64_t begin = int64_t(chunk) * kChunk;
    function(chunk, begin, std::min(begin + kChunk, count));
  });
}

/// The largest value of `distance(i)` in each chunk.
template <typename Distance>
static auto getChunkMaxima(int64_t count, Distance distance) {
  using Ulp = decltype(distance(int64_t(0)));
  std::vector<Ulp> maxima(llvm::divideCeil(count, kChunk));
  forEachChunk(count, [&](size_t chunk, int64_t begin, int64_t end) {
    Ulp maximum = 0;
    for (int64_t i = begin; i < end; ++i)
      maximum = std::max(maximum, distance(i));
    maxima[chunk] = maximum;
  });
  return maxima;
}

/// The smallest and the largest finite magnitude of the reference; infinity and
/// 0 if all are NaN or infinite.
template <typename Magnitude>
static std::pair<double, double> getMagnitudeRange(int64_t count,
                                                   Magnitude magnitude) {
  using Range = std::pair<double, double>;
  std::vector<Range> ranges(llvm::divideCeil(count, kChunk));
  forEachChunk(count, [&](size_t chunk, int64_t begin, int64_t end) {
    Range range(kInfinity, 0);
    for (int64_t i = begin; i < end; ++i) {
      double value = magnitude(i);
      // Neither comparison is true of a NaN.
      if (value < range.first)
        range.first = value;
      if (value > range.second && value < kInfinity)
        range.second = value;
    }
    ranges[chunk] = range;
  });
  Range all(kInfinity, 0);
  for (const Range &range : ranges)
    all = {std::min(all.first, range.first),
           std::max(all.second, range.second)};
  return all;
}

static double toDouble(uint64_t ulp) {
  return ulp == kIncomparable ? kInfinity : double(ulp);
}
static double toDouble(double ulp) { return ulp; }

/// Compares `diff.points` points. `distance(i)` is in ULP, `magnitude(i)` of
/// the reference, `difference(i)` is absolute.
template <typename Distance, typename Magnitude, typename Difference>
static void compare(FieldDiff &diff, Distance distance, Magnitude magnitude,
                    Difference difference) {
  using Ulp = decltype(distance(int64_t(0)));
  std::vector<Ulp> maxima = getChunkMaxima(diff.points, distance);
  auto largest = llvm::max_element(maxima);
  if (largest == maxima.end() || *largest == 0)
    return;
  diff.maxUlp = toDouble(*largest);

  Ulp allowed = diff.allowedUlp;
  double allowedByScale = 0;
  if (*largest > allowed) {
    auto [least, most] = getMagnitudeRange(diff.points, magnitude);
    double epsilon = getElementEpsilon(diff.kind);
    if (least < kInfinity)
      diff.allowedAbsolute = epsilon * least;
    diff.largest = most;
    allowedByScale = diff.allowedScale * epsilon * most;
  }

  struct Found {
    int64_t bad = 0;
    int64_t excused = 0;
    int64_t worst = -1;
    Ulp ulp = 0;
    double absolute = 0;
  };
  std::vector<Found> found(maxima.size());
  forEachChunk(diff.points, [&](size_t chunk, int64_t begin, int64_t end) {
    if (maxima[chunk] <= allowed)
      return;
    Found &here = found[chunk];
    for (int64_t i = begin; i < end; ++i) {
      Ulp ulp = distance(i);
      if (ulp <= allowed)
        continue;
      // NaN is not less than anything.
      auto off = difference(i);
      if (off < diff.allowedAbsolute)
        continue;
      if (off <= allowedByScale) {
        ++here.excused;
        continue;
      }
      ++here.bad;
      if (off > here.absolute)
        here.absolute = static_cast<double>(off);
      if (ulp > here.ulp) {
        here.ulp = ulp;
        here.worst = i;
      }
    }
  });
  Ulp worstUlp = 0;
  for (const Found &here : found) {
    diff.bad += here.bad;
    diff.excused += here.excused;
    diff.maxAbsolute = std::max(diff.maxAbsolute, here.absolute);
    if (here.ulp > worstUlp) {
      worstUlp = here.ulp;
      diff.worst = here.worst;
    }
  }
  if (diff.bad == 0) {
    worstUlp = *largest;
    diff.worst = (largest - maxima.begin()) * kChunk;
    while (distance(diff.worst) != worstUlp)
      ++diff.worst;
  }
  diff.worstUlp = toDouble(worstUlp);
}

template <typename Int>
static void compareIntegers(FieldDiff &diff, const void *values,
                            const void *reference) {
  auto *x = static_cast<const Int *>(values);
  auto *y = static_cast<const Int *>(reference);
  compare(
      diff,
      [=](int64_t i) -> uint64_t {
        return x[i] > y[i] ? uint64_t(x[i]) - uint64_t(y[i])
                           : uint64_t(y[i]) - uint64_t(x[i]);
      },
      [](int64_t) { return 0.0; }, [](int64_t) { return kInfinity; });
}

template <typename Format>
static void compareFloats(FieldDiff &diff, const void *values,
                          const void *reference) {
  using Int = typename Format::Int;
  auto *x = static_cast<const Int *>(values);
  auto *y = static_cast<const Int *>(reference);
  ElementKind kind = diff.kind;
  compare(
      diff, [=](int64_t i) { return Format::distance(x[i], y[i]); },
      [=](int64_t i) { return std::fabs(loadElement(kind, reference, i)); },
      [=](int64_t i) {
        return std::fabs(loadElement(kind, values, i) -
                         loadElement(kind, reference, i));
      });
}

FieldDiff stencil::compareFields(ElementKind kind, const void *values,
                                 const void *reference, int64_t count,
                                 uint64_t allowedUlp, double allowedScale) {
  FieldDiff diff;
  diff.kind = kind;
  diff.points = count;
  diff.allowedScale = isFloatKind(kind) ? allowedScale : 0;
  // No bound is so wide that it takes a NaN for a number.
  diff.allowedUlp =
      isFloatKind(kind) ? std::min(allowedUlp, kIncomparable - 1) : 0;
  switch (kind) {
  case ElementKind::I1:
  case ElementKind::I8:
    compareIntegers<int8_t>(diff, values, reference);
    break;
  case ElementKind::I16:
    compareIntegers<int16_t>(diff, values, reference);
    break;
  case ElementKind::I32:
    compareIntegers<int32_t>(diff, values, reference);
    break;
  case ElementKind::I64:
    compareIntegers<int64_t>(diff, values, reference);
    break;
  default:
    withFormat(kind, [&](auto format) {
      compareFloats<decltype(format)>(diff, values, reference);
    });
  }
  if (diff.worst >= 0) {
    diff.worstValue = loadExactly(kind, values, diff.worst);
    diff.worstReference = loadExactly(kind, reference, diff.worst);
  }
  return diff;
}

FieldDiff stencil::compareFieldsWithF80(ElementKind kind, const void *values,
                                        const long double *reference,
                                        int64_t count, uint64_t allowedUlp,
                                        double allowedScale) {
  FieldDiff diff;
  diff.kind = kind;
  diff.points = count;
  diff.allowedScale = isFloatKind(kind) ? allowedScale : 0;
  auto magnitude = [=](int64_t i) { return double(std::fabs(reference[i])); };
  auto difference = [=](int64_t i) {
    return std::fabs(loadExactly(kind, values, i) - reference[i]);
  };
  if (isFloatKind(kind)) {
    diff.allowedUlp = allowedUlp;
    withFormat(kind, [&](auto format) {
      compare(
          diff,
          [=](int64_t i) {
            return decltype(format)::distance(loadExactly(kind, values, i),
                                              reference[i]);
          },
          magnitude, difference);
    });
  } else {
    compare(
        diff,
        [=](int64_t i) {
          double distance = double(difference(i));
          return std::isnan(distance) ? kInfinity : distance;
        },
        [](int64_t) { return 0.0; }, difference);
  }
  if (diff.worst >= 0) {
    diff.worstValue = loadExactly(kind, values, diff.worst);
    diff.worstReference = reference[diff.worst];
  }
  return diff;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

llvm::SmallVector<int64_t, 4>
stencil::delinearize(int64_t index, llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 4> coordinates(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    coordinates[d] = index % shape[d];
    index /= shape[d];
  }
  return coordinates;
}

/// With as many digits as tell two values of the kind apart.
static void printValue(llvm::raw_ostream &os, ElementKind kind,
                       long double value) {
  int digits = 20;
  if (isFloatKind(kind))
    digits = withFormat(kind, [](auto format) {
      return int(std::ceil(1 + (format.mantissaBits + 1) * 0.30103));
    });
  os << llvm::format("%.*Lg", digits, value);
}

std::string stencil::describeDiff(const FieldDiff &diff,
                                  llvm::ArrayRef<int64_t> shape,
                                  llvm::ArrayRef<int64_t> origin) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << diff.bad << " of " << diff.points << " points differ";
  if (isFloatKind(diff.kind))
    os << " by more than " << diff.allowedUlp << " ULP"
       << (diff.isBounded ? " of their terms" : "");
  if (diff.worst < 0)
    return result;
  llvm::SmallVector<int64_t, 4> at = delinearize(diff.worst, shape);
  for (auto [coordinate, lb] : llvm::zip(at, origin))
    coordinate += lb;
  os << "; the worst is [";
  llvm::interleaveComma(at, os);
  os << "]: expected ";
  printValue(os, diff.kind, diff.worstReference);
  os << ", got ";
  printValue(os, diff.kind, diff.worstValue);
  if (isFloatKind(diff.kind))
    os << llvm::format(" (%.6g ULP)", diff.worstUlp);
  if (diff.isBounded)
    os << llvm::format(", the bound there is %.4g", diff.worstBound);
  return result;
}
