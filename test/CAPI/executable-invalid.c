// What can be wrong with handles, options, programs and arguments: a code and a
// text, and the process goes on.
// REQUIRES: capi
// RUN: %build_root/test/CAPI/capi-executable-invalid %S/Inputs/average.mlir | FileCheck %s

#include "StencilDialect-c/CompileModule.h"
#include "StencilDialect-c/Dialect.h"
#include "StencilDialect-c/Executable.h"
#include "StencilDialect-c/Ops.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <string.h>

// CHECK: at first: ''

static void show(int32_t code) {
  printf("%d: %s\n", (int)code, code ? stencilGetLastError() : "fine");
}

static void testHandles(StencilExecutable executable) {
  StencilOptions options = stencilOptionsCreate();
  const char *text = "untouched";
  show(stencilExecutableRelease(0));
  show(stencilExecutableRetain(UINT64_MAX));
  show(stencilExecutableGetName(options, &text));
  show(stencilOptionsSetTarget(executable, "cpu"));
  show(stencilOptionsSetTarget(0, "cpu"));
  show(stencilOptionsDestroy(options));
  show(stencilOptionsDestroy(options));
  show(stencilExecutableCompileFile("f.mlir", options, &executable));
  printf("%s\n", text);
}
// CHECK-NEXT: 16: expected a handle of an executable, got 0: it was released, or never was one
// CHECK-NEXT: 16: expected a handle of an executable, got 18446744073709551615: it was
// CHECK-NEXT: 16: expected a handle of an executable, got
// CHECK-NEXT: 16: expected a handle of options, got
// CHECK-NEXT: 16: expected a handle of options, got 0
// CHECK-NEXT: 0: fine
// CHECK-NEXT: 16: expected a handle of options, got
// CHECK-NEXT: 16: expected a handle of options, got
// CHECK-NEXT: untouched

static void testNull(StencilExecutable executable) {
  StencilOptions options = stencilOptionsCreate();
  StencilExecutable none;
  show(stencilExecutableCompile(NULL, 0, "f", 0, &none));
  show(stencilExecutableCompile("", 0, NULL, 0, &none));
  show(stencilExecutableCompile("", 0, "f", 0, NULL));
  show(stencilExecutableCompileFile(NULL, 0, &none));
  show(stencilExecutableCompileModule((MlirModule){NULL}, 0, &none));
  show(stencilOptionsSetChip(options, NULL));
  show(stencilOptionsSetExtents(options, -1, NULL));
  show(stencilOptionsSetExtents(options, 2, NULL));
  show(stencilExecutableGetName(executable, NULL));
  show(stencilExecutableGetParameter(executable, 0, NULL));
  show(stencilExecutableGetParameter(executable, 4, NULL));
  show(stencilExecutableGetResult(executable, -1, NULL));
  stencilOptionsDestroy(options);
}
// CHECK-NEXT: 17: expected a program and a name for it, got a null pointer
// CHECK-NEXT: 17: expected a program and a name for it, got a null pointer
// CHECK-NEXT: 17: expected a place for the executable, got a null pointer
// CHECK-NEXT: 17: expected the path of a program, got a null pointer
// CHECK-NEXT: 17: expected a module, got a null pointer
// CHECK-NEXT: 17: expected a text as an option, got a null pointer
// CHECK-NEXT: 17: expected an extent for each axis, got -1 of them
// CHECK-NEXT: 17: expected an extent for each axis, got 2 of them and a null pointer
// CHECK-NEXT: 17: expected a place for the answer, got a null pointer
// CHECK-NEXT: 17: expected a place for the answer, got a null pointer
// CHECK-NEXT: 17: expected an index less than 4, got 4
// CHECK-NEXT: 17: expected an index less than 2, got -1

static void compile(const char *program, StencilOptions options) {
  StencilExecutable executable = 77;
  show(stencilExecutableCompile(program, strlen(program), "bad.mlir", options,
                                &executable));
  if (executable != 77)
    printf("there is an executable\n");
}

