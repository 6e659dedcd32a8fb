// Every op of the dialect made from C: what comes out is what the parser makes
// of the text.
// REQUIRES: capi
// RUN: %build_root/test/CAPI/capi-ops | FileCheck %s

#include "StencilDialect-c/Ops.h"
#include "Inputs/Support.h"
#include "StencilDialect-c/Types.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static const MlirAttribute none = {NULL};

#define T "!stencil.temp<?x?xf64>"
#define B "!stencil.field<[-2,66]x[-2,66]xf64>"
#define BOX "<[0, 0], [64, 64]>"
#define HEAD                                                                   \
  "func.func @f(%m: memref<68x68xf64>, %f: !stencil.field<?x?xf64>, "          \
  "%g: " B ", %r: !stencil.field<[-2,66]xf64>, %k: f64) {\n"
#define TAIL "  return\n}\n"

static MlirModule parse(MlirContext context, const char *program) {
  MlirModule module = mlirModuleCreateParse(context, text(program));
  if (mlirModuleIsNull(module)) {
    printf("in %s\n", program);
    exit(1);
  }
  return module;
}

static MlirBlock getBody(MlirModule module) {
  MlirOperation function =
      mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

// Puts an op before the terminator; returns its first result, if it has one.
static MlirValue add(MlirBlock block, MlirOperation op) {
  MlirOperation end = mlirBlockGetFirstOperation(block);
  if (!mlirOperationIsNull(end))
    end = mlirBlockGetTerminator(block);
  if (mlirOperationIsNull(op)) {
    printf("there is no op\n");
    exit(1);
  }
  if (mlirOperationIsNull(end))
    mlirBlockAppendOwnedOperation(block, op);
  else
    mlirBlockInsertOwnedOperationBefore(block, end, op);
  return mlirOperationGetNumResults(op) > 0 ? mlirOperationGetResult(op, 0)
                                            : (MlirValue){NULL};
}

static void append(MlirStringRef part, void *buffer) {
  strncat(buffer, part.data, part.length);
}

// Whether two modules are printed alike, and verify.
static void compare(const char *name, MlirModule made, MlirModule expected) {
  static char left[1 << 16], right[1 << 16];
  left[0] = right[0] = '\0';
  mlirOperationPrint(mlirModuleGetOperation(made), append, left);
  mlirOperationPrint(mlirModuleGetOperation(expected), append, right);
  printf("%s: %s, %d\n", name, strcmp(left, right) ? left : "the same",
         mlirOperationVerify(mlirModuleGetOperation(made)));
  mlirModuleDestroy(made);
  mlirModuleDestroy(expected);
}

static MlirAttribute box(MlirLocation here) {
  const int64_t lower[] = {0, 0}, upper[] = {64, 64};
  return stencilBoundsAttrGetChecked(here, 2, lower, upper);
}

static void testFields(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirModule made = parse(context, HEAD TAIL);
  MlirBlock body = getBody(made);
  MlirValue memory = mlirBlockGetArgument(body, 0);
  MlirType field = mlirValueGetType(mlirBlockGetArgument(body, 2));
  add(body, stencilCastCreate(here, mlirBlockGetArgument(body, 1), field));
  MlirValue space = add(body, stencilAllocCreate(here, field));
  MlirValue own = add(body, stencilExternalLoadCreate(here, memory, field));
  MlirAttribute zero =
      mlirFloatAttrDoubleGet(context, mlirF64TypeGet(context), 0.0);
  const MlirAttribute conditions[] = {
      stencilPeriodicAttrGet(context), stencilPeriodicAttrGet(context),
      stencilDirichletAttrGetChecked(here, zero),
      stencilNeumannAttrGet(context)};
  add(body, stencilBoundaryCreate(here, own, box(here), 4, conditions));
  MlirValue value = add(body, stencilLoadCreate(here, own));
  add(body, stencilStoreCreate(here, value, space, box(here)));
  add(body, stencilExternalStoreCreate(here, own, memory));
  compare("fields", made,
          parse(context,
                HEAD "%c = stencil.cast %f : !stencil.field<?x?xf64> -> " B "\n"
                     "%a = stencil.alloc : " B "\n"
                     "%e = stencil.external_load %m : memref<68x68xf64> -> " B
                     "\nstencil.boundary %e(" BOX ") [#stencil.periodic, "
                     "#stencil.dirichlet<0.0> | #stencil.neumann] : " B "\n"
                     "%t = stencil.load %e : " B " -> " T "\n"
                     "stencil.store %t to %a(" BOX ") : " T " to " B "\n"
                     "stencil.external_store %e to %m : " B
                     " to memref<68x68xf64>\n" TAIL));
}
// CHECK: fields: the same, 1

static void testApply(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirModule made = parse(context, HEAD TAIL);
  MlirBlock body = getBody(made);
  MlirValue row = mlirBlockGetArgument(body, 3);
  MlirValue inputs[3];
  inputs[0] = add(body, stencilLoadCreate(here, mlirBlockGetArgument(body, 2)));
  inputs[1] = add(body, stencilLoadCreate(here, row));
  inputs[2] = mlirBlockGetArgument(body, 4);
  MlirType type = mlirValueGetType(inputs[0]);
  MlirOperation apply = stencilApplyCreate(here, 3, inputs, 1, &type);
  add(body, apply);
  MlirBlock inner = stencilApplyGetBody(apply);
  MlirValue x = mlirBlockGetArgument(inner, 0);
  MlirValue y = mlirBlockGetArgument(inner, 1);
  MlirValue weights[] = {mlirBlockGetArgument(inner, 2),
                         mlirBlockGetArgument(inner, 2)};
  const int64_t west[] = {0, -1}, one[] = {1}, origin[] = {0, 0},
                ahead[] = {0, 2}, taps[] = {-1, 0, 1, 0}, twice[] = {1, 2};
  MlirAttribute last = stencilIndexAttrGetChecked(here, 1, one);
  MlirAttribute half = mlirDenseElementsAttrDoubleSplatGet(
      mlirRankedTensorTypeGet(1, (const int64_t[]){2}, mlirF64TypeGet(context),
                              none),
      0.5);
  add(inner, stencilAccessCreate(here, x, 2, west, none));
  add(inner, stencilAccessCreate(here, y, 1, one, last));
  MlirValue place[2];
  place[0] = add(inner, stencilIndexCreate(here, 0, 2, origin));
  place[1] = add(inner, stencilIndexCreate(here, 1, 2, ahead));
  add(inner, stencilDynAccessCreate(here, x, 2, place, origin, ahead));
  MlirValue sum =
      add(inner, stencilWeightedSumCreate(here, x, 2, 2, taps, half, none));
  add(inner,
      stencilWeightedSumCreateUniform(here, y, 2, 1, twice, weights, last));
  MlirType wrapped = stencilResultTypeGetChecked(here, mlirF64TypeGet(context));
  MlirValue results[2];
  results[0] = add(inner, stencilStoreResultCreate(here, sum, wrapped));
  results[1] =
      add(inner, stencilStoreResultCreate(here, (MlirValue){NULL}, wrapped));
  mlirBlockAppendOwnedOperation(
      inner, stencilReturnCreate(here, 2, results,
                                 stencilIndexAttrGetChecked(here, 2, twice)));
  compare(
      "apply", made,
      parse(context, HEAD
            "%t = stencil.load %g : " B " -> " T "\n"
            "%l = stencil.load %r : !stencil.field<[-2,66]xf64> -> "
            "!stencil.temp<?xf64>\n"
            "%v = stencil.apply(%x = %t : " T ", %y = %l : "
            "!stencil.temp<?xf64>, %s = %k : f64) -> (" T ") {\n"
            "%0 = stencil.access %x[0, -1] : " T "\n"
            "%1 = stencil.access %y[_, 1] : !stencil.temp<?xf64>\n"
            "%i = stencil.index 0 <[0, 0]>\n"
            "%j = stencil.index 1 <[0, 2]>\n"
            "%2 = stencil.dyn_access %x[%i, %j] in <[0, 0]> : <[0, 2]> : " T
            "\n%3 = stencil.weighted_sum %x offsets [[-1, 0], [1, 0]] "
            "weights dense<0.5> : tensor<2xf64> : " T "\n"
            "%4 = stencil.weighted_sum %y offsets [[1], [2]] weights (%s, %s) "
            "attributes {offset_mapping = #stencil.index<[1]>} : "
            "!stencil.temp<?xf64>\n"
            "%5 = stencil.store_result %3 : !stencil.result<f64>\n"
            "%6 = stencil.store_result : !stencil.result<f64>\n"
            "stencil.return %5, %6 unroll <[1, 2]> : !stencil.result<f64>, "
            "!stencil.result<f64>\n}\n" TAIL));
}
// CHECK-NEXT: apply: the same, 1

static void testMatrix(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirModule made = parse(context, HEAD TAIL);
  MlirBlock body = getBody(made);
  MlirValue row =
      add(body, stencilLoadCreate(here, mlirBlockGetArgument(body, 3)));
  MlirType type = mlirValueGetType(row);
  MlirOperation apply = stencilApplyCreate(here, 1, &row, 1, &type);
  add(body, apply);
  MlirBlock inner = stencilApplyGetBody(apply);
  const int64_t origin[] = {0};
  MlirAttribute ones = mlirDenseElementsAttrDoubleSplatGet(
      mlirRankedTensorTypeGet(2, (const int64_t[]){2, 3},
                              mlirF64TypeGet(context), none),
      1.0);
  MlirValue place = add(inner, stencilIndexCreate(here, 0, 1, origin));
  MlirValue sum =
      add(inner, stencilMatVecCreate(here, mlirBlockGetArgument(inner, 0),
                                     place, -1, ones));
  mlirBlockAppendOwnedOperation(inner,
                                stencilReturnCreate(here, 1, &sum, none));
  compare("matrix", made,
          parse(context,
                HEAD "%t = stencil.load %r : !stencil.field<[-2,66]xf64> -> "
                     "!stencil.temp<?xf64>\n"
                     "%v = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> "
                     "(!stencil.temp<?xf64>) {\n"
                     "%i = stencil.index 0 <[0]>\n"
                     "%s = stencil.matvec %x[%i] from -1 matrix dense<1.0> : "
                     "tensor<2x3xf64> : !stencil.temp<?xf64>\n"
                     "stencil.return %s : f64\n}\n" TAIL));
}
// CHECK-NEXT: matrix: the same, 1

// An apply that hands the first input on, or outputs a field.
static MlirOperation copy(MlirLocation here, intptr_t numResults,
                          const MlirType *types, MlirValue input,
                          const MlirValue *output) {
  const int64_t origin[] = {0, 0};
  MlirOperation apply =
      output
          ? stencilApplyCreateBufferised(here, 1, &input, 1, output, box(here))
          : stencilApplyCreate(here, 1, &input, numResults, types);
  MlirBlock inner = stencilApplyGetBody(apply);
  MlirValue x =
      add(inner, stencilAccessCreate(here, mlirBlockGetArgument(inner, 0), 2,
                                     origin, none));
  MlirValue values[] = {x, x, x};
  mlirBlockAppendOwnedOperation(
      inner, stencilReturnCreate(here, numResults, values, none));
  return apply;
}

static void testReductions(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirModule made = parse(context, HEAD TAIL);
  MlirBlock body = getBody(made);
  MlirValue field = mlirBlockGetArgument(body, 2);
  MlirValue start = mlirBlockGetArgument(body, 4);
  MlirType type = mlirTypeParseGet(context, text(T));
  MlirValue space =
      add(body, stencilAllocCreate(here, mlirValueGetType(field)));
  add(body, copy(here, 1, NULL, field, &space));
  MlirValue loaded = add(body, stencilLoadCreate(here, space));
  MlirValue values[2];
  values[0] = add(body, copy(here, 1, &type, loaded, NULL));
  values[1] = add(body, stencilBufferCreate(here, values[0]));
  add(body,
      stencilCombineCreate(here, 0, 32, 1, &values[0], &values[1], 0, NULL, 1,
                           &values[0], (const MlirType[]){type, type}));
  MlirValue norm = add(
      body, stencilFoldCreate(here, 2, values, box(here), STENCIL_FOLD_RMS));
  MlirOperation reduce = stencilReduceCreate(here, norm, start);
  add(body, reduce);
  MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(reduce, 0));
  mlirBlockAppendOwnedOperation(
      inner, stencilYieldCreate(here, mlirBlockGetArgument(inner, 1)));
#define COPY "{\n%z = stencil.access %y[0, 0] : "
  compare(
      "reductions", made,
      parse(context, HEAD
            "%a = stencil.alloc : " B "\n"
            "stencil.apply(%y = %g : " B ") outs (%a : " B ") " COPY B "\n"
            "stencil.return %z : f64\n} to " BOX "\n"
            "%t = stencil.load %a : " B " -> " T "\n"
            "%v = stencil.apply(%y = %t : " T ") -> (" T ") " COPY T "\n"
            "stencil.return %z : f64\n}\n"
            "%b = stencil.buffer %v : " T " -> " T "\n"
            "%c:2 = stencil.combine 0 at 32 lower = (%v : " T ") "
            "upper = (%b : " T ") upperext = %v : " T " : " T ", " T "\n"
            "%n = stencil.fold %v, %b(" BOX ") rms : " T ", " T "\n"
            "stencil.reduce %n init %k {\n"
            "^bb0(%p: f64, %q: f64):\nstencil.yield %q : f64\n} : f64\n" TAIL));
}
// CHECK-NEXT: reductions: the same, 1

