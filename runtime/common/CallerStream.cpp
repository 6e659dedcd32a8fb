//===- CallerStream.cpp - The stream that the caller has set --------------===//
//
// Compiled functions give everything to it, create none, and leave it as it is:
// running, and perhaps being recorded for a graph of the caller's.
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "State.h"
#include "StencilRuntime/Runtime.h"

#include <list>
#include <mutex>

using namespace stencil::runtime;

static thread_local void *callerStream = nullptr;

/// Functions on arrays of the device that this thread is in.
static thread_local int numOpen = 0;

/// The one that nothing can record, of CUDA and of HIP.
static void *getLegacyStream() { return reinterpret_cast<void *>(1); }

void stencilSetStream(void *stream) { callerStream = stream; }

void *stencil::runtime::getCallerStream() { return callerStream; }

void *stencil::runtime::takeCallerStream(Backend &backend) {
  backend.checkStream(callerStream);
  if (numOpen == 0 && backend.isCapturing(callerStream))
    fail("expected a stream that is not being captured, as arrays of the host "
         "are copied, which has to be waited for");
  return callerStream;
}

void *stencilOpenStream() {
  return guard([]() -> void * {
    Backend &backend = getBackend();
    void *stream = callerStream;
    if (stream)
      backend.checkStream(stream);
    else
      stream = backend.createStream();
    ++numOpen;
    return stream;
  });
}

void stencilFinishStream(void *stream) {
  guard([&] {
    if (!isCallerStream(stream))
      getBackend().synchronizeStream(stream);
  });
}

void stencilCloseStream(void *stream) {
  guardRelease([&] {
    if (!stream)
      return; // It could not be opened.
    --numOpen;
    if (!isCallerStream(stream))
      getBackend().destroyStream(stream);
  });
}

void stencilExpectWait(void *stream) {
  guard([&] {
    if (isCallerStream(stream) && getBackend().isCapturing(stream))
      fail("expected a stream that is not being captured, as the program needs "
           "a value of the device on the host, which has to be waited for");
  });
}

int32_t stencilCheckArray(intptr_t address, intptr_t bytes,
                          intptr_t alignment) {
  return guard([&]() -> int32_t {
    enum : int32_t { Fine, OnHost, OnOtherDevice, Misaligned, TooSmall };
    if (bytes <= 0)
      return Fine;
    auto room = static_cast<uint64_t>(bytes);
    switch (getBackend().findMemory(reinterpret_cast<const void *>(address),
                                    room)) {
    case MemoryPlace::Host:
      return OnHost;
    case MemoryPlace::OtherDevice:
      return OnOtherDevice;
    case MemoryPlace::Device:
      break;
    }
    if (address % alignment != 0)
      return Misaligned;
    return room < static_cast<uint64_t>(bytes) ? TooSmall : Fine;
  });
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

int32_t stencilMayCapture(void *stream) {
  return guard([&]() -> int32_t {
    if (!isCallerStream(stream))
      return 1;
    return stream != getLegacyStream() && !getBackend().isCapturing(stream);
  });
}

namespace {

/// A graph that may be running still.
struct Retired {
  Backend *backend;
  void *graph;
  /// Behind its launches.
  void *event;

  void destroy() const {
    backend->destroyGraph(graph);
    backend->destroyEvent(event);
  }
};

struct RetiredGraphs {
  std::mutex mutex;
  std::list<Retired> graphs;
};

} // namespace

static RetiredGraphs &getRetiredGraphs() {
  // Never destroyed, as the backends.
  static RetiredGraphs *graphs = new RetiredGraphs;
  return *graphs;
}

static void retire(Backend &backend, void *graph, void *stream) {
  void *event = backend.createEvent(/*timing=*/false);
  backend.recordEvent(event, stream);
  RetiredGraphs &retired = getRetiredGraphs();
  std::lock_guard<std::mutex> lock(retired.mutex);
  retired.graphs.push_back({&backend, graph, event});
  // A caller who is far ahead of the device waits here.
  constexpr size_t many = 64;
  if (retired.graphs.size() > many)
    retired.graphs.front().backend->synchronizeEvent(
        retired.graphs.front().event);
  for (auto it = retired.graphs.begin(); it != retired.graphs.end();) {
    if (!it->backend->isEventDone(it->event)) {
      ++it;
      continue;
    }
    Retired done = *it;
    it = retired.graphs.erase(it);
    done.destroy();
  }
}

void stencilRetireGraph(void *graph, void *stream) {
  guardRelease([&] {
    if (!graph)
      return;
    Backend &backend = getBackend();
    if (isCallerStream(stream) && !hasFailed()) {
      retire(backend, graph, stream);
      return;
    }
    if (stream && !hasFailed())
      backend.synchronizeStream(stream);
    backend.destroyGraph(graph);
  });
}
