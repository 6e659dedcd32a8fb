//===- ScratchDirectory.h - Where workers leave their files -----*- C++ -*-===//
//
// A directory for temporary files, which goes with the process: when it ends,
// or, if it was killed, when the next one starts.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_TOOLS_STENCILTUNE_SCRATCHDIRECTORY_H
#define STENCIL_TOOLS_STENCILTUNE_SCRATCHDIRECTORY_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

#include <memory>

namespace stencil {

class ScratchDirectory {
public:
  /// Makes one, and removes those of processes that are no more.
  static llvm::Expected<std::unique_ptr<ScratchDirectory>> create();
  ~ScratchDirectory();

  ScratchDirectory(const ScratchDirectory &) = delete;
  ScratchDirectory &operator=(const ScratchDirectory &) = delete;

  const char *getPath() { return path.c_str(); }

private:
  ScratchDirectory() = default;

  llvm::SmallString<128> path;
  /// A lock on a file in the directory. The system lets go of it when the
  /// process ends, however it ends.
  llvm::sys::fs::file_t lock = llvm::sys::fs::kInvalidFile;
};

} // namespace stencil

#endif // STENCIL_TOOLS_STENCILTUNE_SCRATCHDIRECTORY_H
