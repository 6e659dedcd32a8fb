//===- RaiseLoopsSums.cpp - Sums in memory to sums that loops carry -------===//
//
// Before:
//   scf.for %i = ... {
//     %s = memref.load %sum[]
//     %n = arith.addf %s, %x
//     memref.store %n, %sum[]
//   }
// After:
//   %b = memref.load %sum[]
//   %e = scf.for %i = ... iter_args(%s = %b) -> f64 {
//     %n = arith.addf %s, %x
//     scf.yield %n
//   }
//   memref.store %e, %sum[]
//
//===----------------------------------------------------------------------===//

#include "RaiseLoopsPrepare.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace stencil;

/// True if the place is the same for the whole function, and there.
static bool isFixedPlace(memref::StoreOp store) {
  return llvm::all_of_zip(store.getIndices(), store.getMemRefType().getShape(),
                          [](Value place, int64_t extent) {
                            std::optional<int64_t> index =
                                getConstantIntValue(place);
                            return index && *index >= 0 && *index < extent;
                          });
}

/// The load of what `store` changes, if nothing else in `loop` is of that
/// memory.
static memref::LoadOp findLoadOf(memref::StoreOp store, scf::ForOp loop) {
  FieldAliasAnalysis aliases;
  memref::LoadOp found;
  auto isSame = [&](memref::LoadOp load) {
    return load.getMemRef() == store.getMemRef() &&
           load->getBlock() == store->getBlock() &&
           load->isBeforeInBlock(store) &&
           llvm::all_of_zip(
               load.getIndices(), store.getIndices(), [](Value a, Value b) {
                 return getConstantIntValue(a) == getConstantIntValue(b);
               });
  };
  bool hasOther = anyWithin(*loop, [&](Operation *op) {
    if (op == store || isMemoryEffectFree(op) ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return false;
    auto load = dyn_cast<memref::LoadOp>(op);
    if (load && !found && isSame(load)) {
      found = load;
      return false;
    }
    auto other = dyn_cast<memref::StoreOp>(op);
    Value memref = load    ? load.getMemRef()
                   : other ? other.getMemRef()
                           : Value();
    return !memref || aliases.mayAlias(memref, store.getMemRef());
  });
  return hasOther ? memref::LoadOp() : found;
}

/// A loop that adds to one place of memory carries the sum instead, and stores
/// it at its end.
void stencil::raise::carrySums(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  for (scf::ForOp loop : listWithin<scf::ForOp>(function)) {
    SmallVector<memref::StoreOp> stores(
        loop.getBody()->getOps<memref::StoreOp>());
    for (memref::StoreOp store : stores) {
      memref::LoadOp load =
          isFixedPlace(store) ? findLoadOf(store, loop) : memref::LoadOp();
      if (!load)
        continue;
      rewriter.setInsertionPoint(loop);
      SmallVector<Value> indices;
      for (Value index : store.getIndices())
        indices.push_back(arith::ConstantIndexOp::create(
            rewriter, store.getLoc(), *getConstantIntValue(index)));
      Value init = memref::LoadOp::create(rewriter, load.getLoc(),
                                          store.getMemRef(), indices);
      FailureOr<LoopLikeOpInterface> carrying =
          cast<LoopLikeOpInterface>(loop.getOperation())
              .replaceWithAdditionalYields(
                  rewriter, init, /*replaceInitOperandUsesInLoop=*/false,
                  [&](OpBuilder &, Location,
                      ArrayRef<BlockArgument> arguments) {
                    rewriter.replaceOp(load, arguments.back());
                    return SmallVector<Value>{store.getValueToStore()};
                  });
      if (failed(carrying))
        continue;
      loop = cast<scf::ForOp>(carrying->getOperation());
      rewriter.setInsertionPointAfter(loop);
      memref::StoreOp::create(rewriter, store.getLoc(),
                              loop.getResults().back(), store.getMemRef(),
                              indices);
      rewriter.eraseOp(store);
    }
  }
}
