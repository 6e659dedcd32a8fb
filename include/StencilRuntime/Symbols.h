//===- Symbols.h - The entry points by name ---------------------*- C++ -*-===//

#ifndef STENCILRUNTIME_SYMBOLS_H
#define STENCILRUNTIME_SYMBOLS_H

#include <cstddef>

namespace stencil::runtime {

struct Symbol {
  const char *name;
  void *address;
};

/// All functions of Runtime.h, for programs compiled in memory; ends with a
/// null name.
const Symbol *getSymbols();

} // namespace stencil::runtime

#endif // STENCILRUNTIME_SYMBOLS_H
