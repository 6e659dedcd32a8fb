//===- CHeader.h - Compiled functions for C and C++ -------------*- C++ -*-===//
//
// Headers, for C99 and C++11, of functions that the CPU or a GPU pipeline and
// the code generator make; and the source that joins objects for several
// targets to one library.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_CHEADER_H
#define STENCILDIALECT_TARGET_CHEADER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
class raw_ostream;
} // namespace llvm

namespace stencil {

/// A program of level 0 whose public functions are to be called from C.
struct CProgram {
  mlir::ModuleOp module;
  /// Of the source, for comments.
  std::string name;
  /// Where names of arguments and comments are read; may be null.
  llvm::SourceMgr *sources = nullptr;
};

struct CHeaderOptions {
  /// Of the library that the functions are in; empty: of one object file.
  std::string library;
  /// What the library was compiled for: "cpu", a chip ("sm_90", "gfx942"), or
  /// "emulator:CHIP". Each once.
  std::vector<std::string> targets;
  /// Arrays are in the memory of the device, and there is a function
  /// NAME_on_stream for each function.
  bool deviceArrays = false;
};

/// Writes a header. Per public function there is one in C of the same name,
/// which takes
/// - for a field a pointer to its first element (the corner of its halo), and,
///   if its extents are not in its type, the extents with halo: `u`, `u_n0`,
///   `u_n1`, ...; nothing is copied; a field that is only read is const;
/// - scalars by value;
/// - last, a pointer for a scalar result, or, for several results or fields
///   among them, for a struct `NAME_results` with members r0, r1, ...
/// and returns a code of StencilRuntime/ErrorCodes.h. Of one object the
/// function is inline; of a library it is in the library (emitCLibrary).
///
/// `name`, of the header or its source, is for the comment and the include
/// guard. Fails with an error at a function or argument that C cannot name or
/// pass, and at the second one of a name.
mlir::LogicalResult emitCHeader(llvm::ArrayRef<CProgram> programs,
                                llvm::StringRef name,
                                const CHeaderOptions &options,
                                llvm::raw_ostream &os);

/// The same of one object.
mlir::LogicalResult emitCHeader(mlir::ModuleOp module, llvm::StringRef name,
                                llvm::SourceMgr *sources,
                                llvm::raw_ostream &os);

/// Writes the source, C99 and C++11, of a library: its functions, which call
/// the object of the target at hand, and those that choose one. It includes
/// `header`, and with a GPU among the targets it calls the runtime library.
mlir::LogicalResult emitCLibrary(llvm::ArrayRef<CProgram> programs,
                                 llvm::StringRef header,
                                 const CHeaderOptions &options,
                                 llvm::raw_ostream &os);

/// "stencil_heat_sm_90_": what the functions of an object of a library begin
/// with, instead of `_mlir_ciface_`.
std::string getLibraryPrefix(llvm::StringRef library, llvm::StringRef target);

/// What is between the guards of StencilRuntime/ErrorCodes.h, guards included.
llvm::StringRef getErrorCodesText();

} // namespace stencil

#endif // STENCILDIALECT_TARGET_CHEADER_H
