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
        threads(op.getGrid().countThreads()) {}

protected:
  Type chooseType();
  void begin() {
    kernel.emplace(kernels, op, op.getName(), chooseType(),
                   std::array<int64_t, 3>{threads, 1, 1});
  }
  Value bound(int64_t value, int64_t axis) {
    return kernel->getBound(value, axis);
  }
  int64_t getEnd(unsigned part, int64_t axis);
  Value countPoints(const Arithmetic &math, unsigned part);
  Value measure(unsigned part, SmallVectorImpl<Value> &extents);
  SmallVector<Value> findPoint(const Arithmetic &math, unsigned part,
                               ArrayRef<Value> extents, Value number);
  DeviceLayout getLayout(Value field);
  Value addField(Value argument);

  tile::KernelOp op;
  tile::ListAttr list;
  KernelSet &kernels;
  Location loc;
  int64_t threads;
  std::optional<KernelBuilder> kernel;
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

/// Folds points.
class FoldKernel : public ListKernel {
public:
  FoldKernel(tile::FoldOp fold, KernelSet &kernels)
      : ListKernel(fold->getParentOfType<tile::KernelOp>(), kernels),
        fold(fold),
        folder(
            loc, fold.getKind(),
            cast<TempType>(fold.getTemps().front().getType()).getElementType(),
            fold.getTemps().size(), /*wide=*/true) {}
  void emit();

private:
  using GetTerm =
      llvm::function_ref<Value(OpBuilder &, const Arithmetic &, Value)>;

  void emitBlock(Value begin, Value end, Value step, Value target, Value place,
                 GetTerm getTerm);
  void foldPoints(Value blocks);
  void foldBlocks(Value blocks);

  tile::FoldOp fold;
  Folder folder;
};

} // namespace

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

