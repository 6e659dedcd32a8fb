//===- IndexRegions.cpp - Boxes on which branches are decided -------------===//
//
// Boxes are cut for the first undecided branch first, along its lowest axis:
// that makes slabs that nest (7 regions of a box with six absorbing layers, not
// 27).
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/IndexRegions.h"
#include "IndexEvaluation.h"

#include <map>

using namespace mlir;
using namespace stencil;

namespace {
class TreeBuilder {
public:
  TreeBuilder(const IndexBody &body, IndexRegions &regions, unsigned maxLeaves)
      : body(body), regions(regions), maxLeaves(maxLeaves) {}

  /// Appends the tree of a box. Fails if there are too many leaves.
  LogicalResult build(GridBox box);

private:
  const IndexBody &body;
  IndexRegions &regions;
  unsigned maxLeaves, leaves = 1;
};
} // namespace

LogicalResult TreeBuilder::build(GridBox box) {
  IndexEvaluation evaluation(body, box);
  IndexRegions::Node node;
  node.region.outcomes = evaluation.takeOutcomes();
  node.region.box = box;
  if (IndexCut cut = evaluation.getCut(); cut.exists()) {
    if (++leaves > maxLeaves)
      return failure();
    GridBox lower = box, upper = box;
    lower.ub[cut.axis] = upper.lb[cut.axis] = cut.at;
    if (failed(build(lower)))
      return failure();
    node.lower = regions.nodes.size() - 1;
    if (failed(build(upper)))
      return failure();
    node.upper = regions.nodes.size() - 1;
    const IndexRegions::Node &a = regions.nodes[node.lower];
    const IndexRegions::Node &b = regions.nodes[node.upper];
    if (a.isLeaf() && b.isLeaf() && a.region.outcomes == b.region.outcomes) {
      node.region.outcomes = a.region.outcomes;
    } else {
      node.axis = cut.axis;
      node.at = cut.at;
    }
  }
  regions.nodes.push_back(std::move(node));
  return success();
}

/// A branch whose condition depends on stencil.index and that some leaf does
/// not decide.
static Operation *findUndecided(ApplyOp apply, const IndexRegions &regions) {
  llvm::DenseSet<Value> tainted;
  apply.getRegion().walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isTainted =
        isa<IndexOp>(op) || llvm::any_of(op->getOperands(), [&](Value value) {
          return tainted.contains(value);
        });
    if (isTainted)
      tainted.insert_range(op->getResults());
  });
  std::vector<IndexRegion> leaves = regions.getLeaves();
  for (auto [i, branch] : llvm::enumerate(regions.branches))
    if (tainted.contains(branch->getOperand(0)))
      for (const IndexRegion &leaf : leaves)
        if (leaf.outcomes[i] == '?')
          return branch;
  return nullptr;
}

FailureOr<IndexRegions>
stencil::computeIndexRegions(ApplyOp apply, BoundsAttr domain,
                             const IndexRegionOptions &options) {
  IndexBody body(apply, domain, options);
  IndexRegions regions;
  regions.branches = body.branches;
  if (failed(TreeBuilder(body, regions, options.maxLeaves).build(body.domain)))
    return failure();
  regions.undecided = findUndecided(apply, regions);
  return regions;
}

llvm::DenseMap<Value, bool>
stencil::findKnownConditions(ApplyOp apply, const GridBox &box,
                             const IndexRegionOptions &options) {
  IndexBody body(apply, box.get(apply.getContext()), options);
  return IndexEvaluation(body, box).getConditions();
}

std::vector<IndexRegion> IndexRegions::getLeaves() const {
  std::vector<IndexRegion> leaves;
  SmallVector<unsigned> pending = {static_cast<unsigned>(nodes.size() - 1)};
  while (!pending.empty()) {
    const Node &node = nodes[pending.pop_back_val()];
    if (node.isLeaf()) {
      leaves.push_back(node.region);
      continue;
    }
    pending.push_back(node.upper);
    pending.push_back(node.lower);
  }
  return leaves;
}

/// Joins boxes that follow each other along `axis` and are otherwise the same.
static void mergeAlong(size_t axis, std::vector<IndexRegion> &regions) {
  using Key = std::pair<std::string, std::vector<int64_t>>;
  std::map<Key, std::map<int64_t, size_t>> groups;
  for (auto [i, region] : llvm::enumerate(regions)) {
    Key key(region.outcomes, {});
    for (size_t other = 0; other < region.box.lb.size(); ++other)
      if (other != axis) {
        key.second.push_back(region.box.lb[other]);
        key.second.push_back(region.box.ub[other]);
      }
    groups[key][region.box.lb[axis]] = i;
  }
  std::vector<bool> isGone(regions.size(), false);
  for (auto &[key, group] : groups) {
    IndexRegion *previous = nullptr;
    for (auto [lb, i] : group) {
      if (previous && previous->box.ub[axis] == lb) {
        previous->box.ub[axis] = regions[i].box.ub[axis];
        isGone[i] = true;
      } else {
        previous = &regions[i];
      }
    }
  }
  std::vector<IndexRegion> kept;
  for (auto [i, region] : llvm::enumerate(regions))
    if (!isGone[i])
      kept.push_back(std::move(region));
  regions = std::move(kept);
}

std::vector<IndexRegion> IndexRegions::getMerged() const {
  std::vector<IndexRegion> regions = getLeaves();
  size_t count = 0;
  while (count != regions.size()) {
    count = regions.size();
    for (size_t axis = getRoot().region.box.lb.size(); axis-- > 0;)
      mergeAlong(axis, regions);
  }
  return regions;
}
