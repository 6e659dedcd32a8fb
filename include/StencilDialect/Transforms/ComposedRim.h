//===- ComposedRim.h - Composed steps next to a boundary --------*- C++ -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_COMPOSEDRIM_H
#define STENCILDIALECT_TRANSFORMS_COMPOSEDRIM_H

#include "llvm/Support/CommandLine.h"

namespace stencil {

/// How `stencil-compose-steps` and `stencil-block-time` compute the points that
/// a boundary is in reach of.
enum class ComposedRim {
  /// At once where that is possible and pays: several composed steps, or
  /// chained ones of a row; else by steps.
  Auto,
  /// As the program says, step by step.
  Steps,
  /// All steps at once. Of composed ones, along a periodic axis, the composed
  /// sum of a copy with images; else a matrix times what is near the boundary.
  /// Of chained ones, conditions are part of each step.
  AtOnce
};

/// The values of the option `rim`.
inline llvm::cl::ValuesClass getComposedRimValues() {
  return llvm::cl::values(
      clEnumValN(ComposedRim::Auto, "auto",
                 "at once where that is possible and pays"),
      clEnumValN(ComposedRim::Steps, "steps", "step by step"),
      clEnumValN(ComposedRim::AtOnce, "at-once", "all steps at once"));
}

} // namespace stencil

#endif // STENCILDIALECT_TRANSFORMS_COMPOSEDRIM_H