static void testCompilation(void) {
  StencilExecutable executable;
  StencilOptions options = stencilOptionsCreate();
  compile("", 0);
  compile("func.func @f() { return %x : f32 }", 0);
  compile("func.func @f() { return }\nfunc.func @g() { return }", 0);
  show(stencilExecutableCompileFile("there/is/none.mlir", 0, &executable));
  stencilOptionsSetTarget(options, "gpu");
  compile("func.func @f() { return }", options);
  stencilOptionsSetTarget(options, "cpu");
  stencilOptionsSetMath(options, "wild");
  compile("func.func @f() { return }", options);
  stencilOptionsSetMath(options, "strict");
  stencilOptionsSetDeviceArrays(options, true);
  compile("func.func @f() { return }", options);
  stencilOptionsSetDeviceArrays(options, false);
  stencilOptionsSetEntry(options, "h");
  compile("func.func @f() { return }", options);
  stencilOptionsDestroy(options);
}
// CHECK-NEXT: 18: {{.*}}expected a program, got an empty
// CHECK-NEXT: 18: bad.mlir:1:{{[0-9]+}}: error: use of undeclared SSA value name
// CHECK: 18: expected one public function
// CHECK: 18: {{.*}}there/is/none.mlir
// CHECK: 18: {{.*}}gpu
// CHECK: 18: {{.*}}wild
// CHECK: 18: {{.*}}device
// CHECK: 18: {{.*}}unknown entry 'h'

// Modules that nobody has verified.
static void testModules(void) {
  MlirContext context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__stencil__(), context);
  MlirLocation here = mlirLocationFileLineColGet(
      context, mlirStringRefCreateFromCString("by-hand"), 3, 4);
  MlirModule module = mlirModuleCreateEmpty(here);
  StencilExecutable executable;
  show(stencilExecutableCompileModule(module, 0, &executable));
  mlirBlockAppendOwnedOperation(
      mlirModuleGetBody(module),
      stencilAllocCreate(here, mlirF64TypeGet(context)));
  show(stencilExecutableCompileModule(module, 0, &executable));
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}
// CHECK: 18: {{.*}}public
// CHECK: 18: by-hand:3:4: error: 'stencil.alloc' op result #0 must be stencil.field

