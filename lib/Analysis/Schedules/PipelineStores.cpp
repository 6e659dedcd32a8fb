//===- PipelineStores.cpp - Who may store what a stage makes --------------===//

#include "StencilDialect/Analysis/PipelineStores.h"

using namespace mlir;
using namespace stencil;

static Value getField(Operation &op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return load.getField();
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getField();
  return {};
}

bool stencil::isStoredAlone(StoreOp store, FieldAliasAnalysis &aliases) {
  return llvm::none_of(*store->getBlock(), [&](Operation &other) {
    Value field = getField(other);
    return field && &other != store.getOperation() &&
           aliases.mayAlias(store.getField(), field);
  });
}
