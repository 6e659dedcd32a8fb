//===- NonFinite.cpp - How far NaN and infinities reach -------------------===//

#include "NonFinite.h"

#include <cmath>

using namespace stencil;
using namespace stencil::interp;

/// True for NaN and infinities.
static bool isNotFinite(Kind kind, const char *element) {
  switch (kind) {
  case Kind::F16:
    return !std::isfinite(widen(*reinterpret_cast<const Half *>(element)));
  case Kind::BF16:
    return !std::isfinite(widen(*reinterpret_cast<const BFloat *>(element)));
  case Kind::F32:
    return !std::isfinite(*reinterpret_cast<const float *>(element));
  case Kind::F64:
    return !std::isfinite(*reinterpret_cast<const double *>(element));
  case Kind::F80:
    return !std::isfinite(*reinterpret_cast<const long double *>(element));
  default:
    return false;
  }
}

/// Marks what is up to `distance` elements from a mark, along each axis.
static void spreadMarks(llvm::MutableArrayRef<uint8_t> marks, const Box &box,
                        int64_t distance) {
  auto points = static_cast<int64_t>(marks.size());
  int64_t stride = points;
  for (int64_t axis = 0; axis < box.getRank() && points > 0; ++axis) {
    int64_t count = box.getExtent(axis), above = stride;
    stride /= count;
    for (int64_t line = 0; line < points; ++line) {
      if (line % above >= stride)
        continue;
      // Once to each side, with how far the last mark is away.
      std::vector<uint8_t> wide(count);
      int64_t before = distance + 1, behind = distance + 1;
      for (int64_t i = 0; i < count; ++i) {
        before = marks[line + i * stride] != 0 ? 0 : before + 1;
        behind = marks[line + (count - 1 - i) * stride] != 0 ? 0 : behind + 1;
        wide[i] |= before <= distance;
        wide[count - 1 - i] |= behind <= distance;
      }
      for (int64_t i = 0; i < count; ++i)
        marks[line + i * stride] = wide[i];
    }
  }
}

std::vector<std::vector<uint8_t>>
stencil::interp::findNonFinite(const Evaluation &evaluation,
                               const ErrorAnalysis &analysis) {
  if (!mayReassociate(analysis.math))
    return {};
  std::vector<std::vector<uint8_t>> sources;
  bool isAny = false;
  for (const BoundInput &input : evaluation.inputs) {
    std::vector<uint8_t> &marks = sources.emplace_back();
    std::optional<int64_t> points = input.array.box.getNumPoints();
    if (!points)
      continue;
    marks.resize(*points);
    unsigned size = getSize(input.array.kind);
    for (int64_t i = 0; i < *points; ++i) {
      marks[i] = isNotFinite(input.array.kind, input.array.data + i * size) ||
                 mayBeNotFinite(input.array.errors[i].bound);
      isAny |= marks[i] != 0;
    }
    if (analysis.patch > 1 && llvm::is_contained(marks, 1))
      spreadMarks(marks, input.array.box, analysis.patch - 1);
  }
  if (!isAny)
    sources.clear();
  return sources;
}

namespace {
/// What a program reads of an input through some axes: the box of its offsets.
struct Reach {
  unsigned input;
  llvm::SmallVector<int64_t, 4> axes, lower, upper;
};
} // namespace

static llvm::SmallVector<Reach> getReaches(const Program &program) {
  llvm::SmallVector<Reach> reaches;
  auto add = [&](unsigned input, llvm::ArrayRef<int64_t> axes,
                 llvm::ArrayRef<int64_t> lower, llvm::ArrayRef<int64_t> upper) {
    for (Reach &reach : reaches) {
      if (reach.input != input || llvm::ArrayRef(reach.axes) != axes)
        continue;
      for (size_t i = 0; i < axes.size(); ++i) {
        reach.lower[i] = std::min(reach.lower[i], lower[i]);
        reach.upper[i] = std::max(reach.upper[i], upper[i]);
      }
      return;
    }
    reaches.push_back({input,
                       {axes.begin(), axes.end()},
                       {lower.begin(), lower.end()},
                       {upper.begin(), upper.end()}});
  };
  for (const Program::Access &access : program.accesses) {
    const Program::View &view = program.views[access.view];
    add(view.input, view.axes, access.offset, access.offset);
  }
  llvm::SmallVector<int64_t> all =
      llvm::to_vector(llvm::seq<int64_t>(0, program.rank));
  for (const Program::Range &range : program.ranges)
    add(range.input, all, range.lower, range.upper);
  return reaches;
}

/// True if one of `marks` lies in the box of a point.
static bool isReached(const Reach &reach, const BoundInput &input,
                      llvm::ArrayRef<uint8_t> marks,
                      llvm::ArrayRef<int64_t> point) {
  const Box &array = input.array.box;
  Box box;
  for (auto [i, axis] : llvm::enumerate(reach.axes)) {
    box.lb.push_back(std::max(array.lb[i], point[axis] + reach.lower[i]));
    box.ub.push_back(std::min(array.ub[i], point[axis] + reach.upper[i] + 1));
    if (box.lb.back() >= box.ub.back())
      return false;
  }
  bool isFound = false;
  int64_t n = box.getExtent(box.getRank() - 1);
  forEachRow(box, [&](llvm::ArrayRef<int64_t> row) {
    int64_t index = input.array.getIndex(row);
    for (int64_t i = 0; i < n; ++i)
      isFound |= marks[index + i] != 0;
  });
  return isFound;
}

void stencil::interp::spreadNonFinite(
    const Evaluation &evaluation,
    llvm::ArrayRef<std::vector<uint8_t>> sources) {
  llvm::SmallVector<Reach> reaches = getReaches(*evaluation.program);
  llvm::erase_if(reaches, [&](const Reach &reach) {
    return !llvm::is_contained(sources[reach.input], 1);
  });
  const Box &domain = evaluation.domain;
  int64_t n = domain.getExtent(domain.getRank() - 1);
  forEachRow(domain, [&](llvm::ArrayRef<int64_t> row) {
    llvm::SmallVector<int64_t, 4> point(row);
    for (int64_t i = 0; i < n; ++i, ++point.back()) {
      bool isMarked = llvm::any_of(reaches, [&](const Reach &reach) {
        return isReached(reach, evaluation.inputs[reach.input],
                         sources[reach.input], point);
      });
      if (!isMarked)
        continue;
      for (const BoundOutput &output : evaluation.outputs) {
        double &error = output.array.errors[output.array.getIndex(point)].bound;
        error = std::copysign(error, -1.0);
      }
    }
  });
}
