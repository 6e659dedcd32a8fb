//===- FieldAccesses.cpp - Which points of which fields -------------------===//

#include "StencilDialect/Analysis/FieldAccesses.h"
#include "StencilDialect/Analysis/IndexRegions.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Along rows, neighbours are loaded with what lies in the same vector.
static void addVectors(FieldAccess &access) {
  constexpr int64_t kVectorBits = 128;
  Type element = getElementType(access.field);
  int64_t more = kVectorBits / std::max<int64_t>(8, getBitWidth(element));
  access.box.lb.back() -= more;
  access.box.ub.back() += more;
}

static void collect(ApplyOp apply, SmallVectorImpl<FieldAccess> &accesses) {
  OperandDemands demands(apply);
  auto noBox = [](Value) { return BoundsAttr(); };
  for (OpOperand &use : apply->getOpOperands()) {
    if (!isa<FieldType>(use.get().getType()))
      continue;
    FieldAccess access;
    access.field = use.get();
    unsigned inputs = apply.getArgs().size();
    access.isStore = use.getOperandNumber() >= inputs;
    if (access.isStore) {
      access.producer = apply;
      access.result = use.getOperandNumber() - inputs;
    }
    bool isPointwise = true;
    demands.forEach(
        use, noBox,
        [&](Operation *, const GridBox &box, const InputRead *read) {
          access.box.join(box);
          isPointwise &= !read || read->isPointwise(apply.getRank());
        });
    // What no result depends on is not read.
    if (access.box.lb.empty())
      continue;
    if (!isPointwise)
      addVectors(access);
    accesses.push_back(std::move(access));
  }
}

/// True if the tiles of a window end where the box does along an axis: what is
/// read at the own points only is then read within the box.
static bool hasWholeTiles(PipelineOp pipeline, LoadOp load,
                          const OffsetBox &needs, int64_t axis) {
  constexpr int64_t kSectorBits = 256;
  auto schedule = ScheduleAttr::of(pipeline);
  int64_t lb = pipeline.getDomain().getLb()[axis];
  int64_t ub = pipeline.getDomain().getUb()[axis];
  if (!schedule || schedule.getBlock().empty() ||
      schedule.getPoints().empty() || needs.lower[axis] != 0 ||
      needs.upper[axis] != 0 || isSymbolic(lb) || isSymbolic(ub))
    return false;
  int64_t tile = schedule.getBlock()[axis] * schedule.getPoints()[axis];
  if ((ub - lb) % tile != 0)
    return false;
  // Rows of tiles begin and end where sectors do.
  if (axis + 1 != pipeline.getRank())
    return true;
  Type element = getElementType(load.getField());
  int64_t sector = std::max<int64_t>(1, kSectorBits / getBitWidth(element));
  return lb % sector == 0 && tile % sector == 0;
}

static void collect(PipelineOp pipeline,
                    SmallVectorImpl<FieldAccess> &accesses) {
  FailureOr<PipelinePlan> plan = PipelinePlan::create(pipeline);
  assert(succeeded(plan) && "the verifier made one");
  GridBox domain(pipeline.getDomain());
  // A stage that fills a shared window computes whole tiles, and so reads them.
  bool computesTiles = llvm::any_of(
      pipeline.getBodyBlock()->getOps<WindowOp>(), [](WindowOp op) {
        return op.getSpace() == Space::Shared && !op.isOfLoad();
      });
  for (LoadOp load : pipeline.getBodyBlock()->getOps<LoadOp>()) {
    if (!plan->isNeeded(load))
      continue;
    FieldAccess access;
    access.field = load.getField();
    auto type = cast<GridType>(load.getField().getType());
    if (type.getRank() != pipeline.getRank()) {
      access.box = GridBox(type.getBounds());
    } else {
      access.box = domain;
      const OffsetBox &needs = plan->get(load).needs;
      access.isTiled = computesTiles;
      // The other side of a period, for one.
      bool hasBoundary = false;
      for (Operation *user : load->getUsers())
        if (auto window = dyn_cast<WindowOp>(user)) {
          access.isTiled |= window.getSpace() == Space::Shared;
          hasBoundary |= window.hasBoundary();
        }
      GridBox whole(type.getBounds());
      for (int64_t axis = 0; axis < pipeline.getRank(); ++axis) {
        access.box.lb[axis] += needs.lower[axis];
        access.box.ub[axis] += needs.upper[axis];
        if (hasBoundary || (access.isTiled && pipeline.getWalkAxis() != axis &&
                            !hasWholeTiles(pipeline, load, needs, axis))) {
          access.box.lb[axis] = whole.lb[axis];
          access.box.ub[axis] = whole.ub[axis];
        }
      }
      if (!needs.isZero())
        addVectors(access);
    }
    accesses.push_back(std::move(access));
  }
  for (StoreOp store : pipeline.getBodyBlock()->getOps<StoreOp>()) {
    FieldAccess access;
    access.field = store.getField();
    access.box = domain;
    access.isStore = true;
    access.producer = store.getTemp().getDefiningOp<ApplyOp>();
    if (access.producer)
      access.result = cast<OpResult>(store.getTemp()).getResultNumber();
    accesses.push_back(std::move(access));
  }
}

