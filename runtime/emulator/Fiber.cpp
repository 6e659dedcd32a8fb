//===- Fiber.cpp - Stacks for emulated threads ----------------------------===//
//
// Over Boost.Context's jumps. Its class `fiber` unwinds a stack that is given
// up, which code without unwind tables does not allow.
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"
#include "StencilRuntime/Error.h"

#include <sys/mman.h>
#include <utility>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

static constexpr size_t kGuardBytes = 4096;

Stack::Stack() {
  void *memory =
      mmap(nullptr, kGuardBytes + kBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    fail("emulator: out of memory for the stacks of threads");
  mprotect(memory, kGuardBytes, PROT_NONE);
  base = static_cast<char *>(memory) + kGuardBytes;
}

Stack::~Stack() {
  if (base)
    munmap(base - kGuardBytes, kGuardBytes + kBytes);
}

Stack::Stack(Stack &&other) noexcept
    : base(std::exchange(other.base, nullptr)) {}

void Fiber::run(boost::context::detail::transfer_t transfer) {
  auto *self = static_cast<Fiber *>(transfer.data);
  self->outside = transfer.fctx;
  self->function(self->argument);
  self->done = true;
  self->leave();
}

void Fiber::start(Function newFunction, void *newArgument) {
  function = newFunction;
  argument = newArgument;
  done = false;
  inside =
      boost::context::detail::make_fcontext(stack.getTop(), Stack::kBytes, run);
}

void Fiber::enter() {
  inside = boost::context::detail::jump_fcontext(inside, this).fctx;
}

void Fiber::leave() {
  outside = boost::context::detail::jump_fcontext(outside, nullptr).fctx;
}
