//===- ScratchDirectory.cpp - Where workers leave their files -------------===//

#include "ScratchDirectory.h"

#include "llvm/Support/Path.h"

#include <unistd.h>

using namespace stencil;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr llvm::StringLiteral kPrefix = "stencil-tune", kLock = "lock";

/// What cannot be removed or closed is in nobody's way.
static void ignore(std::error_code code) {
  llvm::consumeError(llvm::errorCodeToError(code));
}

/// Removes a directory whose lock nobody holds. One without a lock is being
/// made, or not one of ours.
static void removeIfStale(llvm::StringRef directory) {
  fs::file_status status;
  if (fs::status(directory, status, /*follow=*/false) ||
      !fs::is_directory(status) || status.getUser() != ::getuid())
    return;
  llvm::SmallString<128> name(directory);
  path::append(name, kLock);
  llvm::Expected<fs::file_t> lock =
      fs::openNativeFileForReadWrite(name, fs::CD_OpenExisting, fs::OF_None);
  if (!lock) {
    llvm::consumeError(lock.takeError());
    return;
  }
  if (!fs::tryLockFile(*lock))
    ignore(fs::remove_directories(directory));
  ignore(fs::closeFile(*lock));
}

static void removeStale() {
  llvm::SmallString<128> parent;
  path::system_temp_directory(/*erasedOnReboot=*/true, parent);
  std::error_code code;
  for (fs::directory_iterator entry(parent, code, /*follow_symlinks=*/false),
       end;
       !code && entry != end; entry.increment(code))
    if (path::filename(entry->path()).starts_with((kPrefix + "-").str()))
      removeIfStale(entry->path());
}

llvm::Expected<std::unique_ptr<ScratchDirectory>> ScratchDirectory::create() {
  removeStale();
  std::unique_ptr<ScratchDirectory> scratch(new ScratchDirectory());
  auto fail = [](std::error_code code) {
    return llvm::createStringError(
        code, "expected to create a temporary directory: " + code.message());
  };
  if (std::error_code code = fs::createUniqueDirectory(kPrefix, scratch->path))
    return fail(code);
  // It has its name once it is locked: until then, it does not look stale.
  llvm::SmallString<128> name(scratch->path), unlocked;
  path::append(name, kLock);
  unlocked = name;
  unlocked += ".new";
  llvm::Expected<fs::file_t> lock =
      fs::openNativeFileForReadWrite(unlocked, fs::CD_CreateNew, fs::OF_None);
  if (!lock)
    return fail(llvm::errorToErrorCode(lock.takeError()));
  scratch->lock = *lock;
  if (std::error_code code = fs::tryLockFile(scratch->lock))
    return fail(code);
  if (std::error_code code = fs::rename(unlocked, name))
    return fail(code);
  return scratch;
}

ScratchDirectory::~ScratchDirectory() {
  if (!path.empty())
    ignore(fs::remove_directories(path));
  if (lock != fs::kInvalidFile)
    ignore(fs::closeFile(lock));
}
