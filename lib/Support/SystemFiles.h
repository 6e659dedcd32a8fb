//===- SystemFiles.h - What the system says in files ------------*- C++ -*-===//

#ifndef STENCIL_LIB_SUPPORT_SYSTEMFILES_H
#define STENCIL_LIB_SUPPORT_SYSTEMFILES_H

#include "llvm/ADT/Twine.h"

#include <cstdint>
#include <optional>
#include <string>

namespace stencil {

/// The text of a file under /proc or /sys, trimmed; empty if there is none.
std::string readSystemFile(const llvm::Twine &path);

/// The decimal number at the start of a text.
std::optional<uint64_t> parseNumber(llvm::StringRef text);

} // namespace stencil

#endif // STENCIL_LIB_SUPPORT_SYSTEMFILES_H
