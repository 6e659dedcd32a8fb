//===- SharedLibrary.cpp - A driver found at run time ---------------------===//

#include "SharedLibrary.h"

#include <cstring>
#include <dlfcn.h>

using namespace stencil::runtime;

std::string SharedLibrary::load(std::initializer_list<const char *> names) {
  std::string problem;
  for (const char *candidate : names) {
    handle = dlopen(candidate, RTLD_NOW | RTLD_LOCAL);
    if (handle) {
      name = candidate;
      return "";
    }
    std::string text = dlerror();
    // One that is there, but lacks another library, says more than one that is
    // not there.
    bool absent = text.compare(0, std::strlen(candidate), candidate) == 0;
    if (problem.empty() || !absent)
      problem = text;
  }
  return problem;
}

void *SharedLibrary::find(const char *function) const {
  return dlsym(handle, function);
}
