// A hand-written level 4 to PTX, and the host code around it.
// RUN: stencil-opt %S/../Target/Inputs/scale.mlir --stencil-gpu-to-nvvm="chip=sm_90 format=isa" -o %t.mlir
// RUN: grep gpu.binary %t.mlir | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=PTX --implicit-check-not=.extern
// RUN: grep -v gpu.binary %t.mlir | FileCheck %s --check-prefix=HOST --implicit-check-not=memref --implicit-check-not=_mlir_ciface_mgpu

// PTX: .version 8.0
// PTX: .target sm_90
// PTX: .visible .entry scale_apply0(
// PTX-NEXT: .param .u64 .ptr .align 32 scale_apply0_param_0
// PTX: .maxntid 32, 4, 1
// PTX: .minnctapersm 2
// No-alias fields are read past the first cache, and 16 bytes at once.
// PTX-COUNT-2: ld.global.nc.v2.b64
// PTX-COUNT-4: mul.rn.f64
// PTX-COUNT-2: st.global.v2.b64
// PTX: ret;

// HOST: llvm.func @mgpuStreamCreate() -> !llvm.ptr
// HOST: llvm.func @scale(
// HOST-DAG: %[[C1:.*]] = llvm.mlir.constant(1 : i64)
// HOST-DAG: %[[C4:.*]] = llvm.mlir.constant(4 : i64)
// HOST-DAG: %[[C32:.*]] = llvm.mlir.constant(32 : i64)
// HOST-DAG: %[[TWO:.*]] = llvm.mlir.constant(2.000000e+00 : f64)
// HOST-DAG: %[[N:.*]] = llvm.mlir.constant(5184 : i32)
// HOST: %[[STREAM:.*]] = llvm.call @mgpuStreamCreate()
// HOST: gpu.launch_func <%[[STREAM]] : !llvm.ptr> @scale_kernels::@scale_apply0
// HOST-SAME: blocks in (%[[C32]], %[[C1]], %[[C1]]) threads in (%[[C32]], %[[C4]], %[[C1]]) : i64
// HOST-SAME: args(%{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr, %[[N]] : i32, %[[TWO]] : f64)
// HOST: llvm.call @mgpuStreamSynchronize(%[[STREAM]])
// HOST: llvm.call @mgpuMemFree
// HOST: llvm.func @_mlir_ciface_scale(

// What the GPUs have instructions for needs no library: no extern, no toolkit.
// RUN: stencil-opt %s --stencil-gpu-to-nvvm="chip=sm_80 format=isa" | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=BODY --implicit-check-not=.extern
// BODY-LABEL: .entry body(
// BODY: .shared .align {{[0-9]+}} .b8 {{.*}}[256]
// BODY: bar.sync
// BODY: fma.rn.f32
// BODY: abs.f32
// BODY: sqrt.rn.f32
// BODY: cvt.rmi.f32.f32
// BODY: copysign.f32
// BODY: max.NaN.f32
gpu.module @body_kernels {
  gpu.func @body(%u: memref<64xbf16>, %n: i32, %flag: i1) workgroup(%tile : memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i = gpu.thread_id x
    %n64 = arith.index_cast %n : i32 to index
    %x = memref.load %u[%i] : memref<64xbf16>
    %e = arith.extf %x : bf16 to f32
    memref.store %e, %tile[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %sum = scf.for %k = %c0 to %n64 step %c1 iter_args(%s = %e) -> f32 {
      %v = memref.load %tile[%k] : memref<64xf32, #gpu.address_space<workgroup>>
      %m = math.fma %v, %v, %s : f32
      scf.yield %m : f32
    }
    %root = scf.if %flag -> f32 {
      %a = math.absf %sum : f32
      %q = math.sqrt %a : f32
      %f = math.floor %q : f32
      scf.yield %f : f32
    } else {
      %c = math.copysign %sum, %e : f32
      %w = arith.maximumf %c, %e : f32
      scf.yield %w : f32
    }
    %t = arith.truncf %root : f32 to bf16
    memref.store %t, %u[%i] : memref<64xbf16>
    gpu.return
  }
}
