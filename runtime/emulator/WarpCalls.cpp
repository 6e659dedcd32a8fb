//===- WarpCalls.cpp - Shuffles, votes, reductions of a warp --------------===//
//
// The last lane to come does the work of all. Sources: gpu dialect (shuffle,
// rotate); PTX ISA, sections shfl.sync, vote.sync, match.sync, redux.sync,
// elect.sync.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "StencilRuntime/EmulatorCalls.h"

#include <algorithm>
#include <cstring>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

namespace {

struct ShuffleOperands {
  char *value;
  int64_t bytes;
  /// The lane to read from, or -1 for none: the value then is poison.
  int source;
  std::vector<char> result;
};

template <typename Value> struct WordOperands {
  Value value;
  int32_t kind;
  int64_t result;
};
using Word = WordOperands<int64_t>;

Block &getBlock() { return Launch::getCurrent()->getBlock(); }

/// Calls `apply` with each lane that takes part and its operands.
template <typename Operands, typename Function>
void forLanes(Meeting &meeting, Function apply) {
  for (int lane = 0; lane < 64; ++lane)
    if (meeting.mask >> lane & 1)
      apply(lane, *static_cast<Operands *>(meeting.lanes[lane].operands));
}

} // namespace

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

static void shuffleAll(Block &block, Meeting &meeting) {
  forLanes<ShuffleOperands>(meeting, [&](int lane, ShuffleOperands &self) {
    if (self.source < 0)
      return;
    if (!(meeting.mask >> self.source & 1))
      block.getLaunch().failInThread(
          "shuffle by lane " + std::to_string(lane) + " from lane " +
              std::to_string(self.source) + ", which does not take part",
          meeting.location);
    auto &source =
        *static_cast<ShuffleOperands *>(meeting.lanes[self.source].operands);
    self.result.assign(source.value, source.value + source.bytes);
  });
  forLanes<ShuffleOperands>(meeting, [](int, ShuffleOperands &self) {
    if (self.source < 0)
      poison(self.value, self.bytes);
    else
      std::memcpy(self.value, self.result.data(), self.bytes);
  });
}

/// The lane within a segment that lane `lane` of it reads from; -1 for none.
static int getSource(EmulatorShuffle mode, int lane, int offset, int width) {
  int source = -1;
  switch (mode) {
  case EmulatorShuffle::Xor:
    source = lane ^ offset;
    break;
  case EmulatorShuffle::Down:
    source = lane + offset;
    break;
  case EmulatorShuffle::Up:
    source = lane - offset;
    break;
  case EmulatorShuffle::Idx:
    source = offset;
    break;
  case EmulatorShuffle::Rotate:
    source = (lane + offset) % width;
    break;
  }
  return source >= 0 && source < width ? source : -1;
}

int32_t stencilEmulatorShuffle(void *value, int64_t bytes, int32_t offset,
                               int32_t width, int32_t mode,
                               const char *location) {
  Launch &launch = *Launch::getCurrent();
  int warpSize = static_cast<int>(launch.getWarpSize());
  if (width < 1 || width > warpSize)
    launch.failInThread("expected a shuffle's width from 1 to " +
                            std::to_string(warpSize) + ", got " +
                            std::to_string(width),
                        location);
  // The lanes in groups of `width`; each group shuffles on its own.
  int lane = static_cast<int>(launch.getBlock().getRunning().lane);
  int first = lane / width * width;
  int source = getSource(static_cast<EmulatorShuffle>(mode), lane - first,
                         offset, width);
  int32_t valid = source >= 0;
  LaneMask group = width == 64 ? ~LaneMask(0) : (LaneMask(1) << width) - 1;
  {
    ShuffleOperands operands = {
        static_cast<char *>(value), bytes, valid ? first + source : -1, {}};
    getBlock().meet("shuffle", group << first, &operands, location, shuffleAll);
  }
  return valid;
}

int32_t stencilEmulatorShuffleSync(int64_t mask, void *value, int32_t offset,
                                   int32_t maskAndClamp, int32_t mode,
                                   const char *location) {
  int lane = static_cast<int>(getBlock().getRunning().lane);
  // Names of the PTX ISA.
  int bval = offset & 31, cval = maskAndClamp & 31;
  int segmask = maskAndClamp >> 8 & 31;
  int maxLane = (lane & segmask) | (cval & ~segmask);
  int minLane = lane & segmask;
  int j = lane;
  bool pval = false;
  switch (static_cast<EmulatorShuffle>(mode)) {
  case EmulatorShuffle::Up:
    j = lane - bval;
    pval = j >= maxLane;
    break;
  case EmulatorShuffle::Down:
    j = lane + bval;
    pval = j <= maxLane;
    break;
  case EmulatorShuffle::Xor:
    j = lane ^ bval;
    pval = j <= maxLane;
    break;
  default:
    j = minLane | (bval & ~segmask);
    pval = j <= maxLane;
    break;
  }
  {
    ShuffleOperands operands = {
        static_cast<char *>(value), 4, pval ? j : lane, {}};
    getBlock().meet("shuffle", mask, &operands, location, shuffleAll);
  }
  return pval;
}

