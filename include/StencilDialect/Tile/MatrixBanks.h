//===- MatrixBanks.h - Banks that products read from ------------*- C++ -*-===//
//
// What lanes read of A at once lies in the banks of shared memory. Which inputs
// are in which step of a product is free, so they are put together such that no
// bank is asked for two words.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TILE_MATRIXBANKS_H
#define STENCILDIALECT_TILE_MATRIXBANKS_H

#include "StencilDialect/Tile/MatrixProduct.h"

namespace stencil::tile {

/// The banks that the lanes of a warp meet in: 32 of four bytes side by side.
/// The emulator counts alike (runtime/emulator/Banks.h, where the sources are).
class MatrixBanks {
public:
  /// Of a ring with elements of so many bytes at these places; a lane reads
  /// one, or with `pairs` two. Of a walk, all inputs are in one plane.
  MatrixBanks(MmaAttr engine, const MatrixFragments &fragments,
              RingPlaces places, std::optional<int64_t> walk,
              int64_t elementBytes, bool pairs);

  /// How often all banks are read, and how often for conflicts: beyond what as
  /// many bytes need.
  struct Count {
    int64_t passes = 0, conflicts = 0;
  };
  /// Of all lanes of a warp, where those along the columns of A read `inputs`.
  Count count(ArrayRef<std::vector<int64_t>> inputs) const;
  Count count(const MatrixStep &step) const;
  /// Whether there may be inputs that lanes read without conflicts: where those
  /// of all rows of A meet for one input already, there are none.
  bool mayAvoid(const std::vector<int64_t> &input) const;

  /// By what lanes read at once: for the lanes along the columns of A, the
  /// place in a step of what they read, in elements or pairs.
  const std::vector<std::vector<int64_t>> &getReads() const { return reads; }
  int64_t getElementsAtOnce() const { return atOnce; }
  std::optional<int64_t> getWalk() const { return walk; }

private:
  RingPlaces places;
  std::optional<int64_t> walk;
  /// From a row of A to the next.
  int64_t apart;
  int64_t elementBytes, atOnce;
  /// Of each lane, its row of A and its number along the columns.
  std::vector<std::pair<int64_t, int64_t>> lanes;
  /// Lanes whose accesses are looked at together.
  size_t together;
  std::vector<std::vector<int64_t>> reads;
};

/// The steps with other inputs together, if fewer passes are for conflicts
/// then. Patches of a warp, which lie one behind the other, still read the same
/// together, as far as inputs can be put together within so many rows as a
/// patch has.
std::vector<MatrixStep> avoidConflicts(std::vector<MatrixStep> steps,
                                       const MatrixBanks &banks,
                                       ArrayRef<int64_t> patch);

} // namespace stencil::tile

#endif // STENCILDIALECT_TILE_MATRIXBANKS_H
