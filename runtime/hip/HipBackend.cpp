//===- HipBackend.cpp - The runtime over HIP ------------------------------===//
#include "StencilRuntime/Backend.h"
std::unique_ptr<stencil::runtime::Backend>
stencil::runtime::createHipBackend() {
  return nullptr;
}
