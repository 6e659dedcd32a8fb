//===- BodyInterfaces.h - What is asked of ops of bodies --------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_BODYINTERFACES_H
#define STENCILDIALECT_IR_BODYINTERFACES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include <memory>
#include <optional>

namespace stencil {

/// An error if no apply is around `op`.
mlir::LogicalResult verifyInBody(mlir::Operation *op);

/// An op that stands in the body of an apply.
template <typename Concrete> // NOLINTNEXTLINE(bugprone-crtp*)
class InBody : public mlir::OpTrait::TraitBase<Concrete, InBody> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyInBody(op);
  }
};

} // namespace stencil

#include "StencilDialect/IR/BodyInterfaces.h.inc"

namespace stencil {

/// Whether an op reads points that depend on more than where it is.
bool readsComputedPoints(mlir::Operation *op);

/// Whether an op needs to know the coordinate of its point along an axis, or
/// along any.
bool usesCoordinate(mlir::Operation *op,
                    std::optional<int64_t> axis = std::nullopt);

/// What a pointwise op expands to, in a block of its own: the arguments are the
/// operands.
class Expansion {
public:
  explicit Expansion(PointwiseOpInterface op);

  mlir::Block &getBlock() { return *block; }
  /// One per result of the op.
  llvm::ArrayRef<mlir::Value> getResults() const { return results; }

private:
  std::unique_ptr<mlir::Block> block;
  llvm::SmallVector<mlir::Value> results;
};

} // namespace stencil

#endif // STENCILDIALECT_IR_BODYINTERFACES_H
