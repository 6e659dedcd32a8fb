// A sum that is to be a loop is a stage of its own, outside of the tile.where; what is left of the stage that it was in reads it at its own point.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s

// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages --remarks-filter=Engines -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT

// What a row of three points takes: they share what they read, 4 + 2 values, and the weights.
// COUNT: remark: [Passed] Engine {{.*}}"#tile.taps, for a row of 3 points: 6 values and 4 weights from memory, 12 products"
// COUNT: remark: [Passed] Engine {{.*}}"#tile.fma, for a row of 3 points: 6 values and 0 weights from memory, 3 products"

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>

// CHECK-LABEL: func.func @scaled
// CHECK: %[[W:.*]] = tile.source %{{.*}} : !tile.ring<{{.*}}> -> ![[READ:.*]]
// CHECK-NEXT: %[[S:.*]] = stencil.apply(%[[T:.*]] = %[[W]] : {{.*}}) -> (!stencil.temp<[0,96]xf64>) attributes {tile.engine = #tile.taps} {
// CHECK-NEXT: %[[SUM:.*]] = stencil.weighted_sum %[[T]]
// CHECK-NEXT: stencil.return %[[SUM]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[Y:.*]] = tile.source
// CHECK-NEXT: tile.where {
// CHECK-NEXT: %[[R:.*]] = stencil.apply(%[[B:.*]] = %[[Y]] : {{.*}}, %[[A:.*]] = %[[S]] : !stencil.temp<[0,96]xf64>)
// CHECK-DAG: stencil.access %[[A]][0]
// CHECK-DAG: stencil.access %[[B]][1]
// CHECK: tile.store %[[R]]
func.func @scaled(%u: !field, %k: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [3]>} {
    %x = stencil.load %u : !field -> !temp
    %y = stencil.load %k : !field -> !temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp, %b = %y : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[-2], [-1], [0], [1]] weights dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64> attributes {stencil.tap_loop} : !temp
      %c = stencil.access %b[1] : !temp
      %d = arith.mulf %s, %c : f64
      stencil.return %d : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// Of a stage that is nothing else, nothing is left.
// CHECK-LABEL: func.func @alone
// CHECK: %[[S:.*]] = stencil.apply({{.*}} attributes {tile.engine = #tile.taps} {
// CHECK-NEXT: stencil.weighted_sum
// CHECK-NEXT: stencil.return
// CHECK-NEXT: }
// CHECK-NEXT: tile.where {
// CHECK-NEXT: tile.store %[[S]]
func.func @alone(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [3]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[-2], [-1], [0], [1]] weights dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64> attributes {stencil.tap_loop} : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}
