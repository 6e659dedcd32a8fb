//===- ExecutableImage.h - Compiled programs as bytes -----------*- C++ -*-===//

#ifndef STENCIL_LIB_EXECUTION_EXECUTABLEIMAGE_H
#define STENCIL_LIB_EXECUTION_EXECUTABLEIMAGE_H

#include "CallSignature.h"

namespace stencil {

/// What a compilation makes, and the cache keeps.
struct ExecutableImage {
  CompiledObject object;
  CallSignature signature;
  std::string remarks;
};

/// A file of the cache: a line "stencil-executable VERSION", the SHA-256 of all
/// that follows, `key`, the size of the description, the description (JSON),
/// the object.
void writeImage(const ExecutableImage &image, llvm::StringRef key,
                llvm::raw_ostream &os);

/// Fails, with the reason, on anything but the whole of what was written under
/// this key.
llvm::Expected<ExecutableImage> readImage(llvm::StringRef bytes,
                                          llvm::StringRef key);

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_EXECUTABLEIMAGE_H
