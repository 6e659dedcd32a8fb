//===- ApplyToKernel.cpp - Applies to kernels -----------------------------===//
//
//   stencil.apply ... to <[0, 0], [n, m]>
//     ==> block: a tile of the box, found by its number (`order`, `panel`)
//           thread: some neighbouring points of the tile (`points`)
//             fetch: what the points read, into a window
//             compute: the bodies, reading the window
//             store: the results, in vectors; their periodic images, if a
//               boundary op that fills halos with them follows
//
// A thread whose points do not all lie in the box computes them one by one, in
// code of its own: a test per point would slow the others down.
//
//===----------------------------------------------------------------------===//

#include "ApplyKernel.h"
#include "Patterns.h"
#include "StencilDialect/Analysis/PeriodicImages.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <set>

using namespace mlir;
using namespace stencil;

SmallVector<SmallVector<int64_t>>
stencil::listOffsets(ArrayRef<int64_t> counts, ArrayRef<int64_t> steps) {
  SmallVector<SmallVector<int64_t>> points = {
      SmallVector<int64_t>(counts.size(), 0)};
  for (size_t axis = 0; axis < counts.size(); ++axis) {
    SmallVector<SmallVector<int64_t>> next;
    for (const SmallVector<int64_t> &point : points)
      for (int64_t i = 0; i < counts[axis]; ++i) {
        next.push_back(point);
        next.back()[axis] = i * steps[axis];
      }
    points = std::move(next);
  }
  return points;
}

Type ApplyKernel::chooseType() {
  SmallVector<GridType> fields;
  for (Value value : op->getOperands())
    if (auto type = dyn_cast<GridType>(value.getType()))
      fields.push_back(type);
  // Coordinates of the last block reach beyond the box.
  int64_t reach = 0;
  for (int64_t axis = 0; axis < domain.getRank(); ++axis)
    reach = std::max(reach, std::abs(domain.getUb()[axis]) + grid.tileOf(axis));
  return chooseIndexType(op.getContext(), fields, reach);
}

void ApplyKernel::addFields() {
  FieldAliasAnalysis &aliases = kernels.getAliases();
  auto getBound = [&](int64_t bound, int64_t axis) {
    return kernel.getBound(bound, axis);
  };
  auto isolate = [&](Value field) {
    // Alone in its memory, apart from what is the same argument.
    for (Value other : op->getOperands())
      if (isa<GridType>(other.getType()) && other != field &&
          aliases.mayAlias(other, field))
        return false;
    return true;
  };
  auto makeField = [&](Value field, bool isRead, ArrayRef<int64_t> axes,
                       Location origin) {
    KernelField result;
    result.type = cast<GridType>(field.getType());
    KernelBuilder::BufferAttrs attributes;
    attributes.isolated = isolate(field);
    attributes.readOnly = isRead && !llvm::is_contained(op.getDest(), field);
    result.buffer = kernel.addField(
        field, isRead ? KernelAccess::Read : KernelAccess::Write, attributes,
        origin);
    result.axes.assign(axes.begin(), axes.end());
    result.layout.emplace(kernel.math(), result.type, kernels.getRows(),
                          getBound, result.axes);
    return result;
  };
  auto all = llvm::to_vector(llvm::seq<int64_t>(domain.getRank()));
  for (auto [index, value] : llvm::enumerate(op.getArgs())) {
    if (!isa<GridType>(value.getType())) {
      arguments.push_back(kernel.addScalar(value));
      inputs.emplace_back();
      continue;
    }
    inputs.push_back(makeField(value, /*isRead=*/true, findAxes(op, index),
                               op.getBodyBlock()->getArgument(index).getLoc()));
    arguments.push_back(inputs.back().buffer);
  }
  for (Value value : op.getDest())
    outputs.push_back(makeField(value, /*isRead=*/false, all, op.getLoc()));
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

void ApplyKernel::store(RowAddresses &addresses, const BasePoint &base,
                        PointList points,
                        ArrayRef<SmallVector<LaneValue>> results) {
  int64_t factor = llvm::product_of(unroll);
  SmallVector<SmallVector<int64_t>> positions =
      listOffsets(unroll, SmallVector<int64_t>(unroll.size(), 1));
  for (auto [index, field] : llvm::enumerate(outputs)) {
    std::map<std::vector<int64_t>, LaneValue> values;
    for (auto [point, lanes] : llvm::zip_equal(points, results))
      for (auto [position, lane] : llvm::zip_equal(
               positions, ArrayRef(lanes).slice(index * factor, factor))) {
        std::vector<int64_t> offset(point.begin(), point.end());
        for (auto [whole, part] : llvm::zip_equal(offset, position))
          whole += part;
        values[offset] = lane;
      }
    storePoints(kernel, addresses, field, base.alignment, values);
  }
}

/// Computes `points` evaluations of the body per axis from `base` on.
LogicalResult ApplyKernel::emitPoints(const BasePoint &base,
                                      ArrayRef<int64_t> counts) {
  OpBuilder &builder = kernel.body();
  SmallVector<SmallVector<int64_t>> points = listOffsets(counts, unroll);
  RowAddresses addresses(kernel, base);
  CacheWindow window(kernel, op.getRank(), inputs, addresses, base.alignment);
  window.fetch(op, points);
  std::vector<WindowReader> readers;
  SmallVector<BodyEmitter> emitters;
  SmallVector<SmallVector<Value>> coordinates;
  Arithmetic math = kernel.math();
  readers.reserve(points.size());
  for (const SmallVector<int64_t> &point : points) {
    readers.emplace_back(window, kernel, errorWord, kernels, point);
    emitters.emplace_back(op, arguments, readers.back(), /*lanes=*/1,
                          kernels.getOptions().math);
    SmallVector<Value> &position = coordinates.emplace_back();
    for (auto [coordinate, step] : llvm::zip_equal(base.coordinates, point))
      position.push_back(math.toIndex(math.add(coordinate, step)));
  }
  auto results = BodyEmitter::emitJointly(builder, emitters, coordinates,
                                          {points, base.alignment});
  if (failed(results))
    return failure();
  store(addresses, base, points, *results);
  return success();
}

/// The points of a thread at the edge of the box.
LogicalResult ApplyKernel::emitOneByOne(const BasePoint &base) {
  OpBuilder::InsertionGuard guard(kernel.body());
  SmallVector<int64_t> one(domain.getRank(), 1);
  return emitPoints(grid.visitPoints(kernel, op.getLoc(), base, unroll), one);
}

static bool isEvictionGiven(ApplyOp op) {
  auto given = op->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName);
  return given && given.getEviction();
}

