// A hand-written level 4 to AMD's assembly, and the host code around it.
// RUN: stencil-opt %S/../Target/Inputs/scale.mlir --stencil-gpu-to-rocdl="chip=gfx942 format=isa" -o %t.mlir
// RUN: grep gpu.binary %t.mlir | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=ISA
// RUN: grep -v gpu.binary %t.mlir | FileCheck %s --check-prefix=HOST --implicit-check-not=memref

// ISA: .amdgcn_target \22amdgcn-amd-amdhsa--gfx942\22
// ISA: .amdhsa_code_object_version 5
// ISA: scale_apply0:
// ISA-COUNT-2: global_load_dwordx4
// ISA-COUNT-4: v_mul_f64
// ISA-COUNT-2: global_store_dwordx4
// ISA: .amdhsa_kernel scale_apply0
// ISA: .max_flat_workgroup_size: 128

// HOST: gpu.launch_func <%{{.*}} : !llvm.ptr> @scale_kernels::@scale_apply0
// HOST: llvm.func @_mlir_ciface_scale(
