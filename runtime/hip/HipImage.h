//===- HipImage.h - What an AMD code object was built for -------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_HIP_HIPIMAGE_H
#define STENCIL_RUNTIME_HIP_HIPIMAGE_H

#include <cstddef>
#include <string>

namespace stencil::runtime::hip {

/// As in "gfx942"; empty for a bundle of several, a generic target, or one that
/// is not known.
std::string getTarget(const void *blob, size_t bytes);

} // namespace stencil::runtime::hip

#endif // STENCIL_RUNTIME_HIP_HIPIMAGE_H
