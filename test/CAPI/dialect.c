// Registration, versions and types, from C.
// REQUIRES: capi
// RUN: %build_root/test/CAPI/capi-dialect | FileCheck %s

#include "Inputs/Support.h"
#include "StencilDialect-c/Attributes.h"
#include "StencilDialect-c/Types.h"
#include "StencilDialect-c/Version.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static void testRegistration(void) {
  // Without a registry: types load the dialect.
  MlirContext context = mlirContextCreate();
  printf("loaded at first: %d\n",
         (int)mlirContextGetNumLoadedDialects(context));
  MlirType element = mlirF64TypeGet(context);
  printType("alone", stencilTempTypeGetUnboundedChecked(
                         mlirLocationUnknownGet(context), 1, element));
  MlirDialectHandle handle = mlirGetDialectHandle__stencil__();
  MlirStringRef name = mlirDialectHandleGetNamespace(handle);
  printf("namespace: %.*s\n", (int)name.length, name.data);
  MlirDialect loaded = mlirDialectHandleLoadDialect(handle, context);
  printf("the same dialect: %d\n",
         mlirDialectEqual(
             loaded, mlirContextGetOrLoadDialect(context, text("stencil"))));
  mlirContextDestroy(context);

  // Twice is once.
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirDialectHandleInsertDialect(handle, registry);
  mlirDialectHandleInsertDialect(handle, registry);
  stencilRegisterAllDialects(registry);
  stencilRegisterAllDialects((MlirDialectRegistry){NULL});
  context = mlirContextCreateWithRegistry(registry, false);
  printf("registered: %d\n", !mlirDialectIsNull(mlirContextGetOrLoadDialect(
                                 context, text("stencil"))));
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
}
// CHECK: loaded at first: 1
// CHECK-NEXT: alone: !stencil.temp<?xf64>
// CHECK-NEXT: namespace: stencil
// CHECK-NEXT: the same dialect: 1
// CHECK-NEXT: registered: 1

// The other dialect has a handle of its own.
static void testTiles(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectHandle handle = mlirGetDialectHandle__tile__();
  MlirStringRef name = mlirDialectHandleGetNamespace(handle);
  printf("namespace: %.*s\n", (int)name.length, name.data);
  MlirDialect loaded = mlirDialectHandleLoadDialect(handle, context);
  printf("the same dialect: %d\n",
         mlirDialectEqual(loaded,
                          mlirContextGetOrLoadDialect(context, text("tile"))));
  printType("ring", mlirTypeParseGet(context,
                                     text("!tile.ring<4 x [0,1]x[0,32]xf64>")));
  mlirContextDestroy(context);
}
// CHECK-NEXT: namespace: tile
// CHECK-NEXT: the same dialect: 1
// CHECK-NEXT: ring: !tile.ring<4 x [0,1]x[0,32]xf64>

static void testTypes(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirType element = mlirF32TypeGet(context);
  const int64_t lower[] = {-4, 0}, upper[] = {68, stencilBoundGetRelative(1)};
  MlirAttribute bounds = stencilBoundsAttrGetChecked(here, 2, lower, upper);

  MlirType field = stencilFieldTypeGetChecked(here, bounds, element);
  MlirType temp = stencilTempTypeGetChecked(here, bounds, element);
  MlirType open = stencilFieldTypeGetUnboundedChecked(here, 3, element);
  MlirType result = stencilResultTypeGetChecked(here, element);
  printType("field", field);
  printType("temp", temp);
  printType("open", open);
  printType("result", result);
  printf("is a field: %d%d%d%d\n", stencilTypeIsAField(field),
         stencilTypeIsAField(temp), stencilTypeIsAField(result),
         stencilTypeIsAField(element));
  printf("is a temp: %d%d, is a result: %d%d\n", stencilTypeIsATemp(temp),
         stencilTypeIsATemp(field), stencilTypeIsAResult(result),
         stencilTypeIsAResult(temp));
  printf("ranks: %d %d\n", (int)stencilGridTypeGetRank(temp),
         (int)stencilGridTypeGetRank(open));
  printAttribute("bounds", stencilGridTypeGetBounds(field));
  printAttribute("no bounds", stencilGridTypeGetBounds(open));
  printType("element", stencilGridTypeGetElementType(open));
  printType("element", stencilResultTypeGetElementType(result));
  printf("parsed: %d\n",
         mlirTypeEqual(
             field, mlirTypeParseGet(
                        context, text("!stencil.field<[-4,68]x[0,?+1]xf32>"))));
  printf(
      "type ids: %d%d%d\n",
      mlirTypeIDEqual(mlirTypeGetTypeID(field), stencilFieldTypeGetTypeID()),
      mlirTypeIDEqual(mlirTypeGetTypeID(temp), stencilTempTypeGetTypeID()),
      mlirTypeIDEqual(mlirTypeGetTypeID(result), stencilResultTypeGetTypeID()));
}
// CHECK-NEXT: field: !stencil.field<[-4,68]x[0,?+1]xf32>
// CHECK-NEXT: temp: !stencil.temp<[-4,68]x[0,?+1]xf32>
// CHECK-NEXT: open: !stencil.field<?x?x?xf32>
// CHECK-NEXT: result: !stencil.result<f32>
// CHECK-NEXT: is a field: 1000
// CHECK-NEXT: is a temp: 10, is a result: 10
// CHECK-NEXT: ranks: 2 3
// CHECK-NEXT: bounds: #stencil.bounds<[-4, 0], [68, ?+1]>
// CHECK-NEXT: no bounds: null
// CHECK-NEXT: element: f32
// CHECK-NEXT: element: f32
// CHECK-NEXT: parsed: 1
// CHECK-NEXT: type ids: 111

