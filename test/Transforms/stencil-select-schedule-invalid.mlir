// RUN: split-file %s %t
// RUN: not stencil-opt %t/line.mlir --stencil-select-schedule="schedule=gmem" 2>&1 | FileCheck %s --check-prefix=NO-TARGET
// NO-TARGET: error: {{.*}}expected a module with the attribute stencil.target for the schedule 'gmem', which depends on the GPU; stencil-attach-target="chip=sm_90" sets it
// RUN: not stencil-opt %t/line.mlir --stencil-select-schedule=tuning-db=%t/none.json 2>&1 | FileCheck %s --check-prefix=DATABASE
// DATABASE: error: expected a module with the attribute stencil.target; stencil-attach-target="chip=sm_90" sets it
// RUN: not stencil-opt %t/line.mlir --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=fast 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: option 'schedule': expected a #stencil.schedule or one of the names auto, model, measured, default, gmem, smem_u, smem_eta_1, smem_eta_3, st_smem, st_reg_shft, st_reg_fixed, st_semi, hwc, swc, vec, got 'fast'
// RUN: not stencil-opt %t/line.mlir --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=3 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: option 'schedule': expected a #stencil.schedule, got 3 : i64
// RUN: not stencil-opt %t/line.mlir --stencil-attach-target=chip=sm_90 --stencil-select-schedule="schedule=#stencil.schedule<points=[1,1,1]>" 2>&1 | FileCheck %s --check-prefix=AXES
// AXES: error: option 'schedule': the schedule is for 3 axes, which no stencil.apply has: #stencil.schedule<points = [1, 1, 1]>
// RUN: not stencil-opt %t/line.mlir --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=st_smem 2>&1 | FileCheck %s --check-prefix=STREAM
// STREAM: line.mlir:3:3: error: schedule 'st_smem' walks along one axis, with a tile of the others: expected 2 or 3 axes, got 1
// RUN: not stencil-opt %t/line.mlir --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=smem_eta_1 2>&1 | FileCheck %s --check-prefix=ETA
// ETA: error: schedule 'smem_eta_1' keeps an input in shared memory that is read less far than another: expected inputs of several radii, got only 4
// RUN: not stencil-opt %t/wide.mlir --stencil-attach-target=chip=gfx942 --stencil-select-schedule=schedule=swc 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: schedule 'swc' keeps {{[0-9]+}} bytes per block in shared memory, even with small blocks: expected at most 65536, which gfx942 has
// RUN: not stencil-opt %t/point.mlir --stencil-attach-target=chip=sm_90 --stencil-select-schedule=schedule=vec 2>&1 | FileCheck %s --check-prefix=POINT
// POINT: error: schedule 'vec' keeps neighbours in windows: expected an input that is read at a constant offset, got none
// RUN: not stencil-opt %examples/heat1d.mlir --stencil-attach-target=chip=sm_90 --stencil-select-schedule 2>&1 | FileCheck %s --check-prefix=BOX
// BOX: heat1d.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'stencil.apply' op expected values of known box, got '!stencil.temp<?xf64>'; run stencil-infer-shapes first

//--- line.mlir
!field = !stencil.field<[-9000,9000]xf64>
func.func @f(%u: !field, %o: !field) {
  stencil.apply(%x = %u : !field) outs (%o : !field) {
    %a = stencil.access %x[4] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

//--- wide.mlir
!field = !stencil.field<[-9000,9000]xf64>
func.func @f(%u: !field, %o: !field) {
  stencil.apply(%x = %u : !field) outs (%o : !field) {
    %a = stencil.access %x[8000] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

//--- point.mlir
!field = !stencil.field<[-9000,9000]xf64>
func.func @f(%u: !field, %o: !field) {
  stencil.apply(%x = %u : !field) outs (%o : !field) {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  return
}
