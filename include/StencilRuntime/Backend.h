//===- Backend.h - What a driver does for the runtime -----------*- C++ -*-===//
//
// The runtime's entry points (MLIR's mgpu*, our stencil*) are written once,
// over this interface; CUDA, HIP and the emulator implement it. What all of
// them would do alike is done before they are called: checking a launch against
// the limits, caching functions by name, looking at a binary's magic, timing.
//
// Handles (modules, functions, streams, events, graphs) are the backend's own,
// never null except for the default stream. A driver's error is a
// Failure (Error.h), with the call, the kernel, and the driver's text. Calls
// come from any thread.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILRUNTIME_BACKEND_H
#define STENCILRUNTIME_BACKEND_H

#include "StencilRuntime/Device.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace stencil::runtime {

struct LaunchConfig {
  /// In blocks, also if there are clusters.
  Dim3 grid;
  /// In threads.
  Dim3 block;
  /// In blocks; 1x1x1 is an ordinary launch.
  Dim3 cluster;
  uint32_t dynamicSharedBytes = 0;
  void *stream = nullptr;
  /// Pointers to the arguments.
  void **params = nullptr;
  /// How many; 0 if the caller did not say.
  size_t numParams = 0;
  void **extra = nullptr;
};

/// What a kernel needs and may use; what is not known is 0.
struct KernelInfo {
  /// With the registers that it needs and the launch bounds that it has.
  uint32_t maxThreadsPerBlock = 0;
  uint32_t registers = 0;
  uint64_t staticSharedBytes = 0;
  /// Per thread: spilled registers and arrays.
  uint64_t localBytes = 0;
};

/// A CUtensorMap to make: the arguments of cuTensorMapEncodeTiled, its
/// enumerations as numbers.
struct TensorMapRequest {
  int32_t dataType = 0;
  uint32_t rank = 0;
  void *address = nullptr;
  /// `rank` elements, fastest first.
  const uint64_t *extents = nullptr;
  /// Bytes; `rank - 1` elements: the fastest dimension has none.
  const uint64_t *strides = nullptr;
  const uint32_t *box = nullptr;
  const uint32_t *elementStrides = nullptr;
  int32_t interleave = 0, swizzle = 0, l2Promotion = 0, oobFill = 0;
};

/// Bytes of a CUtensorMap, and the alignment it needs.
inline constexpr size_t kTensorMapBytes = 128, kTensorMapAlign = 128;

/// Whose memory an address is in.
enum class MemoryPlace { Host, Device, OtherDevice };

/// A device number for initialize: that of the calling thread's context, if it
/// has one, else 0.
inline constexpr int kAnyDevice = -1;

class Backend {
public:
  virtual ~Backend() = default;

  virtual BackendKind getKind() const = 0;

  /// Loads the driver and takes device number `device`, or any. Called once,
  /// before all other functions. Returns why that is not possible ("no CUDA
  /// driver:
  /// ..."); empty on success.
  virtual std::string initialize(int device) = 0;
  /// As queryDevice.
  virtual std::string describe(DeviceInfo &info) = 0;
  /// Whether a device with the chip `device` runs code for `chip`.
  virtual bool takes(const std::string &device, const std::string &chip) = 0;

  // Modules and kernels. `bytes` is 0 if the caller did not say. The blob stays
  // valid until the module is unloaded. `optLevel` is for what is compiled at
  // load, -1 if the caller did not say.
  virtual void *loadModule(const void *blob, size_t bytes, int optLevel) = 0;
  virtual void unloadModule(void *module) = 0;
  virtual void *getFunction(void *module, const char *name) = 0;
  virtual KernelInfo getKernelInfo(void *function, const char *name) = 0;
  /// Lets a kernel have this much dynamic shared memory, which is no more than
  /// the device has. Not called for amounts that every kernel may use.
  virtual void setMaxDynamicSharedBytes(void *function, const char *name,
                                        uint32_t bytes) = 0;
  /// The name is for messages. The grid is not empty.
  virtual void launch(void *function, const char *name,
                      const LaunchConfig &config) = 0;

