// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule="schedule=#stencil.schedule<block=[1,4,64]>" | FileCheck %s --check-prefix=GIVEN
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=gmem | FileCheck %s --check-prefix=GMEM
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=smem_u | FileCheck %s --check-prefix=SMEM_U
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=smem_eta_1 | FileCheck %s --check-prefix=SMEM_ETA
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=smem_eta_3 | FileCheck %s --check-prefix=SMEM_ETA
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=st_smem | FileCheck %s --check-prefix=ST_SMEM
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx942 --stencil-select-schedule=schedule=st_smem | FileCheck %s --check-prefix=ST_SMEM_AMD
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=st_reg_shft | FileCheck %s --check-prefix=SHFT
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=st_reg_fixed | FileCheck %s --check-prefix=FIXED
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=st_semi | FileCheck %s --check-prefix=SEMI
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=hwc | FileCheck %s --check-prefixes=HWC,HWC32
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx942 --stencil-select-schedule=schedule=hwc | FileCheck %s --check-prefixes=HWC,HWC64
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=swc | FileCheck %s --check-prefix=SWC
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx942 --stencil-select-schedule=schedule=swc | FileCheck %s --check-prefix=SWC_AMD
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=vec | FileCheck %s --check-prefix=VEC
// RUN: stencil-opt %s --stencil-select-schedule | FileCheck %s --check-prefix=NONE
// NONE-NOT: #stencil.schedule
// NONE: #stencil.schedule<launch_bounds = 1>}
// NONE-NOT: #stencil.schedule

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!line = !stencil.field<[-4,68]xf64>
!row = !stencil.field<[-2,66]x[-2,66]xf32>

