// Of a window with 'exchange', threads have the rows beside their own ones from a ring that has the rows at the edges of those of each thread: those of a plane that was put in an earlier iteration.
// What is computed of rows that nobody has is not stored: tiles overlap along both axes.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s
// One barrier of an iteration is enough for both: what others read of the last one, and what takes its place; and it is needed.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages --stencil-place-barriers -o %t.mlir
// RUN: grep -c tile.barrier %t.mlir | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}1{{$}}
// RUN: sed /tile.barrier/d %t.mlir | not stencil-opt --stencil-expand-walks 2>&1 | FileCheck %s --check-prefix=NEEDED
// NEEDED: error: {{.*}}expected a tile.barrier before it

!field = !stencil.field<[-2,66]x[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?x?xf64>

// CHECK-LABEL: func.func @star
// CHECK: tile.kernel {{.*}} inner = <[0, 0, 2], [1, 15, 64]>
// CHECK: %[[E:.*]] = tile.ring : [[RING:!tile.ring<2 x \[0,1\]x\[-1,17\]x\[-2,64\]xf64, fill = stage, edges = 1 of 4>]]
// CHECK: tile.walk {{.*}}%[[C:.*]]: !tile.cursor<2>) carry(%[[Q:.*]] = %{{.*}} : !stencil.temp<[0,1]x[0,16]x[0,64]xf64>, %{{.*}} = %{{.*}} : !stencil.temp<[-1,0]x[0,16]x[0,64]xf64>)
// CHECK: tile.put %[[N:.*]] to %[[E]][%[[C]]] plane 1
// CHECK: %[[X:.*]] = tile.source %[[E]][%[[C]]] : [[RING]] -> !stencil.temp<[0,1]x[-1,17]x[-2,64]xf64>
// CHECK: %[[B:.*]]:2 = stencil.apply(%[[A:.*]] = %[[X]] : {{.*}}, %{{.*}} = %[[Q]] : {{.*}}) {{.*}} attributes {tile.engine = #tile.lanes} {
// CHECK-DAG: stencil.access %[[A]][0, 1, 0]
// CHECK-DAG: stencil.access %[[A]][0, 0, -1]
// CHECK: tile.store
func.func @star(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 32], points = [1, 4, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0, 0] : !temp
      %d = arith.addf %c, %c : f64
      stencil.return %d : f64
    }
    %w = stencil.window shuffle %s depth 3 lead 1 exchange [1] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[-1, 0, 0] : !temp
      %d = stencil.access %a[0, 1, 0] : !temp
      %e = stencil.access %a[0, 0, -1] : !temp
      %f = stencil.access %a[1, 0, 0] : !temp
      %g = arith.addf %c, %d : f64
      %h = arith.addf %g, %e : f64
      %i = arith.addf %h, %f : f64
      stencil.return %i : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}
