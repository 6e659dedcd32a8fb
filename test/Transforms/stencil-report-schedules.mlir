// RUN: echo '["", "#stencil.schedule<block = [1, 8, 32], points = [1, 2, 2], stream = 0, segments = 4, window = shared, accumulate = shift, prefetch = tma>", "#stencil.schedule<block = [64, 64, 64], points = [1, 1, 1]>", "#stencil.schedule<points = [1, 2]>"]' > %t.json
// RUN: stencil-opt %s -o /dev/null --stencil-attach-target=chip=sm_90 --stencil-report-schedules=schedules=%t.json > %t.report
// RUN: /usr/bin/python3 -m json.tool %t.report | FileCheck %s
// RUN: stencil-opt %s -o /dev/null --stencil-attach-target=chip=gfx942 --stencil-report-schedules="top=2 output=%t.amd"
// RUN: /usr/bin/python3 -m json.tool %t.amd | FileCheck %s --check-prefix=AMD
// The bounds are those of the program; what it leaves open is given.
// RUN: stencil-opt %s -o /dev/null --stencil-attach-target=chip=sm_90 --stencil-report-schedules="top=1 extents=1000,100,200" | FileCheck %s --check-prefix=GIVEN
// GIVEN: "extents":[512,512,512],"function":"star"
// GIVEN: "extents":[1000,100,200],"function":"open"

!field = !stencil.field<[-4,516]x[-4,516]x[-4,516]xf32>
!open = !stencil.field<[-1,?+1]x[-1,?+1]x[-1,?+1]xf64>

// Predictions in the order of the file: the default, a walk, what does not fit.
// CHECK: "function": "star"
// CHECK: "completed": "#stencil.schedule<block = [{{.*}}], points = [{{.*}}]>"
// CHECK: "compulsory_bytes": 1073741824
// CHECK: "limiter":
// CHECK: "schedule": ""
// CHECK: "seconds": 0.000
// CHECK: "iterations": 136
// CHECK: "schedule": "#stencil.schedule<block = [1, 8, 32]
// CHECK: "misfit": "262144 threads of at most 1024"
// CHECK: "misfit": "a schedule for other axes or inputs"
// CHECK: "chip": "sm_90"

// AMD: "function": "star"
// AMD: "schedule": ""
// AMD: "schedule": "#stencil.schedule<
// AMD: "schedule": "#stencil.schedule<
// AMD-NOT: "schedule":
// AMD: "function": "open"
func.func @star(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    %s = stencil.weighted_sum %x offsets [[-4, 0, 0], [-1, 0, 0], [0, -4, 0], [0, 0, -4], [0, 0, 0], [0, 0, 4], [0, 4, 0], [4, 0, 0]] weights dense<0.1> : tensor<8xf32> : !field
    stencil.return %s : f32
  } to <[0, 0, 0], [512, 512, 512]>
  return
}

func.func @open(%u: !open, %v: !open) {
  stencil.apply(%x = %u : !open) outs (%v : !open) {
    %a = stencil.access %x[1, 0, 0] : !open
    %b = stencil.access %x[-1, 0, 0] : !open
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  } to <[0, 0, 0], [?, ?, ?]>
  return
}
