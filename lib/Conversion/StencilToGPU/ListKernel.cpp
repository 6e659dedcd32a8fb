//===- ListKernel.cpp - Kernels over lists to threads ---------------------===//
//
//   tile.kernel over a list { tile.where part { tile.halo, tile.store } }
//     ==> gpu.func: a thread finds its point by its number, and the branch of
//         the box that this is in
//   tile.kernel over a list { tile.fold }
//     ==> two of them: a thread folds its points, the threads of a block fold
//         theirs in shared memory; the second one, of one block, does the same
//         to the blocks' numbers
//
//===----------------------------------------------------------------------===//

#include "HaloFrame.h"
#include "KernelBuilder.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/Conversion/FoldMath.h"
#include "StencilDialect/IR/Bounds.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

namespace {

/// What both kinds of kernels over lists have.
class ListKernel {
public:
  ListKernel(tile::KernelOp op, KernelSet &kernels)
      : op(op), list(op.getListAttr()), kernels(kernels), loc(op.getLoc()),
        threads(op.getGrid().countThreads()),
        kernel(kernels, op, op.getName(), chooseType(), {threads, 1, 1}) {}

protected:
  Type chooseType();
  Value bound(int64_t value, int64_t axis) {
    return kernel.getBound(value, axis);
  }
  int64_t getEnd(unsigned part, int64_t axis);
  Value countPoints(unsigned part);
  Value measure(unsigned part, SmallVectorImpl<Value> &extents);
  SmallVector<Value> findPoint(unsigned part, ArrayRef<Value> extents,
                               Value number);
  DeviceLayout getLayout(Value field);
  Value addField(Value argument);

  tile::KernelOp op;
  tile::ListAttr list;
  KernelSet &kernels;
  Location loc;
  int64_t threads;
  KernelBuilder kernel;
  const Arithmetic &math = kernel.math();
  ImplicitLocOpBuilder &b = kernel.body();
};

/// Fills halos.
class HaloKernel : public ListKernel {
public:
  using ListKernel::ListKernel;
  void emit();

private:
  void chooseField(Value &block);
  void emitWhere(tile::WhereOp where, ArrayRef<Value> extents, Value number);
  HaloAxis getAxis(tile::HaloOp halo, int64_t axis);
  Value getPosition(Value field, ValueRange point);
  Value load(Value field, ValueRange point);
  Value emitValue(tile::HaloOp halo, unsigned part, SmallVector<Value> point);

  /// By argument, or result of the tile.turn.
  llvm::DenseMap<Value, Value> buffers;
  /// By type of fields.
  llvm::DenseMap<Type, DeviceLayout> layouts;
};

/// Folds points: one of two kernels.
class FoldKernel : public ListKernel {
public:
  FoldKernel(tile::FoldOp fold, KernelSet &kernels)
      : ListKernel(fold->getParentOfType<tile::KernelOp>(), kernels),
        fold(fold),
        folder(loc, fold.getKind(), getElementType(fold.getTemps().front()),
               fold.getTemps().size(), /*wide=*/true) {}
  Value countBlocks();
  void foldPoints(Value blocks);
  void foldBlocks(Value blocks);

private:
  void emitBlock(Value begin, Value end, Value step, Value target, Value place,
                 llvm::function_ref<Value(Value)> getTerm);

  tile::FoldOp fold;
  Folder folder;
};

} // namespace

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

Type ListKernel::chooseType() {
  // A field has more points than are listed of it.
  std::optional<int64_t> size;
  auto fields =
      llvm::make_filter_range(op.getArgs().getTypes(), llvm::IsaPred<GridType>);
  if (!fields.empty())
    size = DeviceLayout::getStaticSize(cast<GridType>(*fields.begin()));
  return chooseIndexType(op,
                         size.value_or(kSymbolBase) +
                             threads * std::max<int64_t>(1, list.getBlocks()));
}

/// The bound of a box, as if there were nothing that is left out.
int64_t ListKernel::getEnd(unsigned part, int64_t axis) {
  int64_t end = list.getBoxes()[part].getUb()[axis];
  if (list.hasGap(part) && axis + 1 == op.getGrid().getRank())
    end += list.getWithout().getLb()[axis] - list.getWithout().getUb()[axis];
  return end;
}

