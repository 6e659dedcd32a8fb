//===- RaiseLoopsBody.h - From a nest to applies ----------------*- C++ -*-===//
//
// Private to stencil-raise-loops. The stores of a nest that have one box become
// the results of one apply; the body of the nest, as far as they need it, its
// body.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSBODY_H
#define STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSBODY_H

#include "RaiseLoopsFields.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

namespace stencil::raise {

/// An apply to be.
struct Group {
  /// Positions in the accesses of the nest, of different places.
  llvm::SmallVector<unsigned> stores;
  GridBox box;
  /// Of every loop: its axis, and the coordinate on it less its induction
  /// variable.
  llvm::SmallVector<int> axes;
  llvm::SmallVector<int64_t> shifts;
  /// Ops of the body, those in branches included, that the results depend on.
  llvm::DenseSet<mlir::Operation *> needed;
};

/// Where a load reads, seen from the point of an apply.
struct Tap {
  llvm::SmallVector<int64_t> offset;
  /// Axis of the apply for every entry.
  llvm::SmallVector<int64_t> axes;
};

/// Divides the stores of `nest` into applies. Fails with the reason if the
/// nest is no stencil: where the order of its points matters, or what it reads
/// or stores is outside of a memref.
mlir::LogicalResult planGroups(const LoopNest &nest, const FieldPlan &plan,
                               std::vector<Group> &groups, Refusal &refusal);

/// Where `load` reads; nothing if that is no fixed offset from the point.
std::optional<Tap> getTap(const FieldPlan &plan, const Group &group,
                          const Access &load);

/// Builds the ops of the groups in front of the nest, and erases it.
/// `getField` gives the field of a memref.
void emitGroups(LoopNest &nest, const FieldPlan &plan,
                llvm::ArrayRef<Group> groups,
                llvm::function_ref<mlir::Value(mlir::Value)> getField);

/// The value of `bound` at the builder's position.
mlir::Value materialise(mlir::OpBuilder &builder, mlir::Location loc,
                        const Bound &bound);

} // namespace stencil::raise

#endif // STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSBODY_H