  // Memory. Sizes are not 0.
  /// Null if there is not enough.
  virtual void *allocate(uint64_t bytes, void *stream, bool hostShared) = 0;
  virtual void free(void *address, void *stream) = 0;
  /// Whether memory can be had and given back in the order of a stream, also
  /// while it is recorded.
  virtual bool hasOrderedMemory() { return false; }
  virtual void *allocateOrdered(uint64_t, void *) { return nullptr; }
  virtual void freeOrdered(void *, void *) {}
  /// `bytes`: from the address to the end of its allocation, if that is known,
  /// else left alone.
  virtual MemoryPlace findMemory(const void *address, uint64_t &bytes) = 0;
  virtual void getMemoryInfo(uint64_t &freeBytes, uint64_t &totalBytes) = 0;
  /// Between any two of device and host; the host's may be pageable. Ordered on
  /// the stream.
  virtual void copy(void *dst, const void *src, uint64_t bytes,
                    void *stream) = 0;
  /// `rows` rows of `width` bytes; pitches are bytes from row to row, of at
  /// most getMaxPitch().
  virtual void copy2D(void *dst, uint64_t dstPitch, const void *src,
                      uint64_t srcPitch, uint64_t width, uint64_t rows,
                      void *stream) = 0;
  virtual uint64_t getMaxPitch() { return ~uint64_t(0); }
  /// `count` elements of 16 or 32 bits.
  virtual void set16(void *dst, uint16_t value, uint64_t count,
                     void *stream) = 0;
  virtual void set32(void *dst, uint32_t value, uint64_t count,
                     void *stream) = 0;
  /// Makes host memory known to the device (pins it).
  virtual void registerHost(void *address, uint64_t bytes) = 0;
  virtual void unregisterHost(void *address) = 0;
  /// Where the device finds memory that was made known to it.
  virtual void *getDeviceAddress(void *host) { return host; }

  // Streams and events.
  virtual void *createStream() = 0;
  /// One whose kernels' blocks get multiprocessors before those of others,
  /// where a device can do that.
  virtual void *createPriorStream() { return createStream(); }
  virtual void destroyStream(void *stream) = 0;
  virtual void synchronizeStream(void *stream) = 0;
  /// Fails unless a stream that was created elsewhere is one of this device.
  virtual void checkStream(void *) {}
  /// Whether a graph is recorded of the stream.
  virtual bool isCapturing(void *stream) = 0;
  virtual void waitForEvent(void *stream, void *event) = 0;
  virtual void *createEvent(bool timing) = 0;
  virtual void destroyEvent(void *event) = 0;
  virtual void recordEvent(void *event, void *stream) = 0;
  virtual void synchronizeEvent(void *event) = 0;
  /// Whether the stream is past an event; does not wait.
  virtual bool isEventDone(void *event) = 0;
  /// Seconds between two events that were made for timing and are over.
  virtual double getElapsedSeconds(void *begin, void *end) = 0;

  // Graphs. Between begin and end, work given to the stream is recorded and not
  // done. The result can be launched any number of times.
  virtual void beginCapture(void *stream) = 0;
  virtual void *endCapture(void *stream) = 0;
  virtual void launchGraph(void *graph, void *stream) = 0;
  virtual void destroyGraph(void *graph) = 0;

  /// Fills the kTensorMapBytes at `map`, host memory.
  virtual void encodeTensorMap(void *map, const TensorMapRequest &request);
};

std::unique_ptr<Backend> createCudaBackend();
std::unique_ptr<Backend> createHipBackend();
std::unique_ptr<Backend> createEmulatorBackend();

/// Chooses the backend of the calling thread, as `stencilSelectBackend`. Fails
/// if STENCIL_BACKEND names another one.
void selectBackend(BackendKind kind);

/// The initialised backend of this kind; fails if there is no driver or device.
Backend &getBackend(BackendKind kind);

/// The calling thread's: what it selected, else STENCIL_BACKEND, else the kind
/// of the module that the process loaded first; fails if there is none.
Backend &getBackend();

/// The backend that a binary is for, from its first bytes; false if they are
/// none that we know. `bytes` is 0 if not known. The emulator's begins with
/// kEmulatorMagic, its final null included.
bool getBlobBackend(const void *blob, size_t bytes, BackendKind &kind);
inline constexpr char kEmulatorMagic[] = "STENCILEMULATOR";

/// How far a program is that was compiled to say so: its outermost loop, or the
/// last one of them that has begun.
struct StepProgress {
  /// Steps; `total` is 0 if there is no loop.
  int64_t done = 0, total = 0;
  /// Of all that is to be done, 0 to 1: with loops within the step, and with
  /// other loops before and behind this one, each of which counts alike.
  double part = 0;
};

/// From any thread, and from signal handlers.
StepProgress getStepProgress();

/// To be called before a program is.
void resetStepProgress();

/// Device seconds between stencilBeginTiming and stencilEndTiming, summed over
/// the process since the last call. Waits for what is being timed.
double takeDeviceSeconds();

} // namespace stencil::runtime

#endif // STENCILRUNTIME_BACKEND_H
