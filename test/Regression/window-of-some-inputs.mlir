// One input that can have no window made `window = shared` for all applies an error. It holds for the inputs that can have it; a remark names the others.
// What an apply says itself is obeyed, or an error.

// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --arg 3=zeros --entry f \
// RUN:     --schedule '#stencil.schedule<stream = 0, window = shared, prefetch = async, stages = 5>' --verify --dump-ir %t.dump
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize \
// RUN:     --stencil-attach-target=chip=sm_90 --stencil-select-schedule='schedule=#stencil.schedule<stream=0,window=shared>' --remarks-filter=Schedule 2>&1 | FileCheck %s
// CHECK: remark: {{.*}}no 'window = shared' for input 1, which has 1 of 2 axes; input 2, which is read at computed coordinates
// CHECK: #stencil.schedule<stream = 0, window = [shared, cache, cache]>
// An apply of whose inputs none can have a window does without the schedule.
// CHECK: func.func private @none
// CHECK-NOT: stencil.schedule

// RUN: not stencil-opt %s --stencil-infer-shapes --stencil-bufferize --stencil-attach-target=chip=sm_90 --stencil-stream-windows='schedule=[#stencil.schedule<stream=0,window=shared>,unit]' \
// RUN:     2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: 'stencil.apply' op expected 'window = cache' for input 1, which has 1 of 2 axes, got 'shared'

!f = !stencil.field<[-2,34]x[-2,42]xf64>
!row = !stencil.field<[0,40]xf64>
!t = !stencil.temp<?x?xf64>
!trow = !stencil.temp<?xf64>
func.func @f(%a: !f, %w: !row, %b: !f, %c: !f) {
  %0 = stencil.load %a : !f -> !t
  %1 = stencil.load %w : !row -> !trow
  %2 = stencil.load %b : !f -> !t
  %3 = stencil.apply(%x = %0 : !t, %y = %1 : !trow, %z = %2 : !t) -> (!t) {
    %n = stencil.access %x[-2, 0] : !t
    %s = stencil.access %x[1, 1] : !t
    %v = stencil.access %y[_, 0] : !trow
    %i = stencil.index 0 <[0, 0]>
    %j = stencil.index 1 <[0, 0]>
    %d = stencil.dyn_access %z[%i, %j] in <[0, 0]> : <[0, 0]> : !t
    %p = arith.addf %n, %s : f64
    %q = arith.mulf %p, %v : f64
    %r = arith.addf %q, %d : f64
    stencil.return %r : f64
  }
  stencil.store %3 to %c(<[0, 0], [32, 40]>) : !t to !f
  return
}

func.func private @none(%w: !row, %c: !f) {
  %1 = stencil.load %w : !row -> !trow
  %3 = stencil.apply(%y = %1 : !trow) -> (!t) {
    %v = stencil.access %y[_, 0] : !trow
    stencil.return %v : f64
  }
  stencil.store %3 to %c(<[0, 0], [32, 40]>) : !t to !f
  return
}
