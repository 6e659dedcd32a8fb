//===- ExpandWalks.cpp - Walks to loops -----------------------------------===//
//
//   tile.walk lookback 1 { ... }
//     ==> what copies bring ahead for the first iterations
//         scf.for 0 to lookback           without stores of plane p
//         scf.for lookback to whole       unrolled
//         scf.for whole to count          what is left
//
// A loop of their own for the iterations before the first plane that is stored:
// a test around the stores would let a compiler move the sums into it, and hold
// all of their terms until then. A store of a later plane than p has such a
// test: it begins and ends earlier than the others.
//
// Of a kernel with patches there are two walks, in the branches of a condition
// that all threads of a block decide alike; of one whose stages choose what
// they read next to sides, too (stencil.inner). In both, the planes next to
// sides have loops that are not unrolled, and stages in the others nothing to
// choose:
//
//         scf.for 0 to lookback           by plane; of legs in two loops
//         scf.for lookback to inner       by plane
//         scf.for inner to whole          unrolled, without choices
//         scf.for whole to count          by plane
//
//===----------------------------------------------------------------------===//

#include "RingEvents.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Tile/Passes.h"
#include "WalkExpander.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

namespace stencil {
#define GEN_PASS_DEF_STENCILEXPANDWALKS
#include "StencilDialect/Tile/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// Whether a bound of a box is one of an open extent.
static bool isSymbolicBox(BoundsAttr box) {
  return llvm::any_of(box.getLb(), isSymbolic) ||
         llvm::any_of(box.getUb(), isSymbolic);
}

/// Whether blocks and planes in a box may have a program of their own: several
/// planes at a time have one loop.
static bool hasInnerPlanes(GridAttr grid, const BlockProgram &program,
                           BoundsAttr box) {
  return program.batch == 1 && !isSymbolicBox(box) &&
         !isSymbolicBox(grid.getDomain());
}

/// Whether a kernel has a walk, or patches that only some blocks need.
static bool isExpandable(KernelOp kernel) {
  return !kernel.getBodyBlock()->getOps<WalkOp>().empty() ||
         tile::hasPatches(kernel);
}

namespace {

struct ExpandWalks : stencil::impl::StencilExpandWalksBase<ExpandWalks> {
  using StencilExpandWalksBase::StencilExpandWalksBase;

  void runOnOperation() override {
    bool isChanged = false;
    for (KernelOp kernel : listWithin<KernelOp>(getOperation())) {
      if (!isExpandable(kernel))
        continue;
      isChanged = true;
      if (failed(expand(kernel)))
        return signalPassFailure();
    }
    // What is as it was needs no verification.
    if (!isChanged)
      markAllAnalysesPreserved();
  }

private:
  LogicalResult expand(KernelOp kernel) const;
  int64_t countUnrolled(WalkOp walk) const;
};

} // namespace

/// Iterations of the loop that a walk becomes, at once.
int64_t ExpandWalks::countUnrolled(WalkOp walk) const {
  if (auto given = walk->getAttrOfType<IntegerAttr>(kUnrollAttr))
    return given.getInt();
  SmallVector<int64_t> rotations = findRotations(walk);
  if (unrollSlots)
    for (BlockArgument cursor : walk.getCursors())
      rotations.push_back(cast<CursorType>(cursor.getType()).getSlots());
  int64_t asked = walk.getUnroll();
  int64_t unrolled = std::lcm(tile::countUnrolled(rotations), asked);
  return unrolled > kMaxUnrolled && asked > 1 ? asked : unrolled;
}

LogicalResult ExpandWalks::expand(KernelOp kernel) const {
  bool hasPatches = tile::hasPatches(kernel);
  auto program = BlockProgram::create(kernel);
  if (failed(program) || failed(verifyBarriers(*program)))
    return failure();
  std::optional<WalkNumbers> numbers;
  // Those of a kernel with patches are the same in both branches.
  FirstPlanes firstPlanes;
  for (auto walk : kernel.getBodyBlock()->getOps<WalkOp>()) {
    numbers.emplace(walk);
    firstPlanes = findFirstPlanes(walk, *program);
  }
  BoundsAttr box;
  scf::IfOp branch;
  if (hasPatches) {
    splitAtEdge(kernel);
  } else if (auto inner = kernel->getAttrOfType<BoundsAttr>(kInnerAttr);
             inner && hasInnerPlanes(kernel.getGrid(), *program, inner)) {
    int64_t rank = kernel.getGrid().getRank();
    if (inner.getRank() != rank)
      return kernel.emitOpError("expected a box of ")
             << rank << " axes as '" << kInnerAttr << "', got " << inner;
    // Blocks in the box have a walk of their own.
    branch = splitAtBox(kernel, inner);
    box = inner;
    kernel->removeDiscardableAttr(kInnerAttr);
  }
  for (WalkOp walk : listWithin<WalkOp>(kernel.getBody())) {
    auto part = hasPatches || box ? BlockProgram::create(walk) : program;
    if (failed(part))
      return failure();
    part->batch = program->batch;
    // Barriers are for the walk with patches.
    if (hasPatches && failed(verifyBarriers(*part)))
      return failure();
    bool isInner =
        branch && branch.getElseRegion().isAncestor(walk->getParentRegion());
    expandWalk(walk, *part, firstPlanes, countUnrolled(walk), *numbers,
               {box, isInner});
  }
  return success();
}
