//===- StreamOrder.cpp - Which launches come before which -----------------===//

#include "StreamOrder.h"

#include <algorithm>

using namespace stencil::runtime::emulator;

void StreamOrder::join(Seen &into, const Seen &other) {
  for (auto [number, count] : other) {
    size_t &known = into[number];
    known = std::max(known, count);
  }
}

std::unique_ptr<Timeline> StreamOrder::create() {
  auto number = static_cast<uint32_t>(launches.size());
  launches.emplace_back();
  return std::make_unique<Timeline>(Timeline{number, host});
}

const Seen &StreamOrder::look(Timeline &timeline) {
  // What is submitted now comes after what the host has waited for.
  join(timeline.seen, host);
  return timeline.seen;
}

std::vector<BlockRange> StreamOrder::findConcurrent(Timeline &timeline) {
  const Seen &seen = look(timeline);
  std::vector<BlockRange> found;
  for (uint32_t number = 0; number < launches.size(); ++number) {
    if (number == timeline.number)
      continue;
    auto known = seen.find(number);
    size_t before = known == seen.end() ? 0 : known->second;
    const std::vector<BlockRange> &all = launches[number];
    found.insert(found.end(), all.begin() + static_cast<ptrdiff_t>(before),
                 all.end());
  }
  return found;
}

void StreamOrder::add(Timeline &timeline, BlockRange blocks) {
  std::vector<BlockRange> &own = launches[timeline.number];
  own.push_back(blocks);
  timeline.seen[timeline.number] = own.size();
}