/// Of a box, on the host.
Value ListKernel::countPoints(unsigned part) {
  Arithmetic host = kernel.host();
  OpBuilder &builder = kernel.outside();
  Value points = host.constant(1);
  for (int64_t axis = 0; axis < op.getGrid().getRank(); ++axis) {
    int64_t first = list.getBoxes()[part].getLb()[axis];
    points = host.mul(
        points,
        host.sub(kernels.getBound(builder, loc, getEnd(part, axis), axis),
                 kernels.getBound(builder, loc, first, axis)));
  }
  return points;
}

/// The points of a box per axis, and of all of it, in the kernel.
Value ListKernel::measure(unsigned part, SmallVectorImpl<Value> &extents) {
  Value size = math.constant(1);
  for (int64_t axis = 0; axis < op.getGrid().getRank(); ++axis) {
    extents.push_back(
        math.sub(bound(getEnd(part, axis), axis),
                 bound(list.getBoxes()[part].getLb()[axis], axis)));
    size = math.mul(size, extents.back());
  }
  return size;
}

/// The point of a box that has a number.
SmallVector<Value> ListKernel::findPoint(unsigned part, ArrayRef<Value> extents,
                                         Value number) {
  int64_t rank = op.getGrid().getRank(), last = rank - 1;
  SmallVector<Value> point(rank);
  for (int64_t axis = last; axis >= 0; --axis) {
    Value extent = extents[axis];
    Value position = axis == 0 ? number : math.rem(number, extent);
    number = math.div(number, extent);
    point[axis] =
        math.add(bound(list.getBoxes()[part].getLb()[axis], axis), position);
  }
  if (!list.hasGap(part))
    return point;
  Value lb = bound(list.getWithout().getLb()[last], last);
  Value ub = bound(list.getWithout().getUb()[last], last);
  Value beyond = math.add(point[last], math.sub(ub, lb));
  point[last] = math.select(math.less(point[last], lb), point[last], beyond);
  return point;
}

DeviceLayout ListKernel::getLayout(Value field) {
  return {math, cast<GridType>(field.getType()), kernels.getRows(),
          kernel.listBounds()};
}

/// Passes a field with what is done to it.
Value ListKernel::addField(Value argument) {
  Value operand = op.getOperandOf(argument);
  bool isStored = op.isStored(argument);
  bool isIsolated =
      llvm::all_of(op.getBodyBlock()->getArguments(), [&](BlockArgument other) {
        return other == argument || !isa<FieldType>(other.getType()) ||
               (!isStored && !op.isStored(other)) ||
               !kernels.getAliases().mayAlias(op.getOperandOf(other), operand);
      });
  return kernel.addField(operand, getAccess(op.isRead(argument), isStored),
                         isIsolated, argument.getLoc());
}

//===----------------------------------------------------------------------===//
// Halos
//===----------------------------------------------------------------------===//

/// The fields, and the one whose turn it is: that of a block's number, which
/// becomes the number among those that have the same one. All fields are at the
/// same place at the same time.
void HaloKernel::chooseField(Value &block) {
  for (BlockArgument argument : op.getBodyBlock()->getArguments())
    if (isa<FieldType>(argument.getType()))
      buffers[argument] = addField(argument);
  auto turns = op.getBodyBlock()->getOps<tile::TurnOp>();
  if (turns.empty())
    return;
  tile::TurnOp turn = *turns.begin();
  Value chosen = buffers[turn.getFields().front()];
  if (turn.getFields().size() > 1) {
    Value count = math.constant(list.getTurns());
    Value number = math.rem(block, count);
    block = math.div(block, count);
    for (auto [index, field] :
         llvm::drop_begin(llvm::enumerate(turn.getFields()))) {
      Value isOther = math.lessEqual(math.constant(index), number);
      chosen = math.select(isOther, buffers[field], chosen);
    }
  }
  buffers[turn.getRes()] = chosen;
}

Value HaloKernel::getPosition(Value field, ValueRange point) {
  const DeviceLayout &layout = layouts.find(field.getType())->second;
  return math.toIndex(layout.getPosition(math, point));
}

Value HaloKernel::load(Value field, ValueRange point) {
  return memref::LoadOp::create(b, buffers[field], getPosition(field, point));
}

HaloAxis HaloKernel::getAxis(tile::HaloOp halo, int64_t axis) {
  BoundsAttr field = getBounds(halo.getField());
  BoundsAttr interior = halo.getBounds();
  return {bound(interior.getLb()[axis], axis),
          bound(interior.getUb()[axis], axis),
          {halo.getCondition(axis, false), halo.getCondition(axis, true)},
          {interior.getLb()[axis] - field.getLb()[axis],
           field.getUb()[axis] - interior.getUb()[axis]}};
}

