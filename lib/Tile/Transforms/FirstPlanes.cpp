//===- FirstPlanes.cpp - The first planes that somebody reads -------------===//

#include "FirstPlanes.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// The ops of a walk's body whose results are carried on, by values or by rings
/// of stages, or needed for it.
static llvm::SmallPtrSet<Operation *, 16> findCarried(Block &body) {
  llvm::SmallPtrSet<Operation *, 16> carried;
  for (Operation &op : llvm::reverse(body.without_terminator()))
    if (llvm::any_of(op.getUsers(), [&](Operation *user) {
          Operation *own = body.findAncestorOpInBlock(*user);
          return own == body.getTerminator() || isa<PutOp>(own) ||
                 carried.contains(own);
        }))
      carried.insert(&op);
  return carried;
}

/// Whether what is read is for planes that somebody needs only.
static bool isOfNeededPlanes(Operation *reader) {
  for (auto where = reader->getParentOfType<WhereOp>(); where;
       where = where->getParentOfType<WhereOp>())
    if (where.getIteration())
      return true;
  return false;
}

/// Iterations before the first plane that is stored may read more than stores
/// need: for what they carry. A patch writes its plane, needed or not, and in
/// each iteration.
FirstPlanes tile::findFirstPlanes(WalkOp walk, const BlockProgram &program) {
  Block &body = *program.body;
  llvm::SmallPtrSet<Operation *, 16> carried = findCarried(body);
  int64_t axis = *walk->getParentOfType<KernelOp>().getGrid().getWalk();
  auto lookback = static_cast<int64_t>(walk.getLookback());
  FirstPlanes firsts;
  for (auto copy : body.getOps<CopyOp>()) {
    BoundsAttr needs = copy.getNeedsAttr();
    int64_t first = needs ? lookback + needs.getLb()[axis] : 0;
    auto [known, isNew] = firsts.try_emplace(copy.getRing(), first);
    known->second = std::min(known->second, first);
  }
  for (const RingProgram &ring : program.rings) {
    auto known = firsts.find(RingOp(ring.ring).getRes());
    if (known == firsts.end())
      continue;
    for (const RingEvent &event : ring.events)
      if (event.access == RingAccess::Read && !isOfNeededPlanes(event.op) &&
          (lookback == 0 || isa<PatchOp>(event.op) ||
           carried.contains(body.findAncestorOpInBlock(*event.op))))
        known->second = std::min(known->second, event.oldest);
    known->second = std::max<int64_t>(known->second, 0);
  }
  return firsts;
}
