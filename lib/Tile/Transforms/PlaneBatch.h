//===- PlaneBatch.h - Several planes per iteration --------------*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TRANSFORMS_PLANEBATCH_H
#define STENCIL_LIB_TILE_TRANSFORMS_PLANEBATCH_H

#include "RingEvents.h"

namespace stencil::tile {

/// How many planes the loop of a walk takes between one meeting of the threads
/// and the same one of the next iteration: those of `unroll`, if each op can
/// have all of them before the next op has any; else 1, for the reason that is
/// set.
int64_t findBatch(const BlockProgram &program, std::string &why);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_PLANEBATCH_H
