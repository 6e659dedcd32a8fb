// Extrema of zeros with different signs and of NaN, in the code of GPUs: an instruction where there is one that orders
// -0 before +0 and keeps NaN; else what LLVM makes of the same intrinsic. A comparison would forget the sign of zeros.
// RUN: stencil-opt %s --stencil-gpu-to-nvvm="chip=sm_90 format=isa" | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=SM90
// RUN: stencil-opt %s --stencil-gpu-to-nvvm="chip=sm_75 format=isa" | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=SM75
// RUN: stencil-opt %s --stencil-gpu-to-rocdl="chip=gfx942 format=isa" | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=AMD --implicit-check-not=v_cmp_eq --implicit-check-not=v_cmp_class

// SM90-LABEL: .entry single(
// SM90-NOT: setp
// SM90: max.NaN.f32
// SM90-NOT: setp
// SM90: min.NaN.f32
// SM90-NOT: setp
// SM90: max.f32
// SM90-NOT: setp
// SM90: ret;

// No max.NaN: NaN by a selection, and zeros by their bits.
// SM75-LABEL: .entry single(
// SM75: setp.nan.f32 %[[P:p[0-9]+]], %[[X:r[0-9]+]], %[[Y:r[0-9]+]];
// SM75: max.f32 %[[MAX:r[0-9]+]], %[[X]], %[[Y]];
// SM75: selp.f32 %[[KEPT:r[0-9]+]], 0f7FC00000, %[[MAX]], %[[P]];
// SM75-DAG: setp.eq.b32 %{{.*}}, %[[X]], 0;
// SM75-DAG: setp.eq.b32 %{{.*}}, %[[Y]], 0;
// SM75: setp.eq.f32 %{{.*}}, %[[KEPT]], 0f00000000;
// SM75: min.f32
// SM75: selp.f32 %{{.*}}, 0f7FC00000,
// SM75-COUNT-2: setp.eq.b32 %{{.*}}, -2147483648;
// SM75: setp.eq.f32
// SM75-NOT: setp
// SM75: max.f32
// SM75-NOT: setp
// SM75: ret;

// AMD's instructions order zeros (nothing compares with them) and forget NaN, but for maxnumf, which is to.
// AMD-LABEL: {{^}}single:
// AMD: v_max_f32{{.*}} [[MAX:v[0-9]+]], [[X:v[0-9]+]], [[Y:v[0-9]+]]
// AMD: v_cmp_{{o|u}}_f32{{.*}} vcc, [[X]], [[Y]]
// AMD: v_cndmask_b32{{.*}} [[MAX]]
// AMD: v_min_f32
// AMD: v_cmp_{{o|u}}_f32
// AMD: v_cndmask_b32
// AMD-NOT: v_cmp
// AMD: v_max_f32
// AMD-NOT: v_cmp
// AMD: s_endpgm
gpu.module @kernels {
  gpu.func @single(%u: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = arith.addi %i, %c1 : index
    %k = arith.addi %i, %c2 : index
    %x = memref.load %u[%i] : memref<64xf32>
    %y = memref.load %u[%j] : memref<64xf32>
    %z = memref.load %u[%k] : memref<64xf32>
    %0 = arith.maximumf %x, %y : f32
    %1 = arith.minimumf %0, %z : f32
    %2 = arith.maxnumf %1, %x : f32
    memref.store %2, %u[%i] : memref<64xf32>
    gpu.return
  }

  // No instruction for f64 keeps NaN.
  // SM90-LABEL: .entry wide(
  // SM90: setp.nan.f64
  // SM90: max.f64
  // SM90: selp.f64 %[[KEPT:rd[0-9]+]], 0d7FF8000000000000
  // SM90-COUNT-2: setp.eq.b64 %{{.*}}, 0;
  // SM90: setp.eq.f64 %{{.*}}, %[[KEPT]], 0d0000000000000000;
  // SM90: ret;
  // AMD-LABEL: {{^}}wide:
  // AMD: v_max_f64 v{{\[[0-9]+}}:[[HIGH:[0-9]+]]]
  // AMD: v_cmp_{{o|u}}_f64
  // AMD: v_cndmask_b32{{.*}} v[[HIGH]]
  // AMD: s_endpgm
  gpu.func @wide(%u: memref<64xf64>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %j = arith.addi %i, %c1 : index
    %x = memref.load %u[%i] : memref<64xf64>
    %y = memref.load %u[%j] : memref<64xf64>
    %0 = arith.maximumf %x, %y : f64
    memref.store %0, %u[%i] : memref<64xf64>
    gpu.return
  }

  // Where neither matters to the program, nothing is spent on it.
  // SM90-LABEL: .entry careless(
  // SM90-NOT: setp
  // SM90: max.f64
  // SM90-NOT: setp
  // SM90: ret;
  // AMD-LABEL: {{^}}careless:
  // AMD-NOT: v_cmp
  // AMD: v_max_f64
  // AMD-NOT: v_cmp
  // AMD: s_endpgm
  gpu.func @careless(%u: memref<64xf64>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %j = arith.addi %i, %c1 : index
    %x = memref.load %u[%i] : memref<64xf64>
    %y = memref.load %u[%j] : memref<64xf64>
    %0 = arith.maximumf %x, %y fastmath<nnan,nsz> : f64
    memref.store %0, %u[%i] : memref<64xf64>
    gpu.return
  }
}
