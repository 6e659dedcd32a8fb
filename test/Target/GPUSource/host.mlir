// Scalars of the host: a result goes through a pointer, and a division without a
// result returns a code.
// RUN: stencil-translate %s --to-cuda --chip sm_90 | FileCheck %s

// CHECK:      extern "C" int32_t share(int64_t n, int32_t parts, int64_t *result) {
// CHECK-NOT:  StencilResources
// CHECK:      if ((long long)parts == 0 || ((long long)parts == -1 && n == (-9223372036854775807LL - 1)))
// CHECK-NEXT:   return stencilReport(STENCIL_CHECK_FAILED, "{{.*}}host.mlir:17:10: integer division by zero, or of the smallest number by -1");
// CHECK-NEXT: *result = n / (long long)parts / 4;
// CHECK-NEXT: return STENCIL_OK;
module attributes {gpu.container_module} {
  gpu.module @kernels {
  }
  func.func @share(%n: i64, %parts: i32) -> i64 {
    %c4 = arith.constant 4 : i64
    %0 = arith.extsi %parts : i32 to i64
    %1 = arith.divsi %n, %0 : i64
    %2 = arith.divsi %1, %c4 : i64
    return %2 : i64
  }
}
