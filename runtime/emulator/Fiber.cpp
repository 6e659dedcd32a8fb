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
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STENCIL_HAS_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if __has_feature(thread_sanitizer)
#define STENCIL_HAS_TSAN
#include <sanitizer/tsan_interface.h>
#endif
#endif

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

static constexpr size_t kGuardBytes = 4096;

// AddressSanitizer wants to know which stack is in use.
#ifdef STENCIL_HAS_ASAN
static void startSwitch(void **saved, const void *base, size_t bytes) {
  __sanitizer_start_switch_fiber(saved, base, bytes);
}
static void finishSwitch(void *saved, const void **base, size_t *bytes) {
  __sanitizer_finish_switch_fiber(saved, base, bytes);
}
#else
static void startSwitch(void **, const void *, size_t) {}
static void finishSwitch(void *, const void **, size_t *) {}
#endif

// ThreadSanitizer has a stack of its own for each of them.
#ifdef STENCIL_HAS_TSAN
static void *createTracked() { return __tsan_create_fiber(0); }
static void destroyTracked(void *fiber) { __tsan_destroy_fiber(fiber); }
static void *getTracked() { return __tsan_get_current_fiber(); }
static void switchTracked(void *fiber) { __tsan_switch_to_fiber(fiber, 0); }
#else
static void *createTracked() { return nullptr; }
static void destroyTracked(void *) {}
static void *getTracked() { return nullptr; }
static void switchTracked(void *) {}
#endif

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
  finishSwitch(nullptr, &self->outsideBase, &self->outsideBytes);
  self->function(self->argument);
  self->done = true;
  self->leave();
}

void Fiber::start(Function newFunction, void *newArgument) {
  function = newFunction;
  argument = newArgument;
  done = false;
  // One that was abandoned is in the middle of its calls.
  tracked = {createTracked(), destroyTracked};
  inside =
      boost::context::detail::make_fcontext(stack.getTop(), Stack::kBytes, run);
}

void Fiber::enter() {
  void *saved = nullptr;
  startSwitch(&saved, stack.getBase(), Stack::kBytes);
  trackedOutside = getTracked();
  switchTracked(tracked.get());
  inside = boost::context::detail::jump_fcontext(inside, this).fctx;
  finishSwitch(saved, nullptr, nullptr);
}

void Fiber::leave() {
  void *saved = nullptr;
  startSwitch(&saved, outsideBase, outsideBytes);
  switchTracked(trackedOutside);
  outside = boost::context::detail::jump_fcontext(outside, nullptr).fctx;
  finishSwitch(saved, &outsideBase, &outsideBytes);
}