Type ListKernel::chooseType() {
  SmallVector<GridType> fields;
  for (Type type : op.getArgs().getTypes())
    if (auto field = dyn_cast<GridType>(type))
      fields.push_back(field);
  // A field has more points than are listed of it.
  std::optional<int64_t> size;
  if (!fields.empty())
    size = DeviceLayout::getStaticSize(fields.front());
  return chooseIndexType(op.getContext(), fields,
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
Value ListKernel::countPoints(const Arithmetic &math, unsigned part) {
  OpBuilder builder(op);
  Value points = math.constant(1);
  for (int64_t axis = 0; axis < op.getGrid().getRank(); ++axis) {
    int64_t first = list.getBoxes()[part].getLb()[axis];
    points = math.mul(
        points,
        math.sub(kernels.getBound(builder, loc, getEnd(part, axis), axis),
                 kernels.getBound(builder, loc, first, axis)));
  }
  return points;
}

/// The points of a box per axis, and of all of it, in the kernel.
Value ListKernel::measure(unsigned part, SmallVectorImpl<Value> &extents) {
  Arithmetic math = kernel->math();
  Value size = math.constant(1);
  for (int64_t axis = 0; axis < op.getGrid().getRank(); ++axis) {
    extents.push_back(
        math.sub(bound(getEnd(part, axis), axis),
                 bound(list.getBoxes()[part].getLb()[axis], axis)));
    size = math.mul(size, extents.back());
  }
  return size;
}

/// The point of a box that has a number, where `math` computes.
SmallVector<Value> ListKernel::findPoint(const Arithmetic &math, unsigned part,
                                         ArrayRef<Value> extents,
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
  return {kernel->math(), cast<GridType>(field.getType()), kernels.getRows(),
          kernel->listBounds()};
}

/// Passes a field with what is done to it.
Value ListKernel::addField(Value argument) {
  Value operand = op.getOperandOf(argument);
  bool isStored = op.isStored(argument);
  KernelBuilder::BufferAttrs attributes;
  attributes.readOnly = !isStored;
  attributes.isolated =
      llvm::all_of(op.getBodyBlock()->getArguments(), [&](BlockArgument other) {
        return other == argument || !isa<FieldType>(other.getType()) ||
               (!isStored && !op.isStored(other)) ||
               !kernels.getAliases().mayAlias(op.getOperandOf(other), operand);
      });
  bool isRead = op.isRead(argument);
  KernelAccess access = !isStored ? KernelAccess::Read
                        : isRead  ? KernelAccess::ReadWrite
                                  : KernelAccess::Write;
  return kernel->addField(operand, access, attributes, argument.getLoc());
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
  Arithmetic math = kernel->math();
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
  Arithmetic math = kernel->math();
  const DeviceLayout &layout = layouts.find(field.getType())->second;
  return math.toIndex(layout.getPosition(math, point));
}

Value HaloKernel::load(Value field, ValueRange point) {
  return memref::LoadOp::create(kernel->body(), loc, buffers[field],
                                getPosition(field, point));
}

HaloAxis HaloKernel::getAxis(tile::HaloOp halo, int64_t axis) {
  BoundsAttr field = cast<GridType>(halo.getField().getType()).getBounds();
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
  OpBuilder &builder = kernel->body();
  Arithmetic math = kernel->math();
  tile::HaloSide side = *halo.locate(list, part);
  int64_t axis = side.axis;
  HaloRule rule = getHaloRule(halo.getCondition(axis, side.upper));
  Type element = cast<GridType>(halo.getField().getType()).getElementType();
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
    return extrapolate(builder, loc, values, rule.order, layer);
  }
  if (rule.isConstant() && !side.bothSides)
    return arith::ConstantOp::create(builder, loc,
                                     convertNumber(rule.value, element));
  if (!side.bothSides)
    point[axis] = getBoundarySource(math, rule, side.upper, along.lb, along.ub,
                                    along.widths[side.upper], point[axis]);
  HaloSource source(*kernel, element, point);
  if (side.bothSides)
    source.follow(axis, along);
  else if (rule.isNegated)
    source.isNegated = arith::ConstantIntOp::create(builder, loc, 1, 1);
  for (int64_t earlier = axis - 1,
               filled = static_cast<int64_t>(halo.getFilled());
       earlier >= filled; --earlier)
    source.follow(earlier, getAxis(halo, earlier));
  return source.finish(load(halo.getField(), source.point));
}

/// What is done at the point of a box that has a number.
void HaloKernel::emitWhere(tile::WhereOp where, ArrayRef<Value> extents,
                           Value number) {
  Arithmetic math = kernel->math();
  auto part = static_cast<unsigned>(*where.getPart());
  SmallVector<Value> point = findPoint(math, part, extents, number);
  llvm::DenseMap<Value, Value> values;
  for (Operation &inner : where.getBodyBlock()->without_terminator()) {
    if (auto halo = dyn_cast<tile::HaloOp>(inner))
      values[halo.getRes()] = emitValue(halo, part, point);
    if (auto store = dyn_cast<tile::StoreOp>(inner))
      memref::StoreOp::create(kernel->body(), loc, values[store.getValues()],
                              buffers[store.getField()],
                              getPosition(store.getField(), point));
  }
}

void HaloKernel::emit() {
  begin();
  Arithmetic math = kernel->math();
  OpBuilder &builder = kernel->body();
  OpBuilder &outside = kernel->outside();
  Arithmetic hostMath(outside, loc, outside.getIndexType());
  Value total = hostMath.constant(0);
  // Box after box, from `begins`, of `extents`.
  SmallVector<Value> begins = {math.constant(0)};
  SmallVector<SmallVector<Value>> extents;
  for (unsigned part = 0; part < list.getBoxes().size(); ++part) {
    total = hostMath.add(total, countPoints(hostMath, part));
    Value size = measure(part, extents.emplace_back());
    begins.push_back(math.add(begins.back(), size));
  }
  Value block = kernel->getBlock();
  chooseField(block);
  for (Value operand : op.getArgs())
    if (isa<FieldType>(operand.getType()) &&
        !layouts.contains(operand.getType()))
      layouts.try_emplace(operand.getType(), getLayout(operand));
  Value id =
      math.add(math.mul(block, threads), kernel->getThread(gpu::Dimension::x));
  for (auto where : op.getBodyBlock()->getOps<tile::WhereOp>()) {
    uint64_t part = *where.getPart();
    Value isHere = math.both(math.lessEqual(begins[part], id),
                             math.less(id, begins[part + 1]));
    OpBuilder::InsertionGuard guard(builder);
    openIf(builder, loc, isHere);
    emitWhere(where, extents[part], math.sub(id, begins[part]));
  }
  kernel->launch(
      hostMath.mul(hostMath.ceilDiv(total, threads), list.getTurns()));
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// Folds what `getTerm` gives for the numbers from this thread's on, in steps
/// of `step`, below `end`, and then the threads of the block. The first thread
/// stores the result at `place` of `target`.
void FoldKernel::emitBlock(Value begin, Value end, Value step, Value target,
                           Value place, GetTerm getTerm) {
  OpBuilder &builder = kernel->body();
  Value identity = folder.getIdentity(builder);
  auto loop = scf::ForOp::create(
      builder, loc, begin, end, step, identity,
      [&](OpBuilder &inner, Location, Value number, ValueRange carried) {
        Arithmetic math(inner, loc, number.getType());
        Value term = getTerm(inner, math, number);
        scf::YieldOp::create(inner, loc,
                             folder.combine(inner, carried.front(), term));
      });
  // Half of the threads fold what the other half has, then half of those. (The
  // lowering of gpu.all_reduce has several threads store one element at once.)
  Arithmetic math = kernel->math();
  Value thread = kernel->getThread(gpu::Dimension::x);
  Value shared = kernel->addShared(threads, folder.getAccumulatorType());
  Value own = math.toIndex(thread);
  memref::StoreOp::create(builder, loc, loop.getResult(0), shared, own);
  for (int64_t half = threads / 2; half >= 1; half /= 2) {
    gpu::BarrierOp::create(builder, loc);
    Value isFolder = math.less(thread, math.constant(half));
    auto branch = scf::IfOp::create(builder, loc, isFolder);
    OpBuilder inner = branch.getThenBodyBuilder();
    Arithmetic wide(inner, loc, inner.getIndexType());
    Value a = memref::LoadOp::create(inner, loc, shared, own);
    Value b = memref::LoadOp::create(inner, loc, shared, wide.add(own, half));
    memref::StoreOp::create(inner, loc, folder.combine(inner, a, b), shared,
                            own);
  }
  // The thread that did the last step.
  Value isFirst =
      math.compare(arith::CmpIPredicate::eq, thread, math.constant(0));
  auto branch = scf::IfOp::create(builder, loc, isFirst);
  OpBuilder inner = branch.getThenBodyBuilder();
  Value folded = memref::LoadOp::create(inner, loc, shared, own);
  memref::StoreOp::create(inner, loc, folded, target, place);
}

/// To a number for each block.
void FoldKernel::foldPoints(Value blocks) {
  begin();
  SmallVector<Value> buffers;
  SmallVector<DeviceLayout> layouts;
  for (Value temp : fold.getTemps()) {
    Value field = temp.getDefiningOp<tile::SourceOp>().getMemory();
    buffers.push_back(addField(field));
    layouts.push_back(getLayout(field));
  }
  Value target = kernel->addMemory(op.getOperandOf(fold.getPartial()),
                                   KernelAccess::Write, {/*isolated=*/true});
  Arithmetic math = kernel->math();
  SmallVector<Value> extents;
  Value points = measure(/*part=*/0, extents);
  Value grid = math.fromIndex(kernel->addScalar(blocks));
  Value block = kernel->getBlock();
  Value begin =
      math.add(math.mul(block, threads), kernel->getThread(gpu::Dimension::x));
  emitBlock(
      begin, points, math.mul(grid, threads), target, math.toIndex(block),
      [&](OpBuilder &inner, const Arithmetic &at, Value number) {
        SmallVector<Value> values;
        SmallVector<Value> point = findPoint(at, /*part=*/0, extents, number);
        for (auto [buffer, layout] : llvm::zip_equal(buffers, layouts))
          values.push_back(memref::LoadOp::create(
              inner, loc, buffer, at.toIndex(layout.getPosition(at, point))));
        return folder.getTerm(inner, values);
      });
  kernel->launch(blocks);
}

/// Those of blocks, to one.
void FoldKernel::foldBlocks(Value blocks) {
  begin();
  Value source =
      kernel->addMemory(op.getOperandOf(fold.getPartial()), KernelAccess::Read,
                        {/*isolated=*/true, /*readOnly=*/true});
  Value target = kernel->addMemory(op.getOperandOf(fold.getResult()),
                                   KernelAccess::Write, {/*isolated=*/true});
  Arithmetic math = kernel->math();
  Value grid = math.fromIndex(kernel->addScalar(blocks));
  emitBlock(kernel->getThread(gpu::Dimension::x), grid, math.constant(threads),
            target, math.toIndex(math.constant(0)),
            [&](OpBuilder &inner, const Arithmetic &at, Value number) {
              return memref::LoadOp::create(inner, loc, source,
                                            at.toIndex(number))
                  .getResult();
            });
  OpBuilder &outside = kernel->outside();
  kernel->launch(Arithmetic(outside, loc, outside.getIndexType()).constant(1));
}

void FoldKernel::emit() {
  OpBuilder builder(op);
  Arithmetic hostMath(builder, loc, builder.getIndexType());
  Value blocks = builder.createOrFold<arith::MinSIOp>(
      loc, hostMath.ceilDiv(countPoints(hostMath, /*part=*/0), threads),
      hostMath.constant(list.getBlocks()));
  foldPoints(blocks);
  foldBlocks(blocks);
}

void stencil::lowerListKernel(tile::KernelOp op, KernelSet &kernels) {
  auto folds = op.getBodyBlock()->getOps<tile::FoldOp>();
  if (folds.empty())
    HaloKernel(op, kernels).emit();
  else
    FoldKernel(*folds.begin(), kernels).emit();
}
