//===- ExecutableCache.cpp - Compiled programs on disk --------------------===//

#include "ExecutableCache.h"
#include "StencilDialect/Support/AtomicFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <unistd.h>

using namespace stencil;
namespace fs = llvm::sys::fs;

llvm::CachePruningPolicy stencil::getCachePolicy() {
  llvm::CachePruningPolicy policy;
  policy.Interval = std::chrono::minutes(1);
  policy.Expiration = std::chrono::hours(24 * 30);
  policy.MaxSizePercentageOfAvailableSpace = 10;
  policy.MaxSizeBytes = uint64_t(1) << 30;
  policy.MaxSizeFiles = 10000;
  return policy;
}

std::string stencil::getDefaultCacheDirectory() {
  auto get = [](const char *name) {
    return llvm::sys::Process::GetEnv(name).value_or("");
  };
  if (std::string own = get("STENCIL_CACHE_DIR"); !own.empty())
    return own;
  llvm::SmallString<128> path(get("XDG_CACHE_HOME"));
  // The standard wants others to be ignored.
  if (!llvm::sys::path::is_absolute(path)) {
    path.clear();
    if (!llvm::sys::path::home_directory(path))
      return "";
    llvm::sys::path::append(path, ".cache");
  }
  llvm::sys::path::append(path, "stencil");
  return path.str().str();
}

llvm::Expected<ExecutableCache>
ExecutableCache::open(llvm::StringRef directory,
                      const llvm::CachePruningPolicy &policy) {
  auto fail = [&](const llvm::Twine &reason) {
    return llvm::createStringError("cache folder '" + directory +
                                   "': " + reason);
  };
  if (std::error_code code = fs::create_directories(
          directory, /*IgnoreExisting=*/true, fs::perms::owner_all))
    return fail(code.message());
  fs::file_status status;
  if (std::error_code code = fs::status(directory, status))
    return fail(code.message());
  if (!fs::is_directory(status))
    return fail("expected a folder, got a file");
  // What is in there is run.
  if (status.getUser() != ::geteuid())
    return fail("expected a folder of this user, got one of another");
  if (status.permissions() & (fs::perms::group_write | fs::perms::others_write))
    return fail("expected a folder that only its owner may write to");
  return ExecutableCache(directory, policy);
}

/// LLVM's pruning looks at files of such names only.
std::string ExecutableCache::getPath(llvm::StringRef key) const {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, "llvmcache-" + key);
  return path.str().str();
}

std::optional<ExecutableImage>
ExecutableCache::load(llvm::StringRef key, std::string &remarks) const {
  std::string path = getPath(key);
  // Pruning goes by the time of the last access, which not every file system
  // keeps by itself.
  auto file = fs::openNativeFileForRead(path, fs::OF_UpdateAtime);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  auto buffer = llvm::MemoryBuffer::getOpenFile(
      *file, path, /*FileSize=*/-1, /*RequiresNullTerminator=*/false);
  // What was read is there, however the file closes.
  std::ignore = fs::closeFile(*file);
  llvm::Expected<ExecutableImage> image =
      buffer ? readImage((*buffer)->getBuffer(), key)
             : llvm::createStringError(buffer.getError().message());
  if (image)
    return std::move(*image);
  remarks += "remark: '" + path +
             "' is compiled anew: " + llvm::toString(image.takeError()) + "\n";
  return std::nullopt;
}

void ExecutableCache::store(llvm::StringRef key, const ExecutableImage &image,
                            std::string &remarks) const {
  llvm::Error error =
      writeFileAtomically(getPath(key), [&](llvm::raw_ostream &os) {
        writeImage(image, key, os);
        return llvm::Error::success();
      });
  if (error)
    remarks += "remark: the program was not kept: " +
               llvm::toString(std::move(error)) + "\n";
  llvm::pruneCache(directory, policy);
}

llvm::Expected<ObtainedImage> stencil::obtainImage(
    llvm::StringRef directory,
    llvm::function_ref<llvm::Expected<std::string>()> makeKey,
    llvm::function_ref<llvm::Expected<ExecutableImage>()> compile) {
  std::optional<ExecutableCache> cache;
  std::string key;
  ObtainedImage result;
  if (!directory.empty()) {
    auto opened = ExecutableCache::open(directory);
    if (!opened)
      return opened.takeError();
    auto made = makeKey();
    if (!made)
      return made.takeError();
    cache = std::move(*opened);
    key = std::move(*made);
    if (auto image = cache->load(key, result.cacheRemarks)) {
      result.image = std::move(*image);
      result.wasCached = true;
      return std::move(result);
    }
  }
  auto compiled = compile();
  if (!compiled)
    return compiled.takeError();
  result.image = std::move(*compiled);
  if (cache)
    cache->store(key, result.image, result.cacheRemarks);
  return std::move(result);
}
