//===- StepBodies.h - Steps in the body of a loop ---------------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_STEPS_STEPBODIES_H
#define STENCIL_LIB_TRANSFORMS_STEPS_STEPBODIES_H

#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace stencil {

/// An apply with the body of `original`, of other inputs and other boxes. It
/// has none of its attributes.
ApplyOp copyApply(mlir::OpBuilder &builder, mlir::Location loc,
                  ApplyOp original, mlir::TypeRange types,
                  mlir::ValueRange args);

/// A stage, or a kernel, that copies a box of a value, or all of it.
ApplyOp makeCopy(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value source, BoundsAttr box);

/// Copies the ops of a block from which `roots` are computed, as far as
/// `isCopied` says so.
void copyNeeded(mlir::OpBuilder &builder, mlir::Block &block,
                mlir::ValueRange roots,
                llvm::function_ref<bool(mlir::Operation *)> isCopied,
                mlir::IRMapping &mapping);

/// Memory outside of all loops, where none is lost.
mlir::Value makeFieldBefore(mlir::scf::ForOp loop, mlir::OpBuilder &builder,
                            mlir::Type type);

/// Numbers of steps of a time loop, computed at run time before it.
class StepCount {
public:
  StepCount(mlir::scf::ForOp loop, mlir::OpBuilder &builder)
      : loop(loop), builder(builder), loc(loop.getLoc()) {}

  /// How often `steps` steps are taken at once, so that `tail` steps are left
  /// at least; an even number if that is wanted. An index.
  mlir::Value countIterations(unsigned steps, unsigned tail, bool isEven);

  /// What the loop's variable is `further` steps after `iterations` times
  /// `steps` of them; in its type. `iterations` is an index.
  mlir::Value getNumber(mlir::Value iterations, unsigned steps,
                        unsigned further);

private:
  mlir::Value makeConstant(int64_t value);
  mlir::Value toI64(mlir::Value value);
  mlir::Value countSteps();
  template <typename OpT> mlir::Value fold(mlir::Value a, mlir::Value b) {
    return builder.createOrFold<OpT>(loc, a, b);
  }

  mlir::scf::ForOp loop;
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Slabs at both ends of an axis, which have so many points together, do not
/// meet: the extents for which that holds are those for which the program may
/// run.
void requireExtents(mlir::scf::ForOp loop, BoundsAttr interior,
                    llvm::ArrayRef<int64_t> slabs);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPS_STEPBODIES_H
