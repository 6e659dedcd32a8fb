//===- RaiseLoopsForward.cpp - Values instead of temporary arrays ---------===//
//
// Before:
//   %m = memref.alloc() : memref<64xf64>
//   %f = stencil.external_load %m
//   stencil.store %a to %f(<[0], [64]>)
//   %t = stencil.load %f
//   %b = stencil.apply(%x = %t)
// After:
//   %b = stencil.apply(%x = %a)
//
// If nothing else uses the array, and all of it is stored before it is loaded.
//
//===----------------------------------------------------------------------===//

#include "RaiseLoopsPrepare.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

namespace {
/// An array that only the function knows, as a field.
class Temporary {
public:
  /// False if something else may see it.
  bool read(memref::AllocOp alloc);
  /// Loads give what was stored, and the array goes; unless it has to stay.
  void forward();

private:
  bool readField(Value field);
  StoreOp findStore(LoadOp load);

  SmallVector<Operation *> definitions, frees;
  SmallVector<LoadOp> loads;
  SmallVector<StoreOp> stores;
};
} // namespace

bool Temporary::readField(Value field) {
  for (Operation *user : field.getUsers()) {
    if (auto load = dyn_cast<LoadOp>(user)) {
      loads.push_back(load);
    } else if (auto store = dyn_cast<StoreOp>(user)) {
      stores.push_back(store);
    } else if (auto cast = dyn_cast<CastOp>(user)) {
      definitions.push_back(cast);
      if (!readField(cast.getResult()))
        return false;
    } else {
      return false;
    }
  }
  return true;
}

bool Temporary::read(memref::AllocOp alloc) {
  definitions.push_back(alloc);
  for (Operation *user : alloc->getUsers()) {
    if (auto field = dyn_cast<ExternalLoadOp>(user)) {
      definitions.push_back(field);
      if (!readField(field.getResult()))
        return false;
    } else if (isa<memref::DeallocOp>(user)) {
      frees.push_back(user);
    } else {
      return false;
    }
  }
  return true;
}

/// The store of all of the array that `load` sees; null if that is not known.
StoreOp Temporary::findStore(LoadOp load) {
  StoreOp last;
  for (StoreOp store : stores)
    if (store->getBlock() == load->getBlock() && store->isBeforeInBlock(load) &&
        (!last || last->isBeforeInBlock(store)))
      last = store;
  if (!last)
    return {};
  // In other blocks between the two.
  for (StoreOp store : stores) {
    Operation *ancestor = load->getBlock()->findAncestorOpInBlock(*store);
    if (ancestor && store->getBlock() != load->getBlock() &&
        last->isBeforeInBlock(ancestor) && ancestor->isBeforeInBlock(load))
      return {};
  }
  auto type = cast<FieldType>(last.getField().getType());
  return type.getBounds() == last.getBounds() ? last : StoreOp();
}

void Temporary::forward() {
  SmallVector<Value> values;
  for (LoadOp load : loads) {
    StoreOp store = findStore(load);
    if (!store || store.getTemp().getType() != load.getRes().getType())
      return;
    values.push_back(store.getTemp());
  }
  // A value may be one of the loads.
  for (auto [load, value] : llvm::zip_equal(loads, values)) {
    for (Value &other : values)
      if (other == load.getRes())
        other = value;
    load.getRes().replaceAllUsesWith(value);
    load->erase();
  }
  for (StoreOp store : stores)
    store->erase();
  for (Operation *op : frees)
    op->erase();
  for (Operation *op : llvm::reverse(definitions))
    op->erase();
}

void stencil::raise::forwardTemporaries(func::FuncOp function) {
  for (memref::AllocOp alloc : listWithin<memref::AllocOp>(function)) {
    Temporary temporary;
    if (temporary.read(alloc))
      temporary.forward();
  }
}
