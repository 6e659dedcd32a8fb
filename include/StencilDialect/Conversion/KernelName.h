//===- KernelName.h - Names of kernels --------------------------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_KERNELNAME_H
#define STENCILDIALECT_CONVERSION_KERNELNAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace stencil {

/// The name for a kernel that is wanted, in what identifiers of PTX have:
/// letters, digits, underscores and `$`. `$` and two hexadecimal digits stand
/// for any other byte, `$$` behind a letter for a beginning that is no letter.
/// Different names stay different, and those in C stay what they are.
std::string makeKernelName(llvm::StringRef wanted);

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_KERNELNAME_H
