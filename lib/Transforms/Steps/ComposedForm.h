//===- ComposedForm.h - What k steps compute, as one sum --------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_COMPOSEDFORM_H
#define STENCILDIALECT_LIB_TRANSFORMS_COMPOSEDFORM_H

#include "StencilDialect/Analysis/LinearForm.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"

#include <optional>
#include <string>

namespace stencil {

/// Composed sums with more taps would take long to compute, and long to make.
inline constexpr size_t kMaxComposedTaps = 1 << 16;

/// What `steps` steps compute of an input of the step, in the scalars of its
/// body, and the flags that all sums in it have. Nothing if that is no linear
/// function, or too long.
struct ComposedForm {
  explicit ComposedForm(mlir::Type type) : form(type) {}
  LinearForm form;
  mlir::arith::FastMathFlags flags = mlir::arith::FastMathFlags::fast;
};
/// The same of one step, as it is multiplied out and before it is rounded.
std::optional<ComposedForm> findStepForm(ApplyOp step, unsigned input,
                                         MathMode math, std::string &why);
std::optional<ComposedForm> composeForm(ApplyOp step, unsigned input,
                                        unsigned steps, MathMode math,
                                        std::string &why);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_COMPOSEDFORM_H
