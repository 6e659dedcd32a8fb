// Sums stay where they are computed and do not move to where they are needed:
// the registers are for the sum, not for its terms.
// RUN: stencil-translate %s --to-ptx --chip sm_90 -o - | FileCheck %s

// CHECK: ld.global
// CHECK: fma.rn.f64
// CHECK: fma.rn.f64
// CHECK: bra
// CHECK-NOT: fma.rn.f64
// CHECK: st.global
gpu.module @kernels {
  gpu.func @k(%u: memref<256xf64>, %v: memref<64xf64>, %n: i32, %a: f64, %b: f64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %i = arith.addi %t, %c1 : index
    %j = arith.addi %t, %c2 : index
    %x = memref.load %u[%t] : memref<256xf64>
    %y = memref.load %u[%i] : memref<256xf64>
    %z = memref.load %u[%j] : memref<256xf64>
    %p = math.fma %a, %x, %y : f64
    %q = math.fma %b, %z, %p : f64
    gpu.barrier
    %t32 = arith.index_cast %t : index to i32
    %inside = arith.cmpi slt, %t32, %n : i32
    scf.if %inside {
      memref.store %q, %v[%t] : memref<64xf64>
    }
    gpu.return
  }
}
