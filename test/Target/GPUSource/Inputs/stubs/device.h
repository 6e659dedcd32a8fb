// What kernels need, for a C++ compiler on any machine: threads run one after
// the other, so barriers and shuffles cannot be here. Included by the stubs of
// both runtimes, which define API(name).

#ifndef STENCIL_STUB_DEVICE_H
#define STENCIL_STUB_DEVICE_H

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
inline dim3 threadIdx, blockIdx, blockDim, gridDim;
constexpr int warpSize = 32;

struct double2 {
  double x, y;
};
struct float2 {
  float x, y;
};
struct float4 {
  float x, y, z, w;
};
struct int2 {
  int x, y;
};
struct int4 {
  int x, y, z, w;
};
struct longlong2 {
  long long x, y;
};
inline double2 make_double2(double x, double y) { return {x, y}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}
inline int2 make_int2(int x, int y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline longlong2 make_longlong2(long long x, long long y) { return {x, y}; }

inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
inline long long min(long long a, long long b) { return a < b ? a : b; }
inline long long max(long long a, long long b) { return a > b ? a : b; }
// Threads run one after the other.
inline unsigned atomicExch(unsigned *word, unsigned value) {
  unsigned old = *word;
  *word = value;
  return old;
}
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }

namespace stub {

using Work = std::function<void()>;
struct Stream {
  bool capturing = false;
  std::vector<Work> captured;
};
using Graph = std::vector<Work>;

/// The call that fails, counted down; 0: none. And what is acquired and not
/// released.
inline int failAt = 0, live = 0;
inline bool fails() { return failAt > 0 && --failAt == 0; }

inline void submit(Stream *stream, Work work) {
  if (stream && stream->capturing)
    stream->captured.push_back(work);
  else
    work();
}

/// kernel<<<grid, block, shared, stream>>>(arguments) is
/// stub::launch(kernel, grid, block, shared, stream)(arguments).
template <typename... Types>
auto launch(void (*kernel)(Types...), dim3 grid, dim3 block, int = 0,
            Stream *stream = nullptr) {
  return [=](Types... arguments) {
    submit(stream, [=] {
      gridDim = grid;
      blockDim = block;
      for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z)
        for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y)
          for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x)
            for (threadIdx.z = 0; threadIdx.z < block.z; ++threadIdx.z)
              for (threadIdx.y = 0; threadIdx.y < block.y; ++threadIdx.y)
                for (threadIdx.x = 0; threadIdx.x < block.x; ++threadIdx.x)
                  kernel(arguments...);
    });
  };
}

} // namespace stub

extern "C" {
__attribute__((used)) inline void stubFailAt(int call) { stub::failAt = call; }
__attribute__((used)) inline int stubCountLive() { return stub::live; }
}

#endif // STENCIL_STUB_DEVICE_H

enum API(Error_t) {
  API(Success),
  API(ErrorMemoryAllocation),
  API(ErrorOutOfMemory) = API(ErrorMemoryAllocation),
};
enum API(MemcpyKind) { API(MemcpyDefault) };
enum API(StreamCaptureMode) { API(StreamCaptureModeThreadLocal) };
using API(Stream_t) = stub::Stream *;
using API(Graph_t) = stub::Graph *;
using API(GraphExec_t) = stub::Graph *;

inline const char *API(GetErrorString)(API(Error_t)) { return "it failed"; }
#define STUB_RETURN                                                            \
  return stub::fails() ? API(ErrorMemoryAllocation) : API(Success)
#define STUB_ACQUIRE                                                           \
  if (stub::fails())                                                           \
    return API(ErrorMemoryAllocation);                                         \
  ++stub::live
#define STUB_RELEASE --stub::live
inline API(Error_t) API(GetLastError)() { STUB_RETURN; }
inline API(Error_t) API(DeviceSynchronize)() { STUB_RETURN; }

/// Filled with NaN, so that what was never written shows.
template <typename T> API(Error_t) API(Malloc)(T **pointer, std::size_t size) {
  STUB_ACQUIRE;
  *pointer =
      static_cast<T *>(std::aligned_alloc(256, (size + 255) / 256 * 256));
  std::memset(static_cast<void *>(*pointer), 0xff, size);
  return API(Success);
}
inline API(Error_t) API(Free)(void *pointer) {
  STUB_RELEASE;
  std::free(pointer);
  STUB_RETURN;
}
inline API(Error_t) API(MemGetInfo)(std::size_t *free, std::size_t *total) {
  *free = *total = std::size_t(1) << 32;
  STUB_RETURN;
}
inline API(Error_t)
    API(Memcpy)(void *to, const void *from, std::size_t size, API(MemcpyKind)) {
  std::memcpy(to, from, size);
  STUB_RETURN;
}
inline API(Error_t) API(Memcpy2DAsync)(void *to, std::size_t toPitch,
                                       const void *from, std::size_t fromPitch,
                                       std::size_t width, std::size_t rows,
                                       API(MemcpyKind), stub::Stream *stream) {
  stub::submit(stream, [=] {
    for (std::size_t row = 0; row < rows; ++row)
      std::memcpy(static_cast<char *>(to) + row * toPitch,
                  static_cast<const char *>(from) + row * fromPitch, width);
  });
  STUB_RETURN;
}

inline API(Error_t) API(MemsetAsync)(void *to, int value, std::size_t size,
                                     stub::Stream *stream) {
  stub::submit(stream, [=] { std::memset(to, value, size); });
  STUB_RETURN;
}

inline API(Error_t) API(StreamCreate)(stub::Stream **stream) {
  STUB_ACQUIRE;
  *stream = new stub::Stream;
  return API(Success);
}
inline API(Error_t) API(StreamDestroy)(stub::Stream *stream) {
  STUB_RELEASE;
  delete stream;
  STUB_RETURN;
}
inline API(Error_t) API(StreamSynchronize)(stub::Stream *) { STUB_RETURN; }
inline API(Error_t)
    API(StreamBeginCapture)(stub::Stream *stream, API(StreamCaptureMode)) {
  API(Error_t)
  status = stub::fails() ? API(ErrorMemoryAllocation) : API(Success);
  stream->capturing = status == API(Success);
  return status;
}
inline API(Error_t)
    API(StreamEndCapture)(stub::Stream *stream, stub::Graph **graph) {
  STUB_ACQUIRE;
  *graph = new stub::Graph(std::move(stream->captured));
  *stream = {};
  return API(Success);
}
inline API(Error_t)
    API(GraphInstantiateWithFlags)(stub::Graph **executable, stub::Graph *graph,
                                   unsigned long long) {
  STUB_ACQUIRE;
  *executable = new stub::Graph(*graph);
  return API(Success);
}
inline API(Error_t) API(GraphDestroy)(stub::Graph *graph) {
  STUB_RELEASE;
  delete graph;
  STUB_RETURN;
}
inline API(Error_t) API(GraphExecDestroy)(stub::Graph *graph) {
  STUB_RELEASE;
  delete graph;
  STUB_RETURN;
}
inline API(Error_t) API(GraphLaunch)(stub::Graph *graph, stub::Stream *stream) {
  for (const stub::Work &work : *graph)
    stub::submit(stream, work);
  STUB_RETURN;
}
#undef STUB_RETURN
#undef STUB_ACQUIRE
#undef STUB_RELEASE
