//===- Prologue.h - What comes before the functions ----------------*- C++
//-*-===//

#ifndef STENCILDIALECT_TARGET_GPUSOURCE_PROLOGUE_H
#define STENCILDIALECT_TARGET_GPUSOURCE_PROLOGUE_H

#include "StencilDialect/Target/GPUSource.h"

#include <set>
#include <string>

namespace stencil::gpusource {

/// Headers and functions that a source may need beside the runtime's header.
enum class Helper : uint8_t {
  Half,
  BFloat16,
  Pipeline,
  /// Codes, the handler, and what reports to it.
  Errors,
  /// Calls of the runtime that may fail, and what is to be released then.
  Check,
  Reserve,
  Maximum,
  Minimum,
  Vector,
  /// Values of a lane as one operand of an instruction.
  Pack,
  /// Clang's vectors.
  Four
};

struct Prologue {
  GPULanguage language;
  std::set<Helper> helpers;

  void need(Helper helper) { helpers.insert(helper); }
  /// Of a function of the host.
  void needChecks() { helpers.insert({Helper::Errors, Helper::Check}); }
  bool isCUDA() const { return language == GPULanguage::CUDA; }
  /// "cudaMalloc" or "hipMalloc" of "Malloc".
  std::string api(llvm::StringRef name) const;

  /// `file`: what the source was made from.
  void write(llvm::StringRef file, llvm::raw_ostream &os) const;
};

} // namespace stencil::gpusource

#endif // STENCILDIALECT_TARGET_GPUSOURCE_PROLOGUE_H