// A wide input, one that is read at the point only, one of radius 1, one of
// less axes.
// GIVEN-LABEL: @space
// GIVEN: stencil.schedule = #stencil.schedule<block = [1, 4, 64]>}
// GMEM-LABEL: @space
// GMEM: #stencil.schedule<block = [4, 4, 32], points = [1, 1, 1]>}
// SMEM_U-LABEL: @space
// SMEM_U: #stencil.schedule<block = [4, 4, 32], points = [1, 1, 1], window = [shared, cache, cache, cache]>}
// SMEM_ETA-LABEL: @space
// SMEM_ETA: #stencil.schedule<block = [8, 8, 8], points = [1, 1, 1], window = [cache, cache, shared, cache]>}
// ST_SMEM-LABEL: @space
// ST_SMEM: #stencil.schedule<block = [1, 16, 16], points = [1, 1, 1], stream = 0, window = [shared, cache, cache, cache], accumulate = gather>}
// Of 64 KiB, ten planes of 24 x 24.
// ST_SMEM_AMD-LABEL: @space
// ST_SMEM_AMD: #stencil.schedule<block = [1, 16, 16], points = [1, 1, 1], stream = 0, window = [shared, cache, cache, cache], accumulate = gather>}
// SHFT-LABEL: @space
// SHFT: #stencil.schedule<block = [1, 16, 32], points = [1, 1, 1], stream = 0, window = [shared, cache, cache, cache], accumulate = shift>}
// FIXED-LABEL: @space
// FIXED: #stencil.schedule<block = [1, 16, 32], points = [1, 1, 1], stream = 0, window = [shared, cache, cache, cache], accumulate = scatter>}
// SEMI-LABEL: @space
// SEMI: #stencil.schedule<block = [1, 16, 32], points = [1, 1, 1], stream = 0, window = [shared, cache, cache, cache], accumulate = semi>}
// HWC-LABEL: @space
// Rows are as long as a warp.
// HWC32: #stencil.schedule<block = [2, 4, 32], points = [1, 1, 1]>}
// HWC64: #stencil.schedule<block = [2, 4, 64], points = [1, 1, 1]>}
// SWC-LABEL: @space
// SWC: #stencil.schedule<block = [1, 8, 32], points = [1, 1, 1], stream = 0, window = [shared, cache, shared, cache], accumulate = gather, prefetch = registers>}
// One of the two inputs, and short rows.
// SWC_AMD-LABEL: @space
// SWC_AMD: #stencil.schedule<block = [1, 2, 64], points = [1, 1, 1], stream = 0, window = [shared, cache, cache, cache], accumulate = gather, prefetch = registers>}
// VEC-LABEL: @space
// VEC: #stencil.schedule<block = [1, 1, 32], points = [4, 4, 1], window = [shuffle, cache, shuffle, cache]>}
func.func @space(%u: !field, %v: !field, %e: !field, %l: !line, %o: !field) {
  stencil.apply(%x = %u : !field, %y = %v : !field, %z = %e : !field, %w = %l : !line) outs (%o : !field) {
    %a = stencil.access %x[4, 0, 0] : !field
    %b = stencil.access %y[0, 0, 0] : !field
    %c = stencil.weighted_sum %z offsets [[0, 0, -1], [0, 0, 1]] weights dense<0.5> : tensor<2xf64> : !field
    %d = stencil.access %w[_, _, 3] : !line
    %s = arith.addf %a, %b : f64
    %t = arith.addf %s, %c : f64
    %r = arith.addf %t, %d : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// What one row or one point is a tile of.
// GIVEN-LABEL: @plane
// GIVEN-NOT: #stencil.schedule
// GIVEN-LABEL: @own
// GIVEN: #stencil.schedule<launch_bounds = 1>}
// GIVEN-NOT: #stencil.schedule
// GMEM-LABEL: @plane
// GMEM: #stencil.schedule<block = [16, 32], points = [1, 1]>}
// SMEM_U-LABEL: @plane
// SMEM_U: #stencil.schedule<block = [16, 32], points = [1, 1], window = shared>}
// ST_SMEM-LABEL: @plane
// ST_SMEM: #stencil.schedule<block = [1, 256], points = [1, 1], stream = 0, window = shared, accumulate = gather>}
// SHFT-LABEL: @plane
// SHFT: #stencil.schedule<block = [1, 512], points = [1, 1], stream = 0, window = shared, accumulate = shift>}
// HWC-LABEL: @plane
// HWC32: #stencil.schedule<block = [8, 32], points = [1, 1]>}
// HWC64: #stencil.schedule<block = [8, 64], points = [1, 1]>}
// SWC-LABEL: @plane
// SWC: #stencil.schedule<block = [1, 256], points = [1, 1], stream = 0, window = shared, accumulate = gather, prefetch = registers>}
// VEC-LABEL: @plane
// VEC: #stencil.schedule<block = [1, 32], points = [4, 1], window = shuffle>}
func.func @plane(%u: !row, %o: !row) {
  stencil.apply(%x = %u : !row) outs (%o : !row) {
    %a = stencil.access %x[0, 2] : !row
    stencil.return %a : f32
  } to <[0, 0], [64, 64]>
  return
}

// GMEM-LABEL: @line
// GMEM: #stencil.schedule<block = [512], points = [1]>}
// SWC-LABEL: @line
// SWC: #stencil.schedule<block = [256], points = [1], window = shared>}
// VEC-LABEL: @line
// VEC: #stencil.schedule<block = [32], points = [1], window = shuffle>}
// There is no plane to walk to.
// ST_SMEM-LABEL: @line
// ST_SMEM-NOT: #stencil.schedule
// ST_SMEM-LABEL: @own
func.func @line(%u: !line, %o: !line) {
  stencil.apply(%x = %u : !line) outs (%o : !line) {
    %a = stencil.access %x[4] : !line
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// Who has a schedule keeps it; a copy has no neighbours.
// GMEM-LABEL: @own
// GMEM: #stencil.schedule<launch_bounds = 1>}
// GMEM: #stencil.schedule<block = [512], points = [1]>}
// SWC-LABEL: @own
// SWC: #stencil.schedule<launch_bounds = 1>}
// SWC-NOT: #stencil.schedule
func.func @own(%u: !line, %o: !line) {
  stencil.apply(%x = %u : !line) outs (%o : !line) attributes {stencil.schedule = #stencil.schedule<launch_bounds = 1>} {
    %a = stencil.access %x[4] : !line
    stencil.return %a : f64
  } to <[0], [64]>
  stencil.apply(%x = %u : !line) outs (%o : !line) {
    %a = stencil.access %x[0] : !line
    stencil.return %a : f64
  } to <[0], [64]>
  return
}
