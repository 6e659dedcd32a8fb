//===- CHeader.h - Prototypes of compiled functions ---------------*- C++
//-*-===//

#ifndef STENCILDIALECT_TARGET_CHEADER_H
#define STENCILDIALECT_TARGET_CHEADER_H

#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class SourceMgr;
class raw_ostream;
} // namespace llvm

namespace stencil {

/// Writes a header, for C99 and C++11, for the object file that the CPU
/// pipeline and the code generator make of `module`: per public function an
/// inline function of the same name, which takes
/// - for a field a pointer to its first element (the corner of its halo), and,
///   if its extents are not in its type, the extents with halo: `u`, `u_n0`,
///   `u_n1`, ...; nothing is copied;
/// - scalars by value.
/// It returns a scalar result, or, for several results or fields among them, a
/// struct `NAME_results` with members r0, r1, ...
///
/// `name` is that of the source, for the comment and the include guard. Names
/// of arguments come from `sources`. Fails with an error at a function or
/// argument that C cannot name or pass.
mlir::LogicalResult emitCHeader(mlir::ModuleOp module, llvm::StringRef name,
                                llvm::SourceMgr *sources,
                                llvm::raw_ostream &os);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_CHEADER_H
