//===- FileError.h - Errors that name a file --------------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_SUPPORT_FILEERROR_H
#define STENCILDIALECT_LIB_SUPPORT_FILEERROR_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <system_error>

namespace stencil {

/// "'PATH': MESSAGE".
inline llvm::Error makeFileError(llvm::StringRef path,
                                 const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "'" + path + "': " + message);
}

/// The same with a system's message, which starts in lower case as ours do.
inline llvm::Error makeFileError(llvm::StringRef path, std::error_code code) {
  std::string message = code.message();
  if (!message.empty())
    message[0] = llvm::toLower(message[0]);
  return makeFileError(path, message);
}

} // namespace stencil

#endif // STENCILDIALECT_LIB_SUPPORT_FILEERROR_H
