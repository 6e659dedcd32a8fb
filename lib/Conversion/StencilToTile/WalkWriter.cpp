//===- WalkWriter.cpp - The walk of a kernel ------------------------------===//

#include "KernelWriter.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace stencil;

void WalkWriter::open() {
  const TiledPipeline &pipeline = draft.pipeline;
  if (!pipeline.axis)
    return;
  OpBuilder &builder = writer.builder;
  Location loc = pipeline.getLoc();
  llvm::SmallDenseMap<Type, Value> none;
  SmallVector<Value> inits;
  for (const MappedQueue *queue : draft.listCarried())
    for (Type type : queue->listCarried()) {
      Value &poison = none[type];
      if (!poison)
        poison = ub::PoisonOp::create(
            builder, loc, type, ub::PoisonAttr::get(pipeline.getContext()));
      inits.push_back(poison);
    }
  walk = tile::WalkOp::create(builder, loc, ValueRange(inits).getTypes(),
                              draft.lookback, inits, pipeline.facts.step);
  Block *body = builder.createBlock(&walk.getBody());
  writer.plane = body->addArgument(builder.getIndexType(), loc);
  for (const RingMap *rings : {&draft.rings, &draft.lanes.exchanges})
    for (const auto &[window, ring] : *rings) {
      int64_t slots = ring.type.getSlots();
      Value &cursor = cursors[slots];
      if (!cursor)
        cursor = body->addArgument(
            tile::CursorType::get(pipeline.getContext(), slots), loc);
    }
  for (const MappedQueue *queue : draft.listCarried())
    for (Type type : queue->listCarried())
      carried[queue].push_back(body->addArgument(type, loc));
}

void WalkWriter::push(const MappedQueue &queue, Location loc, Value value,
                      Type type) {
  next[&queue].push_back(
      tile::ShiftOp::create(writer.builder, loc, type, value));
}

void WalkWriter::close() {
  if (!walk)
    return;
  SmallVector<Value> all;
  for (const MappedQueue *queue : draft.listCarried())
    llvm::append_range(all, next[queue]);
  tile::YieldOp::create(writer.builder, draft.pipeline.getLoc(), all);
}
