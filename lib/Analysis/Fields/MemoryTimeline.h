//===- MemoryTimeline.h - Which memory is whose, when -----------*- C++ -*-===//
//
// The ops of a function in program order, and what each reads and writes. The
// order is that of the text: a question about a loop's second iteration is a
// question about all of its span.
//
// The uses of values as reads of the memory that they may be in.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_ANALYSIS_FIELDS_MEMORYTIMELINE_H
#define STENCIL_LIB_ANALYSIS_FIELDS_MEMORYTIMELINE_H

#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Analysis/ShapeInference.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/IR/StencilTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>
#include <vector>

namespace stencil {

/// A read or write of a field or memref.
struct MemoryAccess {
  /// Null stands for any memory but that of `MemoryTimeline`'s temporaries.
  Value memory;
  /// Null stands for all points.
  BoundsAttr box;
  Operation *op = nullptr;
  bool isWrite = false;
  /// A read of a point by the op's work at that very point only.
  bool isPointwise = false;
};

class MemoryTimeline {
public:
  /// First and last position of an op and of what is in it. Positions are even;
  /// the odd one before is free for what is moved right before the op.
  struct Span {
    unsigned begin = 0, end = 0;
  };

  /// Notes all accesses of `function` but those through temps. Nobody else
  /// knows of the fields in `temporaries`.
  MemoryTimeline(mlir::FunctionOpInterface function,
                 ArrayRef<Value> temporaries);

  Span getSpan(Operation *op) const { return spans.lookup(op); }
  unsigned getPosition(Operation *op) const { return getSpan(op).begin; }

  /// The last position after `from` at which `user` may run while a value lives
  /// that was defined in `block`: the end of the outermost loop around `user`
  /// in `block`, if there is one.
  unsigned getLastPosition(Operation *user, Block *block) const;

  void add(unsigned position, MemoryAccess access);

  /// Moves the accesses of `op` to `memory` to another position.
  void move(Operation *op, Value memory, unsigned position);

  /// True if an access between positions `first` and `last`, both included, may
  /// touch `box` of `memory` and is one that `counts`.
  bool any(Value memory, BoundsAttr box, unsigned first, unsigned last,
           function_ref<bool(const MemoryAccess &)> counts);

  /// True if the fields, should they overlap in memory, have every point at the
  /// same place.
  bool haveSamePlaces(Value a, Value b);

  FieldAliasAnalysis &getAliases() { return aliases; }

private:
  void number(mlir::Region &region);
  void addAccesses(Operation *op);
  void groupByAlias();
  bool mayTouch(Value memory, BoundsAttr box, const MemoryAccess &access);
  std::multimap<unsigned, MemoryAccess> &getAccesses(Value memory);

  FieldAliasAnalysis aliases;
  SmallVector<int64_t> minimalExtents;
  DenseMap<Operation *, Span> spans;
  llvm::SmallPtrSet<void *, 8> temporaries;
  unsigned nextPosition = 2;
  /// Accesses to any memory, then one map for every set of values that may
  /// alias.
  std::vector<std::multimap<unsigned, MemoryAccess>> accesses;
  DenseMap<Value, unsigned> groups;
  /// Every field or memref as the first value that names its memory.
  DenseMap<Value, Value> sources;
  /// Parts of memory may have names of their own.
  bool hasViews = false;
};

/// A use of a value, as a read of its memory.
struct Read {
  Operation *op;
  BoundsAttr box;
  bool isPointwise;
};

class ValueReads {
public:
  explicit ValueReads(MemoryTimeline &timeline) : timeline(timeline) {}

  /// Notes what `op` reads of values, and, in the timeline, of fields that are
  /// not loaded or stored to. Emits an error and fails if it reads more than
  /// there is.
  LogicalResult note(Operation *op);

  ArrayRef<Read> get(Value value) const;

  /// True if `memory`, which holds a value defined in `home` from position
  /// `from` on, may be written before or by `read`. The write of `except` does
  /// not count.
  bool isOverwritten(Value memory, Block *home, const Read &read, unsigned from,
                     Operation *except);

  /// True if the op of `read` makes a result that some points do not have,
  /// which it has to store itself, and could not if what it reads were in
  /// `memory`.
  bool storesInPartTo(Value memory, const Read &read);

private:
  LogicalResult note(mlir::OpOperand &use, OperandDemands &needs);

  MemoryTimeline &timeline;
  DenseMap<Value, SmallVector<Read, 2>> reads;
};

/// When a buffer is in use: from position `first` to `last`, both included.
struct LiveInterval {
  FieldType type;
  unsigned first, last;
};

/// Memory for intervals that have no position in common.
struct BufferSlots {
  /// Every slot is as large as the first interval in it.
  SmallVector<FieldType> types;
  /// The slot of every interval.
  SmallVector<unsigned> slotOf;
};

/// Shares memory by linear scan. An interval goes to a slot of its rank and
/// element type whose box contains its own whatever the extents are, if there
/// is a free one: never is there more memory than there would be without
/// sharing.
BufferSlots shareBuffers(ArrayRef<LiveInterval> intervals);

} // namespace stencil

#endif // STENCIL_LIB_ANALYSIS_FIELDS_MEMORYTIMELINE_H
