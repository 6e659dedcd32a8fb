//===- Denormals.h - Numbers that are too small to be fast ------*- C++ -*-===//

#ifndef STENCILDIALECT_SUPPORT_DENORMALS_H
#define STENCILDIALECT_SUPPORT_DENORMALS_H

namespace stencil {

/// While there is one that is on, floating-point arithmetic of this thread, and
/// of the OpenMP threads that it starts work on, takes denormal numbers (for
/// f32, magnitudes below 1.2e-38) for zero and returns zero instead of them.
/// x86 computes with denormals some hundred times slower than with others.
class DenormalFlush {
public:
  /// True if this processor's arithmetic can be told to.
  static bool isSupported();

  explicit DenormalFlush(bool isOn);
  ~DenormalFlush();
  DenormalFlush(const DenormalFlush &) = delete;
  DenormalFlush &operator=(const DenormalFlush &) = delete;

private:
  bool isOn;
  unsigned saved = 0;
};

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_DENORMALS_H
