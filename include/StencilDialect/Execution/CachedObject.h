//===- CachedObject.h - Compilation with a cache on disk --------*- C++ -*-===//
//
// The cache of Executable.h for who compiles a parsed program.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_EXECUTION_CACHEDOBJECT_H
#define STENCILDIALECT_EXECUTION_CACHEDOBJECT_H

#include "StencilDialect/Execution/CompiledProgram.h"

#include <string>

namespace stencil {

/// A program in a cache.
struct CacheRequest {
  /// The folder, made if there is none.
  llvm::StringRef directory;
  /// The source, text or bytecode, and its name in messages.
  llvm::StringRef program, name;
  /// The function to call; empty: the only public one.
  llvm::StringRef entry;
};

struct CachedObject {
  CompiledObject object;
  /// Whether it was in the cache; its times are 0 then.
  bool wasCached = false;
  /// Lines that nobody has printed yet: those of the compilation, if it was in
  /// the cache, and what is wrong with the cache.
  std::string remarks;
};

/// As compileObject, unless the cache has what that would make. `messages`:
/// what diagnostics of the program were printed as until now; what compiling
/// adds is kept. Emits an error if that fails, or if the folder cannot be used.
mlir::FailureOr<CachedObject> compileCached(mlir::func::FuncOp entry,
                                            const CompileOptions &options,
                                            const CacheRequest &request,
                                            const std::string &messages);

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_CACHEDOBJECT_H
