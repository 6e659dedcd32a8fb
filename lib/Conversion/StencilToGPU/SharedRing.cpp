//===- SharedRing.cpp - Planes in the memory of a block -------------------===//

#include "SharedRing.h"
#include "HaloPatch.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

Value PipelineContext::isNeeded(const OffsetBox &needs, Value plane) const {
  Arithmetic math = kernel.math();
  Value first = math.add(segmentStart, needs.lower[*getWalk()]);
  Value end = math.add(segmentEnd, needs.upper[*getWalk()]);
  return math.both(math.lessEqual(first, plane), math.less(plane, end));
}

bool PipelineContext::isStored(LoadOp load) const {
  PipelineOp pipeline = op;
  FieldAliasAnalysis &aliases = kernels.getAliases();
  return llvm::any_of(
      pipeline.getBodyBlock()->getOps<StoreOp>(), [&](StoreOp store) {
        return aliases.mayAlias(store.getField(), load.getField());
      });
}

SharedRing::SharedRing(WindowOp window, const PipelineContext &context)
    : window(window), context(context),
      planned(context.plan.get(window.getRes())),
      elementType(cast<GridType>(window.getType()).getElementType()),
      plane(planned.held, context.getTile(), context.getWalk(),
            getElementBytes(elementType)) {
  int64_t last = static_cast<int64_t>(context.schedule.block.size()) - 1;
  int64_t bytes = getElementBytes(elementType);
  bool isWalk = context.getWalk().has_value();
  depth = isWalk ? window.getDepth()->getSExtValue() : 1;
  ahead = isWalk ? planned.lead - planned.newest : 0;
  vectorLength = 1;
  if (context.getWalk() != last && hasVectorLayout(elementType)) {
    int64_t points = context.schedule.points[last];
    vectorLength =
        std::min<int64_t>(points & -points, std::max<int64_t>(1, 16 / bytes));
  }
}

int64_t SharedRing::getBytes() const {
  return depth * plane.elements * getElementBytes(elementType);
}

void SharedRing::place(Value memory, int64_t offset) {
  OpBuilder &builder = context.kernel.body();
  Location loc = context.kernel.getLoc();
  Value start = arith::ConstantIndexOp::create(builder, loc, offset);
  Attribute space = cast<MemRefType>(memory.getType()).getMemorySpace();
  auto type = MemRefType::get({depth * plane.elements}, elementType,
                              MemRefLayoutAttrInterface(), space);
  elements =
      memref::ViewOp::create(builder, loc, type, memory, start, ValueRange());
  Arithmetic math = context.kernel.math();
  SmallVector<Value> own;
  for (auto [thread, points] :
       llvm::zip_equal(context.threads, context.schedule.points))
    own.push_back(math.mul(thread, points));
  addGroup(own);
}

void SharedRing::addGroup(ArrayRef<Value> position) {
  Arithmetic math = context.kernel.math();
  Value inPlane = math.constant(0);
  for (auto [axis, stride] : llvm::enumerate(plane.strides)) {
    if (context.getWalk() == static_cast<int64_t>(axis))
      continue;
    Value along = math.add(position[axis], plane.origin[axis]);
    inPlane = math.add(inPlane, math.mul(along, stride));
  }
  positions.push_back(inPlane);
}

Value SharedRing::getSlot(const PipelineStep &step, int64_t distance) const {
  Arithmetic math = context.kernel.math();
  if (!step.number)
    return math.constant(0);
  Value slot = step.slots.lookup(depth);
  distance = llvm::mod(distance, depth);
  if (distance == 0 || depth == 1)
    return slot;
  // One of the two sides is nearer; both are a comparison and a selection.
  Value next = math.add(slot, distance);
  Value wrapped = math.add(slot, distance - depth);
  return math.select(math.less(next, math.constant(depth)), next, wrapped);
}

Value SharedRing::getSourcePlane(Value plane) const {
  return patch && context.isAtEdge
             ? patch->getFrame().getSourcePlane(elementType, plane)
             : plane;
}

Value SharedRing::getBase(const PipelineStep &step, int64_t age,
                          unsigned group) const {
  Arithmetic math = context.kernel.math();
  Value slot = getSlot(step, -age);
  return math.toIndex(
      math.add(positions[group], math.mul(slot, plane.elements)));
}

int64_t SharedRing::getOffset(ArrayRef<int64_t> offset) const {
  int64_t position = 0;
  for (auto [axis, along] : llvm::enumerate(offset))
    if (context.getWalk() != static_cast<int64_t>(axis))
      position += along * plane.strides[axis];
  return position;
}

Value SharedReads::get(OpBuilder &builder, const SharedRing &ring, int64_t age,
                       ArrayRef<int64_t> offset) {
  Location loc = context.kernel.getLoc();
  // What is read in a branch is known there only.
  bool isHere = builder.getInsertionBlock() == block;
  OpBuilder::InsertionGuard guard(context.kernel.body());
  context.kernel.body().restoreInsertionPoint(builder.saveInsertionPoint());
  Value known = bases[{&ring, age}];
  Value base = known ? known : ring.getBase(step, age, group);
  if (isHere)
    bases[{&ring, age}] = base;
  Arithmetic wide(builder, loc, builder.getIndexType());
  int64_t position = ring.getOffset(offset);
  // Single points lie anywhere.
  bool isKept = isHere && group == 0;
  int64_t length = isKept ? ring.getVectorLength() : 1;
  int64_t lane = llvm::mod(offset.back(), length);
  auto load = [&]() -> Value {
    Value index = wide.add(base, position - lane);
    if (length == 1)
      return memref::LoadOp::create(builder, loc, ring.getElements(), index);
    return vector::LoadOp::create(
        builder, loc, VectorType::get({length}, ring.getElementType()),
        ring.getElements(), index, /*nontemporal=*/false,
        llvm::MaybeAlign(length * getElementBytes(ring.getElementType())));
  };
  if (!isKept)
    return load();
  Value &value = loaded[{&ring, age, position - lane}];
  if (!value) {
    value = load();
    unsigned number = numbers.try_emplace(&ring, numbers.size()).first->second;
    places[value.getDefiningOp()] = {-age, number, position - lane};
  }
  if (length == 1)
    return value;
  return vector::ExtractOp::create(builder, loc, value, lane);
}