static void testArguments(StencilExecutable executable) {
  double u[8], v[8];
  const int64_t shape[] = {8}, strides[] = {2};
  StencilArgument good[] = {stencilArray(STENCIL_F64, 1, u, shape),
                            stencilArray(STENCIL_F64, 1, v, shape),
                            stencilFloat(0.5), stencilInteger(1)};
  StencilScalar results[2];
  StencilArgument bad[4];
#define TRY(change)                                                            \
  memcpy(bad, good, sizeof bad);                                               \
  change;                                                                      \
  show(stencilExecutableCall(executable, 4, bad, 2, results, NULL))
  memset(u, 0, sizeof u);
  TRY((void)0);
  show(stencilExecutableCall(executable, 3, good, 2, results, NULL));
  show(stencilExecutableCall(executable, -1, NULL, 2, results, NULL));
  show(stencilExecutableCall(executable, 4, NULL, 2, results, NULL));
  show(stencilExecutableCall(executable, 4, good, 1, results, NULL));
  show(stencilExecutableCall(executable, 4, good, 2, NULL, NULL));
  show(stencilExecutableCall(executable, 4, good, 2, results, v));
  // CHECK: {{^}}0: fine
  // CHECK-NEXT: 17: 'average' takes 4 arguments, got 3
  // CHECK-NEXT: 17: 'average' takes 4 arguments, got -1
  // CHECK-NEXT: 17: expected arguments, got a null pointer
  // CHECK-NEXT: 17: 'average' has 2 results, got places for 1
  // CHECK-NEXT: 17: expected places for results, got a null pointer
  // CHECK-NEXT: 17: expected no stream for a program for the CPU, got one

  TRY(bad[0].kind = 9);
  TRY(bad[0].kind = STENCIL_ARGUMENT_FLOAT);
  TRY(bad[0].element = 77);
  TRY(bad[0].element = STENCIL_F32);
  TRY(bad[0].rank = 0);
  TRY(bad[0].rank = 1 << 30);
  TRY(bad[0].shape = NULL);
  TRY(bad[1].data = NULL);
  TRY(bad[1].data = u);
  TRY(bad[1].strides = strides);
  TRY(bad[1].flags = STENCIL_ARRAY_READ_ONLY);
  TRY(bad[1].flags = STENCIL_ARRAY_ON_DEVICE);
  TRY(bad[1].flags = 8);
  TRY(bad[2].kind = STENCIL_ARGUMENT_INTEGER);
  TRY(bad[3].integer = (int64_t)1 << 40);
  // CHECK-NEXT: 17: argument 0 'u': expected a kind of argument, got 9
  // CHECK-NEXT: 17: argument 0 'u': expected an array for {{.*}}, got a number
  // CHECK-NEXT: 17: argument 0 'u': expected a StencilElement, got 77
  // CHECK-NEXT: 17: argument 0 'u': expected elements of type f64, got f32
  // CHECK-NEXT: 17: argument 0 'u': expected from 1 to 64 axes, got 0
  // CHECK-NEXT: 17: argument 0 'u': expected from 1 to 64 axes, got 1073741824
  // CHECK-NEXT: 17: argument 0 'u': expected a shape, got a null pointer
  // CHECK-NEXT: 17: argument 1 'v': expected an array, got a null pointer
  // CHECK-NEXT: 17: argument 1 'v': expected memory that does not overlap
  // CHECK-NEXT: 17: argument 1 'v': expected row-major elements without gaps (strides 1), got strides 2
  // CHECK-NEXT: 17: argument 1 'v': expected an array that can be written
  // CHECK-NEXT: 17: argument 1 'v': expected an array in the memory of the host
  // CHECK-NEXT: 17: argument 1 'v': expected flags of arrays, got 8
  // CHECK-NEXT: 17: argument 2 'a': expected a floating-point number of type f64, got an integer
  // CHECK-NEXT: 17: argument 3 'n': expected an integer in the range of type i32, got 1099511627776
#undef TRY
}

// An error of the program itself has the code that the program has.
static void testProgram(void) {
  static const char *const program =
      "func.func @f(%n: index) {\n"
      "  %zero = arith.constant 0 : index\n"
      "  %one = arith.constant 1 : index\n"
      "  scf.for %i = %zero to %one step %n {\n"
      "    %a = stencil.alloc : !stencil.field<[0,8]xf64>\n"
      "  }\n"
      "  return\n"
      "}\n";
  StencilExecutable executable = 0;
  show(stencilExecutableCompile(program, strlen(program), "step.mlir", 0,
                                &executable));
  StencilArgument zero = stencilInteger(0), one = stencilInteger(1);
  show(stencilExecutableCall(executable, 1, &zero, 0, NULL, NULL));
  show(stencilExecutableCall(executable, 1, &one, 0, NULL, NULL));
  show(stencilExecutableRelease(executable));
  show(stencilExecutableCall(executable, 1, &one, 0, NULL, NULL));
}
// CHECK-NEXT: 0: fine
// CHECK-NEXT: 1: step.mlir:4:3: error: expected a positive step
// CHECK: 0: fine
// CHECK-NEXT: 0: fine
// CHECK-NEXT: 16: expected a handle of an executable

int main(int argc, char **argv) {
  printf("at first: '%s'\n", stencilGetLastError());
  StencilExecutable executable = 0;
  if (stencilExecutableCompileFile(argv[argc - 1], 0, &executable)) {
    printf("%s\n", stencilGetLastError());
    return 1;
  }
  testHandles(executable);
  testNull(executable);
  testCompilation();
  testModules();
  testArguments(executable);
  testProgram();
  return stencilExecutableRelease(executable);
}
