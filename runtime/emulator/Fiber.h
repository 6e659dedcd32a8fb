//===- Fiber.h - Stacks for emulated threads ----------------------*- C++
//-*-===//

#ifndef STENCIL_RUNTIME_EMULATOR_FIBER_H
#define STENCIL_RUNTIME_EMULATOR_FIBER_H

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <memory>

namespace stencil::runtime::emulator {

/// A stack, with a page below it that no one may touch.
class Stack {
public:
  static constexpr size_t kBytes = size_t(256) << 10;

  Stack();
  ~Stack();
  Stack(Stack &&other) noexcept;
  Stack &operator=(Stack &&) = delete;

  bool contains(const void *address) const {
    auto offset =
        static_cast<size_t>(static_cast<const char *>(address) - base);
    return offset < kBytes;
  }
  char *getBase() const { return base; }
  void *getTop() const { return base + kBytes; }

private:
  char *base;
};

/// A computation that can be left and entered again. What runs in it must not
/// throw; it may be abandoned, if nothing on its stack needs a destructor.
class Fiber {
public:
  using Function = void (*)(void *argument);

  /// Gets ready to call `function`; forgets what it was doing.
  void start(Function function, void *argument);
  /// Runs until it leaves or ends.
  void enter();
  /// Back to whoever entered. Called inside of the fiber.
  void leave();
  bool isDone() const { return done; }
  const Stack &getStack() const { return stack; }

private:
  static void run(boost::context::detail::transfer_t transfer);

  Stack stack;
  boost::context::detail::fcontext_t inside = nullptr, outside = nullptr;
  Function function = nullptr;
  void *argument = nullptr;
  bool done = true;
  /// Of the stack that entered, for AddressSanitizer.
  const void *outsideBase = nullptr;
  size_t outsideBytes = 0;
  /// For ThreadSanitizer, else null: this fiber, and who entered.
  std::unique_ptr<void, void (*)(void *)> tracked{nullptr, nullptr};
  void *trackedOutside = nullptr;
};

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_FIBER_H
