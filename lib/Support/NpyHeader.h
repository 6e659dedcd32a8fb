//===- NpyHeader.h - Headers of NumPy .npy files ----------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_SUPPORT_NPYHEADER_H
#define STENCILDIALECT_LIB_SUPPORT_NPYHEADER_H

#include "StencilDialect/Support/Npy.h"

namespace stencil {

/// The most bytes that can come before the data.
inline constexpr uint64_t kMaxNpyPrefix = 12 + 65536;

/// Dimensions of an array, as in NumPy 2.
inline constexpr size_t kMaxNpyRank = 64;

/// Parses and checks a header. `prefix` is the beginning of the file, up to
/// kMaxNpyPrefix bytes or more; `path` names the file in errors.
llvm::Expected<NpyHeader>
parseNpyPrefix(llvm::StringRef path, llvm::StringRef prefix, uint64_t fileSize);

} // namespace stencil

#endif // STENCILDIALECT_LIB_SUPPORT_NPYHEADER_H
