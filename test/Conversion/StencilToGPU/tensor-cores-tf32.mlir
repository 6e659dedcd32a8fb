// Sums of f32 are products of matrices under `math = tf32`: what is read is rounded on its way into the product, weights in their table.
// RUN: stencil-opt %s --stencil-to-tiles="chip=sm_90 math=tf32" -o %t.mlir
// RUN: stencil-opt %t.mlir --stencil-place-barriers --stencil-expand-walks --stencil-distribute-tiles --cse | FileCheck %s
// RUN: stencil-translate %s --to-ptx --entry box --chip sm_80 --math tf32 | FileCheck %s --check-prefix=PTX
// RUN: stencil-translate %s --to-cuda --entry box --chip sm_80 --math tf32 | FileCheck %s --check-prefix=CUDA

// 0.1 is 0x3DCCCCCD, and 0x3DCCC000 with 11 bits; 0.3, 0x3E99999A, is 0x3E99A000.
// CHECK: memref.global "private" constant @{{.*}} = dense<"0x{{.*}}00C0CC3D{{.*}}00A0993E
// CHECK: %[[READ:.*]] = memref.load {{.*}} : memref<{{.*}}xf32, {{.*}}address_space<workgroup>>
// CHECK: %[[FACTOR:.*]] = nvvm.convert.float.to.tf32 %[[READ]] {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK: %[[WEIGHT:.*]] = arith.bitcast {{.*}} : f32 to i32
// CHECK: llvm.inline_asm has_side_effects{{.*}} "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f" %[[FACTOR]], {{.*}}%[[WEIGHT]]
// PTX: cvt.rna.tf32.f32
// PTX: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CUDA: asm("cvt.rna.tf32.f32 %0, %1;" : "=r"
// CUDA: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32

// AMD's instruction rounds what it multiplies.
// RUN: stencil-translate %s --to-hip --entry box --chip gfx942 --math tf32 | FileCheck %s --check-prefix=HIP
// RUN: stencil-opt %s --stencil-to-tiles="chip=gfx942 math=tf32" -o %t.mlir
// RUN: stencil-opt %t.mlir --stencil-place-barriers --stencil-expand-walks --stencil-distribute-tiles | FileCheck %s --check-prefix=AMD
// HIP: using StencilTwo = T __attribute__((ext_vector_type(2)));
// HIP: __builtin_amdgcn_mfma_f32_16x16x8_xf32(stencilPack<StencilTwo<float>>(
// AMD: amdgpu.mfma 16x16x8 {{.*}} {reducePrecision} {{.*}} : vector<2xf32>, vector<2xf32>, vector<4xf32>

// gfx90a has none of them, and no mode but this one has its sums.
// RUN: not stencil-translate %s --to-ptx --entry box --chip sm_80 --math reassociate 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not stencil-translate %s --to-hip --entry box --chip gfx90a --math tf32 2>&1 | FileCheck %s --check-prefix=NONE
// MODE: error: {{.*}}expected 'math = tf32' for a sum of 'f32', whose factors matrix instructions round to TF32
// NONE: error: {{.*}}expected a type that gfx90a has a matrix instruction for, got 'f32'

// Results are within the roundings of factors; a weight that is wrong is found. What is added as it is read is rounded, too.
// DEFINE: %{run} = stencil-run %s --entry box --math tf32 --arg 1=zeros --verify --target
// RUN: %{run} emulator --chip sm_90 --arg 0=random:1 | FileCheck %s --check-prefix=BOX
// RUN: %{run} emulator --chip gfx942 --arg 0=wild:1 | FileCheck %s --check-prefix=BOX
// RUN: %{run} cpu --arg 0=random:1 | FileCheck %s --check-prefix=BOX
// RUN: sed 's/17.0/17.5/' %s > %t.wrong.mlir
// RUN: not %{run} emulator --chip sm_90 --arg 0=random:1 --test-compiled-program %t.wrong.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: stencil-run %s --entry row --math tf32 --arg 0=random:1 --arg 1=zeros --verify --target emulator --chip sm_90 | FileCheck %s --check-prefix=ROW
// BOX: verify: argument 1: max {{.*}}, 0 of 8192 points beyond 5 ulp of their terms
// WRONG: error: verify: argument 1: {{[0-9]+}} of 8192 points differ by more than 5 ULP of their terms
// ROW: verify: argument 1: max {{[0-9.]+e\+0[0-9]}} ulp, 0 of 256 points beyond 5 ulp of their terms

!field = !stencil.field<[-1,65]x[-1,129]xf32>
!out = !stencil.field<[0,64]x[0,128]xf32>
!temp = !stencil.temp<?x?xf32>
func.func @box(%u: !field, %v: !out) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<window = shared, engine = mma, block = [4, 64], points = [4, 4]>} {
    %s = stencil.weighted_sum %a offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] weights dense<[0.1, 2.0, 3.0, 5.0, 1.0, 0.3, -1.0, 17.0, 19.0]> : tensor<9xf32> : !temp
    stencil.return %s : f32
  }
  stencil.store %r to %v(<[0, 0], [64, 128]>) : !temp to !out
  return
}

!line = !stencil.field<[-1,257]xf32>
!line_out = !stencil.field<[0,256]xf32>
!line_temp = !stencil.temp<?xf32>
func.func @row(%u: !line, %v: !line_out) {
  %t = stencil.load %u : !line -> !line_temp
  %r = stencil.apply(%x = %t : !line_temp) -> (!line_temp) attributes {stencil.schedule = #stencil.schedule<window = shared, engine = mma, block = [64], points = [4]>} {
    %w = stencil.access %x[-1] : !line_temp
    %m = stencil.access %x[0] : !line_temp
    %e = stencil.access %x[1] : !line_temp
    %a = arith.addf %w, %m : f32
    %s = arith.subf %a, %e : f32
    stencil.return %s : f32
  }
  stencil.store %r to %v(<[0], [256]>) : !line_temp to !line_out
  return
}
