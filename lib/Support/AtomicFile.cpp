//===- AtomicFile.cpp - Files that are whole or absent --------------------===//

#include "StencilDialect/Support/AtomicFile.h"

#include "FileError.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace stencil;
namespace fs = llvm::sys::fs;

namespace {
/// Where a path leads.
struct Target {
  /// The path behind all symbolic links.
  llvm::SmallString<128> path;
  /// To be written to directly, as a rename would replace it by a file.
  bool isDevice = false;
};
} // namespace

static llvm::Expected<Target> resolveTarget(llvm::StringRef path) {
  if (path.empty())
    return makeFileError(path, "expected the name of a file");
  Target target;
  target.path = path;
  fs::file_status status;
  if (std::error_code code = fs::status(path, status)) {
    if (code != std::errc::no_such_file_or_directory)
      return makeFileError(path, code);
    return target;
  }
  if (fs::is_directory(status))
    return makeFileError(path, "expected a file, got a directory");
  target.isDevice = status.type() == fs::file_type::character_file;
  if (!target.isDevice && !fs::is_regular_file(status))
    return makeFileError(path, "expected a regular file, got a special one");
  // A rename needs the right to write the directory only; a file that is
  // protected from writing is to stay as it is.
  if (std::error_code code = fs::access(path, fs::AccessMode::Write))
    return makeFileError(path, code);
  if (std::error_code code = fs::real_path(path, target.path))
    return makeFileError(path, code);
  return target;
}

static llvm::Expected<fs::TempFile> createTemporary(llvm::StringRef path,
                                                    const Target &target) {
  llvm::Expected<fs::TempFile> file =
      fs::TempFile::create(target.path + ".tmp-%%%%%%");
  if (!file)
    return makeFileError(path, llvm::errorToErrorCode(file.takeError()));
  return file;
}

/// Runs `write` on an open file; the error names `path`.
static llvm::Error
writeTo(int descriptor, llvm::StringRef path,
        llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/false);
  llvm::Error error = write(os);
  os.flush();
  std::error_code code = os.error();
  // A stream that is destroyed with an error ends the process.
  os.clear_error();
  if (error || !code)
    return error;
  return makeFileError(path, code);
}

llvm::Error stencil::checkWritable(llvm::StringRef path) {
  llvm::Expected<Target> target = resolveTarget(path);
  if (!target)
    return target.takeError();
  if (target->isDevice)
    return llvm::Error::success();
  // Permissions, read-only file systems and quotas are best found out by doing.
  llvm::Expected<fs::TempFile> file = createTemporary(path, *target);
  if (!file)
    return file.takeError();
  return file->discard();
}

llvm::Error stencil::writeFileAtomically(
    llvm::StringRef path,
    llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  llvm::Expected<Target> target = resolveTarget(path);
  if (!target)
    return target.takeError();
  if (target->isDevice) {
    int descriptor;
    if (std::error_code code = fs::openFileForWrite(
            target->path, descriptor, fs::CD_OpenExisting, fs::OF_None))
      return makeFileError(path, code);
    llvm::Error error = writeTo(descriptor, path, write);
    fs::file_t handle = fs::convertFDToNativeFile(descriptor);
    std::error_code code = fs::closeFile(handle);
    if (error || !code)
      return error;
    return makeFileError(path, code);
  }

  llvm::Expected<fs::TempFile> file = createTemporary(path, *target);
  if (!file)
    return file.takeError();
  if (llvm::Error error = writeTo(file->FD, path, write)) {
    llvm::consumeError(file->discard());
    return error;
  }
  if (llvm::Error error = file->keep(target->path))
    return makeFileError(path, llvm::errorToErrorCode(std::move(error)));
  return llvm::Error::success();
}

llvm::Error stencil::writeOutput(
    llvm::StringRef path,
    llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  if (path != "-")
    return writeFileAtomically(path, write);
  llvm::Error error = write(llvm::outs());
  llvm::outs().flush();
  return error;
}
