//===- Dialect.cpp - Registration -----------------------------------------===//

#include "StencilDialect-c/Dialect.h"
#include "Checked.h"
#include "StencilDialect-c/Version.h"
#include "StencilDialect/Tools/RegisterAll.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace stencil;

// MLIR_DEFINE_CAPI_DIALECT_REGISTRATION ends the process if there is another
// copy of the dialect.

static void insertDialect(MlirDialectRegistry registry) {
  if (!unwrap(registry)->getDialectAllocator(
          StencilDialect::getDialectNamespace()))
    unwrap(registry)->insert<StencilDialect>();
}

static MlirDialect loadDialect(MlirContext context) {
  if (!capi::loadDialect(UnknownLoc::get(unwrap(context))))
    return MlirDialect{nullptr};
  return wrap(unwrap(context)->getLoadedDialect<StencilDialect>());
}

static MlirStringRef getNamespace() {
  return wrap(StencilDialect::getDialectNamespace());
}

MlirDialectHandle mlirGetDialectHandle__stencil__(void) {
  static const MlirDialectRegistrationHooks hooks = {insertDialect, loadDialect,
                                                     getNamespace};
  return MlirDialectHandle{&hooks};
}

void stencilRegisterAllDialects(MlirDialectRegistry registry) {
  if (mlirDialectRegistryIsNull(registry))
    return;
  registerAllDialects(*unwrap(registry));
}

const char *stencilGetVersion(void) { return STENCIL_VERSION_STRING; }

uint32_t stencilGetABIVersion(void) { return STENCIL_ABI_VERSION; }