/// The value of a halo point.
Value HaloKernel::emitValue(tile::HaloOp halo, unsigned part,
                            SmallVector<Value> point) {
  tile::HaloSide side = *halo.locate(list, part);
  int64_t axis = side.axis;
  HaloRule rule = getHaloRule(halo.getCondition(axis, side.upper));
  Type element = getElementType(halo.getField());
  HaloAxis along = getAxis(halo, axis);
  if (rule.isPolynomial()) {
    BoundsAttr box = list.getBoxes()[part], interior = halo.getBounds();
    int64_t layer = side.upper ? box.getLb()[axis] - interior.getUb()[axis] + 1
                               : interior.getLb()[axis] - box.getLb()[axis];
    SmallVector<Value> values;
    for (int64_t node = 0; node <= rule.order; ++node) {
      point[axis] =
          side.upper ? math.add(along.ub, -1 - node) : math.add(along.lb, node);
      values.push_back(load(halo.getField(), point));
    }
    return extrapolate(b, loc, values, rule.order, layer);
  }
  if (rule.isConstant() && !side.bothSides)
    return arith::ConstantOp::create(b, convertNumber(rule.value, element));
  if (!side.bothSides)
    point[axis] = getBoundarySource(math, rule, side.upper, along.lb, along.ub,
                                    along.widths[side.upper], point[axis]);
  HaloSource source(kernel, element, point);
  if (side.bothSides)
    source.follow(axis, along);
  else if (rule.isNegated)
    source.isNegated = arith::ConstantIntOp::create(b, 1, 1);
  for (int64_t earlier = axis - 1, filled = halo.getFilled(); earlier >= filled;
       --earlier)
    source.follow(earlier, getAxis(halo, earlier));
  return source.finish(load(halo.getField(), source.point));
}

/// What is done at the point of a box that has a number.
void HaloKernel::emitWhere(tile::WhereOp where, ArrayRef<Value> extents,
                           Value number) {
  auto part = static_cast<unsigned>(*where.getPart());
  SmallVector<Value> point = findPoint(part, extents, number);
  llvm::DenseMap<Value, Value> values;
  for (Operation &inner : where.getBodyBlock()->without_terminator()) {
    if (auto halo = dyn_cast<tile::HaloOp>(inner))
      values[halo.getRes()] = emitValue(halo, part, point);
    if (auto store = dyn_cast<tile::StoreOp>(inner))
      memref::StoreOp::create(b, values[store.getValues()],
                              buffers[store.getField()],
                              getPosition(store.getField(), point));
  }
}

