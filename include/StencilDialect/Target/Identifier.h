//===- Identifier.h - Names in C and C++ --------------------------*- C++
//-*-===//

#ifndef STENCILDIALECT_TARGET_IDENTIFIER_H
#define STENCILDIALECT_TARGET_IDENTIFIER_H

#include "llvm/ADT/StringRef.h"

namespace stencil {

/// True if `name` can be the name of something in C and in C++: letters, digits
/// and underscores, and not a keyword of either.
bool isCIdentifier(llvm::StringRef name);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_IDENTIFIER_H
