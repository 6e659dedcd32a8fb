//===- ProgramError.cpp - What went wrong in a compiled program -----------===//

#include "StencilDialect/Support/ProgramError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace stencil;

char ProgramError::ID = 0;

std::pair<llvm::StringRef, llvm::StringRef>
stencil::splitPlace(llvm::StringRef message) {
  size_t end = message.find(": ");
  if (end == llvm::StringRef::npos)
    return {"", message};
  auto [fileAndLine, column] = message.take_front(end).rsplit(':');
  auto [file, line] = fileAndLine.rsplit(':');
  auto isNumber = [](llvm::StringRef text) {
    return !text.empty() && llvm::all_of(text, llvm::isDigit);
  };
  if (file.empty() || !isNumber(line) || !isNumber(column))
    return {"", message};
  return {message.take_front(end + 2), message.drop_front(end + 2)};
}

ProgramError::ProgramError(int32_t code, llvm::StringRef message) : code(code) {
  auto [where, what] = splitPlace(message);
  place = where.str();
  text = what.str();
}

void ProgramError::log(llvm::raw_ostream &os) const {
  os << place << (place.empty() ? "" : "error: ") << text;
}
