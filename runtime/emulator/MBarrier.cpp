//===- MBarrier.cpp - Barriers in shared memory ---------------------------===//

#include "MBarrier.h"

using namespace stencil::runtime::emulator;

bool stencil::runtime::emulator::completeTransfers(Block &block) {
  (void)block;
  return false;
}
