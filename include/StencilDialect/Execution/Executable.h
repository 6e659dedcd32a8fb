//===- Executable.h - A program that is ready to be called ------*- C++ -*-===//
//
// What embeds the compiler holds on to: a compiled program, what it takes, and
// calls on arrays that stay where they are. Knows no MLIR, so that the C API
// and other languages say the same.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_EXECUTION_EXECUTABLE_H
#define STENCILDIALECT_EXECUTION_EXECUTABLE_H

#include "StencilDialect/Support/Element.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace stencil {

/// How a program is compiled. Texts are those of stencil-run's options of the
/// same names.
struct ExecutableOptions {
  /// "cpu", "cuda", "hip" or "emulator".
  std::string target = "cpu";
  /// A GPU's, such as "sm_90"; empty: that of the device at hand. The emulator
  /// takes "sm_90" then.
  std::string chip;
  /// The function to call; empty: the only public one.
  std::string entry;
  /// "strict", "contract" or "reassociate".
  std::string math = "contract";
  /// For applies that have none; empty: chosen by the compiler. "timed": of a
  /// program for a GPU and for known extents, as the device at hand is fastest
  /// (Execution/TimedSchedules.h).
  std::string schedule;
  /// A file of measured schedules; empty: none.
  std::string tuningDatabase;
  /// Directory of the CUDA toolkit or of ROCm; empty: searched for.
  std::string toolkit;
  /// Of a program for the CPU. 0: OMP_NUM_THREADS, or one on each usable CPU.
  unsigned threads = 0;
  /// Interior points per axis, for code that is good for these extents only;
  /// empty or 0 for an axis: every call brings its own.
  std::vector<int64_t> extents;
  /// Fields are arrays in the memory of the device, and calls return when the
  /// work has been given to the stream. For "cuda", "hip" and "emulator".
  bool deviceArrays = false;
  /// Where compiled programs are kept for later processes; empty: nowhere.
  std::string cacheDirectory;
};

/// Where tools and other languages keep compiled programs: $STENCIL_CACHE_DIR,
/// else $XDG_CACHE_HOME/stencil, else ~/.cache/stencil. Empty if there is no
/// home. A folder that is the user's alone holds up to 1 GiB of what was used
/// last.
std::string getDefaultCacheDirectory();

/// What a function takes in one place.
struct ExecutableParameter {
  /// As in the source, without the `%`; "arg0", ... where it is not known.
  std::string name;
  bool isArray = false;
  ElementKind element = ElementKind::F64;
  /// Of an array: extents, halo included, -1 where the call decides; and where
  /// it decides how many interior points there are, the points of the halo,
  /// else -1.
  std::vector<int64_t> shape, halos;
  /// Of an array: whether the program reads what is in it, and whether it
  /// changes it.
  bool isRead = false, isWritten = false;
};

struct ExecutableSignature {
  std::string name;
  std::vector<ExecutableParameter> parameters;
  /// The scalar results, in order.
  std::vector<ElementKind> results;
};

/// The array that a call is given for a field. It stays where it is.
struct ArrayArgument {
  ElementKind element = ElementKind::F64;
  void *data = nullptr;
  /// Extents, halo included.
  llvm::ArrayRef<int64_t> shape;
  /// Elements from one index to the next, per axis; empty: row-major without
  /// gaps.
  llvm::ArrayRef<int64_t> strides;
  /// In the memory of the device.
  bool onDevice = false;
  bool isReadOnly = false;
};

/// Integers of any width and `index` as int64_t, floats as double.
using ScalarArgument = std::variant<int64_t, double>;
using ExecutableArgument = std::variant<ArrayArgument, ScalarArgument>;

/// A compiled program. Handles may be shared by threads, and many threads may
/// call one at once, on arrays of their own.
class Executable {
public:
  /// Compiles a program given as text or as bytecode; `name` stands for the
  /// file in messages. The error holds what `stencil-run` would print: errors
  /// with their places ("FILE:LINE:COLUMN: error: ..."), lines of the source
  /// and notes; one without a place is the message alone.
  static llvm::Expected<std::shared_ptr<const Executable>>
  compile(llvm::StringRef program, llvm::StringRef name,
          const ExecutableOptions &options);
  /// The same of a file.
  static llvm::Expected<std::shared_ptr<const Executable>>
  compileFile(llvm::StringRef path, const ExecutableOptions &options);
  /// The same of a module, which stays as it is.
  static llvm::Expected<std::shared_ptr<const Executable>>
  compile(mlir::ModuleOp module, const ExecutableOptions &options);
  virtual ~Executable();

  virtual const ExecutableSignature &getSignature() const = 0;
  virtual const ExecutableOptions &getOptions() const = 0;
  /// True if the program was found in the cache.
  virtual bool wasCached() const = 0;
  /// Remarks and warnings of the compilation, as `stencil-run` would print
  /// them; lines, empty if there are none.
  virtual llvm::StringRef getRemarks() const = 0;

  /// Runs the program. Checks the arguments first: their number, types, ranks,
  /// extents, strides, where they are, whether what is written is read-only,
  /// and that nothing that is written overlaps something else. `results`
  /// gets the scalar results. `stream`: of the device's driver (CUstream,
  /// hipStream_t), null for its default stream; without deviceArrays the call
  /// waits for the device.
  ///
  /// An argument that is wrong is an error that names it ("argument 1 'v':
  /// expected ..."), before anything is done. An error in the program itself (a
  /// check that fails, no memory, the device) is a ProgramError
  /// (Support/ProgramError.h); fields that it writes hold anything then.
  virtual llvm::Error call(llvm::ArrayRef<ExecutableArgument> arguments,
                           std::vector<ScalarArgument> &results,
                           void *stream = nullptr) const = 0;
};

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_EXECUTABLE_H
