//===- Arrays.cpp - Boxes, storage and snapshots --------------------------===//

#include "Arrays.h"
#include "StencilDialect/Support/Machine.h"

#include <cstdlib>
#include <cstring>

using namespace stencil;
using namespace stencil::interp;

//===----------------------------------------------------------------------===//
// Box
//===----------------------------------------------------------------------===//

llvm::SmallVector<int64_t, 4> Box::getShape() const {
  llvm::SmallVector<int64_t, 4> shape;
  for (unsigned axis = 0; axis < getRank(); ++axis)
    shape.push_back(getExtent(axis));
  return shape;
}

std::optional<int64_t> Box::getNumPoints() const {
  int64_t points = 1;
  for (unsigned axis = 0; axis < getRank(); ++axis)
    if (__builtin_mul_overflow(points, getExtent(axis), &points) ||
        points > (int64_t(1) << 62))
      return std::nullopt;
  return points;
}

bool Box::contains(const Box &other) const {
  for (unsigned axis = 0; axis < getRank(); ++axis)
    if (other.lb[axis] < lb[axis] || other.ub[axis] > ub[axis])
      return false;
  return true;
}

void Box::include(const Box &other) {
  if (other.isEmpty())
    return;
  if (isEmpty()) {
    *this = other;
    return;
  }
  for (unsigned axis = 0; axis < getRank(); ++axis) {
    lb[axis] = std::min(lb[axis], other.lb[axis]);
    ub[axis] = std::max(ub[axis], other.ub[axis]);
  }
}

Box Box::below(unsigned axis, int64_t position) const {
  if (isEmpty() || position <= lb[axis])
    return {};
  Box result = *this;
  result.ub[axis] = std::min(ub[axis], position);
  return result;
}

Box Box::from(unsigned axis, int64_t position) const {
  if (isEmpty() || position >= ub[axis])
    return {};
  Box result = *this;
  result.lb[axis] = std::max(lb[axis], position);
  return result;
}

Box Box::intersect(const Box &other) const {
  if (isEmpty() || other.isEmpty())
    return {};
  Box result = *this;
  for (unsigned axis = 0; axis < getRank(); ++axis) {
    result.lb[axis] = std::max(lb[axis], other.lb[axis]);
    result.ub[axis] = std::min(ub[axis], other.ub[axis]);
    if (result.lb[axis] >= result.ub[axis])
      return {};
  }
  return result;
}

llvm::raw_ostream &stencil::interp::operator<<(llvm::raw_ostream &os,
                                               const Box &box) {
  for (unsigned axis = 0; axis < box.getRank(); ++axis)
    os << (axis == 0 ? "[" : "x[") << box.lb[axis] << ',' << box.ub[axis]
       << ')';
  return os;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void MemoryPool::Free::operator()(char *memory) const { std::free(memory); }

MemoryPool::Block MemoryPool::allocate(uint64_t bytes) {
  // A cache line more, so that kernels may be given the end of a row.
  constexpr uint64_t line = 64;
  bytes = (bytes + 2 * line - 1) / line * line;
  char *memory = nullptr;
  if (auto &blocks = state->unused[bytes]; !blocks.empty()) {
    memory = blocks.pop_back_val().release();
  } else {
    constexpr uint64_t small = uint64_t(1) << 26;
    if (bytes > small) {
      if (llvm::Error error = checkFitsInMemory(bytes, "")) {
        llvm::consumeError(std::move(error));
        return nullptr;
      }
    }
    memory = static_cast<char *>(std::aligned_alloc(line, bytes));
  }
  if (!memory)
    return nullptr;
  return MemoryPool::Block(memory, [state = state, bytes](char *unused) {
    state->unused[bytes].emplace_back(unused);
  });
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

llvm::SmallVector<int64_t, 4> ArrayView::getStrides() const {
  llvm::SmallVector<int64_t, 4> strides(box.getRank(), 1);
  for (unsigned axis = box.getRank(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * box.getExtent(axis);
  return strides;
}

int64_t ArrayView::getIndex(llvm::ArrayRef<int64_t> point) const {
  int64_t index = 0;
  for (unsigned axis = 0; axis < box.getRank(); ++axis)
    index = index * box.getExtent(axis) + (point[axis] - box.lb[axis]);
  return index;
}

char *ArrayView::at(llvm::ArrayRef<int64_t> point) const {
  return data + getIndex(point) * static_cast<int64_t>(getSize(kind));
}

void stencil::interp::forEachRow(
    const Box &box, llvm::function_ref<void(llvm::ArrayRef<int64_t>)> row) {
  llvm::SmallVector<int64_t, 4> point = box.lb;
  while (true) {
    row(point);
    unsigned axis = box.getRank() - 1;
    while (true) {
      if (axis == 0)
        return;
      --axis;
      if (++point[axis] < box.ub[axis])
        break;
      point[axis] = box.lb[axis];
    }
  }
}

void stencil::interp::copyRegion(const ArrayView &target,
                                 const ArrayView &source, const Box &region,
                                 const char *mask) {
  unsigned size = getSize(target.kind);
  int64_t n = region.getExtent(region.getRank() - 1);
  forEachRow(region, [&](llvm::ArrayRef<int64_t> point) {
    char *to = target.at(point);
    const char *from = source.at(point);
    if (target.errors && source.errors) {
      int64_t first = source.getIndex(point);
      PointError *errors = target.errors + target.getIndex(point);
      for (int64_t i = 0; i < n; ++i)
        if (!mask || mask[first + i])
          errors[i] = source.errors[first + i];
    }
    if (!mask) {
      std::memcpy(to, from, n * size);
      return;
    }
    const char *set = mask + (from - source.data) / size;
    for (int64_t i = 0; i < n; ++i)
      if (set[i])
        std::memcpy(to + i * size, from + i * size, size);
  });
}

uint64_t FieldStorage::getNumBytes() const {
  uint64_t bytes = getSize(kind);
  for (int64_t extent : shape)
    bytes *= extent;
  return bytes;
}

bool FieldStorage::detach(MemoryPool &pool) {
  if (isShared()) {
    MemoryPool::Block copy = pool.allocate(getNumBytes());
    if (!copy)
      return false;
    std::memcpy(copy.get(), data, getNumBytes());
    current->data = copy.get();
    current->own = copy;
    if (errors) {
      uint64_t bytes = getNumPoints() * sizeof(PointError);
      MemoryPool::Block copied = pool.allocate(bytes);
      if (!copied)
        return false;
      std::memcpy(copied.get(), errors, bytes);
      current->errors = reinterpret_cast<PointError *>(copied.get());
      current->ownErrors = copied;
    }
  }
  current.reset();
  return true;
}
