// What makes no op is an error, and a null handle.
// REQUIRES: capi
// RUN: %build_root/test/CAPI/capi-ops-invalid | FileCheck %s

#include "Inputs/Support.h"
#include "StencilDialect-c/Ops.h"
#include "StencilDialect-c/Types.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static const MlirAttribute none = {NULL};
static const MlirValue noValue = {NULL};

static void expectNull(MlirOperation op) {
  if (!mlirOperationIsNull(op)) {
    printf("there is an op\n");
    mlirOperationDestroy(op);
  }
}

int main(void) {
  MlirContext context = makeContext(), other = makeContext();
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirLocation there = mlirLocationUnknownGet(other);
  MlirType number = mlirF64TypeGet(context);
  MlirType field = mlirTypeParseGet(context, text("!stencil.field<[0,8]xf64>"));
  MlirBlock block = mlirBlockCreate(2, (const MlirType[]){field, number},
                                    (const MlirLocation[]){here, here});
  MlirValue grid = mlirBlockGetArgument(block, 0);
  MlirValue scalar = mlirBlockGetArgument(block, 1);
  MlirAttribute unit = mlirUnitAttrGet(context);
  const int64_t zero = 0;

  expectNull(stencilLoadCreate((MlirLocation){NULL}, grid));
  expectNull(stencilLoadCreate(here, noValue));
  expectNull(stencilLoadCreate(here, scalar));
  expectNull(stencilLoadCreate(there, grid));
  expectNull(stencilAllocCreate(here, (MlirType){NULL}));
  expectNull(stencilAllocCreate(there, field));
  // CHECK: error: 'stencil.load': expected an operand, got a null handle
  // CHECK-NEXT: error: 'stencil.load': expected a stencil.field or stencil.temp
  // CHECK-NEXT: error: expected values, types and attributes of the location's context, got one of another
  // CHECK-NEXT: error: 'stencil.alloc': expected a result type, got a null handle
  // CHECK-NEXT: error: expected values, types and attributes of the location's context, got one of another

  expectNull(stencilStoreCreate(here, grid, grid, none));
  expectNull(stencilBoundaryCreate(here, grid, unit, -1, &unit));
  expectNull(stencilBoundaryCreate(here, grid, unit, 1, &none));
  expectNull(stencilApplyCreate(here, 1, NULL, 0, NULL));
  expectNull(stencilApplyCreate(here, 1, &grid, 3, NULL));
  expectNull(stencilApplyCreate(here, 1, &grid, (intptr_t)1 << 60, &number));
  // CHECK-NEXT: error: 'stencil.store': expected an attribute 'bounds', got a null handle
  // CHECK-NEXT: error: expected from 0 to 16777216 conditions, got -1
  // CHECK-NEXT: error: 'stencil.boundary': expected attributes in 'conditions', got a null handle
  // CHECK-NEXT: error: expected 1 operands, got a null pointer
  // CHECK-NEXT: error: expected 3 result types, got a null pointer
  // CHECK-NEXT: error: expected from 0 to 16777216 result types, got 1152921504606846976

  expectNull(stencilAccessCreate(here, scalar, 1, &zero, none));
  expectNull(stencilAccessCreate(here, grid, 1, NULL, none));
  expectNull(stencilWeightedSumCreate(here, grid, 0, 1, &zero, unit, none));
  expectNull(stencilWeightedSumCreate(here, grid, 1, 1, &zero, unit, none));
  expectNull(
      stencilWeightedSumCreateUniform(here, grid, 1, 1, &zero, NULL, none));
  expectNull(stencilFoldCreate(here, 0, NULL, unit, STENCIL_FOLD_MAX));
  expectNull(stencilFoldCreate(here, 1, &grid, unit, (StencilFoldKind)9));
  expectNull(stencilWindowCreate(here, STENCIL_SPACE_CACHE, grid, NULL));
  const StencilWindowParts axes = {
      .group = -1, .prefetch = -1, .numExchanged = 1};
  expectNull(stencilWindowCreate(here, STENCIL_SPACE_SHUFFLE, grid, &axes));
  expectNull(stencilAccumulateCreate(here, 0, NULL, NULL));
  // CHECK-NEXT: error: 'stencil.access': expected a stencil.field or stencil.temp
  // CHECK-NEXT: error: expected 1 offset, got a null pointer
  // CHECK-NEXT: error: 'stencil.weighted_sum': expected at least one tap, and at least one axis
  // CHECK-NEXT: error: 'stencil.weighted_sum': expected elements as weights
  // CHECK-NEXT: error: expected 1 operands, got a null pointer
  // CHECK-NEXT: error: 'stencil.fold': expected at least one value
  // CHECK-NEXT: error: 'stencil.fold': unknown 'kind': 9
  // CHECK-NEXT: error: 'stencil.window': unknown 'space': 3
  // CHECK-NEXT: error: expected 1 exchange, got a null pointer
  // CHECK-NEXT: error: 'stencil.accumulate': expected at least one term

  // What is made is verified in its place: no apply, attributes of other kinds.
  MlirOperation access = stencilAccessCreate(here, grid, 1, &zero, none);
  printf("%d\n", mlirOperationVerify(access));
  MlirOperation store = stencilStoreCreate(here, scalar, scalar, unit);
  printf("%d\n", mlirOperationVerify(store));
  // CHECK-NEXT: error: 'stencil.access' op expects ancestor op 'stencil.apply'
  // CHECK-NEXT: 0
  // CHECK-NEXT: error: 'stencil.store' op {{.*}}bounds
  // CHECK-NEXT: 0
  printf("%d %d\n", mlirBlockIsNull(stencilApplyGetBody((MlirOperation){NULL})),
         mlirBlockIsNull(stencilApplyGetBody(store)));
  // CHECK-NEXT: 1 1
  mlirOperationDestroy(access);
  mlirOperationDestroy(store);
  mlirBlockDestroy(block);
  mlirContextDestroy(other);
  mlirContextDestroy(context);
  return 0;
}
