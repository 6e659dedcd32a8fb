//===- SharedLibrary.cpp - A driver found at run time ---------------------===//

#include "SharedLibrary.h"

#include <cstring>
#include <dlfcn.h>

using namespace stencil::runtime;

std::string SharedLibrary::load(std::initializer_list<const char *> names) {
  std::string problem, tried;
  for (const char *candidate : names) {
    handle = dlopen(candidate, RTLD_NOW | RTLD_LOCAL);
    if (handle) {
      name = candidate;
      return "";
    }
    // One that is there, but lacks another library, says more than one that is
    // not there.
    std::string text = dlerror();
    bool absent = text.compare(0, std::strlen(candidate), candidate) == 0;
    if (problem.empty() && (!absent || names.size() == 1))
      problem = text;
    tried += (tried.empty() ? "" : ", ") + std::string(candidate);
  }
  return problem.empty() ? "found none of " + tried : problem;
}

void *SharedLibrary::find(const char *function) const {
  return dlsym(handle, function);
}
