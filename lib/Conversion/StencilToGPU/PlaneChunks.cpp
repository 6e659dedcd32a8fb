//===- PlaneChunks.cpp - What each thread copies of a plane ---------------===//

#include "PlaneChunks.h"
#include "StencilDialect/IR/Elements.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

PlaneChunks::PlaneChunks(const PipelineContext &context, SharedRing &ring,
                         const KernelField &field, int64_t widestBytes)
    : context(context), ring(ring), field(field),
      isTileOnly(context.isStored(
          ring.getWindow().getTemp().getDefiningOp<LoadOp>())) {
  Type element = ring.getElementType();
  int64_t bytes = getElementBytes(element);
  int64_t last = ring.getShape().size() - 1;
  length = 1;
  // Where rows are aligned, and tiles begin at the same distance from it.
  if (context.getWalk() != last && hasVectorLayout(element)) {
    RowLayout rows = context.kernels.getRows();
    int64_t factors = context.tileAlignment | ring.getRowAlignment() |
                      DeviceLayout::getAlignment(field.type, rows);
    if (isTileOnly)
      factors |= context.getTile(last);
    length =
        std::min(std::max<int64_t>(1, widestBytes / bytes), factors & -factors);
  }
  if (length > 1)
    context.kernel.requireAlignment(length * bytes);
  int64_t count = llvm::product_of(ring.getShape()) / length;
  int64_t threads = context.countThreads();
  Arithmetic math = context.kernel.math();
  for (int64_t first = 0; first < count; first += threads) {
    Value number = math.add(context.threadNumber, first);
    Chunk chunk = makeChunk(number);
    if (first + threads > count)
      chunk.exists = math.less(number, math.constant(count));
    chunks.push_back(chunk);
  }
}

PlaneChunks::Chunk PlaneChunks::makeChunk(Value number) {
  Arithmetic math = context.kernel.math();
  ArrayRef<int64_t> shape = ring.getShape();
  int64_t last = shape.size() - 1;
  Chunk chunk;
  chunk.inWindow = math.mul(number, length);
  SmallVector<Value> point(shape.size());
  Value rest = number;
  BoundsAttr bounds = field.type.getBounds();
  for (int64_t axis = last; axis >= 0; --axis) {
    if (context.getWalk() == axis) {
      point[axis] = math.constant(0);
      continue;
    }
    int64_t step = axis == last ? length : 1;
    Value count = math.constant(shape[axis] / step);
    Value along = math.mul(math.rem(rest, count), step);
    rest = math.div(rest, count);
    point[axis] = math.add(
        math.add(context.tileStart[axis], -ring.getOrigin()[axis]), along);
    Value lower = context.kernel.getBound(bounds.getLb()[axis], axis);
    Value upper = context.kernel.getBound(bounds.getUb()[axis], axis);
    chunk.isInField = math.both(chunk.isInField,
                                math.less(lower, math.add(point[axis], step)));
    chunk.isInField = math.both(chunk.isInField, math.less(point[axis], upper));
    if (isTileOnly && axis == last && shape[axis] != context.getTile(axis))
      chunk.isInField =
          math.both(chunk.isInField,
                    math.less(along, math.constant(context.getTile(axis))));
  }
  chunk.inField = field.layout->getPosition(math, point);
  return chunk;
}

Type PlaneChunks::getType() const {
  return VectorType::get({length}, ring.getElementType());
}

Value PlaneChunks::getPlane(Value number) const {
  Arithmetic math = context.kernel.math();
  return math.add(math.add(context.firstPlane, number),
                  ring.getPlanned().newest);
}

Value PlaneChunks::getTarget(const Chunk &chunk, Value slot) const {
  Arithmetic math = context.kernel.math();
  return math.toIndex(
      math.add(chunk.inWindow, math.mul(slot, ring.getPlaneElements())));
}

Value PlaneChunks::getSource(const Chunk &chunk, Value number) const {
  Arithmetic math = context.kernel.math();
  if (!context.getWalk())
    return math.toIndex(chunk.inField);
  Value stride = field.layout->getStrides()[*context.getWalk()];
  return math.toIndex(math.add(
      chunk.inField, math.mul(ring.getSourcePlane(getPlane(number)), stride)));
}

Value PlaneChunks::isLoaded(const Chunk &chunk, Value number) const {
  Arithmetic math = context.kernel.math();
  Value needed = chunk.isInField;
  if (chunk.exists)
    needed = math.both(needed, chunk.exists);
  if (!context.getWalk())
    return needed;
  Value plane = getPlane(number);
  return math.both(needed, context.isNeeded(ring.getPlanned().needs, plane));
}
