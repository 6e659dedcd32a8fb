//===- Fusion.cpp - Whether two applies may be one ------------------------===//
//
// Values are SSA and loads are snapshots, so that evaluating a body later is
// always possible; what has to be looked at is what a body cannot express (a
// computed position in a value that no longer exists), what may not be
// evaluated again, and which copies stencil-bufferize would have to make.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/Fusion.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value stencil::getReturnedValue(ApplyOp apply, unsigned index) {
  Value value = apply.getBodyBlock()->getTerminator()->getOperand(index);
  if (!isa<stencil::ResultType>(value.getType()))
    return value;
  auto wrap = value.getDefiningOp<StoreResultOp>();
  return wrap ? wrap.getArg() : Value();
}

bool stencil::isSameEverywhere(Value value) {
  return isa<BlockArgument>(value) || matchPattern(value, m_Constant());
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

FusionAnalysis::FusionAnalysis(FunctionOpInterface function,
                               const ShapeInference &shapes,
                               FusionLimits limits)
    : limits(limits), shapes(shapes) {
  unsigned position = 0;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    positions[op] = ++position;
    if (auto store = dyn_cast<StoreOp>(op)) {
      writes.push_back({position, store.getField()});
    } else if (auto boundary = dyn_cast<BoundaryOp>(op)) {
      writes.push_back({position, boundary.getField()});
    } else if (auto apply = dyn_cast<ApplyOp>(op)) {
      for (Value dest : apply.getDest())
        writes.push_back({position, dest});
    } else if (op->getNumRegions() == 0 && !isMemoryEffectFree(op) &&
               !op->hasTrait<FieldView>() &&
               !isa<LoadOp, FoldOp, AllocOp>(op)) {
      writes.push_back({position, Value()});
    }
    return op->hasTrait<HasScalarBody>() ? WalkResult::skip()
                                         : WalkResult::advance();
  });
}

BoundsAttr FusionAnalysis::getBox(Value value) const {
  if (BoundsAttr box = boxes.lookup(value))
    return box;
  return shapes.getBox(value);
}

/// True if `field` may be written after `from` and before `to`.
bool FusionAnalysis::isWritten(Value field, unsigned from, unsigned to) {
  constexpr unsigned patience = 256;
  auto it = llvm::partition_point(
      writes, [&](const auto &write) { return write.first <= from; });
  for (unsigned count = 0; it != writes.end() && it->first < to; ++it, ++count)
    if (count == patience || !it->second || aliases.mayAlias(field, it->second))
      return true;
  return false;
}

