// Applies are tuned one after the other; the database has a schedule for each.

// RUN: rm -f %t.json
// RUN: stencil-tune %s --arg 0=random:1 --arg 1=random:2 --arg 2=zeros --target emulator --chip gfx942 --db %t.json --budget 3600 --timeout 600 --max-candidates 8 --jobs 2 | FileCheck %s
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --arg 2=zeros --target emulator --chip gfx942 --tuning-db %t.json --verify --json %t.run
// RUN: FileCheck %s --check-prefix=JSON < %t.run

// CHECK: tuned: two on emulator, gfx942, 32x40 and 1 more
// CHECK: schedule: #stencil.schedule<
// CHECK-NEXT: schedule: #stencil.schedule<
// CHECK-NEXT: verify: argument 0
// JSON-COUNT-2: "from": "database"

!f = !stencil.field<[-1,33]x[-1,41]xf64>
!t = !stencil.temp<?x?xf64>
func.func @two(%a: !f, %b: !f, %c: !f) {
  %0 = stencil.load %a : !f -> !t
  %1 = stencil.apply(%x = %0 : !t) -> (!t) {
    %w = stencil.access %x[0, -1] : !t
    %e = stencil.access %x[1, 0] : !t
    %s = arith.addf %w, %e : f64
    stencil.return %s : f64
  }
  stencil.store %1 to %b(<[0, 0], [32, 40]>) : !t to !f
  %2 = stencil.load %b : !f -> !t
  %3 = stencil.apply(%x = %2 : !t) -> (!t) {
    %w = stencil.access %x[-1, -1] : !t
    %e = stencil.access %x[1, 1] : !t
    %s = arith.mulf %w, %e : f64
    stencil.return %s : f64
  }
  stencil.store %3 to %c(<[0, 0], [32, 40]>) : !t to !f
  return
}
