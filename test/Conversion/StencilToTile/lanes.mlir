// A shuffle window: when a plane comes, threads get the columns beside their own from each other; they are carried as long as somebody reads them. Other rows are read in memory.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s

!field = !stencil.field<[-2,66]x[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?x?xf64>

// CHECK-LABEL: func.func @walk
// CHECK: tile.walk lookback 1 plane %[[P:.*]] carry(%[[Q:.*]] = %{{.*}} : !stencil.temp<[0,1]x[0,4]x[0,32]xf64>, %[[QL:.*]] = %{{.*}} : !stencil.temp<[0,1]x[0,4]x[0,32]xf64>)
// CHECK: %[[X:.*]] = tile.source %{{.*}}[%[[P]]]
// CHECK: %[[N:.*]] = tile.where needs
// CHECK: stencil.access %{{.*}}[0, 0, 0]
// CHECK: %[[L:.*]] = tile.where -> (!stencil.temp<[1,2]x[0,4]x[0,32]xf64>) {
// CHECK-NEXT: stencil.apply(%[[A:.*]] = %[[X]] : {{.*}}, %{{.*}} = %[[N]] : {{.*}}) -> (!stencil.temp<[1,2]x[0,4]x[0,32]xf64>) attributes {tile.engine = #tile.lanes} {
// CHECK-NEXT: stencil.access %[[A]][0, 0, -1]
// CHECK: %[[NL:.*]] = tile.shift %[[L]] : !stencil.temp<[1,2]x[0,4]x[0,32]xf64> -> !stencil.temp<[0,1]x[0,4]x[0,32]xf64>
// CHECK: %[[NQ:.*]] = tile.shift %[[N]]
// CHECK: tile.where {
// CHECK-NEXT: stencil.apply({{.*}}, {{.*}} = %[[X]] : !stencil.temp<?x?x?xf64>, {{.*}} = %[[QL]] : !stencil.temp<[0,1]x[0,4]x[0,32]xf64>)
// CHECK: tile.yield %[[NQ]], %[[NL]]
func.func @walk(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shuffle %x depth 2 lead 1 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0, -1] : !temp
      %d = stencil.access %a[1, 0, 0] : !temp
      %e = stencil.access %a[0, 1, 0] : !temp
      %f = arith.addf %c, %d : f64
      %g = arith.addf %f, %e : f64
      stencil.return %g : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}
