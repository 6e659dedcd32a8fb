//===- IndexRegions.h - Boxes on which branches are decided -----*- C++ -*-===//
//
// The body of an apply may branch on where its point is: on comparisons of
// stencil.index with constants. Here the domain is divided into boxes on each
// of which such branches always go the same way (the region decomposition of
// seismic codes: interior and absorbing layers).
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_INDEXREGIONS_H
#define STENCILDIALECT_ANALYSIS_INDEXREGIONS_H

#include "StencilDialect/Analysis/ShapeInference.h"

#include <string>
#include <vector>

namespace stencil {

/// A box, and which way every branch of the body goes there.
struct IndexRegion {
  GridBox box;
  /// One character per branch (`IndexRegions::branches`): '1' and '0' where it
  /// is decided, '?' where it is not, '-' where it is not reached.
  std::string outcomes;
};

/// The domain, cut in two again and again.
struct IndexRegions {
  struct Node {
    IndexRegion region;
    /// Children below and from coordinate `at` of `axis` on; none in a leaf.
    int64_t axis = -1, at = 0;
    unsigned lower = 0, upper = 0;

    bool isLeaf() const { return axis < 0; }
  };
  /// The root is last.
  std::vector<Node> nodes;

  /// scf.if and arith.select (of anything but i1), in the order of the text.
  std::vector<Operation *> branches;

  /// The first branch that depends on stencil.index and is not decided in
  /// some leaf; null if there is none.
  Operation *undecided = nullptr;

  const Node &getRoot() const { return nodes.back(); }

  /// The leaves, lower ones first.
  std::vector<IndexRegion> getLeaves() const;

  /// As few disjoint boxes as come of joining neighbours where all branches go
  /// the same way.
  std::vector<IndexRegion> getMerged() const;
};

struct IndexRegionOptions {
  /// Gives up above so many leaves.
  unsigned maxLeaves = 256;
  /// The extents of the axes are at least so large; for lower bounds that are
  /// relative to them. May be shorter than the rank.
  ArrayRef<int64_t> minimalExtents;
  /// Other boxes that will be cut where the domain is cut: no cut is made whose
  /// side of their lower bounds is not known.
  ArrayRef<BoundsAttr> boxes;
  /// The axes that are cut; empty: all.
  ArrayRef<int64_t> axes;
};

/// Divides `domain`, the domain of `apply`. Points between which an unrolled
/// body does not start are not separated. Fails above `maxLeaves` leaves.
FailureOr<IndexRegions> computeIndexRegions(ApplyOp apply, BoundsAttr domain,
                                            const IndexRegionOptions &options);

/// The values of type i1 that are the same at all points of `box`.
DenseMap<Value, bool> findKnownConditions(ApplyOp apply, const GridBox &box,
                                          const IndexRegionOptions &options);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_INDEXREGIONS_H