void HaloKernel::emit() {
  Arithmetic host = kernel.host();
  Value total = host.constant(0);
  // Box after box, from `begins`, of `extents`.
  SmallVector<Value> begins = {math.constant(0)};
  SmallVector<SmallVector<Value>> extents;
  for (unsigned part = 0; part < list.getBoxes().size(); ++part) {
    total = host.add(total, countPoints(part));
    Value size = measure(part, extents.emplace_back());
    begins.push_back(math.add(begins.back(), size));
  }
  Value block = kernel.getBlock();
  chooseField(block);
  for (Value operand : op.getArgs())
    if (isa<FieldType>(operand.getType()) &&
        !layouts.contains(operand.getType()))
      layouts.try_emplace(operand.getType(), getLayout(operand));
  Value id =
      math.add(math.mul(block, threads), kernel.getThread(gpu::Dimension::x));
  for (auto where : op.getBodyBlock()->getOps<tile::WhereOp>()) {
    uint64_t part = *where.getPart();
    OpBuilder::InsertionGuard guard(b);
    openIf(b, loc, math.isWithin(id, begins[part], begins[part + 1]));
    emitWhere(where, extents[part], math.sub(id, begins[part]));
  }
  kernel.launch(host.mul(host.ceilDiv(total, threads), list.getTurns()));
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// Folds what `getTerm` gives for the numbers from this thread's on, in steps
/// of `step`, below `end`, and then the threads of the block. The first thread
/// stores the result at `place` of `target`.
void FoldKernel::emitBlock(Value begin, Value end, Value step, Value target,
                           Value place,
                           llvm::function_ref<Value(Value)> getTerm) {
  Value identity = folder.getIdentity(b);
  auto loop = scf::ForOp::create(b, begin, end, step, identity);
  b.setInsertionPointToStart(loop.getBody());
  Value term = getTerm(loop.getInductionVar());
  scf::YieldOp::create(
      b, folder.combine(b, loop.getRegionIterArgs().front(), term));
  b.setInsertionPointAfter(loop);
  // Half of the threads fold what the other half has, then half of those. (The
  // lowering of gpu.all_reduce has several threads store one element at once.)
  Value thread = kernel.getThread(gpu::Dimension::x);
  Value shared = kernel.addShared(threads, folder.getAccumulatorType());
  Value own = math.toIndex(thread);
  Arithmetic wide(b, loc, b.getIndexType());
  memref::StoreOp::create(b, loop.getResult(0), shared, own);
  for (int64_t half = threads / 2; half >= 1; half /= 2) {
    gpu::BarrierOp::create(b);
    OpBuilder::InsertionGuard guard(b);
    openIf(b, loc, math.less(thread, half));
    Value low = memref::LoadOp::create(b, shared, own);
    Value high = memref::LoadOp::create(b, shared, wide.add(own, half));
    memref::StoreOp::create(b, folder.combine(b, low, high), shared, own);
  }
  // The thread that did the last step.
  openIf(b, loc, math.equal(thread, 0));
  Value folded = memref::LoadOp::create(b, shared, own);
  memref::StoreOp::create(b, folded, target, place);
}

/// To a number for each block.
void FoldKernel::foldPoints(Value blocks) {
  SmallVector<Value> buffers;
  SmallVector<DeviceLayout> layouts;
  for (Value temp : fold.getTemps()) {
    Value field = temp.getDefiningOp<tile::SourceOp>().getMemory();
    buffers.push_back(addField(field));
    layouts.push_back(getLayout(field));
  }
  Value target = kernel.addMemory(op.getOperandOf(fold.getPartial()),
                                  KernelAccess::Write, /*isIsolated=*/true);
  SmallVector<Value> extents;
  Value points = measure(/*part=*/0, extents);
  Value grid = math.fromIndex(kernel.addScalar(blocks));
  Value block = kernel.getBlock();
  Value begin =
      math.add(math.mul(block, threads), kernel.getThread(gpu::Dimension::x));
  emitBlock(begin, points, math.mul(grid, threads), target, math.toIndex(block),
            [&](Value number) {
              SmallVector<Value> values;
              SmallVector<Value> point = findPoint(/*part=*/0, extents, number);
              for (auto [buffer, layout] : llvm::zip_equal(buffers, layouts))
                values.push_back(memref::LoadOp::create(
                    b, buffer, math.toIndex(layout.getPosition(math, point))));
              return folder.getTerm(b, values);
            });
  kernel.launch(blocks);
}

/// Those of blocks, to one.
void FoldKernel::foldBlocks(Value blocks) {
  Value source =
      kernel.addMemory(op.getOperandOf(fold.getPartial()), KernelAccess::Read,
                       /*isIsolated=*/true);
  Value target = kernel.addMemory(op.getOperandOf(fold.getResult()),
                                  KernelAccess::Write, /*isIsolated=*/true);
  Value grid = math.fromIndex(kernel.addScalar(blocks));
  emitBlock(kernel.getThread(gpu::Dimension::x), grid, math.constant(threads),
            target, math.toIndex(math.constant(0)), [&](Value number) {
              return memref::LoadOp::create(b, source, math.toIndex(number))
                  .getResult();
            });
  kernel.launch(kernel.host().constant(1));
}

Value FoldKernel::countBlocks() {
  Arithmetic host = kernel.host();
  Value blocks = host.ceilDiv(countPoints(/*part=*/0), threads);
  return host.min(blocks, host.constant(list.getBlocks()));
}

void stencil::lowerListKernel(tile::KernelOp op, KernelSet &kernels) {
  auto folds = op.getBodyBlock()->getOps<tile::FoldOp>();
  if (folds.empty()) {
    HaloKernel(op, kernels).emit();
    return;
  }
  FoldKernel points(*folds.begin(), kernels);
  Value blocks = points.countBlocks();
  points.foldPoints(blocks);
  FoldKernel(*folds.begin(), kernels).foldBlocks(blocks);
}
