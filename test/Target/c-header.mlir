// What a C program sees of a compiled module.
// RUN: rm -rf %t && mkdir %t
// RUN: stencil-translate %s --to-c-header -o %t/all.h
// RUN: FileCheck %s < %t/all.h
// RUN: %clang -x c -std=c99 -Wall -Wextra -Werror -pedantic -fsyntax-only -include %t/all.h -include %t/all.h %S/Inputs/use.c
// RUN: %clang -x c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only -include %t/all.h %S/Inputs/use.c
// The runtime's header and each generated one have the same text about errors.
// RUN: %clang -x c -std=c99 -Wall -Wextra -Werror -fsyntax-only -I %src_root/include -include %t/all.h -include StencilRuntime/Runtime.h %S/Inputs/use.c
// RUN: %clang -x c -std=c99 -Wall -Wextra -Werror -fsyntax-only -I %src_root/include -include StencilRuntime/Runtime.h -include %t/all.h %S/Inputs/use.c
// RUN: %clang -x c -std=c99 -Wall -Wextra -Wcast-qual -Werror -pedantic -fsyntax-only -include %t/all.h %S/Inputs/use.c
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
// CHECK: u: u_n0 x u_n1 of f32, as !stencil.field<[-1,?+1]x[0,?]xf32>, whose point (0, 0) is u[u_n1]; not used
// CHECK: static inline int32_t open(const float *u, int64_t u_n0, int64_t u_n1, const float *v, int64_t v_n0, int64_t v_n1, int64_t steps) {
// CHECK: struct stencil_array_2d u_array = {(void *)(uintptr_t)u, (void *)(uintptr_t)u, 0, {u_n0, u_n1}, {u_n1, 1}};
// CHECK: return _mlir_ciface_open(&u_array, &v_array, steps);
func.func @open(%u: !stencil.field<?x?xf32>, %v: !field, %steps: index) {
  %0 = stencil.cast %u : !stencil.field<?x?xf32> -> !field
  return
}

// Known before: a pointer. All element types; names that C does not have; const
// where nothing is written. The comment goes to the header, and */ does not end it.
// CHECK: {{^}} *   Known before: a pointer.
// CHECK: and * / does not end it.
// CHECK: arg0: 12 of f16, as !stencil.field<[-2,10]xf16>, whose point (0) is arg0[2]; not used
// CHECK: arg1: 9 of bf16, as !stencil.field<[0,9]xbf16>, whose point (0) is arg1[0]; written
// CHECK: arg3: 9 of i8{{.*}}; read and written
// CHECK: static inline int32_t kinds(const uint16_t *arg0, uint16_t *arg1, const bool *arg2, int8_t *arg3, const int16_t *arg4, const int32_t *arg5, const int64_t *arg6, const double *arg7) {
// CHECK: struct stencil_array_1d arg0_array = {(void *)(uintptr_t)arg0, (void *)(uintptr_t)arg0, 0, {12}, {1}};
// CHECK: struct stencil_array_1d arg1_array = {arg1, arg1, 0, {9}, {1}};
// CHECK: struct stencil_array_0d arg7_array = {(void *)(uintptr_t)arg7, (void *)(uintptr_t)arg7, 0};
func.func @kinds(%double: !stencil.field<[-2,10]xf16>, %1: !stencil.field<[0,9]xbf16>, %2: memref<9xi1>, %3: memref<9xi8>,
                 %4: memref<9xi16>, %5: memref<9xi32>, %6: memref<9xi64>, %7: memref<f64>) {
  %in = stencil.external_load %3 : memref<9xi8> -> !stencil.field<[0,9]xi8>
  %a = stencil.load %in : !stencil.field<[0,9]xi8> -> !stencil.temp<?xi8>
  %b = stencil.apply(%x = %a : !stencil.temp<?xi8>) -> (!stencil.temp<?xbf16>) {
    %p = stencil.access %x[0] : !stencil.temp<?xi8>
    %q = arith.sitofp %p : i8 to bf16
    stencil.return %q : bf16
  }
  stencil.store %b to %1(<[0], [9]>) : !stencil.temp<?xbf16> to !stencil.field<[0,9]xbf16>
  stencil.store %a to %in(<[0], [9]>) : !stencil.temp<?xi8> to !stencil.field<[0,9]xi8>
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

// Fields that a loop swaps are read and written, one that it keeps is only read,
// as is what a call reads.
// CHECK: k: 4 of f64; read
// CHECK: static inline int32_t swap(double *u, double *v, const double *k, int64_t n) {
func.func @swap(%u: memref<4xf64>, %v: memref<4xf64>, %k: memref<4xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u, %b = %v, %c = %k) -> (memref<4xf64>, memref<4xf64>, memref<4xf64>) {
    func.call @hidden(%a, %c) : (memref<4xf64>, memref<4xf64>) -> ()
    scf.yield %b, %a, %c : memref<4xf64>, memref<4xf64>, memref<4xf64>
  }
  return
}

// Names that the function needs for itself.
// CHECK: static inline int32_t self(double self_, float result_, double *result) {
// CHECK: return _mlir_ciface_self(result, self_, result_);
func.func @self(%self: f64, %result: f32) -> f64 {
  return %self : f64
}

// CHECK-NOT: hidden
func.func private @hidden(%to: memref<4xf64>, %from: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %from[%c0] : memref<4xf64>
  memref.store %0, %to[%c0] : memref<4xf64>
  return
}
