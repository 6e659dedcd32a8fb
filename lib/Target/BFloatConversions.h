//===- BFloatConversions.h - Rounding to bfloat16 -----------------*- C++
//-*-===//

#ifndef STENCILDIALECT_LIB_TARGET_BFLOATCONVERSIONS_H
#define STENCILDIALECT_LIB_TARGET_BFLOATCONVERSIONS_H

namespace llvm {
class Module;
} // namespace llvm

namespace stencil {

/// Code generation turns roundings to bfloat16 into calls of `__truncsfbf2` and
/// `__truncdfbf2`, which the libgcc of GCC 12 and older does not have. Gives a
/// module that has bfloat16 in it definitions of its own, weak and hidden. To
/// be called after optimisation, which would see that nobody calls them yet.
void addBFloatConversions(llvm::Module &module);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TARGET_BFLOATCONVERSIONS_H
