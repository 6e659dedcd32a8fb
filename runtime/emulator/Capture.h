//===- Capture.h - Graphs that streams record ---------------------*- C++
//-*-===//
//
// A stream that is captured records what it would do. Streams that wait for an
// event of it are captured, too, until the capture ends; by then it has to have
// waited for them.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_RUNTIME_EMULATOR_CAPTURE_H
#define STENCIL_RUNTIME_EMULATOR_CAPTURE_H

#include "StreamOrder.h"

#include <chrono>
#include <functional>

namespace stencil::runtime::emulator {

class Graph;

struct Stream {
  std::unique_ptr<Timeline> timeline;
  /// What is being recorded, if anything, and which of its branches this is.
  Graph *capture = nullptr;
  size_t branch = 0;
};

struct Event {
  std::chrono::steady_clock::time_point time = std::chrono::steady_clock::now();
  Seen seen;
  /// The graph that it was recorded for, if that is being recorded still.
  Graph *capture = nullptr;
  size_t number = 0;
};

/// Work of several branches, each a timeline, in the order in which it was
/// submitted.
class Graph {
public:
  using Work = std::function<void(Timeline &)>;

  /// Begins to capture a stream.
  explicit Graph(Stream &origin) { addBranch(origin); }

  void submit(const Stream &stream, Work work);
  void record(Event &event, const Stream &stream);
  /// Of an event of this graph. The stream is, or becomes, one of its branches.
  void wait(Stream &stream, const Event &event);
  void forget(Event &event);
  void forget(Stream &stream);

  /// Ends the capture; false if a branch has not been waited for.
  bool end();

  /// Does the work. The first branch is the timeline that it is launched in.
  void replay(Timeline &timeline, StreamOrder &order);

private:
  struct Replay {
    std::vector<Timeline *> branches;
    std::vector<Seen> events;
  };

  void addBranch(Stream &stream);

  std::vector<std::function<void(Replay &)>> items;
  /// Of the branches but the first; the same whenever it is launched.
  std::vector<std::unique_ptr<Timeline>> timelines;
  /// While it is captured: of each branch and event, how many items of each
  /// branch came before.
  std::vector<Seen> seenByBranch, seenByEvent;
  std::vector<Stream *> streams;
  std::vector<Event *> events;
};

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_CAPTURE_H
