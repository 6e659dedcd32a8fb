//===- StepBuilder.cpp - Sums taken apart, step by step -------------------===//

#include "StepBuilder.h"
#include "StencilDialect/IR/StencilAttrs.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace stencil;
using llvm::SmallVector;
using Term = FactoredSum::Term;
using Step = FactoredSum::Step;

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// A term of weight 1 or -1 begins the sum, every other is one operation.
static int64_t countTerms(size_t terms, bool hasUnit) {
  return static_cast<int64_t>(terms) - (hasUnit ? 1 : 0);
}

int64_t Step::countOperations() const {
  return countTerms(terms.size(), llvm::any_of(terms, [](const Term &term) {
                      return term.weight.isUnit();
                    }));
}

int64_t Step::countProducts() const {
  return llvm::count_if(terms,
                        [](const Term &term) { return !term.weight.isUnit(); });
}

int64_t FactoredSum::countProducts() const {
  int64_t count = 0;
  for (const Step &step : steps)
    count += step.countProducts();
  return count;
}

int64_t stencil::countProducts(const TapList &taps) {
  return llvm::count_if(taps.weights, [](const FactorWeight &weight) {
    return !weight.isUnit();
  });
}

int64_t stencil::countPlain(const TapList &taps) {
  return countTerms(taps.size(),
                    llvm::any_of(taps.weights, [](const FactorWeight &weight) {
                      return weight.isUnit();
                    }));
}

int64_t FactoredSum::countShared() const {
  int64_t count = 0;
  for (const Step &step : steps)
    count += step.countOperations();
  return count;
}

double FactoredSum::countWithin(int64_t points) const {
  using Offset = SmallVector<int64_t, 4>;
  std::vector<std::set<Offset>> needed(steps.size());
  size_t rank = 1;
  for (const Step &step : steps)
    for (const Term &term : step.terms)
      rank = std::max(rank, term.offset.size());
  for (int64_t point = 0; point < points; ++point) {
    Offset offset(rank, 0);
    offset[0] = point;
    needed.back().insert(offset);
  }
  int64_t count = 0;
  for (size_t i = steps.size(); i-- > 0;) {
    count += steps[i].countOperations() * needed[i].size();
    for (const Term &term : steps[i].terms) {
      if (term.source < 0)
        continue;
      for (Offset at : needed[i]) {
        for (auto [axis, distance] : llvm::enumerate(term.offset))
          at[axis] += distance;
        needed[term.source].insert(std::move(at));
      }
    }
  }
  return static_cast<double>(count) / points;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

int64_t StepBuilder::addShifts(int64_t source, std::vector<Term> terms) {
  // A shift of a shift is one shift.
  for (Term &term : terms) {
    if (source < 0)
      break;
    const Step &inner = sum.steps[source];
    if (inner.terms.size() != 1 || inner.terms[0].offset.empty() ||
        !(inner.terms[0].weight == FactorWeight()))
      break;
    for (auto [axis, distance] : llvm::enumerate(inner.terms[0].offset))
      term.offset[axis] += distance;
    term.source = inner.terms[0].source;
  }
  if (terms.size() == 1 && terms[0].weight == FactorWeight() &&
      terms[0].source >= 0 && isZero(terms[0].offset))
    return terms[0].source;
  return add(std::move(terms));
}

int64_t StepBuilder::add(std::vector<Term> terms) {
  if (terms.size() == 1 && terms[0].weight == FactorWeight() &&
      terms[0].offset.empty() && terms[0].source >= 0)
    return terms[0].source;
  sum.steps.push_back({std::move(terms)});
  return sum.steps.size() - 1;
}

FactoredSum StepBuilder::finish(int64_t last) {
  std::vector<bool> isUsed(sum.steps.size());
  isUsed[last] = true;
  for (int64_t i = last; i >= 0; --i)
    if (isUsed[i])
      for (const Term &term : sum.steps[i].terms)
        if (term.source >= 0)
          isUsed[term.source] = true;
  std::vector<int64_t> number(sum.steps.size(), -1);
  FactoredSum used;
  for (int64_t i = 0; i <= last; ++i) {
    if (!isUsed[i])
      continue;
    number[i] = used.steps.size();
    used.steps.push_back(std::move(sum.steps[i]));
    for (Term &term : used.steps.back().terms)
      if (term.source >= 0)
        term.source = number[term.source];
  }
  return used;
}

FactoredSum stencil::factorByWeight(const TapList &taps) {
  // Weights that differ in sign are one class.
  std::map<std::pair<int64_t, long double>, std::vector<Term>> classes;
  for (int64_t tap = 0; tap < taps.size(); ++tap) {
    FactorWeight weight = taps.weights[tap];
    long double magnitude = std::abs(weight.number);
    Term term;
    term.offset.assign(taps.getOffset(tap).begin(), taps.getOffset(tap).end());
    term.weight.number = weight.number < 0 ? -1 : 1;
    classes[{weight.symbol, magnitude}].push_back(std::move(term));
  }
  // The nearest first: their values are the ones that are at hand.
  auto getDistance = [](const std::vector<Term> &terms) {
    int64_t nearest = std::numeric_limits<int64_t>::max();
    for (const Term &term : terms) {
      int64_t distance = 0;
      for (int64_t offset : term.offset)
        distance += std::abs(offset);
      nearest = std::min(nearest, distance);
    }
    return nearest;
  };
  using Class = std::pair<std::pair<int64_t, long double>, std::vector<Term>>;
  std::vector<std::pair<int64_t, Class>> ordered;
  for (auto &[weight, terms] : classes)
    ordered.push_back({getDistance(terms), {weight, std::move(terms)}});
  llvm::sort(ordered, [](const auto &x, const auto &y) {
    return std::tie(x.first, x.second.first) <
           std::tie(y.first, y.second.first);
  });
  StepBuilder builder;
  std::vector<Term> joined;
  for (auto &[distance, entry] : ordered) {
    auto &[weight, terms] = entry;
    // A class that only subtracts is added, and subtracted at once.
    bool isNegative = llvm::all_of(
        terms, [](const Term &term) { return term.weight.number < 0; });
    for (Term &term : terms)
      term.weight.number *= isNegative ? -1 : 1;
    Term factor;
    factor.source = builder.addShifts(-1, std::move(terms));
    factor.weight = {isNegative ? -weight.second : weight.second, weight.first};
    joined.push_back(std::move(factor));
  }
  return builder.finish(builder.add(std::move(joined)));
}