static void testPipelines(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirModule made = parse(context, HEAD TAIL);
  MlirBlock body = getBody(made);
  MlirType type = mlirTypeParseGet(context, text(T));
  const MlirType types[] = {type, type, type};
  MlirValue field = mlirBlockGetArgument(body, 2);
  MlirValue target =
      add(body, stencilAllocCreate(here, mlirValueGetType(field)));
  MlirOperation walk = stencilPipelineCreate(here, 0);
  add(body, walk);
  MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(walk, 0));
  MlirValue loaded = add(inner, stencilLoadCreate(here, field));
  const StencilWindowParts planes = {
      .depth = 4, .lead = 1, .group = -1, .prefetch = STENCIL_PREFETCH_TMA};
  MlirValue window = add(
      inner, stencilWindowCreate(here, STENCIL_SPACE_SHARED, loaded, &planes));
  MlirOperation stage = copy(here, 3, types, window, NULL);
  mlirOperationSetAttributeByName(stage, text(STENCIL_STAGE_ATTR),
                                  stencilStageAttrGet(context, 1));
  add(inner, stage);
  MlirValue terms[3];
  for (int i = 0; i < 3; ++i)
    terms[i] = mlirOperationGetResult(stage, i);
  const int64_t at[] = {-1, 0, 1};
  MlirValue sum = add(inner, stencilAccumulateCreate(here, 3, terms, at));
  add(inner, stencilStoreCreate(here, sum, target, box(here)));

  MlirOperation tile = stencilPipelineCreate(here, -1);
  add(body, tile);
  inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(tile, 0));
  loaded = add(inner, stencilLoadCreate(here, field));
  MlirAttribute neumann = stencilNeumannAttrGet(context);
  const MlirAttribute conditions[] = {neumann, neumann, neumann, neumann};
  const StencilWindowParts edges = {.group = 1,
                                    .prefetch = -1,
                                    .bounds = box(here),
                                    .numConditions = 4,
                                    .conditions = conditions};
  window = add(inner,
               stencilWindowCreate(here, STENCIL_SPACE_SHARED, loaded, &edges));
  stage = copy(here, 1, types, window, NULL);
  MlirValue value = add(inner, stage);
  add(inner, stencilStoreCreate(here, value, target, box(here)));
  compare(
      "pipelines", made,
      parse(context, HEAD
            "%a = stencil.alloc : " B "\nstencil.pipeline axis 0 {\n"
            "%x = stencil.load %g : " B " -> " T "\n"
            "%w = stencil.window shared %x depth 4 lead 1 prefetch tma : " T
            "\n%t:3 = stencil.apply(%y = %w : " T ") -> (" T ", " T ", " T
            ") attributes {stencil.stage = #stencil.stage<lead = 1>} " COPY T
            "\nstencil.return %z, %z, %z : f64, f64, f64\n}\n"
            "%s = stencil.accumulate %t#0, %t#1, %t#2 at [-1, 0, 1] : " T "\n"
            "stencil.store %s to %a(" BOX ") : " T " to " B "\n}\n"
            "stencil.pipeline {\n"
            "%x = stencil.load %g : " B " -> " T "\n"
            "%w = stencil.window shared %x group 1 boundary(" BOX
            ") [#stencil.neumann, #stencil.neumann] : " T "\n"
            "%t = stencil.apply(%y = %w : " T ") -> (" T ") " COPY T "\n"
            "stencil.return %z : f64\n}\n"
            "stencil.store %t to %a(" BOX ") : " T " to " B "\n}\n" TAIL));
}
// CHECK-NEXT: pipelines: the same, 1

