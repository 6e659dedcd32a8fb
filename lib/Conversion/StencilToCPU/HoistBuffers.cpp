//===- HoistBuffers.cpp - Buffers of threads, once for a loop -------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILHOISTBUFFERS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

/// The outermost loop around `op` that is not in another parallel one; null if
/// there is none.
static scf::ForOp findLoop(Operation *op) {
  scf::ForOp outermost;
  for (Operation *parent = op->getParentOp();
       isa_and_nonnull<scf::ForOp, scf::IfOp>(parent);
       parent = parent->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      outermost = loop;
  return outermost;
}

/// A quotient or a rest: without effects, but for a divisor of zero.
static bool isDivision(Operation *op) {
  return isa<arith::DivUIOp, arith::RemUIOp>(op);
}

/// Whether `value` can be computed before `loop`: by ops without effects, of
/// what is defined before it.
static bool isInvariant(Value value, scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && (isPure(op) || isDivision(op)) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isInvariant(operand, loop);
         });
}

/// Computes an invariant value before `loop`.
static Value computeBefore(OpBuilder &builder, Value value, scf::ForOp loop,
                           IRMapping &known) {
  if (loop.isDefinedOutsideOfLoop(value) || known.contains(value))
    return known.lookupOrDefault(value);
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    computeBefore(builder, operand, loop, known);
  Operation *clone = builder.clone(*op, known);
  if (isDivision(op)) {
    // Nobody may get there in the loop.
    builder.setInsertionPoint(clone);
    Location loc = op->getLoc();
    Value divisor = clone->getOperand(1);
    Value one = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(divisor.getType(), 1));
    clone->setOperand(1, arith::MaxUIOp::create(builder, loc, divisor, one));
    builder.setInsertionPointAfter(clone);
  }
  return known.lookup(value);
}

/// Where memory is given back, if an iteration of `share` has it once and
/// nothing keeps it; else null.
static memref::DeallocOp findRelease(memref::AllocOp alloc,
                                     scf::ParallelOp share) {
  for (Operation *parent = alloc->getParentOp(); parent != share;
       parent = parent->getParentOp())
    if (!isa<scf::IfOp>(parent))
      return {};
  memref::DeallocOp release;
  for (OpOperand &use : alloc.getMemref().getUses()) {
    Operation *user = use.getOwner();
    if (auto found = dyn_cast<memref::DeallocOp>(user)) {
      if (release || found->getBlock() != alloc->getBlock())
        return {};
      release = found;
      continue;
    }
    auto store = dyn_cast<memref::StoreOp>(user);
    // A view is another name for the memory.
    if (user->hasTrait<OpTrait::IsTerminator>() ||
        (store && store.getValue() == alloc.getMemref()) ||
        llvm::any_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
      return {};
  }
  return release;
}

namespace {

/// Buffers of one parallel loop, and where they are given back.
using Buffers = SmallVector<std::pair<memref::AllocOp, memref::DeallocOp>>;

struct HoistBuffers : stencil::impl::StencilHoistBuffersBase<HoistBuffers> {
  void runOnOperation() override {
    llvm::MapVector<scf::ParallelOp, Buffers> found;
    getOperation().walk([&](scf::ParallelOp share) {
      Buffers buffers = find(share);
      if (!buffers.empty())
        found[share] = std::move(buffers);
    });
    for (auto &[share, buffers] : found)
      hoist(share, buffers);
  }

private:
  static Buffers find(scf::ParallelOp share);
  static void hoist(scf::ParallelOp share, const Buffers &buffers);
};

} // namespace

Buffers HoistBuffers::find(scf::ParallelOp share) {
  scf::ForOp loop = findLoop(share);
  Buffers buffers;
  if (!loop || share.getNumLoops() != 1 || share.getNumReductions() > 0 ||
      !isZeroInteger(share.getLowerBound().front()) ||
      !isOneInteger(share.getStep().front()) ||
      !isInvariant(share.getUpperBound().front(), loop))
    return buffers;
  share.walk([&](memref::AllocOp alloc) {
    memref::DeallocOp release = findRelease(alloc, share);
    if (release && alloc.getSymbolOperands().empty() &&
        llvm::all_of(alloc.getDynamicSizes(),
                     [&](Value size) { return isInvariant(size, loop); }))
      buffers.emplace_back(alloc, release);
  });
  return buffers;
}

void HoistBuffers::hoist(scf::ParallelOp share, const Buffers &buffers) {
  Location loc = share.getLoc();
  scf::ForOp loop = findLoop(share);
  OpBuilder builder(loop);
  IRMapping known;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value count =
      computeBefore(builder, share.getUpperBound().front(), loop, known);
  int64_t shape = getConstantIntValue(count).value_or(ShapedType::kDynamic);
  SmallVector<Value> dynamic;
  if (ShapedType::isDynamic(shape))
    dynamic.push_back(count);

  // Who uses memory first has its pages near: each thread has its own.
  SmallVector<Value> tables;
  SmallVector<SmallVector<Value>> sizes;
  for (auto [alloc, release] : buffers) {
    tables.push_back(memref::AllocOp::create(
        builder, loc, MemRefType::get({shape}, alloc.getType()), dynamic));
    sizes.emplace_back();
    for (Value size : alloc.getDynamicSizes())
      sizes.back().push_back(computeBefore(builder, size, loop, known));
  }
  auto prepare = scf::ParallelOp::create(builder, loc, zero, count, one);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(prepare.getBody()->getTerminator());
    for (auto [buffer, table, extents] :
         llvm::zip_equal(buffers, tables, sizes)) {
      memref::AllocOp alloc = buffer.first;
      Value memory =
          memref::AllocOp::create(builder, alloc.getLoc(), alloc.getType(),
                                  extents, alloc.getAlignmentAttr());
      memref::StoreOp::create(builder, loc, memory, table,
                              prepare.getInductionVars());
    }
  }

  builder.setInsertionPointAfter(loop);
  auto finish = scf::ForOp::create(builder, loc, zero, count, one);
  for (auto [buffer, table] : llvm::zip_equal(buffers, tables)) {
    memref::DeallocOp::create(builder, loc, table);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(finish.getBody()->getTerminator());
    Value memory =
        memref::LoadOp::create(builder, loc, table, finish.getInductionVar());
    memref::DeallocOp::create(builder, loc, memory);
  }

  for (auto [buffer, table] : llvm::zip_equal(buffers, tables)) {
    auto [alloc, release] = buffer;
    builder.setInsertionPoint(alloc);
    auto memory = memref::LoadOp::create(builder, alloc.getLoc(), table,
                                         share.getInductionVars());
    release.erase();
    alloc.replaceAllUsesWith(memory.getResult());
    alloc.erase();
  }
}
