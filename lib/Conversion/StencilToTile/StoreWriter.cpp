//===- StoreWriter.cpp - The end of an iteration --------------------------===//
//
//   stencil.store %w  (a shared window of what a stage makes)
//     ==> %s = tile.source %ring[%c]
//         tile.store %s to %field[%p]     by all threads, in vectors
//
//===----------------------------------------------------------------------===//

#include "KernelWriter.h"
#include "StencilDialect/Analysis/FieldAccesses.h"

using namespace mlir;
using namespace stencil;

/// Whether what a store reads is in shared memory, and any thread may store it.
bool StoreWriter::isShared(StoreOp store) const {
  auto window = store.getTemp().getDefiningOp<WindowOp>();
  const MappedRing *ring = window ? findRing(draft.rings, window) : nullptr;
  return ring && !ring->load && isStoredAlone(store, pipeline.aliases);
}

bool StoreWriter::areAllShared() const {
  return llvm::all_of(pipeline.getOps<StoreOp>(),
                      [&](StoreOp store) { return isShared(store); });
}

void StoreWriter::addShared() {
  for (StoreOp store : pipeline.getOps<StoreOp>()) {
    if (!isShared(store))
      continue;
    const MappedRing &ring =
        draft.rings.find(store.getTemp().getDefiningOp())->second;
    auto source =
        tile::SourceOp::create(builder, store.getLoc(),
                               pipeline.getTileType(ring.type.getElementType(),
                                                    pipeline.getLead(store)),
                               rings.getRing(ring), rings.getCursor(ring));
    tile::StoreOp::create(builder, store.getLoc(), source,
                          writer.getArgument(store.getField()), writer.plane);
  }
}

/// The shared window that a thread reads what it stores in; null if it holds
/// that.
const MappedRing *StoreWriter::findRead(StoreOp store) const {
  auto shared = store.getTemp().getDefiningOp<WindowOp>();
  if (!shared || queues.getStored(shared))
    return nullptr;
  while (shared && !draft.rings.contains(shared))
    shared = shared.getTemp().getDefiningOp<WindowOp>();
  return shared ? findRing(draft.rings, shared) : nullptr;
}

/// What a thread stores itself. Of memory it reads its own points first.
Value StoreWriter::getStored(StoreOp store) {
  int64_t lead = pipeline.getLead(store);
  auto window = store.getTemp().getDefiningOp<WindowOp>();
  if (!window && !store.getTemp().getDefiningOp<LoadOp>())
    return inputs.get(store.getTemp());
  if (Value kept = window ? queues.getStored(window) : Value())
    return kept;
  const MappedRing *ring = findRead(store);
  Value source = ring ? Value(rings.makeSource(*ring, lead, lead))
                      : inputs.get(store.getTemp());
  SmallVector<int64_t> here(pipeline.getRank(), 0);
  Type type = pipeline.getTileType(getElementType(store.getTemp()), lead);
  return writer.makeCopy(store.getLoc(), source, type, here).getRes().front();
}

void StoreWriter::readEarly() {
  for (StoreOp store : pipeline.getOps<StoreOp>()) {
    const MappedRing *ring = findRead(store);
    std::optional<WantedPlanes> planes =
        ring ? draft.guards.findPlanesOf(store, *ring) : std::nullopt;
    if (!planes || isShared(store))
      continue;
    Type type = pipeline.getTileType(getElementType(store.getTemp()),
                                     pipeline.getLead(store));
    Value read;
    early[store] =
        writer
            .makeWhere(store.getLoc(), type,
                       OffsetBox::zero(pipeline.getRank()),
                       /*isGuarded=*/false, planes,
                       [&]() -> ValueRange { return read = getStored(store); })
            .front();
  }
}

void StoreWriter::addOwn() {
  for (StoreOp store : pipeline.getOps<StoreOp>())
    if (!isShared(store)) {
      Value read = early.lookup(store);
      tile::StoreOp::create(builder, store.getLoc(),
                            read ? read : getStored(store),
                            writer.getArgument(store.getField()), writer.plane);
    }
}
