//===- KernelName.cpp - Names of kernels ----------------------------------===//
//
// A symbol of MLIR may be any string, and one of ELF, too. An identifier of PTX
// may not (PTX ISA, "Identifiers"), and ptxas reads no names in quotes.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/KernelName.h"
#include "llvm/ADT/StringExtras.h"

std::string stencil::makeKernelName(llvm::StringRef wanted) {
  std::string name;
  if (!wanted.empty() && !llvm::isAlpha(wanted.front()) &&
      wanted.front() != '_')
    name = "k$$";
  for (char c : wanted) {
    if (llvm::isAlnum(c) || c == '_') {
      name += c;
      continue;
    }
    auto byte = static_cast<unsigned char>(c);
    name += '$';
    name += llvm::hexdigit(byte / 16, /*LowerCase=*/true);
    name += llvm::hexdigit(byte % 16, /*LowerCase=*/true);
  }
  return name;
}