// What a window of a stage may have: rows that threads have from each other,
// and what is kept beside the box.
static void testStageWindows(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirModule made = parse(context, HEAD TAIL);
  MlirBlock body = getBody(made);
  MlirType type = mlirTypeParseGet(context, text(T));
  MlirValue field = mlirBlockGetArgument(body, 2);
  MlirValue target =
      add(body, stencilAllocCreate(here, mlirValueGetType(field)));
  MlirAttribute keep = stencilKeepAttrGet(context);
  const MlirAttribute conditions[] = {keep, keep, keep, keep};
  const int64_t rows = 0;
  for (int isShared = 0; isShared <= 1; ++isShared) {
    MlirOperation walk = stencilPipelineCreate(here, 1);
    add(body, walk);
    MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(walk, 0));
    MlirValue loaded = add(inner, stencilLoadCreate(here, field));
    MlirOperation first = copy(here, 1, &type, loaded, NULL);
    mlirOperationSetAttributeByName(first, text(STENCIL_STAGE_ATTR),
                                    stencilStageAttrGet(context, 1));
    MlirValue stage = add(inner, first);
    const StencilWindowParts exchanged = {.depth = 2,
                                          .lead = 1,
                                          .group = -1,
                                          .prefetch = -1,
                                          .numExchanged = 1,
                                          .exchange = &rows};
    const StencilWindowParts kept = {.depth = 2,
                                     .lead = 1,
                                     .group = -1,
                                     .prefetch = -1,
                                     .bounds = box(here),
                                     .numConditions = 4,
                                     .conditions = conditions,
                                     .keep = loaded};
    MlirValue window =
        add(inner, isShared ? stencilWindowCreate(here, STENCIL_SPACE_SHARED,
                                                  stage, &kept)
                            : stencilWindowCreate(here, STENCIL_SPACE_SHUFFLE,
                                                  stage, &exchanged));
    MlirOperation second = stencilApplyCreate(here, 1, &window, 1, &type);
    mlirOperationSetAttributeByName(second, text(STENCIL_STAGE_ATTR),
                                    stencilStageAttrGet(context, 0));
    MlirBlock reader = stencilApplyGetBody(second);
    const int64_t beside[] = {1, 0};
    MlirValue x =
        add(reader, stencilAccessCreate(here, mlirBlockGetArgument(reader, 0),
                                        2, beside, none));
    mlirBlockAppendOwnedOperation(reader,
                                  stencilReturnCreate(here, 1, &x, none));
    MlirValue value = add(inner, second);
    add(inner, stencilStoreCreate(here, value, target, box(here)));
  }
