//===- StepCount.h - The steps of a loop that takes several -----*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_STEPCOUNT_H
#define STENCILDIALECT_LIB_TRANSFORMS_STEPCOUNT_H

#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stencil {

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

#endif // STENCILDIALECT_LIB_TRANSFORMS_STEPCOUNT_H
