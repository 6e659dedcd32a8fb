//===- TileKernel.cpp - Blocks of kernels, and their walks ----------------===//

#include "TileKernel.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "TileOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ScopedPrinter.h"

#include <numeric>

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Box TileBlock::place(const Box &box, int64_t plane) const {
  Box placed = box;
  for (unsigned axis = 0; axis < box.getRank(); ++axis)
    placed.move(axis, origin[axis] + (axis == walkAxis ? plane : 0));
  return placed;
}

std::string TileBlock::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<int64_t, 4> corner = origin;
  if (walkAxis)
    corner[*walkAxis] = segmentBegin;
  os << " in the tile at [";
  llvm::interleaveComma(corner, os);
  os << ']';
  return text;
}

namespace {

/// The blocks of a grid, in an order that a seed chooses.
class BlockOrder {
public:
  /// Of a grid, on any GPU.
  static constexpr int64_t kMaxBlocks = (int64_t(1) << 31) - 1;

  BlockOrder(tile::GridAttr grid, const Box &domain, uint64_t seed)
      : grid(grid), domain(domain) {
    int64_t total = 1;
    segments = cutSegments();
    for (int64_t axis = 0; axis < grid.getRank(); ++axis) {
      first.push_back(domain.lb[axis]);
      if (axis + 1 == grid.getRank())
        first.back() -= llvm::mod(first.back(), grid.getAlign());
      step.push_back(grid.getStep(axis));
      if (axis == grid.getWalk())
        step.back() = llvm::divideCeil(domain.getExtent(axis), segments.count);
      counts.push_back(
          llvm::divideCeil(domain.ub[axis] - first.back(), step.back()));
      if (total > 0 && counts.back() > kMaxBlocks / total)
        return;
      if (segments.tail == 0 || axis != grid.getWalk())
        total *= counts.back();
    }
    if (segments.tail != 0) {
      tail = std::min(total, segments.tail);
      before = total - tail;
      // Each factor is at most 2^31.
      __int128 blocks = static_cast<__int128>(before) * segments.count +
                        static_cast<__int128>(tail) * segments.ofTail;
      if (blocks > kMaxBlocks)
        return;
      total = static_cast<int64_t>(blocks);
    }
    order.emplace(total, seed);
  }

  int64_t size() const { return order->size(); }
  bool hasTooMany() const { return !order; }

  /// Where block `position` is, with its segment; the planes of the walk come
  /// with lookback.
  TileBlock get(int64_t position, int64_t lookback) const {
    int64_t rest = order->get(position);
    int64_t segment = 0, count = 1;
    if (segments.tail != 0)
      std::tie(rest, segment, count) = findInTail(rest);
    TileBlock block;
    block.domain = domain;
    block.origin.resize(grid.getRank());
    for (int64_t axis = grid.getRank(); axis-- > 0;) {
      bool isWalk = axis == grid.getWalk();
      bool isCounted = isWalk && segments.tail != 0;
      int64_t number = isCounted ? segment : rest % counts[axis];
      int64_t length = isCounted
                           ? llvm::divideCeil(domain.getExtent(axis), count)
                           : step[axis];
      if (!isCounted)
        rest /= counts[axis];
      int64_t begin = first[axis] + number * length;
      block.origin[axis] = begin - grid.getMargin(axis);
      if (!isWalk)
        continue;
      block.walkAxis = axis;
      block.origin[axis] = 0;
      // The last segments may have nothing left.
      block.segmentBegin = std::min(begin, domain.ub[axis]);
      block.segmentEnd = std::min(begin + length, domain.ub[axis]);
      block.first = block.segmentBegin - lookback;
      block.count = block.segmentEnd > block.segmentBegin
                        ? block.segmentEnd - block.first
                        : 0;
    }
    return block;
  }

private:
  /// Of a block: its tile, its segment, and how many segments the tile has.
  std::tuple<int64_t, int64_t, int64_t> findInTail(int64_t block) const {
    int64_t blocks = before * segments.count;
    if (block < blocks)
      return {block % before, block / before, segments.count};
    block -= blocks;
    return {before + block % tail, block / tail, segments.ofTail};
  }