static void testErrors(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirType element = mlirF32TypeGet(context), none = {NULL};
  MlirType field = stencilFieldTypeGetUnboundedChecked(here, 1, element);
  printType("no location", stencilFieldTypeGetUnboundedChecked(
                               (MlirLocation){NULL}, 1, element));
  stencilFieldTypeGetChecked(here, (MlirAttribute){NULL}, element);
  stencilFieldTypeGetChecked(here, mlirUnitAttrGet(context), element);
  stencilTempTypeGetUnboundedChecked(here, 1, none);
  stencilTempTypeGetUnboundedChecked(here, 0, element);
  stencilTempTypeGetUnboundedChecked(here, (intptr_t)1 << 40, element);
  stencilTempTypeGetUnboundedChecked(here, 1, field);
  stencilResultTypeGetChecked(here, field);
  stencilResultTypeGetChecked(here, none);
  // A context without the dialect.
  MlirContext other = mlirContextCreate();
  stencilTempTypeGetUnboundedChecked(here, 1, mlirF64TypeGet(other));
  stencilFieldTypeGetChecked(
      here,
      stencilBoundsAttrGetChecked(mlirLocationUnknownGet(other), 1,
                                  (const int64_t[]){0}, (const int64_t[]){8}),
      element);
  mlirContextDestroy(other);
  printf("null: %d%d%d %d\n", stencilTypeIsAField(none),
         stencilTypeIsATemp(none), stencilTypeIsAResult(none),
         (int)stencilGridTypeGetRank(none));
  printType("of another type", stencilGridTypeGetElementType(element));
  printType("of another type", stencilResultTypeGetElementType(element));
  printAttribute("of another type", stencilGridTypeGetBounds(element));
}
// CHECK-NEXT: no location: null
// CHECK-NEXT: error: expected a #stencil.bounds
// CHECK-NEXT: error: expected a #stencil.bounds
// CHECK-NEXT: error: expected an element type, got a null handle
// CHECK-NEXT: error: expected at least one axis
// CHECK-NEXT: error: expected at most 64 axes, got 1099511627776
// CHECK-NEXT: error: expected an element type that is not a stencil type, got '!stencil.field<?xf32>'
// CHECK-NEXT: error: expected an element type that is not a stencil type, got '!stencil.field<?xf32>'
// CHECK-NEXT: error: expected an element type, got a null handle
// CHECK-NEXT: error: expected values, types and attributes of the location's context, got one of another
// CHECK-NEXT: error: expected values, types and attributes of the location's context, got one of another
// CHECK-NEXT: null: 000 0
// CHECK-NEXT: of another type: null
// CHECK-NEXT: of another type: null
// CHECK-NEXT: of another type: null

static char bytes[1 << 16];

static void collect(MlirStringRef part, void *length) {
  size_t *used = length;
  memcpy(bytes + *used, part.data, part.length);
  *used += part.length;
}

static void testPrograms(MlirContext context) {
  static char deep[2000];
  memset(deep, '(', sizeof deep);
  size_t length = 0;
  MlirStringRef none = {NULL, 0};
  MlirModule module = stencilModuleCreateParse(
      context, text("func.func private @f()"), text("a.mlir"));
  MlirOperation op = mlirModuleGetOperation(module);
  mlirOperationPrint(op, printPart, NULL);
  mlirOperationWriteBytecode(op, collect, &length);
  mlirModuleDestroy(module);
  module = stencilModuleCreateParse(context, mlirStringRefCreate(bytes, length),
                                    text("a.mlirbc"));
  printf("bytecode: %d\n", !mlirModuleIsNull(module));
  mlirModuleDestroy(module);
  printf("deep: %d\n",
         mlirModuleIsNull(stencilModuleCreateParse(
             context, mlirStringRefCreate(deep, sizeof deep), text("deep"))));
  stencilModuleCreateParse(context, text("module"), none);
  stencilModuleCreateParse((MlirContext){NULL}, none, none);
}
// CHECK-NEXT: module {
// CHECK-NEXT: func.func private @f()
// CHECK-NEXT: }
// CHECK-NEXT: bytecode: 1
// CHECK-NEXT: error: expected at most 256 levels of regions, types, attributes and affine expressions, got more
// CHECK-NEXT: deep: 1
// CHECK-NEXT: error: expected a program and a name for it, got a null pointer

int main(void) {
  testRegistration();
  testTiles();
  MlirContext context = makeContext();
  testTypes(context);
  testErrors(context);
  testPrograms(context);
  mlirContextDestroy(context);
  // What was compiled against is what runs.
  printf("version: %d, ABI: %d\n",
         strcmp(stencilGetVersion(), STENCIL_VERSION_STRING) == 0,
         stencilGetABIVersion() == STENCIL_ABI_VERSION);
  // CHECK-NEXT: version: 1, ABI: 1
  return 0;
}
