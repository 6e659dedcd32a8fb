//===- Words.h - Lists of words in messages ---------------------*- C++ -*-===//

#ifndef STENCILDIALECT_SUPPORT_WORDS_H
#define STENCILDIALECT_SUPPORT_WORDS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace stencil {

/// "a, b or c": what a message says that it expects. `words` is a range of what
/// can be appended to a string.
template <typename Range> std::string joinChoices(const Range &words) {
  std::string text;
  for (auto it = words.begin(), end = words.end(); it != end; ++it) {
    if (it != words.begin())
      text += std::next(it) == end ? " or " : ", ";
    text += llvm::StringRef(*it);
  }
  return text;
}

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_WORDS_H
