// A hand-written level 4 to AMD's assembly, and the host code around it.
// RUN: stencil-opt %S/../Target/Inputs/scale.mlir --stencil-gpu-to-rocdl="chip=gfx942 format=isa" -o %t.mlir
// RUN: grep gpu.binary %t.mlir | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=ISA
// RUN: grep -v gpu.binary %t.mlir | FileCheck %s --check-prefix=HOST --implicit-check-not=memref --implicit-check-not=_mlir_ciface_mgpu

// ISA: .amdgcn_target \22amdgcn-amd-amdhsa--gfx942\22
// ISA: .amdhsa_code_object_version 5
// ISA: scale_apply0:
// ISA-COUNT-2: global_load_dwordx4
// ISA-COUNT-4: v_mul_f64
// ISA-COUNT-2: global_store_dwordx4
// ISA: .amdhsa_kernel scale_apply0
// No-alias fields are known to be read only, or written only.
// ISA: .actual_access: read_only
// ISA: .actual_access: write_only
// ISA: .max_flat_workgroup_size: 128
// ISA: .reqd_workgroup_size:
// ISA-NEXT: - 32
// ISA-NEXT: - 4
// ISA-NEXT: - 1

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
