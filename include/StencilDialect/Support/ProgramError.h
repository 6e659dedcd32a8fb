//===- ProgramError.h - What went wrong in a compiled program ---*- C++ -*-===//

#ifndef STENCILDIALECT_SUPPORT_PROGRAMERROR_H
#define STENCILDIALECT_SUPPORT_PROGRAMERROR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace stencil {

/// An error that only the run of a program finds: a check that fails, memory
/// that cannot be had, a device. Its text is "FILE:LINE:COLUMN: error: TEXT",
/// or "TEXT" alone where no place in the source is known.
class ProgramError : public llvm::ErrorInfo<ProgramError> {
public:
  // NOLINTNEXTLINE(readability-identifier-naming): the name that LLVM asks for.
  static char ID;

  /// `code` is one of STENCIL_ERRORS (StencilRuntime/Runtime.h). The message is
  /// "FILE:LINE:COLUMN: TEXT" or "TEXT".
  ProgramError(int32_t code, llvm::StringRef message);

  int32_t getCode() const { return code; }
  /// "FILE:LINE:COLUMN: " or empty.
  const std::string &getPlace() const { return place; }
  const std::string &getText() const { return text; }

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  int32_t code;
  std::string place, text;
};

/// Splits "FILE:LINE:COLUMN: text" behind the colon and the space; other
/// messages have no place.
std::pair<llvm::StringRef, llvm::StringRef> splitPlace(llvm::StringRef message);

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_PROGRAMERROR_H
