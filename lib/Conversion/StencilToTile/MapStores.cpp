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

/// The shared window that a thread reads what it stores in; null if it holds
/// that.
WindowOp PipelineMapper::findStoredRing(StoreOp store) const {
  auto shared = store.getTemp().getDefiningOp<WindowOp>();
  if (!shared || stored.contains(shared))
    return {};
  while (shared && !rings.contains(shared))
    shared = shared.getTemp().getDefiningOp<WindowOp>();
  return shared;
}

/// The planes that are read for a store that is ahead of the walk, if the first
/// iterations would read ones that are not there.
std::optional<WantedPlanes> PipelineMapper::findPlanesOf(StoreOp store) const {
  int64_t lead = getLead(store);
  WindowOp shared = findStoredRing(store);
  OffsetBox needs = OffsetBox::zero(grid.getRank());
  if (!axis || lead == 0 || !shared || !isEarly(lead, needs) ||
      lead >= findFirst(rings.find(shared)->second))
    return std::nullopt;
  needs.upper[*axis] = lead;
  return WantedPlanes{needs};
}

/// What a thread stores itself. Of memory it reads its own points first.
Value PipelineMapper::getStored(StoreOp store) {
  int64_t lead = getLead(store);
  auto window = store.getTemp().getDefiningOp<WindowOp>();
  if (!window && !store.getTemp().getDefiningOp<LoadOp>())
    return getInput(store.getTemp());
  if (Value kept = window ? stored.lookup(window) : Value())
    return kept;
  WindowOp shared = findStoredRing(store);
  Value source =
      shared ? makeRingSource(shared, lead, lead) : getInput(store.getTemp());
  SmallVector<int64_t> here(op.getRank(), 0);
  ApplyOp copy =
      makeCopy(store.getLoc(), source,
               getTileType(getElementType(store.getTemp()), lead), here);
  return copy.getRes().front();
}

/// What is read for stores that are ahead of the walk, where somebody needs it.
llvm::DenseMap<Operation *, Value> PipelineMapper::readEarlyStores() {
  llvm::DenseMap<Operation *, Value> early;
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>()) {
    std::optional<WantedPlanes> planes = findPlanesOf(store);
    if (!planes || isShared(store))
      continue;
    Type type = getTileType(getElementType(store.getTemp()), getLead(store));
    Value read;
    early[store] =
        makeWhere(store.getLoc(), type, OffsetBox::zero(op.getRank()),
                  /*isGuarded=*/false, planes,
                  [&]() -> ValueRange { return read = getStored(store); })
            .front();
  }
  return early;
}
