//===- Identifier.cpp - Names in C and C++ --------------------------------===//

#include "StencilDialect/Target/Identifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace stencil;

/// Words that C or C++ keep for themselves.
static bool isReserved(llvm::StringRef name) {
  static const llvm::StringSet<> words = {
      "alignas",     "alignof",  "and",       "asm",       "auto",
      "bool",        "break",    "case",      "catch",     "char",
      "class",       "compl",    "const",     "constexpr", "continue",
      "default",     "delete",   "do",        "double",    "else",
      "enum",        "explicit", "export",    "extern",    "false",
      "float",       "for",      "friend",    "goto",      "if",
      "inline",      "int",      "long",      "mutable",   "namespace",
      "new",         "noexcept", "not",       "nullptr",   "operator",
      "or",          "private",  "protected", "public",    "register",
      "restrict",    "return",   "short",     "signed",    "sizeof",
      "static",      "struct",   "switch",    "template",  "this",
      "throw",       "true",     "try",       "typedef",   "typeid",
      "typename",    "typeof",   "union",     "unsigned",  "using",
      "virtual",     "void",     "volatile",  "wchar_t",   "while",
      "xor",         "concept",  "requires",  "decltype",  "static_assert",
      "thread_local"};
  return words.contains(name);
}

bool stencil::isCIdentifier(llvm::StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         !isReserved(name);
}
