//===- Denormals.cpp - Numbers that are too small to be fast --------------===//

#include "StencilDialect/Support/Denormals.h"

using namespace stencil;

#ifdef __x86_64__

#include <xmmintrin.h>

/// Denormals are zero as operands (DAZ), and as results (FTZ). LLVM's OpenMP
/// runtime gives its threads the control register of who starts work on them.
static constexpr unsigned kFlushBits = 0x8040;

bool DenormalFlush::isSupported() { return true; }

DenormalFlush::DenormalFlush(bool isOn) : isOn(isOn) {
  if (!isOn)
    return;
  saved = _mm_getcsr();
  _mm_setcsr(saved | kFlushBits);
}

DenormalFlush::~DenormalFlush() {
  if (isOn)
    _mm_setcsr(saved);
}

#else

bool DenormalFlush::isSupported() { return false; }
DenormalFlush::DenormalFlush(bool isOn) : isOn(isOn) {}
DenormalFlush::~DenormalFlush() = default;

#endif