#define STAGE                                                                  \
  "stencil.pipeline axis 1 {\n"                                                \
  "%x = stencil.load %g : " B " -> " T "\n"                                    \
  "%s = stencil.apply(%y = %x : " T ") -> (" T                                 \
  ") attributes {stencil.stage = #stencil.stage<lead = 1>} " COPY T            \
  "\nstencil.return %z : f64\n}\n"
#define BESIDE                                                                 \
  "%t = stencil.apply(%y = %w : " T ") -> (" T                                 \
  ") attributes {stencil.stage = #stencil.stage<lead = 0>} {\n"                \
  "%z = stencil.access %y[1, 0] : " T "\nstencil.return %z : f64\n}\n"         \
  "stencil.store %t to %a(" BOX ") : " T " to " B "\n}\n"
  compare("windows of stages", made,
          parse(context,
                HEAD "%a = stencil.alloc : " B "\n" STAGE
                     "%w = stencil.window shuffle %s depth 2 lead 1 "
                     "exchange [0] : " T "\n" BESIDE STAGE
                     "%w = stencil.window shared %s depth 2 lead 1 "
                     "boundary(" BOX ") [#stencil.keep, #stencil.keep] "
                     "keep %x : " T "\n" BESIDE TAIL));
}
// CHECK-NEXT: windows of stages: the same, 1

int main(void) {
  MlirContext context = makeContext();
  testFields(context);
  testApply(context);
  testMatrix(context);
  testReductions(context);
  testPipelines(context);
  testStageWindows(context);
  mlirContextDestroy(context);
  return 0;
}
