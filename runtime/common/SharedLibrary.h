//===- SharedLibrary.h - A driver found at run time -------------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_COMMON_SHAREDLIBRARY_H
#define STENCIL_RUNTIME_COMMON_SHAREDLIBRARY_H

#include <initializer_list>
#include <string>

namespace stencil::runtime {

/// A shared library that stays loaded until the process ends: drivers have
/// threads and exit handlers of their own.
class SharedLibrary {
public:
  /// Loads the first of `names` that there is. Returns why that is not
  /// possible, in the loader's words.
  std::string load(std::initializer_list<const char *> names);

  /// The name that was found.
  const std::string &getName() const { return name; }

  /// Null if the library has no such function.
  void *find(const char *function) const;

private:
  void *handle = nullptr;
  std::string name;
};

} // namespace stencil::runtime

#endif // STENCIL_RUNTIME_COMMON_SHAREDLIBRARY_H
