// RUN: not stencil-opt %s --stencil-attach-target=chip=sm_80 --stencil-stream-windows="schedule=#stencil.schedule<stream=0,window=shared,prefetch=tma>" 2>&1 | FileCheck %s --check-prefix=TMA
// RUN: not stencil-opt %s --stencil-attach-target=chip=gfx942 --stencil-stream-windows="schedule=#stencil.schedule<stream=0,window=shared,prefetch=tma>" 2>&1 | FileCheck %s --check-prefix=TMA
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90a --stencil-stream-windows="schedule=#stencil.schedule<stream=0,window=shared,prefetch=tma>"
// RUN: not stencil-opt %s --stencil-attach-target=chip=sm_75 --stencil-stream-windows="schedule=#stencil.schedule<stream=0,window=shared,prefetch=async>" 2>&1 | FileCheck %s --check-prefix=ASYNC
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_80 --stencil-stream-windows="schedule=#stencil.schedule<stream=0,window=shared,prefetch=async>"
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx90a --stencil-stream-windows="schedule=#stencil.schedule<stream=0,window=shared,prefetch=async>" | FileCheck %s --check-prefix=AMD
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx90a --stencil-stream-windows="schedule=#stencil.schedule<window=shared,prefetch=async>" | FileCheck %s --check-prefix=TILE
// RUN: not stencil-opt %s --stencil-stream-windows=schedule=1 2>&1 | FileCheck %s --check-prefix=SCHEDULE

// TMA: error: 'stencil.apply' op expected a chip with a tensor memory accelerator, such as sm_90, for 'prefetch = tma', got {{sm_80|gfx942}}
// ASYNC: error: 'stencil.apply' op expected a chip with asynchronous copies, such as sm_80, for 'prefetch = async', got sm_75
// SCHEDULE: error: option 'schedule': expected a #stencil.schedule, got 1

// AMD: stencil.window shared %{{.*}} depth 2 lead 0 prefetch registers :
// TILE: stencil.window shared %0 : !stencil.temp

!field = !stencil.field<[-4,68]xf64>

func.func @line(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  return
}
