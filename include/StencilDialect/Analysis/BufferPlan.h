//===- BufferPlan.h - Where values live -------------------------*- C++ -*-===//
//
// Decides for every value (temp) of a function in which memory it is, such that
// no one can tell it from a value: a loaded value stays in its field where that
// is not overwritten before the value's last use, a stored result is written to
// its field at once where no one looks before the store. All else gets a
// buffer.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_BUFFERPLAN_H
#define STENCILDIALECT_ANALYSIS_BUFFERPLAN_H

#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace stencil {

/// A field of the program, or, if `field` is null, a buffer of the plan.
struct Storage {
  mlir::Value field;
  unsigned buffer = 0;
};

struct BufferPlan {
  struct Buffer {
    FieldType type;
    /// The op of the function's body that uses the buffer first, or has the
    /// first use in its regions.
    mlir::Operation *firstUser = nullptr;
  };
  llvm::SmallVector<Buffer> buffers;

  /// Where the value of a load or of an apply is read. A load whose home is not
  /// its field copies the field there. Results that nobody reads have none.
  llvm::DenseMap<mlir::Value, Storage> homes;

  /// What a result of an apply is written to: one destination or more, none if
  /// the result has no use. Every apply has one at least.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Storage, 1>> destinations;

  /// Stores that the apply does itself. The others copy from the value's home.
  llvm::DenseSet<mlir::Operation *> direct;

  /// Applies that run right before another op (a store) instead of where they
  /// stand.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> sunk;

  /// The buffers that take the place of the temporaries, also in the lists
  /// above.
  llvm::DenseMap<mlir::Value, unsigned> temporaries;
};

/// Plans `function`, in which temps are only defined by loads and applies, and
/// only used by stores, applies and folds. Buffers that are not in use at the
/// same time are shared.
///
/// `temporaries` are allocations that no one uses but the loads and stores in
/// this function; every one has one load, and all that it reads is stored
/// before it in the same iteration of the loops around the load.
///
/// Fails with an error for temps of unknown box, temps that go through other
/// ops, several blocks in one region, ops on temps in anything but sequential
/// control flow, and results that store nothing at some points but cannot be
/// written to their field directly.
mlir::FailureOr<BufferPlan>
planBuffers(mlir::FunctionOpInterface function,
            llvm::ArrayRef<mlir::Value> temporaries);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_BUFFERPLAN_H
