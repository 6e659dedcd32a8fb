// What a pipeline with 'engine = mma' is mapped to: the grid has the layout of the products, a sum is a stage of its own in front of the tile.where,
// and what is done with it is a stage of the same layout, within.
// RUN: stencil-opt %s --stencil-to-tiles="chip=sm_90 math=reassociate" | FileCheck %s

// CHECK-LABEL: func.func @box
// CHECK: tile.kernel {{.*}} grid <domain = <[0, 0], [64, 128]>, block = [4, 32], points = [4, 4], align = 4, layout = <rank = 2, registers = [1: 2 by 1, 1: 2 by 16, 0: 4 by 4], threads = [0: 4 by 1, 1: 8 by 2, 1: 4 by 32]>>
// CHECK: %[[W:.*]] = tile.ring
// CHECK: %[[X:.*]] = tile.source %[[W]]
// CHECK-NOT: tile.where
// CHECK: %[[S:.*]] = stencil.apply(%{{.*}} = %[[X]] : {{.*}}) -> (!stencil.temp<[0,16]x[0,128]xf64>) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [4, 2], along = 1>} {
// CHECK-NEXT: stencil.weighted_sum
// CHECK-NOT: stencil.matrix_product
// CHECK: stencil.return
// CHECK: tile.where {
// CHECK: %[[R:.*]] = stencil.apply(%[[A:.*]] = %[[X]] : {{.*}}, %[[T:.*]] = %[[S]] : {{.*}})
// CHECK-NOT: tile.engine
// CHECK: stencil.access %[[T]][0, 0]
// CHECK: stencil.access %[[A]][0, 1]
// CHECK: tile.store %[[R]]
!field = !stencil.field<[-1,65]x[-1,129]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @box(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<window = shared, engine = mma, block = [4, 32], points = [4, 4]>} {
    %s = stencil.weighted_sum %a offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] weights dense<[1.0, 2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0]> : tensor<9xf64> : !temp
    %b = stencil.access %a[0, 1] : !temp
    %c = arith.mulf %s, %b : f64
    stencil.return %c : f64
  }
  stencil.store %r to %v(<[0, 0], [64, 128]>) : !temp to !field
  return
}

// A sum that is all of its stage is stored at once. Of a walk, patches are in the planes.
// CHECK-LABEL: func.func @walk
// CHECK: tile.kernel {{.*}} walk = 0, {{.*}}layout = <rank = 3,
// CHECK: %[[S:.*]] = stencil.apply({{.*}}) -> (!stencil.temp<[0,1]x[0,8]x[0,64]xf64>) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [1, {{[1248]}}, {{[1248]}}], along = {{[12]}}>} {
// CHECK: tile.where {
// CHECK-NEXT: tile.store %[[S]]
!volume = !stencil.field<[-1,65]x[-1,33]x[-1,65]xf64>
!any = !stencil.temp<?x?x?xf64>
func.func @walk(%u: !volume, %v: !volume) {
  %t = stencil.load %u : !volume -> !any
  %r = stencil.apply(%a = %t : !any) -> (!any) attributes {stencil.schedule = #stencil.schedule<window = shared, stream = 0, engine = mma, block = [1, 2, 32], points = [1, 4, 2]>} {
    %s = stencil.weighted_sum %a offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<[1.0, 2.0, 3.0, 5.0, 7.0, 11.0, 13.0]> : tensor<7xf64> : !any
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0, 0], [64, 32, 64]>) : !any to !volume
  return
}

// Two sums have one layout, though each alone would have another patch.
// CHECK-LABEL: func.func @two
// CHECK: tile.engine = #tile.mma<[[PATCH:.*]]>} {
// CHECK: tile.engine = #tile.mma<[[PATCH]]>} {
// CHECK: tile.where {
!row = !stencil.field<[-4,68]x[-4,132]xf64>
func.func @two(%u: !row, %v: !row) {
  %t = stencil.load %u : !row -> !temp
  %r = stencil.apply(%a = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<window = shared, engine = mma, block = [4, 32], points = [4, 4]>} {
    %s = stencil.weighted_sum %a offsets [[-4, 0], [-3, 0], [-2, 0], [-1, 0], [1, 0], [2, 0], [3, 0], [4, 0]] weights dense<[1.0, 2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0]> : tensor<8xf64> : !temp
    %q = stencil.weighted_sum %a offsets [[0, -4], [0, -3], [0, -2], [0, -1], [0, 1], [0, 2], [0, 3], [0, 4]] weights dense<[2.0, 1.0, 3.0, 5.0, 7.0, 11.0, 13.0, 19.0]> : tensor<8xf64> : !temp
    %c = arith.mulf %s, %q : f64
    stencil.return %c : f64
  }
  stencil.store %r to %v(<[0, 0], [64, 128]>) : !temp to !row
  return
}

// A sum that other engines compute by rows and columns is left as it is.
// CHECK-LABEL: func.func @separable
// CHECK: stencil.weighted_sum {{.*}} : tensor<49xf64>
// CHECK-NOT: stencil.weighted_sum
!seven = !stencil.field<[-3,67]x[-3,131]xf64>
func.func @separable(%u: !seven, %v: !seven) {
  %t = stencil.load %u : !seven -> !temp
  %r = stencil.apply(%a = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<window = shared, engine = mma, block = [4, 32], points = [4, 4]>} {
    %s = stencil.weighted_sum %a offsets [[-3, -3], [-3, -2], [-3, -1], [-3, 0], [-3, 1], [-3, 2], [-3, 3], [-2, -3], [-2, -2], [-2, -1], [-2, 0], [-2, 1], [-2, 2], [-2, 3], [-1, -3], [-1, -2], [-1, -1], [-1, 0], [-1, 1], [-1, 2], [-1, 3], [0, -3], [0, -2], [0, -1], [0, 0], [0, 1], [0, 2], [0, 3], [1, -3], [1, -2], [1, -1], [1, 0], [1, 1], [1, 2], [1, 3], [2, -3], [2, -2], [2, -1], [2, 0], [2, 1], [2, 2], [2, 3], [3, -3], [3, -2], [3, -1], [3, 0], [3, 1], [3, 2], [3, 3]] weights dense<0.02> : tensor<49xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [64, 128]>) : !temp to !seven
  return
}
