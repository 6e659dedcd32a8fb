//===- Ranges.h - Integers that are small and not negative ---------*- C++
//-*-===//

#ifndef STENCILDIALECT_TARGET_GPUSOURCE_RANGES_H
#define STENCILDIALECT_TARGET_GPUSOURCE_RANGES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace stencil::gpusource {

/// Which integers are in [0, 2^n), so that C++'s signed arithmetic does with
/// them what MLIR says, and no cast to unsigned stands in the text. Known are
/// constants, positions of threads, extents of arrays, what the host checks
/// before it launches anything, and what is computed of these.
class Ranges {
public:
  explicit Ranges(mlir::ModuleOp module);

  /// The n of a value, if it is known.
  std::optional<unsigned> getBits(mlir::Value value);

private:
  std::optional<unsigned> compute(mlir::Value value);
  std::optional<unsigned> computeArgument(mlir::BlockArgument argument);

  /// The values of arguments of kernels at their launches.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> passed;
  llvm::DenseMap<mlir::Value, std::optional<unsigned>> known;
};

} // namespace stencil::gpusource

#endif // STENCILDIALECT_TARGET_GPUSOURCE_RANGES_H
