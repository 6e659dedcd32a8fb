//===- MapStores.cpp - The end of an iteration ----------------------------===//
//
//   stencil.store %w  (a shared window of what a stage makes)
//     ==> %s = tile.source %ring[%c]
//         tile.store %s to %field[%p]     by all threads, in vectors
//
//===----------------------------------------------------------------------===//

#include "PipelineMapper.h"
#include "StencilDialect/Analysis/PipelineStores.h"

using namespace mlir;
using namespace stencil;

/// Whether what a store reads is in shared memory, and any thread may store it.
bool PipelineMapper::isShared(StoreOp store) const {
  auto window = store.getTemp().getDefiningOp<WindowOp>();
  const auto *ring = window ? rings.find(window) : rings.end();
  return ring != rings.end() && !ring->second.load &&
         isStoredAlone(store, facts.aliases);
}

void PipelineMapper::addSharedStores() {
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>()) {
    if (!isShared(store))
      continue;
    const MappedRing &ring =
        rings.find(store.getTemp().getDefiningOp())->second;
    auto source = tile::SourceOp::create(
        builder, store.getLoc(),
        getTileType(ring.type.getElementType(), getLead(store)), ring.ring,
        ring.cursor);
    tile::StoreOp::create(builder, store.getLoc(), source,
                          (*frame)[store.getField()], plane);
  }
}

/// The plane of a window that is stored; all stores of one window store the
/// same.
int64_t PipelineMapper::getStoredPlane(WindowOp window) const {
  for (Operation *user : window->getUsers())
    if (auto store = dyn_cast<StoreOp>(user))
      return getLead(store);
  return 0;
}

/// What a thread stores itself. Of memory it reads its own points first.
Value PipelineMapper::getStored(StoreOp store) {
  int64_t lead = getLead(store);
  auto window = store.getTemp().getDefiningOp<WindowOp>();
  if (!window && !store.getTemp().getDefiningOp<LoadOp>())
    return getInput(store.getTemp());
  if (Value kept = window ? stored.lookup(window) : Value())
    return kept;
  auto shared = window;
  while (shared && !rings.contains(shared))
    shared = shared.getTemp().getDefiningOp<WindowOp>();
  Value source =
      shared ? makeRingSource(shared, lead, lead) : getInput(store.getTemp());
  SmallVector<int64_t> here(op.getRank(), 0);
  ApplyOp copy =
      makeCopy(store.getLoc(), source,
               getTileType(getElementType(store.getTemp()), lead), here);
  return copy.getRes().front();
}
