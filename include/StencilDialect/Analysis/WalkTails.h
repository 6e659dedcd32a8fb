//===- WalkTails.h - The last tiles of a walk in other segments -*- C++ -*-===//
//
// Blocks of a walk come in rounds, of as many as all multiprocessors have at
// once, and what a sweep takes is the planes of all rounds: those of a segment
// and those that it reads again. Where tiles leave a part of a round, these are
// cut into more segments than the others, so that a round of short ones is full
// (docs/notebook.md, "Tails of walks").
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_WALKTAILS_H
#define STENCILDIALECT_ANALYSIS_WALKTAILS_H

#include <cstdint>
#include <optional>

namespace stencil {

/// A walk through so many planes, of tiles beside each other. A block reads
/// `halo` planes before a segment, and behind it; so many blocks are there at
/// once.
struct WalkRounds {
  int64_t planes = 1, tiles = 1, halo = 0, blocks = 1;
  /// Segments are not shorter, and no more than these before a tail and in it.
  int64_t shortest = 16, mostSegments = 8, mostCut = 32;

  /// The planes of all rounds of some tiles in equal segments.
  int64_t count(int64_t ofTiles, int64_t segments) const;
  /// The fewest of all tiles in equal segments, these or others.
  int64_t countFewest(int64_t segments) const;
};

/// The segments of most tiles, and of the last ones.
struct WalkTail {
  int64_t segments = 1, tiles = 0, cut = 1;
  /// The planes of all rounds.
  int64_t planes = 0;
};

/// The tail with the fewest planes; nothing where no tiles are left, or are
/// all that there is.
std::optional<WalkTail> findTail(const WalkRounds &rounds);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_WALKTAILS_H