LogicalResult FusionAnalysis::findMoves(Value value, Operation *place,
                                        SmallVectorImpl<Operation *> &moves) {
  Operation *op = value.getDefiningOp();
  // What is defined around the block of `place` is known in all of it.
  if (!op || op->getBlock() != place->getBlock() ||
      op->isBeforeInBlock(place) || llvm::is_contained(moves, op))
    return success();
  auto load = dyn_cast<LoadOp>(op);
  bool isMovable = load ? !isWritten(load.getField(), positions.lookup(place),
                                     positions.lookup(op))
                        : isPure(op) && op->getNumRegions() == 0;
  constexpr size_t patience = 64;
  if (!isMovable || moves.size() > patience)
    return failure();
  for (Value operand : op->getOperands())
    if (failed(findMoves(operand, place, moves)))
      return failure();
  moves.push_back(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Obstacles
//===----------------------------------------------------------------------===//

std::optional<Obstacle> FusionAnalysis::checkApply(ApplyOp apply) {
  if (apply.isBufferised())
    return Obstacle{"it is bufferised", apply};
  if (!getBox(apply.getRes().front()))
    return Obstacle{"no point of it is needed", apply};
  for (Value input : apply.getArgs())
    if (isa<FieldType>(input.getType()))
      return Obstacle{"it reads a field that is not loaded", apply};
  for (Operation &op : *apply.getBodyBlock()) {
    if (isa<MatVecOp>(op))
      return Obstacle{"its points have rows of a matrix", &op};
    if (!isMemoryEffectFree(&op))
      return Obstacle{"an op of it has side effects", &op};
    if (anyWithin(op, [](Operation *inner) {
          return inner->hasTrait<OpTrait::IsIsolatedFromAbove>();
        }))
      return Obstacle{"its body contains a program of its own", &op};
  }
  return std::nullopt;
}

/// What `consumer` does with the results of `producer`.
std::optional<Obstacle> FusionAnalysis::checkUses(ApplyOp producer,
                                                  ApplyOp consumer) {
  bool isSmaller = producer.getRank() != consumer.getRank();
  for (OpOperand &use : consumer.getArgsMutable()) {
    if (use.get().getDefiningOp() != producer)
      continue;
    unsigned index = cast<OpResult>(use.get()).getResultNumber();
    BlockArgument argument =
        consumer.getBodyBlock()->getArgument(use.getOperandNumber());
    Value value = getReturnedValue(producer, index);
    SmallVector<int64_t> first, axes;
    Operation *firstRead = nullptr;
    SmallVector<Operation *> users(argument.getUsers());
    // Uses are listed latest first.
    for (Operation *user : llvm::reverse(users)) {
      if (!isa<AccessOp, WeightedSumOp>(user))
        return Obstacle{"its result is read at computed coordinates", user};
      if (!value)
        return Obstacle{"what it returns is wrapped in a branch",
                        producer.getBodyBlock()->getTerminator()};
      auto access = dyn_cast<AccessOp>(user);
      bool isShift =
          !access || (firstRead && !isSmaller &&
                      access.getOffset().getValues() != ArrayRef(first));
      if (access && !firstRead) {
        first.assign(access.getOffset().getValues().begin(),
                     access.getOffset().getValues().end());
        firstRead = user;
      }
      Type type = value.getType();
      if (isShift && !WeightedSumOp::isSummable(type) &&
          !isSameEverywhere(value))
        return Obstacle{"its result, read at several offsets, is neither a "
                        "float nor an integer of more than one bit",
                        user};
      if (!access && isa<BlockArgument>(value))
        return Obstacle{"a sum is over the argument that it returns", user};
    }
  }
  if (!isSmaller)
    return std::nullopt;
  Operation *dynamic = nullptr;
  producer.getRegion().walk([&](DynAccessOp op) { dynamic = op; });
  if (dynamic)
    return Obstacle{"it has fewer axes than its consumer and reads an input at "
                    "computed coordinates",
                    dynamic};
  return std::nullopt;
}

std::optional<Obstacle> FusionAnalysis::checkPair(ApplyOp producer,
                                                  ApplyOp consumer) {
  if (llvm::product_of(producer.getUnrollFactors()) != 1)
    return Obstacle{"it returns several points at once (unroll)",
                    producer.getBodyBlock()->getTerminator()};
  if (std::optional<Obstacle> obstacle = checkApply(consumer)) {
    obstacle->reason = "of its consumer: " + obstacle->reason;
    return obstacle;
  }
  if (std::optional<Obstacle> obstacle = checkUses(producer, consumer))
    return obstacle;
  // A copy costs. But a result that is empty at some points cannot be copied:
  // it has to be written where it is stored.
  double copied = 0;
  return checkInPlace(consumer, producer, copied);
}

/// Looks for stores of results of `writer` to fields that `reader` is to read
/// at neighbouring points in the same kernel: the result then takes a buffer,
/// which is copied. Adds the bytes of such results to `copied`.
std::optional<Obstacle>
FusionAnalysis::checkInPlace(ApplyOp writer, ApplyOp reader, double &copied) {
  struct Read {
    Value field;
    bool isPointwise;
  };
  SmallVector<Read> reads;
  Footprint footprint(reader);
  for (auto [i, input] : llvm::enumerate(reader.getArgs())) {
    if (!isa<TempType>(input.getType()))
      continue;
    bool isPointwise = true;
    footprint.forEachRead(i, [&](const InputRead &access) {
      isPointwise &= access.isPointwise(reader.getRank());
    });
    if (auto load = input.getDefiningOp<LoadOp>())
      reads.push_back({load.getField(), isPointwise});
    for (Operation *user : input.getUsers())
      if (auto store = dyn_cast<StoreOp>(user))
        reads.push_back({store.getField(), isPointwise});
  }
  bool isPartial = llvm::any_of(writer->getResults(), mayBeEmpty);
  for (OpResult result : writer->getResults()) {
    bool isCopied = false;
    for (Operation *user : result.getUsers()) {
      auto store = dyn_cast<StoreOp>(user);
      if (!store)
        continue;
      // A point that is read before it is written is intact, if it is the same.
      auto isHazard = [&](const Read &read) {
        bool isSafe = read.isPointwise &&
                      read.field.getType() == store.getField().getType();
        return !isSafe && aliases.mayAlias(store.getField(), read.field);
      };
      if (llvm::none_of(reads, isHazard))
        continue;
      if (isPartial)
        return Obstacle{"a result that is empty at some points is stored over "
                        "a field that is read at neighbouring points",
                        store};
      isCopied = true;
    }
    if (isCopied)
      copied += 2 * countBytes(result, getBox(result));
  }
  return std::nullopt;
}

/// Bytes of the loads of `producer` that have to be copied so that they are
/// still there at `consumer`.
double FusionAnalysis::countSnapshots(ApplyOp producer, ApplyOp consumer) {
  double copied = 0;
  unsigned from = positions.lookup(producer), to = positions.lookup(consumer);
  for (Value input : producer.getArgs()) {
    auto load = input.getDefiningOp<LoadOp>();
    if (!load || !isWritten(load.getField(), from, to))
      continue;
    bool isOldAlready = llvm::any_of(load->getUsers(), [&](Operation *user) {
      return positions.lookup(user) >= to;
    });
    if (!isOldAlready)
      copied += 2 * countBytes(input, getBox(input));
  }
  return copied;
}

/// Keeps results of `producer` that others use, if they can be results of the
/// fused apply: they need the same box, and a place where everything is known.
void FusionAnalysis::tryToKeep(ApplyOp producer, ApplyOp consumer,
                               FusionVerdict &verdict) {
  BoundsAttr domain = getBox(consumer.getRes().front());
  if (producer->getBlock() != consumer->getBlock() ||
      producer.getRank() != consumer.getRank() ||
      llvm::product_of(consumer.getUnrollFactors()) != 1 ||
      llvm::any_of(consumer->getResults(), mayBeEmpty))
    return;
  bool isLate = true;
  for (OpResult result : producer->getResults())
    for (OpOperand &use : result.getUses()) {
      Operation *user = use.getOwner();
      if (user == consumer || ignoredUsers.contains(user))
        continue;
      if (isa<BufferOp>(user) ||
          (isa<StoreOp>(user) && cast<StoreOp>(user).getBounds() != domain))
        return;
      if (!getReturnedValue(producer, result.getResultNumber()))
        return;
      bool isInside = true;
      OperandDemands(user).forEach(
          use, [&](Value value) { return getBox(value); },
          [&](Operation *, const GridBox &box, const InputRead *) {
            isInside &= GridBox(domain).contains(box);
          });
      if (!isInside)
        return;
      Operation *ancestor = producer->getBlock()->findAncestorOpInBlock(*user);
      isLate &= consumer->isBeforeInBlock(ancestor);
    }
  SmallVector<Operation *> moves;
  if (!isLate)
    for (Value input : consumer.getArgs())
      if (input.getDefiningOp() != producer &&
          failed(findMoves(input, producer, moves)))
        return;
  verdict.keepsResults = true;
  verdict.place = isLate ? nullptr : producer.getOperation();
}

std::optional<Obstacle> FusionAnalysis::findSplitObstacle(ApplyOp apply,
                                                          CombineOp combine) {
  int64_t axis = combine.getDim().getSExtValue();
  if (std::optional<Obstacle> obstacle = checkApply(apply))
    return obstacle;
  if (axis >= apply.getRank() || apply.getUnrollFactors()[axis] != 1)
    return Obstacle{"it returns several points at once (unroll) across the "
                    "split of the combine",
                    apply.getBodyBlock()->getTerminator()};
  std::optional<Obstacle> obstacle;
  Footprint footprint(apply);
  for (auto [i, input] : llvm::enumerate(apply.getArgs())) {
    auto other = input.getDefiningOp<CombineOp>();
    if (!other || other.getDim() != combine.getDim() ||
        other.getIndex() != combine.getIndex())
      continue;
    footprint.forEachRead(i, [&](const InputRead &read) {
      if (read.axes.size() != static_cast<size_t>(apply.getRank()) ||
          read.lower[axis] != 0 || read.upper[axis] != 0)
        obstacle =
            Obstacle{"it reads both sides of a combine at once", read.op};
    });
  }
  return obstacle;
}