SmallVector<FieldAccess> stencil::collectAccesses(Operation *op) {
  SmallVector<FieldAccess> accesses;
  if (auto apply = dyn_cast<ApplyOp>(op))
    collect(apply, accesses);
  else
    collect(cast<PipelineOp>(op), accesses);
  return accesses;
}

bool stencil::isStoredAlone(StoreOp store, FieldAliasAnalysis &aliases) {
  return llvm::none_of(*store->getBlock(), [&](Operation &other) {
    return &other != store.getOperation() && isa<LoadOp, StoreOp>(other) &&
           llvm::any_of(other.getOperands(), [&](Value operand) {
             return isa<FieldType>(operand.getType()) &&
                    aliases.mayAlias(store.getField(), operand);
           });
  });
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

std::optional<GridBox> stencil::intersect(const GridBox &a, const GridBox &b) {
  GridBox box = a;
  for (size_t axis = 0; axis < box.lb.size(); ++axis) {
    box.lb[axis] = std::max(box.lb[axis], b.lb[axis]);
    box.ub[axis] = std::min(box.ub[axis], b.ub[axis]);
    if (box.lb[axis] >= box.ub[axis])
      return std::nullopt;
  }
  return box;
}

bool stencil::areDisjoint(const GridBox &a, const GridBox &b,
                          ArrayRef<int64_t> minimalExtents) {
  auto isNotAbove = [&](int64_t end, int64_t begin, size_t axis) {
    if (isSymbolic(end) == isSymbolic(begin))
      return end <= begin;
    int64_t extent = axis < minimalExtents.size() ? minimalExtents[axis] : 0;
    return isSymbolic(begin) && end <= resolve(begin, extent);
  };
  for (size_t axis = 0; axis < a.lb.size(); ++axis)
    if (isNotAbove(a.ub[axis], b.lb[axis], axis) ||
        isNotAbove(b.ub[axis], a.lb[axis], axis))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Stores of nothing
//===----------------------------------------------------------------------===//

/// Whether a value that a body returns is an empty one, where these conditions
/// are known.
static bool isEmpty(Value value, const llvm::DenseMap<Value, bool> &known) {
  if (auto stored = value.getDefiningOp<StoreResultOp>())
    return !stored.getArg();
  auto ifOp = value.getDefiningOp<scf::IfOp>();
  if (!ifOp)
    return false;
  unsigned number = cast<OpResult>(value).getResultNumber();
  auto it = known.find(ifOp.getCondition());
  auto isEmptyIn = [&](scf::YieldOp yield) {
    return isEmpty(yield.getOperand(number), known);
  };
  return ((it != known.end() && !it->second) || isEmptyIn(ifOp.thenYield())) &&
         ((it != known.end() && it->second) || isEmptyIn(ifOp.elseYield()));
}

bool stencil::storesNothing(const FieldAccess &store, const GridBox &box,
                            ArrayRef<int64_t> minimalExtents) {
  ApplyOp apply = store.producer;
  // The points of an unrolled body are not all base points.
  if (!apply || llvm::product_of(apply.getUnrollFactors()) != 1)
    return false;
  Value value = apply.getBodyBlock()->getTerminator()->getOperand(store.result);
  if (!isa<ResultType>(value.getType()))
    return false;
  IndexRegionOptions options;
  options.minimalExtents = minimalExtents;
  return isEmpty(value, findKnownConditions(apply, box, options));
}