  /// As a launch does, whose tiles in a panel that is not full count.
  tile::CutAttr::Segments cutSegments() const {
    if (!grid.getCut()) {
      tile::CutAttr::Segments given;
      given.count = grid.getSegments();
      if (grid.getTail()) {
        given.tail = grid.getTail()[0];
        given.ofTail = grid.getTail()[1];
      }
      return given;
    }
    int64_t tiles = 1;
    for (int64_t axis = 0; axis < grid.getRank(); ++axis) {
      if (axis == grid.getWalk())
        continue;
      int64_t start = domain.lb[axis];
      if (axis + 1 == grid.getRank())
        start -= llvm::mod(start, grid.getAlign());
      int64_t along =
          llvm::divideCeil(domain.ub[axis] - start, grid.getStep(axis));
      if (grid.getPanel() && grid.getPanel()[axis] != 0)
        along = llvm::alignTo(along, grid.getPanel()[axis]);
      tiles *= std::max<int64_t>(1, along);
      if (tiles > kMaxBlocks)
        return {};
    }
    return grid.getCut().cutSegments(domain.getExtent(*grid.getWalk()), tiles);
  }

  tile::GridAttr grid;
  const Box &domain;
  SmallVector<int64_t> first, step, counts;
  tile::CutAttr::Segments segments;
  /// Tiles of the tail, and those before it.
  int64_t tail = 0, before = 0;
  std::optional<Shuffle> order;
};

} // namespace

Shuffle::Shuffle(int64_t total, uint64_t seed) : total(total) {
  // A step without a common factor comes by each.
  stride =
      1 + static_cast<int64_t>(mixSalt(seed) % static_cast<uint64_t>(total));
  while (std::gcd(stride, total) != 1)
    ++stride;
  start = static_cast<int64_t>(mixSalt(mixSalt(seed)) %
                               static_cast<uint64_t>(total));
}

int64_t Shuffle::get(int64_t position) const {
  return static_cast<int64_t>(
      (static_cast<__int128>(position) * stride + start) % total);
}

/// Of the kernel's walk, in either form.
static int64_t getLookback(tile::KernelOp kernel) {
  int64_t lookback = 0;
  kernel.getBody().walk([&](Operation *op) {
    if (auto walk = dyn_cast<tile::WalkOp>(op))
      lookback = static_cast<int64_t>(walk.getLookback());
    if (auto segment = dyn_cast<tile::SegmentOp>(op))
      lookback = static_cast<int64_t>(segment.getLookback());
  });
  return lookback;
}

/// Makes the fields that are stored to ready for it.
LogicalResult KernelEvaluator::prepare(tile::KernelOp op, const Box &domain) {
  SmallVector<unsigned> stored;
  for (auto [index, operand, argument] :
       llvm::enumerate(op.getArgs(), op.getBodyBlock()->getArguments())) {
    if (!isa<FieldType>(operand.getType()))
      continue;
    if (state.getField(operand).box.isEmpty())
      return op.emitError("expected fields with bounds, got ")
             << operand.getType();
    if (op.isStored(argument))
      stored.push_back(index);
  }
  for (unsigned index : stored) {
    Value operand = op.getArgs()[index];
    const FieldValue &field = state.getField(operand);
    if (!field.box.contains(domain)) {
      return op.emitError("expected the domain to lie in the fields that are "
                          "stored to, got ")
             << llvm::to_string(field.box) << " for operand " << index;
    }
    for (auto [other, value] : llvm::enumerate(op.getArgs()))
      if (value != operand && isa<FieldType>(value.getType()) &&
          state.getField(value).storage == field.storage)
        return op.emitError("expected distinct fields, but operands ")
               << index << " and " << other << " are the same";
    if (failed(state.prepareWrite(op, *field.storage)))
      return failure();
  }
  return success();
}

LogicalResult KernelEvaluator::runBlock(TileBlock &here) {
  state.activation->block = &here;
  LogicalResult result = evaluateBlock(*here.kernel.getBodyBlock());
  state.activation->block = nullptr;
  return result;
}

LogicalResult KernelEvaluator::runBoxes(tile::KernelOp op, const Box &domain) {
  BlockOrder order(op.getGrid(), domain, state.options.blockOrder);
  if (order.hasTooMany())
    return op.emitError("expected a grid of at most ")
           << BlockOrder::kMaxBlocks << " blocks, got more";
  int64_t lookback = getLookback(op);
  BoundaryWindows windows;
  for (int64_t i = 0; i < order.size(); ++i) {
    TileBlock here = order.get(i, lookback);
    here.kernel = op;
    here.windows = &windows;
    for (; here.leg < op.getGrid().getRelay(); ++here.leg) {
      here.handed = std::move(here.put);
      here.put.clear();
      here.rings.clear();
      if (failed(runBlock(here)))
        return failure();
    }
  }
  return success();
}

