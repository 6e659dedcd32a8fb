//===- StreamOrder.h - Which launches come before which -----------*- C++
//-*-===//
//
// The emulator runs launches one after the other, but says of two that touch
// the same memory whether a GPU would. Launches of one stream follow each
// other; those of two streams do if an event, or the host, has made one wait.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_RUNTIME_EMULATOR_STREAMORDER_H
#define STENCIL_RUNTIME_EMULATOR_STREAMORDER_H

#include "Shadow.h"

#include <map>
#include <memory>

namespace stencil::runtime::emulator {

/// Of each timeline, by number, how many of its launches came before.
using Seen = std::map<uint32_t, size_t>;

/// Launches that follow each other.
struct Timeline {
  uint32_t number;
  Seen seen;
};

class StreamOrder {
public:
  /// One that begins after all that the host has waited for.
  std::unique_ptr<Timeline> create();

  /// The blocks of launches of other timelines that do not come before what
  /// this one does next.
  std::vector<BlockRange> findConcurrent(Timeline &timeline);
  /// Adds the blocks of a launch to a timeline.
  void add(Timeline &timeline, BlockRange blocks);

  /// What the timeline has done, and what that came after.
  const Seen &look(Timeline &timeline);
  /// The host has waited for what is seen.
  void synchronize(const Seen &seen) { join(host, seen); }

  static void join(Seen &into, const Seen &other);

private:
  std::vector<std::vector<BlockRange>> launches;
  Seen host;
};

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_STREAMORDER_H
