// A sum over a box of 3 x 3 taps by matrix instructions: patches of 4 x 2 outputs read 6 x 4 inputs, 6 steps of four. Each warp has four patches, one
// above the other, which read 18 rows, of which each is read once: four inputs for 16 rows of A, in two registers.
// RUN: stencil-opt %s --stencil-to-tiles="chip=sm_90 math=reassociate" -o %t.mlir
// RUN: stencil-opt %t.mlir --stencil-place-barriers --stencil-expand-walks --stencil-distribute-tiles --cse -o %t.threads.mlir
// RUN: FileCheck %s < %t.threads.mlir
// RUN: grep -c 'mma.sync' %t.threads.mlir | FileCheck %s --check-prefix=PRODUCTS
// RUN: sed '0,/gpu.barrier/d' %t.threads.mlir | grep -c 'memref.load .*address_space<workgroup>' | FileCheck %s --check-prefix=READS
// RUN: grep -c 'memref.load .*memref<192xf64, 1>' %t.threads.mlir | FileCheck %s --check-prefix=WEIGHTS
// PRODUCTS: {{^}}24{{$}}
// READS: {{^}}36{{$}}
// WEIGHTS: {{^}}6{{$}}

// The weights are in global memory: lanes read different ones. Nothing is in a thread's own memory. All threads take part in products, and
// two neighbours of a row are stored at once.
// CHECK: memref.global "private" constant @[[TABLE:.*]] : memref<192xf64, 1>
// CHECK: gpu.func
// CHECK-NOT: memref.alloca
// CHECK: gpu.barrier
// CHECK-NOT: scf.if
// CHECK: memref.get_global @[[TABLE]]
// CHECK-NOT: scf.if
// CHECK: llvm.inline_asm has_side_effects{{.*}} "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$7, $8, $9, $10};", "=d,=d,=d,=d,d,d,d,d,d,d,d"
// CHECK-NOT: memref.alloca
// CHECK-COUNT-8: vector.store {{.*}} : memref<{{[0-9]+}}xf64>, vector<2xf64>
// CHECK-NOT: vector.store
// CHECK: gpu.return

// On AMD's GPUs, by v_mfma, with a result in four registers.
// RUN: stencil-opt %s --stencil-to-tiles="chip=gfx942 math=reassociate" -o %t.mlir
// RUN: stencil-opt %t.mlir --stencil-place-barriers --stencil-expand-walks --stencil-distribute-tiles --cse | FileCheck %s --check-prefix=AMD
// AMD: gpu.barrier
// AMD-NOT: scf.if
// AMD: amdgpu.mfma 16x16x4 {{.*}} : f64, f64, vector<4xf64>
// AMD-NOT: memref.alloca
// AMD: gpu.return

// Fields have rows of their own memory: what is beside them is read, and multiplied by 0.
// RUN: stencil-translate %s --to-llvmir --target cuda --chip sm_90 --math reassociate | FileCheck %s --check-prefix=CLEARED
// CLEARED: call void @mgpuMemset16

!field = !stencil.field<[-1,65]x[-1,129]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @box(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<window = shared, engine = mma, block = [4, 32], points = [4, 4]>} {
    %s = stencil.weighted_sum %a offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] weights dense<[1.0, 2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0]> : tensor<9xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [64, 128]>) : !temp to !field
  return
}
