//===- Capture.cpp - Graphs that streams record ---------------------------===//

#include "Capture.h"

#include <algorithm>

using namespace stencil::runtime::emulator;

void Graph::addBranch(Stream &stream) {
  stream.capture = this;
  stream.branch = streams.size();
  streams.push_back(&stream);
  seenByBranch.emplace_back();
}

void Graph::submit(const Stream &stream, Work work) {
  size_t branch = stream.branch;
  ++seenByBranch[branch][static_cast<uint32_t>(branch)];
  items.push_back([branch, work = std::move(work)](Replay &replay) {
    work(*replay.branches[branch]);
  });
}

void Graph::record(Event &event, const Stream &stream) {
  size_t branch = stream.branch, number = seenByEvent.size();
  if (!event.capture)
    events.push_back(&event);
  event.capture = this;
  event.number = number;
  seenByEvent.push_back(seenByBranch[branch]);
  items.push_back([branch, number](Replay &replay) {
    replay.events[number] = replay.branches[branch]->seen;
  });
}

void Graph::wait(Stream &stream, const Event &event) {
  if (!stream.capture)
    addBranch(stream);
  size_t branch = stream.branch, number = event.number;
  StreamOrder::join(seenByBranch[branch], seenByEvent[number]);
  items.push_back([branch, number](Replay &replay) {
    StreamOrder::join(replay.branches[branch]->seen, replay.events[number]);
  });
}

void Graph::forget(Event &event) {
  events.erase(std::remove(events.begin(), events.end(), &event), events.end());
}

void Graph::forget(Stream &stream) { streams[stream.branch] = nullptr; }

bool Graph::end() {
  for (Stream *stream : streams)
    if (stream)
      stream->capture = nullptr;
  for (Event *event : events)
    event->capture = nullptr;
  for (uint32_t branch = 0; branch < seenByBranch.size(); ++branch)
    if (seenByBranch[0][branch] != seenByBranch[branch][branch])
      return false;
  return true;
}

void Graph::replay(Timeline &timeline, StreamOrder &order) {
  Replay replay;
  replay.events.resize(seenByEvent.size());
  while (timelines.size() + 1 < seenByBranch.size())
    timelines.push_back(order.create());
  replay.branches.push_back(&timeline);
  for (const auto &branch : timelines)
    replay.branches.push_back(branch.get());
  for (const auto &item : items)
    item(replay);
}