//===----------------------------------------------------------------------===//
// Votes and reductions
//===----------------------------------------------------------------------===//

static void voteAll(Block &block, Meeting &meeting) {
  (void)block;
  LaneMask ballot = 0;
  forLanes<Word>(meeting, [&](int lane, Word &self) {
    ballot |= LaneMask(self.value != 0) << lane;
  });
  forLanes<Word>(meeting, [&](int, Word &self) {
    switch (static_cast<EmulatorVote>(self.kind)) {
    case EmulatorVote::Any:
      self.result = ballot != 0;
      break;
    case EmulatorVote::All:
      self.result = ballot == meeting.mask;
      break;
    case EmulatorVote::Ballot:
      self.result = static_cast<int64_t>(ballot);
      break;
    case EmulatorVote::Uni:
      self.result = ballot == 0 || ballot == meeting.mask;
      break;
    }
  });
}

static void matchAll(Block &block, Meeting &meeting) {
  (void)block;
  forLanes<Word>(meeting, [&](int, Word &self) {
    LaneMask same = 0;
    forLanes<Word>(meeting, [&](int lane, Word &other) {
      same |= LaneMask(other.value == self.value) << lane;
    });
    bool isAll = self.kind != 0;
    self.result =
        isAll && same != meeting.mask ? 0 : static_cast<int64_t>(same);
  });
}

/// The numbers are those of NVVM::ReduxKind.
enum class Redux : int32_t { Add, And, Max, Min, Or, UMax, UMin, Xor };

static int32_t combine(Redux kind, int32_t a, int32_t b) {
  auto ua = static_cast<uint32_t>(a), ub = static_cast<uint32_t>(b);
  switch (kind) {
  case Redux::Add:
    return static_cast<int32_t>(ua + ub);
  case Redux::And:
    return a & b;
  case Redux::Max:
    return std::max(a, b);
  case Redux::Min:
    return std::min(a, b);
  case Redux::Or:
    return a | b;
  case Redux::UMax:
    return static_cast<int32_t>(std::max(ua, ub));
  case Redux::UMin:
    return static_cast<int32_t>(std::min(ua, ub));
  case Redux::Xor:
    return a ^ b;
  }
  return 0;
}

static void reduceAll(Block &block, Meeting &meeting) {
  (void)block;
  bool isFirst = true;
  int32_t result = 0;
  forLanes<Word>(meeting, [&](int, Word &self) {
    auto value = static_cast<int32_t>(self.value);
    result =
        isFirst ? value : combine(static_cast<Redux>(self.kind), result, value);
    isFirst = false;
  });
  forLanes<Word>(meeting, [&](int, Word &self) { self.result = result; });
}

static void electOne(Block &block, Meeting &meeting) {
  (void)block;
  bool isFirst = true;
  forLanes<Word>(meeting, [&](int, Word &self) {
    self.result = isFirst;
    isFirst = false;
  });
}

static void syncAll(Block &block, Meeting &meeting) {
  Known all;
  forLanes<Word>(meeting, [&](int lane, Word &) {
    block.release(*meeting.lanes[lane].thread, all);
  });
  forLanes<Word>(meeting, [&](int lane, Word &) {
    block.acquire(*meeting.lanes[lane].thread, all);
  });
}

/// An operation on a word of each lane.
static int64_t meetWithWord(const char *what, int64_t mask, int64_t value,
                            int32_t kind, const char *location,
                            void (*action)(Block &, Meeting &)) {
  Word operands = {value, kind, 0};
  getBlock().meet(what, mask, &operands, location, action);
  return operands.result;
}

int64_t stencilEmulatorVote(int64_t mask, int32_t predicate, int32_t kind,
                            const char *location) {
  return meetWithWord("vote", mask, predicate, kind, location, voteAll);
}

int64_t stencilEmulatorMatch(int64_t mask, int64_t value, int32_t all,
                             const char *location) {
  return meetWithWord("match", mask, value, all, location, matchAll);
}

int32_t stencilEmulatorRedux(int64_t mask, int32_t value, int32_t kind,
                             const char *location) {
  if (kind < 0 || kind > static_cast<int32_t>(Redux::Xor))
    Launch::getCurrent()->failInThread("expected a reduction of integers",
                                       location);
  return static_cast<int32_t>(
      meetWithWord("reduction", mask, value, kind, location, reduceAll));
}

int32_t stencilEmulatorElect(int64_t mask, const char *location) {
  return static_cast<int32_t>(
      meetWithWord("election", mask, 0, 0, location, electOne));
}

void stencilEmulatorSyncWarp(int64_t mask, const char *location) {
  meetWithWord("barrier of a warp", mask, 0, 0, location, syncAll);
}
