//===- WalkTails.cpp - The last tiles of a walk in other segments ---------===//

#include "StencilDialect/Analysis/WalkTails.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace stencil;

int64_t WalkRounds::count(int64_t ofTiles, int64_t segments) const {
  return static_cast<int64_t>(llvm::divideCeil(ofTiles * segments, blocks) *
                              (llvm::divideCeil(planes, segments) + 2 * halo));
}

int64_t WalkRounds::countFewest(int64_t segments) const {
  int64_t fewest = count(tiles, segments);
  for (int64_t other = 1; other <= mostSegments; ++other)
    fewest = std::min(fewest, count(tiles, other));
  return fewest;
}

std::optional<WalkTail> stencil::findTail(const WalkRounds &rounds) {
  std::optional<WalkTail> best;
  for (int64_t segments = 1; segments <= rounds.mostSegments; ++segments) {
    // Whole rounds.
    int64_t before =
        rounds.tiles * segments / rounds.blocks * rounds.blocks / segments;
    int64_t tiles = rounds.tiles - before;
    if (rounds.planes / segments < rounds.shortest || before == 0 || tiles == 0)
      continue;
    int64_t ofOthers = rounds.count(before, segments);
    for (int64_t cut = segments + 1; cut <= rounds.mostCut; ++cut) {
      if (rounds.planes / cut < rounds.shortest)
        break;
      int64_t planes = ofOthers + rounds.count(tiles, cut);
      if (!best || planes < best->planes)
        best = {segments, tiles, cut, planes};
    }
  }
  return best;
}
