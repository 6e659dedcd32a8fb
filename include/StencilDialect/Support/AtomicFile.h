//===- AtomicFile.h - Files that are whole or absent ------------*- C++ -*-===//
//
// Output files appear under their name only when they are complete: they are
// written to a temporary file beside the target, which is then renamed.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_ATOMICFILE_H
#define STENCILDIALECT_SUPPORT_ATOMICFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace stencil {

/// Fails with "'PATH': reason" if `path` cannot be written: no such directory,
/// no permission, a directory, a read-only file. For a tool to call on all its
/// outputs before it computes anything. Leaves no trace.
llvm::Error checkWritable(llvm::StringRef path);

/// Calls `write` with a stream, and makes what it wrote the content of `path`.
/// On any error (of `write` or of the system, e.g. a full disk) the old content
/// of `path`, or its absence, stays. A symbolic link is followed; a character
/// device such as /dev/null is written directly.
llvm::Error
writeFileAtomically(llvm::StringRef path,
                    llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

/// The same; a path of "-" is standard output.
llvm::Error
writeOutput(llvm::StringRef path,
            llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_ATOMICFILE_H