LogicalResult KernelEvaluator::runList(tile::KernelOp op) {
  tile::ListAttr attr = op.getListAttr();
  TileList list;
  Box without;
  if (attr.getWithout()) {
    std::optional<Box> box = state.resolve(attr.getWithout(), op);
    if (!box)
      return failure();
    without = *box;
  }
  for (auto [part, bounds] : llvm::enumerate(attr.getBoxes())) {
    std::optional<Box> box = state.resolve(bounds, op);
    if (!box)
      return failure();
    list.add(*box, without, attr.hasGap(part));
  }
  list.threads = op.getGrid().countThreads();
  int64_t pieces = llvm::divideCeil(list.total, list.threads);
  list.blocks = attr.getBlocks() > 0 ? std::min(pieces, attr.getBlocks())
                                     : pieces * attr.getTurns();
  Shuffle order(list.blocks, state.options.blockOrder);
  for (int64_t i = 0; i < order.size(); ++i) {
    TileBlock here;
    here.kernel = op;
    here.list = &list;
    int64_t number = order.get(i);
    here.turn = number % attr.getTurns();
    here.piece = number / attr.getTurns();
    here.isLast = i + 1 == order.size();
    if (failed(runBlock(here)))
      return failure();
  }
  return success();
}

LogicalResult KernelEvaluator::evaluate(tile::KernelOp op) {
  if (state.activation->block)
    return op.emitOpError("expected to be outside of another tile.kernel");
  std::optional<Box> domain = state.resolve(op.getGrid().getDomain(), op);
  if (!domain || failed(prepare(op, *domain)))
    return failure();
  state.assign(op.getBodyBlock()->getArguments(), op.getArgs());
  return op.getList() ? runList(op) : runBoxes(op, *domain);
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

LogicalResult KernelEvaluator::evaluateWalk(TileBlock &block, tile::WalkOp op) {
  auto nested = op.getBody().walk([&](tile::CopyOp copy) {
    if (copy->getParentOp() == op)
      return WalkResult::advance();
    copy.emitError("the interpreter expects the copies of a walk in its own "
                   "body, not in a region of it");
    return WalkResult::interrupt();
  });
  if (nested.wasInterrupted())
    return failure();
  // As if there had been iterations with nothing but this copy.
  for (auto copy : op.getBodyBlock()->getOps<tile::CopyOp>())
    for (auto ahead = static_cast<int64_t>(copy.getPlane()); ahead > 0; --ahead)
      if (failed(interp::evaluate(state, block, copy, block.first - ahead,
                                  -ahead)))
        return failure();
  for (auto fringe : op.getBodyBlock()->getOps<tile::FringeOp>())
    for (int64_t ahead = fringe.countAhead(); ahead > 0; --ahead)
      if (failed(interp::evaluate(state, fringe, block.first - ahead)))
        return failure();
  state.assign(op.getCarried(), op.getInits());
  for (int64_t i = 0; i < block.count; ++i) {
    block.plane = block.first + i;
    state.get(op.getPlane()) = makeIndex(*block.plane);
    for (BlockArgument cursor : op.getCursors())
      state.get(cursor) = CursorValue{i};
    if (failed(evaluateBlock(*op.getBodyBlock())))
      return failure();
    state.assign(op.getCarried(),
                 op.getBodyBlock()->getTerminator()->getOperands());
  }
  block.plane.reset();
  state.assign(op.getRes(), op.getCarried());
  return success();
}

/// All points of the planes at an offset of `needs` from one of the segment.
static Box getNeededPlanes(const TileBlock &block, BoundsAttr needs) {
  constexpr int64_t kFar = kMaxBound;
  Box box = block.domain;
  for (unsigned axis = 0; axis < box.getRank(); ++axis) {
    bool isWalk = axis == block.walkAxis;
    box.lb[axis] = isWalk ? block.segmentBegin + needs.getLb()[axis] : -kFar;
    box.ub[axis] = isWalk ? block.segmentEnd + needs.getUb()[axis] - 1 : kFar;
  }
  return box;
}

FailureOr<Box> interp::getNeeded(RunState &state, const TileBlock &block,
                                 Operation *op, BoundsAttr needs) {
  std::optional<Box> offsets = state.resolve(needs, op);
  if (!offsets)
    return failure();
  Box box = block.domain;
  for (unsigned axis = 0; axis < box.getRank(); ++axis) {
    box.lb[axis] += offsets->lb[axis];
    box.ub[axis] += offsets->ub[axis] - 1;
  }
  return box;
}

LogicalResult KernelEvaluator::evaluateWhere(TileBlock &block,
                                             tile::WhereOp op) {
  if (block.list) {
    block.part = static_cast<unsigned>(*op.getPart());
    return evaluateBlock(*op.getBodyBlock());
  }
  Box needed = block.domain;
  if (op.getIteration()) {
    needed = getNeededPlanes(block, *op.getNeeds());
    if (auto within = op->getAttrOfType<BoundsAttr>(kWithinAttr)) {
      FailureOr<Box> box = getNeeded(state, block, op, within);
      if (failed(box))
        return failure();
      unsigned walk = block.walkAxis.value_or(0);
      needed.lb[walk] = std::max(needed.lb[walk], box->lb[walk]);
      needed.ub[walk] = std::min(needed.ub[walk], box->ub[walk]);
    }
  } else if (std::optional<BoundsAttr> needs = op.getNeeds()) {
    FailureOr<Box> box = getNeeded(state, block, op, *needs);
    if (failed(box))
      return failure();
    needed = *box;
  }
  if (!block.needed.empty()) {
    needed = needed.intersect(block.needed.back());
    if (needed.isEmpty())
      return op.emitError("expected points in common with the tile.where "
                          "around it");
  }
  block.needed.push_back(needed);
  LogicalResult result = evaluateBlock(*op.getBodyBlock());
  block.needed.pop_back();
  if (succeeded(result))
    state.assign(op.getRes(),
                 op.getBodyBlock()->getTerminator()->getOperands());
  return result;
}

LogicalResult KernelEvaluator::evaluateOp(Operation *op) {
  TileBlock &block = *state.activation->block;
  // The plane and the number of an op's iteration; 0 without a walk.
  auto getPlane = [&](auto op) {
    return op.getIteration() ? state.getInteger(op.getIteration()) : 0;
  };
  auto getNumber = [&](auto op) {
    return op.getCursor() ? state.getIteration(op.getCursor()) : 0;
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ApplyOp op) { return evaluateStage(state, bodies, block, op); })
      .Case([&](tile::KernelOp op) { return evaluate(op); })
      .Case([&](tile::WalkOp op) { return evaluateWalk(block, op); })
      .Case([&](tile::WhereOp op) { return evaluateWhere(block, op); })
      // The order of accesses by different threads is not judged here; nor what
      // is in caches.
      .Case<tile::BarrierOp, tile::PrefetchOp>([](auto) { return success(); })
      .Case([&](tile::SegmentOp op) {
        state.get(op.getFirst()) = makeIndex(block.first);
        state.get(op.getCount()) = makeIndex(block.count);
        return success();
      })
      .Case([&](tile::CursorOp op) {
        state.get(op.getRes()) =
            CursorValue{state.getInteger(op.getIteration())};
        return success();
      })
      .Case([&](tile::AdvanceOp op) {
        state.get(op.getRes()) =
            CursorValue{state.getIteration(op.getCursor()) +
                        static_cast<int64_t>(op.getDistance())};
        return success();
      })
      .Case<tile::CopyOp, tile::PatchOp>([&](auto op) {
        return interp::evaluate(state, block, op, getPlane(op), getNumber(op));
      })
      .Case([&](tile::FringeOp op) {
        return interp::evaluate(state, op, getPlane(op));
      })
      .Case<ub::PoisonOp, tile::JoinOp>(
          [&](auto op) { return interp::evaluate(state, op); })
      .Case<tile::RingOp, tile::WaitOp, tile::AtEdgeOp, tile::PutOp,
            tile::TakeOp, tile::SourceOp, tile::TurnOp, tile::HaloOp,
            tile::FoldOp, tile::StoreOp, tile::ShiftOp>(
          [&](auto op) { return interp::evaluate(state, block, op); })
      .Default([](Operation *op) { return emitUnknownOp(op); });
}
