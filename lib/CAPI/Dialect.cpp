//===- Dialect.cpp - Registration -----------------------------------------===//

#include "StencilDialect-c/Dialect.h"
#include "Checked.h"
#include "StencilDialect-c/Version.h"
#include "StencilDialect/Tile/Tile.h"
#include "StencilDialect/Tools/RegisterAll.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace stencil;

// MLIR_DEFINE_CAPI_DIALECT_REGISTRATION ends the process if there is another
// copy of the dialect.

template <typename D> static void insertDialect(MlirDialectRegistry registry) {
  if (!unwrap(registry)->getDialectAllocator(D::getDialectNamespace()))
    unwrap(registry)->insert<D>();
}

template <typename D> static MlirDialect loadDialect(MlirContext context) {
  if (!capi::loadDialect<D>(UnknownLoc::get(unwrap(context))))
    return MlirDialect{nullptr};
  return wrap(unwrap(context)->getLoadedDialect<D>());
}

template <typename D> static MlirStringRef getNamespace() {
  return wrap(D::getDialectNamespace());
}

template <typename D> static MlirDialectHandle getHandle() {
  static const MlirDialectRegistrationHooks hooks = {
      insertDialect<D>, loadDialect<D>, getNamespace<D>};
  return MlirDialectHandle{&hooks};
}

MlirDialectHandle mlirGetDialectHandle__stencil__(void) {
  return getHandle<StencilDialect>();
}

MlirDialectHandle mlirGetDialectHandle__tile__(void) {
  return getHandle<tile::TileDialect>();
}

void stencilRegisterAllDialects(MlirDialectRegistry registry) {
  if (mlirDialectRegistryIsNull(registry))
    return;
  registerAllDialects(*unwrap(registry));
}

const char *stencilGetVersion(void) { return STENCIL_VERSION_STRING; }

uint32_t stencilGetABIVersion(void) { return STENCIL_ABI_VERSION; }
