// What a C program sees of a compiled module.
// RUN: rm -rf %t && mkdir %t
// RUN: stencil-translate %s --to-c-header -o %t/all.h
// RUN: FileCheck %s < %t/all.h
// RUN: %clang -x c -std=c99 -Wall -Wextra -Werror -pedantic -fsyntax-only -include %t/all.h -include %t/all.h %S/Inputs/use.c
// RUN: %clang -x c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only -include %t/all.h %S/Inputs/use.c
// The runtime's header has the same text about errors.
// RUN: %clang -x c -std=c99 -Wall -Wextra -Werror -fsyntax-only -I %src_root/include -include %t/all.h -include StencilRuntime/Runtime.h %S/Inputs/use.c
// RUN: %clang -x c -std=c99 -Wall -Wextra -Werror -fsyntax-only -I %src_root/include -include StencilRuntime/Runtime.h -include %t/all.h %S/Inputs/use.c
// RUN: stencil-translate --to-c-header - < %s | FileCheck %s --check-prefix=STDIN

// STDIN: #ifndef STENCIL_STDIN_H

// CHECK: Functions compiled from c-header.mlir
// CHECK: #ifndef STENCIL_C_HEADER_MLIR_H
// CHECK-NEXT: #define STENCIL_C_HEADER_MLIR_H
// CHECK: extern "C" {
// CHECK: STENCIL_CHECK_FAILED = 1
// CHECK: typedef void (*StencilErrorHandler)(int32_t code, const char *message);
// CHECK: StencilErrorHandler stencilSetErrorHandler(StencilErrorHandler handler);
// CHECK: struct stencil_array_0d {
// CHECK: int64_t offset;
// CHECK-NEXT: };
// CHECK: struct stencil_array_1d {
// CHECK: struct stencil_array_2d {
// CHECK: int64_t strides[2];

!field = !stencil.field<[-1,?+1]x[0,?]xf32>

// Extents known when it runs: pointer and extents.
// CHECK: int32_t _mlir_ciface_open(struct stencil_array_2d *, struct stencil_array_2d *, int64_t);
// CHECK: u: u_n0 x u_n1 of f32, as !stencil.field<[-1,?+1]x[0,?]xf32>
// CHECK: static inline int32_t open(float *u, int64_t u_n0, int64_t u_n1, float *v, int64_t v_n0, int64_t v_n1, int64_t steps) {
// CHECK: struct stencil_array_2d u_array = {u, u, 0, {u_n0, u_n1}, {u_n1, 1}};
// CHECK: return _mlir_ciface_open(&u_array, &v_array, steps);
func.func @open(%u: !stencil.field<?x?xf32>, %v: !field, %steps: index) {
  %0 = stencil.cast %u : !stencil.field<?x?xf32> -> !field
  return
}

// Known before: a pointer. All element types; names that C does not have.
// CHECK: static inline int32_t kinds(uint16_t *arg0, uint16_t *arg1, bool *arg2, int8_t *arg3, int16_t *arg4, int32_t *arg5, int64_t *arg6, double *arg7) {
// CHECK: struct stencil_array_1d arg0_array = {arg0, arg0, 0, {12}, {1}};
// CHECK: struct stencil_array_0d arg7_array = {arg7, arg7, 0};
func.func @kinds(%double: !stencil.field<[-2,10]xf16>, %1: !stencil.field<[0,9]xbf16>, %2: memref<9xi1>, %3: memref<9xi8>,
                 %4: memref<9xi16>, %5: memref<9xi32>, %6: memref<9xi64>, %7: memref<f64>) {
  return
}

// Scalars by value; one scalar result, through a pointer.
// CHECK: int32_t _mlir_ciface_scalar(double *, bool, int8_t, int16_t, int32_t, int64_t, float, double);
// CHECK: static inline int32_t scalar(bool a, int8_t b, int16_t c, int32_t d, int64_t e, float f, double g, double *result) {
// CHECK: return _mlir_ciface_scalar(result, a, b, c, d, e, f, g);
func.func @scalar(%a: i1, %b: i8, %c: i16, %d: i32, %e: i64, %f: f32, %g: f64) -> f64 {
  return %g : f64
}

// Several results: a struct.
// CHECK: struct several_results {
// CHECK-NEXT: float r0;
// CHECK-NEXT: struct stencil_array_1d r1;
// CHECK-NEXT: int8_t r2;
// CHECK-NEXT: };
// CHECK: int32_t _mlir_ciface_several(struct several_results *, struct stencil_array_1d *, float, int8_t);
// CHECK: static inline int32_t several(double *x, float y, int8_t z, struct several_results *result) {
func.func @several(%x: memref<4xf64>, %y: f32, %z: i8) -> (f32, memref<4xf64>, i8) {
  return %y, %x, %z : f32, memref<4xf64>, i8
}

// CHECK-NOT: hidden
func.func private @hidden() {
  return
}
