//===- Known.cpp - What has happened before what a thread does ------------===//

#include "Known.h"

#include <algorithm>

using namespace stencil::runtime::emulator;

void Clocks::add(uint32_t thread, uint32_t clock) {
  if (clock < floor)
    return;
  if (threads.size() <= thread)
    threads.resize(thread + 1);
  threads[thread] = std::max(threads[thread], clock);
}

void Clocks::join(const Clocks &other) {
  floor = std::max(floor, other.floor);
  if (threads.size() < other.threads.size())
    threads.resize(other.threads.size());
  for (size_t i = 0; i < other.threads.size(); ++i)
    threads[i] = std::max(threads[i], other.threads[i]);
}

bool Known::hasBlock(uint32_t block, uint32_t thread, uint32_t clock) const {
  if (!blocks)
    return false;
  auto found = blocks->find(block);
  return found != blocks->end() && found->second.has(thread, clock);
}

void Known::addNumber(uint32_t number, uint32_t clock) {
  for (auto &[known, upTo] : agents)
    if (known == number) {
      upTo = std::max(upTo, clock);
      return;
    }
  agents.emplace_back(number, clock);
}

void Known::addAgent(uint32_t agent, uint32_t clock, bool isBulk) {
  addNumber(agent, clock);
  if (isBulk)
    addNumber(agent + 1, clock);
}

void Known::fenceAgents(const Known &other) {
  // First numbers are even.
  auto all = other.agents;
  for (auto [number, clock] : all)
    addNumber(number | 1, clock);
}

void Known::addBlock(uint32_t block, const Clocks &clocks) {
  auto all =
      blocks ? std::make_shared<Blocks>(*blocks) : std::make_shared<Blocks>();
  (*all)[block].join(clocks);
  blocks = std::move(all);
}

void Known::addBlocks(const std::shared_ptr<const Blocks> &others) {
  if (!others || others == blocks)
    return;
  if (!blocks) {
    blocks = others;
    return;
  }
  auto all = std::make_shared<Blocks>(*blocks);
  for (const auto &[block, clocks] : *others)
    (*all)[block].join(clocks);
  blocks = std::move(all);
}

void Known::join(const Known &other) {
  threads.join(other.threads);
  for (unsigned i = 0; i < kNumSpaces; ++i)
    proxied[i].join(other.proxied[i]);
  for (auto [number, clock] : other.agents)
    addNumber(number, clock);
  addBlocks(other.blocks);
}
