// What two loops ask in front of them is computed in front of each, and not
// once for both, where a loop fills the registers: it would take one of a
// thread's seven predicates all through the first one.
// RUN: stencil-translate %s --to-ptx --chip sm_90 -o - | FileCheck %s

// CHECK: setp.lt.s32 {{.*}}, [[COUNT:%r[0-9]+]], 1;
// CHECK: fma.rn.f64
// CHECK: bar.sync
// CHECK: setp.lt.s32 {{.*}}, [[COUNT]], 1;
// CHECK: st.global
gpu.module @kernels {
  gpu.func @k(%u: memref<256x32xf64>, %v: memref<256xf64>, %n: i32, %first: i1, %second: i1, %a: f64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %count = arith.index_cast %n : i32 to index
    %as = vector.broadcast %a : f64 to vector<32xf64>
    %rows = vector.load %u[%t, %c0] : memref<256x32xf64>, vector<32xf64>
    %moved = scf.if %first -> vector<32xf64> {
      %loop = scf.for %i = %c0 to %count step %c1 iter_args(%r = %rows) -> vector<32xf64> {
        %new = math.fma %r, %r, %as : vector<32xf64>
        gpu.barrier
        scf.yield %new : vector<32xf64>
      }
      scf.yield %loop : vector<32xf64>
    } else {
      scf.yield %rows : vector<32xf64>
    }
    vector.store %moved, %u[%t, %c0] : memref<256x32xf64>, vector<32xf64>
    scf.if %second {
      scf.for %i = %c0 to %count step %c1 {
        %k = arith.addi %t, %i : index
        memref.store %a, %v[%k] : memref<256xf64>
        gpu.barrier
      }
    }
    gpu.return
  }
}
