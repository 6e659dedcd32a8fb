//===- CachedObject.cpp - Compilation with a cache on disk ----------------===//

#include "StencilDialect/Execution/CachedObject.h"
#include "ExecutableCache.h"

using namespace mlir;
using namespace stencil;

FailureOr<CachedObject> stencil::compileCached(func::FuncOp entry,
                                               const CompileOptions &options,
                                               const CacheRequest &request,
                                               const std::string &messages) {
  // Also looked for if the program is found: libraries change.
  auto externals = findExternals(entry, options.libraries);
  if (failed(externals))
    return failure();
  bool emitted = false;
  auto obtained = obtainImage(
      request.directory,
      [&] { return makeCacheKey(request, options, *externals, nullptr); },
      [&]() -> llvm::Expected<ExecutableImage> {
        size_t before = messages.size();
        FailureOr<CompiledObject> object = compileObject(entry, options);
        if (failed(object)) {
          emitted = true;
          return llvm::createStringError("the program does not compile");
        }
        ExecutableImage image;
        image.object = std::move(*object);
        image.remarks = messages.substr(before);
        return std::move(image);
      });
  if (!obtained) {
    std::string problem = llvm::toString(obtained.takeError());
    if (!emitted)
      emitError(UnknownLoc::get(entry.getContext())) << problem;
    return failure();
  }
  CachedObject result;
  result.object = std::move(obtained->image.object);
  result.wasCached = obtained->wasCached;
  if (result.wasCached) {
    result.remarks = std::move(obtained->image.remarks);
    result.object.externals = std::move(*externals);
    if (options.device && options.device->deviceArrays)
      result.object.arraysOn = options.device->target;
  }
  result.remarks += obtained->cacheRemarks;
  return std::move(result);
}
