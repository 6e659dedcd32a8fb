//===- Options.h - Command line of stencil-translate ------------*- C++ -*-===//

#ifndef STENCILDIALECT_TOOLS_STENCILTRANSLATE_OPTIONS_H
#define STENCILDIALECT_TOOLS_STENCILTRANSLATE_OPTIONS_H

#include "StencilDialect/Execution/GPUCompilation.h"
#include "StencilDialect/Target/GPUSource.h"

#include <optional>
#include <string>

enum class OutputKind {
  LLVMIR,
  Object,
  CHeader,
  CLibrary,
  /// A GPU's binary and nothing of the host.
  Kernels,
  /// C++ of the whole program for a GPU's compiler.
  Source
};

struct Options {
  std::string file;
  /// All files: several for a header or a library.
  std::vector<std::string> files;
  OutputKind kind = OutputKind::Object;
  std::string output;
  std::string cpu;
  unsigned level = 3;
  bool sequential = false;
  /// There may be gaps between the rows of fields.
  bool paddedRows = false;
  /// Empty: all public functions.
  std::string entry;
  /// Of the library that an object or a header is for; may be empty.
  std::string library;
  /// "cpu", "sm_90", "emulator:gfx942", ...: what all of the library's objects
  /// are for.
  std::vector<std::string> targets;
  /// Interior points per axis, 0 for one that stays open; may be empty.
  llvm::SmallVector<int64_t> extents;
  stencil::AlgebraOptions algebra;
  /// Functions take arrays in the memory of the GPU.
  bool deviceArrays = false;
  /// For applies that have none, on a CPU; may be empty.
  std::string schedule;
  /// For kernels, and for what launches them.
  std::optional<stencil::GPUCompileOptions> gpu;
  /// Of source.
  stencil::GPULanguage language = stencil::GPULanguage::CUDA;

  bool isKernels() const { return kind == OutputKind::Kernels; }

  /// True if the output is for C and of several programs.
  bool isForC() const {
    return kind == OutputKind::CHeader || kind == OutputKind::CLibrary;
  }

  /// The target of an object, as in `targets`.
  std::string getTargetName() const {
    if (!gpu)
      return "cpu";
    return (gpu->target->isEmulator() ? "emulator:" : "") + gpu->chip;
  }

  bool isSource() const { return kind == OutputKind::Source; }
};

/// Reads the command line. Nothing if there is no more to do than to end with
/// the exit code `status`: after --help, --version, or an error that has been
/// printed.
std::optional<Options> readOptions(int argc, char **argv, int &status);

#endif // STENCILDIALECT_TOOLS_STENCILTRANSLATE_OPTIONS_H
