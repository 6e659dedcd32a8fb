//===- Streams.cpp - Streams, events, graphs, time ------------------------===//

#include "Failure.h"
#include "Guard.h"
#include "State.h"
#include "StencilRuntime/Backend.h"
#include "StencilRuntime/Runtime.h"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

using namespace stencil::runtime;

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

/// The caller's stream, or if there is none, a new one.
static void *openStream(void *(Backend::*create)()) {
  return guard([&]() -> void * {
    Backend &backend = getBackend();
    return getCallerStream() ? takeCallerStream(backend) : (backend.*create)();
  });
}

void *mgpuStreamCreate() { return openStream(&Backend::createStream); }

void *stencilCreatePriorStream() {
  return openStream(&Backend::createPriorStream);
}

void mgpuStreamDestroy(void *stream) {
  guardRelease([&] {
    // What could not be created.
    if ((!stream && hasFailed()) || isCallerStream(stream))
      return;
    getBackend().destroyStream(stream);
  });
}

void mgpuStreamSynchronize(void *stream) {
  guard([&] { getBackend().synchronizeStream(stream); });
}

void mgpuStreamWaitEvent(void *stream, void *event) {
  guard([&] { getBackend().waitForEvent(stream, event); });
}

void *mgpuEventCreate() {
  return guard(
      []() -> void * { return getBackend().createEvent(/*timing=*/false); });
}

void mgpuEventDestroy(void *event) {
  guardRelease([&] {
    if (event)
      getBackend().destroyEvent(event);
  });
}

void mgpuEventSynchronize(void *event) {
  guard([&] { getBackend().synchronizeEvent(event); });
}

void mgpuEventRecord(void *event, void *stream) {
  guard([&] { getBackend().recordEvent(event, stream); });
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

void stencilBeginCapture(void *stream) {
  guard([&] { getBackend().beginCapture(stream); });
}

void *stencilEndCapture(void *stream) {
  // A stream that is left capturing would be of no use to anybody.
  if (hasFailed()) {
    guardRelease([&] {
      Backend &backend = getBackend();
      if (void *graph = stream ? backend.endCapture(stream) : nullptr)
        backend.destroyGraph(graph);
    });
    return nullptr;
  }
  return guard([&]() -> void * { return getBackend().endCapture(stream); });
}

void stencilLaunchGraph(void *graph, void *stream) {
  guard([&] { getBackend().launchGraph(graph, stream); });
}

void stencilDestroyGraph(void *graph) {
  guardRelease([&] {
    if (graph)
      getBackend().destroyGraph(graph);
  });
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

namespace {

/// A piece of work between two events.
struct Interval {
  Backend *backend;
  void *begin;
  void *end;
};

/// Reading the events waits for the device, so it is done when somebody asks.
struct Timing {
  std::mutex mutex;
  /// By stream: backend and event of the beginning.
  std::map<void *, std::pair<Backend *, void *>> begun;
  std::vector<Interval> intervals;
  double seconds = 0;

  /// Turns the intervals into seconds.
  void settle() {
    for (const Interval &interval : std::exchange(intervals, {})) {
      interval.backend->synchronizeEvent(interval.end);
      seconds +=
          interval.backend->getElapsedSeconds(interval.begin, interval.end);
      interval.backend->destroyEvent(interval.begin);
      interval.backend->destroyEvent(interval.end);
    }
  }
};

} // namespace

static Timing &getTiming() {
  // Never destroyed, as the backends.
  static Timing *timing = new Timing;
  return *timing;
}

// Who has set a stream can time it, and would not want to be held up.
void stencilBeginTiming(void *stream) {
  guard([&] {
    if (isCallerStream(stream))
      return;
    Backend &backend = getBackend();
    Timing &timing = getTiming();
    std::lock_guard<std::mutex> lock(timing.mutex);
    auto &[owner, event] = timing.begun[stream];
    if (event)
      owner->destroyEvent(event);
    owner = &backend;
    event = backend.createEvent(/*timing=*/true);
    backend.recordEvent(event, stream);
  });
}

void stencilEndTiming(void *stream) {
  guard([&] {
    if (isCallerStream(stream))
      return;
    Timing &timing = getTiming();
    std::lock_guard<std::mutex> lock(timing.mutex);
    auto begun = timing.begun.find(stream);
    if (begun == timing.begun.end())
      fail("stencilEndTiming: expected a stencilBeginTiming of the same stream "
           "before it");
    auto [backend, event] = begun->second;
    timing.begun.erase(begun);
    void *end = backend->createEvent(/*timing=*/true);
    backend->recordEvent(end, stream);
    // Programs that never ask must not pile up events.
    constexpr size_t many = 256;
    if (timing.intervals.size() >= many)
      timing.settle();
    timing.intervals.push_back({backend, event, end});
  });
}

double stencil::runtime::takeDeviceSeconds() {
  return guard([] {
    Timing &timing = getTiming();
    std::lock_guard<std::mutex> lock(timing.mutex);
    timing.settle();
    return std::exchange(timing.seconds, 0);
  });
}
