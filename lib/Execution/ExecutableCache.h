//===- ExecutableCache.h - Compiled programs on disk ------------*- C++ -*-===//
//
// A folder of files, one for each program, in the manner of LLVM's caches
// (llvm/Support/CachePruning.h). Processes share it without locks: a file is
// there as a whole or not at all, and what is in it is checked.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_EXECUTION_EXECUTABLECACHE_H
#define STENCIL_LIB_EXECUTION_EXECUTABLECACHE_H

#include "ExecutableImage.h"
#include "StencilDialect/Execution/CachedObject.h"
#include "StencilDialect/Execution/CompiledProgram.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/CachePruning.h"

namespace stencil {

/// What is chosen for a program when it is parsed, and by what.
struct LateOptions {
  /// As in ExecutableOptions.
  llvm::ArrayRef<int64_t> extents;
  llvm::StringRef tuningDatabase;
};

/// Everything that decides what a program is compiled to, as a hexadecimal
/// number: the program with its name, the options, the functions that it has
/// from libraries, this compiler and its LLVM, the machine, and what is
/// installed on it. `late` is null for an image without a signature, which no
/// Executable may find.
llvm::Expected<std::string>
makeCacheKey(const CacheRequest &request, const CompileOptions &options,
             llvm::ArrayRef<std::pair<std::string, std::string>> externals,
             const LateOptions *late);

/// How much is kept: what was used last.
llvm::CachePruningPolicy getCachePolicy();

class ExecutableCache {
public:
  /// Makes the folder, for this user alone, if there is none. Fails if it is
  /// another user's, or if others may write to it.
  static llvm::Expected<ExecutableCache>
  open(llvm::StringRef directory,
       const llvm::CachePruningPolicy &policy = getCachePolicy());

  /// Nothing if there is none. What cannot be used is a line in `remarks`.
  std::optional<ExecutableImage> load(llvm::StringRef key,
                                      std::string &remarks) const;
  /// What goes wrong is a line in `remarks`.
  void store(llvm::StringRef key, const ExecutableImage &image,
             std::string &remarks) const;

private:
  ExecutableCache(llvm::StringRef directory,
                  const llvm::CachePruningPolicy &policy)
      : directory(directory), policy(policy) {}
  std::string getPath(llvm::StringRef key) const;

  std::string directory;
  llvm::CachePruningPolicy policy;
};

struct ObtainedImage {
  ExecutableImage image;
  bool wasCached = false;
  /// Lines about the cache, which are not kept.
  std::string cacheRemarks;
};

/// What a cache has, else what `compile` makes, which is kept then. Without a
/// directory `makeKey` is not called. Fails if the cache cannot be used.
llvm::Expected<ObtainedImage>
obtainImage(llvm::StringRef directory,
            llvm::function_ref<llvm::Expected<std::string>()> makeKey,
            llvm::function_ref<llvm::Expected<ExecutableImage>()> compile);

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_EXECUTABLECACHE_H
