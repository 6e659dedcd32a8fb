//===- Banks.cpp - Conflicts for the banks of shared memory ---------------===//

#include "Banks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

using namespace stencil::runtime::emulator;

static constexpr size_t kNumBanks = 32, kBankBytes = 4;

void BankCount::add(const BankCount &other) {
  accesses += other.accesses;
  passes += other.passes;
  needed += other.needed;
}

BankStatistics *BankStatistics::get() {
  static BankStatistics *const statistics = []() -> BankStatistics * {
    const char *text = std::getenv("STENCIL_EMULATOR_STATISTICS");
    if (!text || !*text || std::strcmp(text, "0") == 0)
      return nullptr;
    std::atexit([] { std::fputs(get()->print().c_str(), stderr); });
    // Lives until after all destructors.
    return new BankStatistics;
  }();
  return statistics;
}

void BankStatistics::add(const std::string &kernel, const char *location,
                         const BankCount &count) {
  kernels[kernel][location].add(count);
}

static std::string print(const BankCount &count) {
  return std::to_string(count.accesses) + " accesses of warps to shared " +
         "memory in " + std::to_string(count.passes) + " passes, " +
         std::to_string(count.passes - count.needed) +
         " of them for bank conflicts\n";
}

std::string BankStatistics::print() const {
  std::string text;
  for (const auto &[kernel, ops] : kernels) {
    BankCount all;
    std::vector<std::pair<std::string, BankCount>> sorted(ops.begin(),
                                                          ops.end());
    for (const auto &[location, count] : sorted)
      all.add(count);
    std::sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) {
      uint64_t first = a.second.passes - a.second.needed,
               second = b.second.passes - b.second.needed;
      return first != second ? first > second : a.first < b.first;
    });
    text += "emulator: kernel " + kernel + ": " + ::print(all);
    for (const auto &[location, count] : sorted)
      text += "emulator:   " + location + ": " + ::print(count);
  }
  return text;
}

void BankCounter::note(uint32_t warp, uint32_t lane, const char *location,
                       size_t offset, size_t bytes) {
  uint32_t visit = visits[{warp, location, lane}]++;
  accesses[{warp, location, visit}].push_back({lane, offset, bytes});
}

BankCount BankCounter::count(const std::vector<Lane> &lanes) const {
  size_t bytes = kBankBytes;
  for (const Lane &lane : lanes)
    bytes = std::max(bytes, lane.bytes);
  constexpr size_t kHalf = 32, kMostBytesOfHalves = 8;
  size_t together = std::max<size_t>(1, kNumBanks * kBankBytes / bytes);
  if (warpSize > kHalf && bytes <= kMostBytesOfHalves)
    together = kHalf;
  // Words by bank, of lanes that go together.
  std::map<size_t, std::map<size_t, std::set<size_t>>> passes;
  for (const Lane &lane : lanes)
    for (size_t word = lane.offset / kBankBytes,
                end = (lane.offset + lane.bytes - 1) / kBankBytes;
         word <= end; ++word)
      passes[lane.lane / together][word % kNumBanks].insert(word);
  BankCount result;
  result.accesses = 1;
  for (const auto &[pass, banks] : passes) {
    size_t most = 0, all = 0;
    for (const auto &[bank, words] : banks) {
      most = std::max(most, words.size());
      all += words.size();
    }
    result.passes += most;
    result.needed += (all + kNumBanks - 1) / kNumBanks;
  }
  return result;
}

void BankCounter::flush() {
  for (const auto &[key, lanes] : accesses)
    statistics.add(kernel, std::get<1>(key), count(lanes));
  accesses.clear();
  visits.clear();
}
