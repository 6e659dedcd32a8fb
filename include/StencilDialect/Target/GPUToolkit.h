//===- GPUToolkit.h - What vendors provide ----------------------*- C++ -*-===//
//
// Finds the programs and libraries of CUDA and ROCm that binaries are made
// with. Nothing is remembered: the environment may change.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_GPUTOOLKIT_H
#define STENCILDIALECT_TARGET_GPUTOOLKIT_H

#include "StencilDialect/Target/TargetInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace stencil {

/// A program of the CUDA toolkit, "ptxas" or "fatbinary": in `toolkit`/bin if
/// `toolkit` is not empty, else under CUDA_HOME, CUDA_ROOT or CUDA_PATH, in
/// PATH, or under /usr/local/cuda. The error says where it was sought.
llvm::Expected<std::string> findCUDAProgram(llvm::StringRef name,
                                            llvm::StringRef toolkit);

/// CUDA's library of device functions (libdevice.10.bc), in the same places.
llvm::Expected<std::string> findLibdevice(llvm::StringRef toolkit);

/// The directory that holds ROCm's amdgcn/bitcode: `toolkit` if it is not
/// empty, else ROCM_PATH, ROCM_ROOT or ROCM_HOME, /opt/rocm, or where Debian
/// has it.
llvm::Expected<std::string> findROCmDirectory(llvm::StringRef toolkit);

/// The programs and libraries that make binaries for GPUs of a vendor, in an
/// order of their own; empty: not found.
std::vector<std::string> findToolkitFiles(GPUVendor vendor,
                                          llvm::StringRef toolkit);

/// The version that the assembler says it has, such as "13.0"; empty if it is
/// not there, or is LLVM.
std::string getAssemblerVersion(GPUVendor vendor);

/// A file of the temporary directory that is removed with this object.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix,
                                              llvm::StringRef content = {});
  TemporaryFile(TemporaryFile &&other) : path(std::move(other.path)) {
    other.path.clear();
  }
  TemporaryFile &operator=(TemporaryFile &&) = delete;
  ~TemporaryFile();

  llvm::StringRef getPath() const { return path; }
  llvm::Expected<std::string> read() const;

private:
  explicit TemporaryFile(std::string path) : path(std::move(path)) {}
  std::string path;
};

struct ProgramResult {
  /// The exit status; negative if the program could not run or crashed.
  int status;
  /// What it printed, on both streams.
  std::string output;
};

/// Runs a program to its end, without a shell.
llvm::Expected<ProgramResult>
runProgram(llvm::StringRef path, llvm::ArrayRef<llvm::StringRef> arguments);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_GPUTOOLKIT_H
