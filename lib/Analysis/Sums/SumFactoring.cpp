//===- SumFactoring.cpp - Partial sums that neighbours share --------------===//

#include "StencilDialect/Analysis/SumFactoring.h"
#include "StepBuilder.h"
#include "TensorBasis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>
#include <map>
#include <random>

using namespace stencil;
using llvm::SmallVector;
using Term = FactoredSum::Term;

/// The largest box of taps that is looked at, and its largest extent.
static constexpr int64_t kMaxBox = 1 << 16;
static constexpr int64_t kMaxExtent = 128;
/// How much larger the terms of the factored sum may be than those of the sum:
/// what cancels among them costs precision, of which a sum may lose what its
/// order does to it (docs/verification.md), a few epsilon of its terms.
static constexpr long double kMaxGrowth = 4;

static long double roundTo(const llvm::fltSemantics *semantics,
                           long double value) {
  if (!semantics)
    return value;
  if (semantics == &llvm::APFloat::IEEEdouble())
    return static_cast<double>(value);
  if (semantics == &llvm::APFloat::IEEEsingle())
    return static_cast<float>(value);
  if (llvm::APFloat::semanticsPrecision(*semantics) >= 64)
    return value;
  llvm::APFloat rounded(static_cast<double>(value));
  bool isInexact;
  rounded.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return rounded.convertToDouble();
}

static long double getEpsilon(const llvm::fltSemantics *semantics) {
  return semantics
             ? std::ldexp(
                   1.0L,
                   1 - static_cast<int>(std::min(
                           64u, llvm::APFloat::semanticsPrecision(*semantics))))
             : 0;
}

namespace {
/// A sum as a tensor of weights.
struct Problem {
  const TapList &taps;
  const FactoringLimits &limits;
  SmallVector<int64_t, 4> lower;
  Tensor tensor;
  /// Weight per position of the tensor.
  std::map<int64_t, FactorWeight> given;
  bool hasSymbols = false;
  long double total = 0;
};

struct Candidate {
  SmallVector<AxisBasis, 4> axes;
  /// Over the vectors of all axes, the last contiguous.
  std::vector<FactorWeight> core;
  long double error = 0;
};
} // namespace

static std::optional<Problem> makeProblem(const TapList &taps,
                                          const FactoringLimits &limits,
                                          std::string &reason) {
  Problem problem{taps, limits, {}, {}, {}, false, 0};
  SmallVector<int64_t, 4> upper;
  for (int64_t tap = 0; tap < taps.size(); ++tap) {
    llvm::ArrayRef<int64_t> offset = taps.getOffset(tap);
    if (tap == 0) {
      problem.lower.assign(offset.begin(), offset.end());
      upper = problem.lower;
    }
    for (int64_t axis = 0; axis < taps.rank; ++axis) {
      problem.lower[axis] = std::min(problem.lower[axis], offset[axis]);
      upper[axis] = std::max(upper[axis], offset[axis]);
    }
  }
  int64_t size = 1, wide = 0;
  for (int64_t axis = 0; axis < taps.rank; ++axis) {
    int64_t extent;
    if (llvm::SubOverflow(upper[axis], problem.lower[axis], extent) ||
        extent >= kMaxExtent || size * (extent + 1) > kMaxBox) {
      reason = "the box of its taps is too large";
      return std::nullopt;
    }
    problem.tensor.shape.push_back(extent + 1);
    size *= extent + 1;
    wide += extent > 0;
  }
  if (wide < 2) {
    reason = "its taps lie on a line";
    return std::nullopt;
  }
  problem.tensor.values.assign(size, 0);
  // Weights that are not known yet are any numbers: what holds for random ones
  // holds for all but a few.
  // The same program is always compiled the same way.
  // NOLINTNEXTLINE(bugprone-random-generator-seed)
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> distribution(1, 2);
  std::map<int64_t, double> symbols;
  for (int64_t tap = 0; tap < taps.size(); ++tap) {
    int64_t position = 0;
    for (int64_t axis = 0; axis < taps.rank; ++axis)
      position = position * problem.tensor.shape[axis] +
                 taps.getOffset(tap)[axis] - problem.lower[axis];
    const FactorWeight &weight = taps.weights[tap];
    long double value = weight.number;
    if (weight.symbol >= 0) {
      auto [known, isNew] = symbols.try_emplace(weight.symbol);
      if (isNew)
        known->second = distribution(generator);
      value *= known->second;
      problem.hasSymbols = true;
    }
    problem.tensor.values[position] = value;
    problem.given[position] = weight;
    problem.total += std::abs(value);
  }
  return problem;
}