/// True if no input is what is stored.
static bool isReadApart(ApplyOp op, KernelSet &kernels) {
  return llvm::none_of(op.getArgs(), [&](Value input) {
    return isa<GridType>(input.getType()) &&
           llvm::any_of(op.getDest(), [&](Value dest) {
             return kernels.getAliases().mayAlias(input, dest);
           });
  });
}

LogicalResult ApplyKernel::emit() {
  Location loc = op.getLoc();
  addFields();
  if (schedule.keepsLines &&
      (isEvictionGiven(op) || isReadApart(op, kernels)) &&
      failed(kernel.keepLines(op)))
    return failure();
  op.getRegion().walk([&](Operation *inner) {
    if (!errorWord && mayFailAtRunTime(inner))
      errorWord =
          kernel.addMemory(kernels.getErrorWord(), KernelAccess::Write, {});
  });
  Value total;
  SmallVector<Value> counts = grid.countBlocks(kernel, total);
  Arithmetic math = kernel.math();
  SmallVector<Value> block = grid.findBlock(kernel, counts);
  BasePoint base;
  for (int64_t axis = 0; axis < domain.getRank(); ++axis) {
    Value first = grid.getTileStart(kernel, axis, block[axis]);
    if (int64_t dimension = domain.getRank() - 1 - axis; dimension < 3)
      first = math.add(
          first,
          math.mul(kernel.getThread(static_cast<gpu::Dimension>(dimension)),
                   pointsOf(axis)));
    base.coordinates.push_back(first);
  }
  base.alignment = grid.getAlignment();
  SmallVector<int64_t> points;
  for (int64_t axis = 0; axis < domain.getRank(); ++axis)
    points.push_back(pointsOf(axis));
  OpBuilder &builder = kernel.body();
  Value inside = grid.isInside(kernel, base, points);
  if (!inside) {
    emitPrefetches(base);
    if (failed(emitPoints(base, schedule.points)))
      return failure();
  } else {
    bool isSplit = llvm::product_of(schedule.points) > 1;
    auto branch = scf::IfOp::create(builder, loc, inside, isSplit);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
      emitPrefetches(base);
      if (failed(emitPoints(base, schedule.points)))
        return failure();
    }
    if (isSplit) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(branch.elseBlock()->getTerminator());
      if (failed(emitOneByOne(base)))
        return failure();
    }
  }
  emitImages(base);
  kernel.launch(total);
  return success();
}

LogicalResult stencil::lowerApply(ApplyOp op, KernelSet &kernels,
                                  llvm::SmallPtrSetImpl<Operation *> &joined) {
  if (!op.isBufferised())
    return op.emitOpError("expected a bufferised apply; run stencil-bufferize");
  auto schedule = chooseGPUSchedule(op, kernels.getOptions().target);
  if (failed(schedule))
    return failure();
  FieldAliasAnalysis &aliases = kernels.getAliases();
  FailureOr<SmallVector<BoundaryOp>> images = findStoredImages(op, aliases);
  if (failed(images))
    return failure();
  joined.insert(images->begin(), images->end());
  return ApplyKernel(op, kernels, std::move(*schedule), *images).emit();
}
