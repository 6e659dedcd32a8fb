//===- Arrays.h - Boxes, storage and snapshots ------------------*- C++ -*-===//
//
// What fields and temps are at run time. Extents here are numbers: bounds
// relative to the extent of an axis have been resolved.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_INTERPRETER_ARRAYS_H
#define STENCIL_LIB_INTERPRETER_ARRAYS_H

#include "Elements.h"
#include "StencilDialect/Support/PointError.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>

namespace stencil::interp {

/// A half-open box of grid points. Empty if it has no axes.
struct Box {
  llvm::SmallVector<int64_t, 4> lb, ub;

  bool isEmpty() const { return lb.empty(); }
  unsigned getRank() const { return lb.size(); }
  int64_t getExtent(unsigned axis) const { return ub[axis] - lb[axis]; }
  llvm::SmallVector<int64_t, 4> getShape() const;
  /// Number of points; nothing if it does not fit in 62 bits.
  std::optional<int64_t> getNumPoints() const;
  bool contains(const Box &other) const;
  bool operator==(const Box &other) const {
    return lb == other.lb && ub == other.ub;
  }

  /// Grows to contain `other`.
  void include(const Box &other);
  /// The points of this box on one side of `position`; empty if there is none.
  Box below(unsigned axis, int64_t position) const;
  Box from(unsigned axis, int64_t position) const;
  Box intersect(const Box &other) const;
  void move(unsigned axis, int64_t by) {
    lb[axis] += by;
    ub[axis] += by;
  }
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Box &box);

/// Memory of arrays that come and go with every time step: what is given back
/// is handed out again, so that pages are touched by the system only once.
class MemoryPool {
public:
  using Block = std::shared_ptr<char>;

  MemoryPool() : state(std::make_shared<State>()) {}

  /// Null if there is not as much memory. The contents are undefined.
  Block allocate(uint64_t bytes);

private:
  struct Free {
    void operator()(char *memory) const;
  };
  /// Lives as long as the last block.
  struct State {
    llvm::DenseMap<uint64_t, llvm::SmallVector<std::unique_ptr<char, Free>>>
        unused;
  };
  std::shared_ptr<State> state;
};

/// Elements in row-major order over a box.
struct ArrayView {
  char *data = nullptr;
  Kind kind = Kind::F64;
  Box box;
  /// Of the elements, under error analysis; see Errors.h.
  PointError *errors = nullptr;

  /// Distance of neighbours along each axis, in elements.
  llvm::SmallVector<int64_t, 4> getStrides() const;
  /// The element at `point`, which is in the box.
  char *at(llvm::ArrayRef<int64_t> point) const;
  /// The number of the element at `point`.
  int64_t getIndex(llvm::ArrayRef<int64_t> point) const;
};

/// Copies `region`, which lies in both boxes. A point is left out if `mask`,
/// bytes over the box of `source`, is 0 there.
void copyRegion(const ArrayView &target, const ArrayView &source,
                const Box &region, const char *mask = nullptr);

/// Calls `row` with the first point of every row (along the last axis) of
/// `box`.
void forEachRow(const Box &box,
                llvm::function_ref<void(llvm::ArrayRef<int64_t>)> row);

/// The contents of a field at some moment, or of a computed value. While the
/// field is not written, its snapshot shares its memory.
struct Snapshot {
  char *data = nullptr;
  MemoryPool::Block own;
  PointError *errors = nullptr;
  MemoryPool::Block ownErrors;
};

/// The memory of a field or memref.
struct FieldStorage {
  char *data = nullptr;
  Kind kind = Kind::F64;
  llvm::SmallVector<int64_t, 4> shape;
  /// Null for the caller's memory.
  MemoryPool::Block own;
  /// The errors of the elements, if they are followed.
  PointError *errors = nullptr;
  MemoryPool::Block ownErrors;
  /// What loads get until the next write.
  std::shared_ptr<Snapshot> current;

  uint64_t getNumBytes() const;
  uint64_t getNumPoints() const { return getNumBytes() / getSize(kind); }

  /// True if somebody apart from `others` holders of the present snapshot would
  /// notice a write.
  bool isShared(long others = 0) const {
    return current && current.use_count() > 1 + others;
  }

  /// Gives earlier loads contents of their own. To be called before every
  /// write; false if memory is short.
  bool detach(MemoryPool &pool);
};

/// A value of field or memref type.
struct FieldValue {
  std::shared_ptr<FieldStorage> storage;
  /// Empty if the type has no bounds.
  Box box;

  ArrayView getView() const {
    return {storage->data, storage->kind, box, storage->errors};
  }
};

/// What a byte of a value's mask says of its point.
enum PointState : char {
  /// Nothing was stored.
  Unset = 0,
  Set = 1,
  /// Whatever it is, nobody may depend on it: in kernels of tiles.
  Unspecified = 2
};

/// A value of temp type.
struct TempValue {
  std::shared_ptr<Snapshot> contents;
  /// PointState over the box. Null: all points are set.
  MemoryPool::Block mask;
  Kind kind = Kind::F64;
  Box box;
  /// The apply has written it to the only field that it is stored to.
  bool isStored = false;

  ArrayView getView() const {
    return {contents->data, kind, box, contents->errors};
  }
  ArrayView getStates() const { return {mask.get(), Kind::I1, box}; }
  /// The same contents, in another box.
  TempValue in(Box other) const {
    TempValue moved = *this;
    moved.box = std::move(other);
    return moved;
  }
};

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_ARRAYS_H
