// What the tests of the C API share.

#ifndef TEST_CAPI_SUPPORT_H
#define TEST_CAPI_SUPPORT_H

#include "StencilDialect-c/Dialect.h"
#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void printPart(MlirStringRef part, void *unused) {
  (void)unused;
  fwrite(part.data, 1, part.length, stdout);
}

static inline MlirLogicalResult printError(MlirDiagnostic diagnostic,
                                           void *unused) {
  (void)unused;
  printf("error: ");
  mlirDiagnosticPrint(diagnostic, printPart, NULL);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static inline MlirStringRef text(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

// A context with all dialects, whose diagnostics are printed to stdout.
static inline MlirContext makeContext(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  stencilRegisterAllDialects(registry);
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, printError, NULL, NULL);
  return context;
}

static inline void printType(const char *name, MlirType type) {
  printf("%s: ", name);
  if (mlirTypeIsNull(type))
    printf("null");
  else
    mlirTypePrint(type, printPart, NULL);
  printf("\n");
}

static inline void printAttribute(const char *name, MlirAttribute attribute) {
  printf("%s: ", name);
  if (mlirAttributeIsNull(attribute))
    printf("null");
  else
    mlirAttributePrint(attribute, printPart, NULL);
  printf("\n");
}

#endif // TEST_CAPI_SUPPORT_H