/// Multiplies out the core and the bases; `absolute`: their magnitudes.
static Tensor multiplyOut(const Candidate &candidate, const Tensor &core,
                          bool absolute) {
  Tensor result = core;
  for (size_t axis = 0; axis < candidate.axes.size(); ++axis) {
    const AxisBasis &basis = candidate.axes[axis];
    int64_t stride = result.getStride(axis);
    int64_t vectors = basis.vectors.size(), extent = basis.vectors[0].size();
    int64_t outer = result.values.size() / (stride * vectors);
    Tensor next;
    next.shape = result.shape;
    next.shape[axis] = extent;
    next.values.assign(outer * extent * stride, 0);
    for (int64_t i = 0; i < outer; ++i)
      for (int64_t v = 0; v < vectors; ++v)
        for (int64_t k = 0; k < extent; ++k) {
          long double factor = basis.vectors[v][k];
          if (factor == 0)
            continue;
          if (absolute)
            factor = std::abs(factor);
          for (int64_t s = 0; s < stride; ++s)
            next.values[(i * extent + k) * stride + s] +=
                factor * result.values[(i * vectors + v) * stride + s];
        }
    result = std::move(next);
  }
  return result;
}

/// The decomposition along the axes of `mask`; nothing if it is not within the
/// limits, with the error that it would have.
static std::optional<Candidate> decompose(const Problem &problem, unsigned mask,
                                          long double &error) {
  const FactoringLimits &limits = problem.limits;
  const llvm::fltSemantics *semantics = limits.semantics;
  long double epsilon = getEpsilon(semantics);
  Tensor tensor = problem.tensor;
  int64_t numAxes = tensor.shape.size();
  Candidate candidate;
  for (int64_t axis = 0; axis < numAxes; ++axis) {
    if (!(mask >> axis & 1)) {
      candidate.axes.push_back(AxisBasis::getIdentity(tensor.shape[axis]));
      continue;
    }
    // The norm is at most the sum of magnitudes, which is at most the norm
    // times the root of the number of weights.
    long double tolerance =
        std::max(limits.tolerance, 4 * epsilon + 1e-17L) / numAxes;
    candidate.axes.push_back(findBasis(tensor, axis, tolerance, limits.rank));
    for (std::vector<long double> &vector : candidate.axes.back().vectors)
      for (long double &entry : vector) {
        if (std::abs(entry - std::round(entry)) <= 256 * (epsilon + 1e-17L))
          entry = std::round(entry);
        entry = roundTo(semantics, entry);
        bool isSimple = entry == 0 || std::abs(entry) == 1;
        if ((problem.hasSymbols && !isSimple) ||
            (!semantics && entry != std::round(entry)))
          return std::nullopt;
      }
  }

  // The core are the weights where all axes have their pivots.
  Tensor core;
  int64_t size = 1;
  for (const AxisBasis &basis : candidate.axes) {
    core.shape.push_back(basis.vectors.size());
    size *= basis.vectors.size();
  }
  for (int64_t i = 0; i < size; ++i) {
    int64_t position = 0, rest = i;
    for (int64_t axis = 0; axis < numAxes; ++axis) {
      int64_t stride = core.getStride(axis);
      position = position * tensor.shape[axis] +
                 candidate.axes[axis].pivots[rest / stride];
      rest %= stride;
    }
    long double projected = tensor.values[position];
    auto given = problem.given.find(position);
    FactorWeight weight{0, -1};
    if (given != problem.given.end())
      weight = given->second;
    long double original = problem.tensor.values[position];
    if (std::abs(projected - original) >
        1024 * (epsilon + 1e-17L) * problem.total) {
      if (problem.hasSymbols || !semantics)
        return std::nullopt;
      original = roundTo(semantics, projected);
      weight = {original, -1};
    }
    core.values.push_back(original);
    candidate.core.push_back(weight);
  }

  Tensor product = multiplyOut(candidate, core, /*absolute=*/false);
  for (auto [a, b] : llvm::zip_equal(product.values, problem.tensor.values))
    candidate.error += std::abs(a - b);
  candidate.error /= problem.total;
  for (long double &value : core.values)
    value = std::abs(value);
  long double growth = 0;
  for (long double value :
       multiplyOut(candidate, core, /*absolute=*/true).values)
    growth += value;
  error = candidate.error;
  long double allowed = semantics
                            ? std::max(limits.tolerance, 1e-17L)
                            : 0.5L / std::max<long double>(1, problem.total);
  // Also not if something is not a number.
  if (!(candidate.error <= allowed) || !(growth <= kMaxGrowth * problem.total))
    return std::nullopt;
  return candidate;
}

