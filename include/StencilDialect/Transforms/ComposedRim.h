//===- ComposedRim.h - Composed steps next to a boundary --------*- C++ -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_COMPOSEDRIM_H
#define STENCILDIALECT_TRANSFORMS_COMPOSEDRIM_H

#include "llvm/Support/CommandLine.h"

namespace stencil {

/// How `stencil-compose-steps` computes the points that a boundary is in reach
/// of.
enum class ComposedRim {
  /// At once where that is possible and there are several steps; else by steps.
  Auto,
  /// As the program says, step by step.
  Steps,
  /// All steps at once: of a periodic axis, the composed sum of a copy with
  /// images; else a matrix times what is near the boundary.
  AtOnce
};

/// The values of the option `rim`.
inline llvm::cl::ValuesClass getComposedRimValues() {
  return llvm::cl::values(
      clEnumValN(ComposedRim::Auto, "auto",
                 "at once where that is possible, from eight steps"),
      clEnumValN(ComposedRim::Steps, "steps", "step by step"),
      clEnumValN(ComposedRim::AtOnce, "at-once",
                 "all steps at once, along one axis"));
}

} // namespace stencil

#endif // STENCILDIALECT_TRANSFORMS_COMPOSEDRIM_H
