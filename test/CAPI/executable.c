// A program compiled and called from C, for the CPU and for the emulator.
// REQUIRES: capi
// RUN: %build_root/test/CAPI/capi-executable %S/Inputs/average.mlir cpu | FileCheck %s
// RUN: %build_root/test/CAPI/capi-executable %S/Inputs/average.mlir emulator | FileCheck %s

#include "StencilDialect-c/Executable.h"
#include "Inputs/Support.h"
#include "StencilDialect-c/CompileModule.h"

static void check(int32_t code) {
  if (code != STENCIL_STATUS_OK) {
    printf("code %d: %s\n", (int)code, stencilGetLastError());
    exit(1);
  }
}

static void describe(StencilExecutable executable) {
  const char *name, *target;
  intptr_t parameters, results;
  bool cached;
  check(stencilExecutableGetName(executable, &name));
  check(stencilExecutableGetTarget(executable, &target));
  check(stencilExecutableGetNumParameters(executable, &parameters));
  check(stencilExecutableGetNumResults(executable, &results));
  check(stencilExecutableWasCached(executable, &cached));
  printf("%s, cached: %d\n", name, cached);
  for (intptr_t i = 0; i < parameters; ++i) {
    StencilParameter one;
    check(stencilExecutableGetParameter(executable, i, &one));
    printf("%s: element %d", one.name, (int)one.element);
    if (one.isArray)
      printf(", rank %d, extent %d, read %d, written %d", (int)one.rank,
             (int)one.shape[0], one.isRead, one.isWritten);
    printf("\n");
  }
  for (intptr_t i = 0; i < results; ++i) {
    int32_t element;
    check(stencilExecutableGetResult(executable, i, &element));
    printf("result: element %d\n", (int)element);
  }
}
// CHECK: average, cached: 0
// CHECK-NEXT: u: element 3, rank 1, extent -1, read 1, written 0
// CHECK-NEXT: v: element 3, rank 1, extent -1, read 0, written 1
// CHECK-NEXT: a: element 3
// CHECK-NEXT: n: element 7
// CHECK-NEXT: result: element 3
// CHECK-NEXT: result: element 7

static void call(StencilExecutable executable) {
  double u[7] = {0, 1, 4, 9, 16, 25, 36}, v[7] = {-1, 0, 0, 0, 0, 0, -1};
  const int64_t shape[] = {7}, strides[] = {1};
  StencilArgument arguments[] = {stencilArray(STENCIL_F64, 1, u, shape),
                                 stencilArray(STENCIL_F64, 1, v, shape),
                                 stencilFloat(0.5), stencilInteger(100)};
  arguments[0].strides = strides;
  arguments[0].flags = STENCIL_ARRAY_READ_ONLY;
  StencilScalar results[2];
  check(stencilExecutableCall(executable, 4, arguments, 2, results, NULL));
  for (int i = 0; i < 7; ++i)
    printf("%g ", v[i]);
  printf("\nmax: %g (%d), n: %d (%d)\n", results[0].floating,
         (int)results[0].element, (int)results[1].integer,
         (int)results[1].element);
}

// CHECK-NEXT: -1 102 105 110 117 126 -1
// CHECK-NEXT: max: 126 (3), n: 100 (7)

int main(int argc, char **argv) {
  StencilOptions options = stencilOptionsCreate();
  check(stencilOptionsSetTarget(options, argv[argc - 1]));
  check(stencilOptionsSetMath(options, "strict"));
  check(stencilOptionsSetThreads(options, 1));
  StencilExecutable executable = 0;
  check(stencilExecutableCompileFile(argv[1], options, &executable));
  describe(executable);
  call(executable);

  // Another owner keeps it, when the first one and the options are gone.
  check(stencilExecutableRetain(executable));
  check(stencilExecutableRelease(executable));
  check(stencilOptionsDestroy(options));
  call(executable);
  check(stencilExecutableRelease(executable));
  // CHECK-NEXT: -1 102 105 110 117 126 -1
  // CHECK-NEXT: max: 126

  // Of a module, which stays as it is; for these extents, without options.
  MlirContext context = makeContext();
  static const char *const program =
      "func.func @f(%x: f32) -> f32 { return %x : f32 }";
  MlirModule module = mlirModuleCreateParse(context, text(program));
  check(stencilExecutableCompileModule(module, 0, &executable));
  mlirOperationPrint(mlirModuleGetOperation(module), printPart, NULL);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  StencilArgument three = stencilFloat(3);
  StencilScalar result;
  check(stencilExecutableCall(executable, 1, &three, 1, &result, NULL));
  printf("f: %g (%d)\n", result.floating, (int)result.element);
  check(stencilExecutableRelease(executable));
  // CHECK-NEXT: module
  // CHECK: f: 3 (2)

  // Text, with what says how long it is.
  check(stencilExecutableCompile(program, strlen(program), "f.mlir", 0,
                                 &executable));
  check(stencilExecutableCall(executable, 1, &three, 1, &result, NULL));
  printf("f: %g\n", result.floating);
  check(stencilExecutableRelease(executable));
  // CHECK: f: 3
  return 0;
}