/// The steps of a decomposition.
static FactoredSum makeSteps(const Problem &problem,
                             const Candidate &candidate) {
  int64_t numAxes = candidate.axes.size();
  StepBuilder builder;
  // A term per tap of a basis vector, for sums of `source` along an axis.
  auto addAlong = [&](int64_t source, int64_t axis, int64_t vector) {
    std::vector<Term> terms;
    for (auto [k, entry] :
         llvm::enumerate(candidate.axes[axis].vectors[vector])) {
      if (entry == 0)
        continue;
      Term term;
      term.source = source;
      term.offset.assign(numAxes, 0);
      term.offset[axis] = problem.lower[axis] + static_cast<int64_t>(k);
      term.weight.number = entry;
      terms.push_back(std::move(term));
    }
    return builder.addShifts(source, std::move(terms));
  };

  // Sums along the last axis first. `nodes` are indexed as the core without its
  // first axis; those that no weight asks for are left out.
  int64_t first = candidate.axes[0].vectors.size();
  int64_t inner = candidate.core.size() / first;
  auto getWeight = [&](int64_t c, int64_t node) {
    return candidate.core[c * inner + node];
  };
  std::map<std::vector<int64_t>, int64_t> known;
  auto getNode = [&](int64_t node) {
    int64_t source = -1;
    std::vector<int64_t> key;
    for (int64_t axis = numAxes - 1; axis >= 1; --axis) {
      int64_t extent = candidate.axes[axis].vectors.size();
      int64_t vector = node % extent;
      node /= extent;
      key.push_back(vector);
      auto [it, isNew] = known.try_emplace(key, 0);
      if (isNew)
        it->second = addAlong(source, axis, vector);
      source = it->second;
    }
    return source;
  };

  // What has the same weights everywhere is added first.
  auto getKey = [&](int64_t node, bool &isNegative) {
    std::vector<std::pair<int64_t, long double>> key;
    isNegative = false;
    bool isFirst = true, isZero = true;
    for (int64_t c = 0; c < first; ++c) {
      FactorWeight weight = getWeight(c, node);
      if (isFirst && weight.number != 0) {
        isNegative = weight.number < 0;
        isFirst = isZero = false;
      }
      key.push_back(
          {weight.symbol, weight.number == 0
                              ? 0
                              : (isNegative ? -weight.number : weight.number)});
    }
    if (isZero)
      key.clear();
    return key;
  };
  std::map<std::vector<std::pair<int64_t, long double>>, size_t> groupOf;
  std::vector<std::vector<Term>> groups;
  std::vector<int64_t> representative;
  for (int64_t node = 0; node < inner; ++node) {
    bool isNegative;
    auto key = getKey(node, isNegative);
    if (key.empty())
      continue;
    auto [it, isNew] = groupOf.try_emplace(key, groups.size());
    if (isNew) {
      groups.emplace_back();
      representative.push_back(node);
    }
    bool isOpposite = false;
    getKey(representative[it->second], isOpposite);
    Term term;
    term.source = getNode(node);
    term.weight.number = isNegative == isOpposite ? 1 : -1;
    groups[it->second].push_back(std::move(term));
  }
  std::vector<int64_t> joined;
  for (std::vector<Term> &group : groups)
    joined.push_back(builder.add(std::move(group)));

  std::vector<Term> last;
  for (int64_t c = 0; c < first; ++c) {
    std::vector<Term> terms;
    for (auto [group, node] : llvm::enumerate(representative)) {
      Term term;
      term.source = joined[group];
      term.weight = getWeight(c, node);
      if (term.weight.number != 0)
        terms.push_back(std::move(term));
    }
    if (terms.empty())
      continue;
    Term term;
    term.source = addAlong(builder.add(std::move(terms)), 0, c);
    last.push_back(std::move(term));
  }
  FactoredSum sum = builder.finish(builder.add(std::move(last)));
  sum.error = candidate.error;
  return sum;
}

std::optional<FactoredSum>
stencil::factorAlongAxes(const TapList &taps, const FactoringLimits &limits,
                         std::string &reason) {
  std::optional<Problem> problem = makeProblem(taps, limits, reason);
  if (!problem)
    return std::nullopt;
  std::optional<FactoredSum> best;
  long double smallest = std::numeric_limits<long double>::infinity();
  unsigned numAxes = problem->tensor.shape.size();
  // Of equals, the one that sums along more axes.
  for (unsigned mask = (1u << numAxes) - 1; mask > 0; --mask) {
    // Along an axis of one tap there is nothing to find.
    bool isUseful = true;
    for (unsigned axis = 0; axis < numAxes; ++axis)
      isUseful &= !(mask >> axis & 1) || problem->tensor.shape[axis] > 1;
    if (!isUseful)
      continue;
    long double error = std::numeric_limits<long double>::infinity();
    std::optional<Candidate> candidate = decompose(*problem, mask, error);
    smallest = std::min(smallest, error);
    if (!candidate)
      continue;
    FactoredSum sum = makeSteps(*problem, *candidate);
    // Of equals, the one that also gains where little is shared.
    auto getCost = [](const FactoredSum &of) {
      return std::make_pair(of.countShared(), of.countWithin(1));
    };
    if (!best || getCost(sum) < getCost(*best))
      best = std::move(sum);
  }
  if (!best) {
    reason = "no decomposition is as precise as asked for";
    if (smallest < std::numeric_limits<long double>::infinity()) {
      char text[64];
      std::snprintf(text, sizeof(text), ": the best one is off by %.2Lg",
                    smallest);
      reason += text;
    }
  }
  return best;
}
