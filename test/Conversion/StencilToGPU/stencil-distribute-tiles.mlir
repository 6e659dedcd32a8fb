// Kernels of tiles become launches; what else there is stays. The kernels of a
// function are in one module, whoever has made them.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-distribute-tiles --cse --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-distribute-tiles --stencil-tile-applies --stencil-map-stages --stencil-distribute-tiles --cse --split-input-file | FileCheck %s --check-prefix=BOTH
// Without such kernels, no target is needed.
// RUN: stencil-opt %S/kernels.mlir --split-input-file --stencil-distribute-tiles -o /dev/null

!field = !stencil.field<[0,64]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,64]xf64>

// CHECK-LABEL: gpu.module @scale_kernels
// CHECK: gpu.func @scale_apply0(%{{.*}}: memref<64xf64> {llvm.align = 32 : i32, llvm.noalias, llvm.readonly}, %{{.*}}: f64, %{{.*}}: memref<64xf64> {llvm.align = 32 : i32, llvm.noalias}) kernel
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK-NOT: gpu.func
// CHECK: func.func @scale(%[[U:.*]]: !stencil.field<[0,64]xf64>, %[[V:.*]]: !stencil.field<[0,64]xf64>, %[[C:.*]]: f64)
// CHECK: stencil.launch @scale_kernels::@scale_apply0 blocks({{.*}}) threads [64, 1, 1] {{.*}}args(%[[U]] : !stencil.field<[0,64]xf64> read, %[[C]] : f64, %[[V]] : !stencil.field<[0,64]xf64> write)
// CHECK: stencil.apply

// The names are different.
// BOTH-LABEL: gpu.module @scale_kernels
// BOTH: gpu.func @scale_apply0(
// BOTH: gpu.func @scale_apply00(
// BOTH-NOT: gpu.module
// BOTH: stencil.launch @scale_kernels::@scale_apply0
// BOTH: stencil.launch @scale_kernels::@scale_apply00
func.func @scale(%u: !field, %v: !field, %c: f64) {
  tile.kernel @apply(%a = %u : !field, %s = %c : f64, %b = %v : !field) grid <domain = <[0], [64]>, block = [64], points = [1]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any, %f = %s : f64) -> (!tile) {
        %0 = stencil.access %t[0] : !any
        %1 = arith.mulf %0, %f : f64
        stencil.return %1 : f64
      }
      tile.store %r to %b : !tile to !field
    }
  }
  stencil.apply(%x = %v : !field) outs (%u : !field) {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// -----

!field = !stencil.field<[0,64]xi32>
!any = !stencil.temp<?xi32>
!tile = !stencil.temp<[0,64]xi32>

// One word for the errors of all kernels.
// CHECK-LABEL: func.func @errors
// CHECK-COUNT-1: stencil.error_word
// BOTH-LABEL: func.func @errors
// BOTH: %[[WORD:.*]] = stencil.error_word {{.*}}zero{{.*}}zero
// BOTH-NOT: stencil.error_word
// BOTH: stencil.launch @errors_kernels::@errors_divide0 {{.*}}%[[WORD]] :
// BOTH: stencil.launch @errors_kernels::@errors_apply0 {{.*}}%[[WORD]] :
func.func @errors(%u: !field, %v: !field) {
  tile.kernel @divide(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [64], points = [1]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[0] : !any
        %1 = arith.divsi %0, %0 : i32
        stencil.return %1 : i32
      }
      tile.store %r to %b : !tile to !field
    }
  }
  stencil.apply(%x = %v : !field) outs (%u : !field) {
    %a = stencil.access %x[0] : !field
    %q = arith.divsi %a, %a : i32
    stencil.return %q : i32
  } to <[0], [64]>
  return
}

// -----

!field = !stencil.field<[-1,?+3]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,64]xf64>

// What the body says of extents is known behind it, too.
// CHECK-LABEL: func.func @open
// CHECK-SAME: attributes {stencil.minimal_extents = array<i64: {{[0-9]+}}>}
func.func @open(%f: !stencil.field<?xf64>, %g: !stencil.field<?xf64>) {
  %u = stencil.cast %f : !stencil.field<?xf64> -> !field
  %v = stencil.cast %g : !stencil.field<?xf64> -> !field
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [?]>, block = [64], points = [1]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[1] : !any
        stencil.return %0 : f64
      }
      tile.store %r to %b : !tile to !field
    }
  }
  return
}
