// Regions in streams are tuned, and stay in streams; layers that are alike, the first and the last one, together.

// RUN: rm -f %t.json
// RUN: stencil-tune %s --arg 0=random:1 --arg 1=random:2 --target emulator --chip sm_90 --db %t.json --budget 3600 --timeout 600 --max-candidates 8 --jobs 2 | FileCheck %s
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --target emulator --chip sm_90 --tuning-db %t.json --verify --json %t.run
// RUN: FileCheck %s --check-prefix=JSON < %t.run

// CHECK: schedule: #stencil.schedule<[[LAYER:block = .*]], regions = streams>
// CHECK-NEXT: schedule: #stencil.schedule<block = {{.*}}, regions = streams>
// CHECK-NEXT: schedule: #stencil.schedule<[[LAYER]], regions = streams>
// CHECK-NEXT: verify: argument 0
// JSON-COUNT-3: "from": "database"

!f = !stencil.field<[-1,33]x[-1,41]xf64>
func.func @layers(%a: !f, %b: !f) {
  stencil.apply(%x = %a : !f) outs (%b : !f) attributes {stencil.schedule = #stencil.schedule<regions = streams>} {
    %w = stencil.access %x[0, -1] : !f
    %e = stencil.access %x[1, 0] : !f
    %s = arith.mulf %w, %e : f64
    stencil.return %s : f64
  } to <[0, 0], [4, 40]>
  stencil.apply(%x = %a : !f) outs (%b : !f) attributes {stencil.schedule = #stencil.schedule<regions = streams>} {
    %w = stencil.access %x[0, -1] : !f
    %e = stencil.access %x[1, 0] : !f
    %s = arith.addf %w, %e : f64
    stencil.return %s : f64
  } to <[4, 0], [28, 40]>
  stencil.apply(%x = %a : !f) outs (%b : !f) attributes {stencil.schedule = #stencil.schedule<regions = streams>} {
    %w = stencil.access %x[0, -1] : !f
    %e = stencil.access %x[1, 0] : !f
    %s = arith.mulf %w, %e : f64
    stencil.return %s : f64
  } to <[28, 0], [32, 40]>
  return
}
