//===- MemoryTimeline.h - Who touches which field when -----------*- C++
//-*-===//
//
// The ops of a function in program order, and what each reads and writes. The
// order is that of the text: a question about a loop's second iteration is a
// question about all of its span.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_ANALYSIS_MEMORYTIMELINE_H
#define STENCIL_LIB_ANALYSIS_MEMORYTIMELINE_H

#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>
#include <vector>

namespace stencil {

/// A read or write of a field or memref.
struct MemoryAccess {
  /// Null stands for any memory but that of `MemoryTimeline`'s temporaries.
  mlir::Value memory;
  /// Null stands for all points.
  BoundsAttr box;
  mlir::Operation *op = nullptr;
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
                 llvm::ArrayRef<mlir::Value> temporaries);

  Span getSpan(mlir::Operation *op) const { return spans.lookup(op); }
  unsigned getPosition(mlir::Operation *op) const { return getSpan(op).begin; }

  /// The last position after `from` at which `user` may run while a value lives
  /// that was defined in `block`: the end of the outermost loop around `user`
  /// in `block`, if there is one.
  unsigned getLastPosition(mlir::Operation *user, mlir::Block *block) const;

  void add(unsigned position, MemoryAccess access);

  /// Moves the accesses of `op` to `memory` to another position.
  void move(mlir::Operation *op, mlir::Value memory, unsigned position);

  /// True if an access between positions `first` and `last`, both included, may
  /// touch `box` of `memory` and is one that `counts`.
  bool any(mlir::Value memory, BoundsAttr box, unsigned first, unsigned last,
           llvm::function_ref<bool(const MemoryAccess &)> counts);

  /// True if the fields, should they overlap in memory, have every point at the
  /// same place.
  bool haveSamePlaces(mlir::Value a, mlir::Value b);

  FieldAliasAnalysis &getAliases() { return aliases; }

private:
  void number(mlir::Region &region);
  void addAccesses(mlir::Operation *op);
  void groupByAlias();
  bool mayOverlap(BoundsAttr a, BoundsAttr b) const;
  bool mayTouch(mlir::Value memory, BoundsAttr box, const MemoryAccess &access);
  std::multimap<unsigned, MemoryAccess> &getAccesses(mlir::Value memory);

  FieldAliasAnalysis aliases;
  llvm::SmallVector<int64_t> minimalExtents;
  llvm::DenseMap<mlir::Operation *, Span> spans;
  llvm::SmallPtrSet<void *, 8> temporaries;
  unsigned nextPosition = 2;
  /// Accesses to any memory, then one map for every set of values that may
  /// alias.
  std::vector<std::multimap<unsigned, MemoryAccess>> accesses;
  llvm::DenseMap<mlir::Value, unsigned> groups;
  /// Every field or memref as the first value that names its memory.
  llvm::DenseMap<mlir::Value, mlir::Value> sources;
  /// Parts of memory may have names of their own.
  bool hasViews = false;
};

} // namespace stencil

#endif // STENCIL_LIB_ANALYSIS_MEMORYTIMELINE_H
