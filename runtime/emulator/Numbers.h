//===- Numbers.h - Elements of matrices as doubles ----------------*- C++
//-*-===//

#ifndef STENCIL_RUNTIME_EMULATOR_NUMBERS_H
#define STENCIL_RUNTIME_EMULATOR_NUMBERS_H

#include "StencilRuntime/EmulatorCalls.h"

namespace stencil::runtime::emulator {

/// Bytes of an element in a fragment.
unsigned getBytes(EmulatorElement element);

/// Element `i` of an array; exact. A tf32 is the upper 19 bits of a float, the
/// others are ignored.
double load(EmulatorElement element, const void *array, int i);

/// Rounds to nearest even; integers wrap.
void store(EmulatorElement element, void *array, int i, double value);

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_NUMBERS_H
