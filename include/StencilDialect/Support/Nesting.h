//===- Nesting.h - How deep a text nests ------------------------*- C++ -*-===//
//
// Parsers, and what walks their results, call themselves for each level; a text
// that nests without end would end them by an overflow of the stack.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_NESTING_H
#define STENCILDIALECT_SUPPORT_NESTING_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace stencil {

/// The limit of all tools. What people and compilers write stays below 30; the
/// stack holds some thousand.
constexpr unsigned kMaxNesting = 256;

/// The position in a text of MLIR at which more than `limit` brackets (round,
/// square, curly, angle) are open, or so many operators of an affine expression
/// have been read, if there is one. An alias counts as what it stands for. A
/// line that begins with `splitMarker` starts a text of its own.
std::optional<size_t> findDeepNesting(llvm::StringRef text,
                                      unsigned limit = kMaxNesting,
                                      llvm::StringRef splitMarker = {});

/// What is said where there are more levels than kMaxNesting.
std::string describeNestingLimit();

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_NESTING_H
