// How many points of a row beside the tile a thread is given together.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?x?xf64>
!narrow = !stencil.temp<?x?x?xf32>

// As many as are read or written at once: of 4 bytes, four are put; of three neighbouring points none are together.
// CHECK-LABEL: func.func @put
// CHECK: tile.layout = #tile.core_and_rim<{{.*}}, box = <[0, -1, -1], [1, 5, 33]>, vector = 4>
// CHECK-LABEL: func.func @three
// CHECK: tile.layout = #tile.core_and_rim<{{.*}}, box = <[0, -1, -1], [1, 5, 25]>>
func.func @put(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 8], points = [1, 1, 4]>} {
    %x = stencil.load %u : !field -> !temp
    %xw = stencil.window shared %x depth 3 lead 2 : !temp
    %t = stencil.apply(%a = %xw : !temp) -> (!narrow) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.access %a[0, 1, 0] : !temp
      %1 = arith.truncf %0 : f64 to f32
      stencil.return %1 : f32
    }
    %w = stencil.window shared %t depth 4 lead 2 : !narrow
    %r = stencil.apply(%a = %w : !narrow) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %a offsets [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]] weights dense<0.5> : tensor<4xf32> : !narrow
      %1 = arith.extf %0 : f32 to f64
      stencil.return %1 : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}
func.func @three(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 8], points = [1, 1, 3]>} {
    %x = stencil.load %u : !field -> !temp
    %xw = stencil.window shared %x depth 3 lead 2 : !temp
    %t = stencil.apply(%a = %xw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.access %a[0, 1, 0] : !temp
      stencil.return %0 : f64
    }
    %w = stencil.window shared %t depth 4 lead 2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %a offsets [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]] weights dense<0.5> : tensor<4xf64> : !temp
      stencil.return %0 : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// What reads a field looks at each point.
// CHECK-LABEL: func.func @field
// CHECK: tile.where needs <[0, -1, -1], [1, 2, 2]>
// CHECK: tile.layout = #tile.core_and_rim<{{.*}}, box = <[0, -1, -1], [1, 5, 17]>>
func.func @field(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 8], points = [1, 1, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.access %a[0, 1, 0] : !temp
      stencil.return %0 : f64
    }
    %w = stencil.window shared %t depth 4 lead 2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %a offsets [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]] weights dense<0.5> : tensor<4xf64> : !temp
      stencil.return %0 : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Partial sums are kept, one for each point of the rim that a thread has. Of 32 threads some would have a group of
// two and others a point, and all registers for three values instead of two; each of 8 has three points either way.
// CHECK-LABEL: func.func @more
// CHECK: tile.layout = #tile.core_and_rim<{{.*}}, box = <[0, -1, -1], [1, 5, 17]>>
// CHECK-LABEL: func.func @as_many
// CHECK: tile.layout = #tile.core_and_rim<{{.*}}, box = <[0, -1, -1], [1, 3, 9]>, vector = 2>
func.func @more(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 8], points = [1, 1, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %xw = stencil.window shared %x depth 2 lead 2 : !temp
    %t:2 = stencil.apply(%a = %xw : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.access %a[0, 1, 0] : !temp
      %1 = stencil.access %a[0, 0, 1] : !temp
      stencil.return %0, %1 : f64, f64
    }
    %s = stencil.accumulate %t#0, %t#1 at [0, 1] : !temp
    %w = stencil.window shared %s depth 3 lead 1 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %a offsets [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]] weights dense<0.5> : tensor<4xf64> : !temp
      stencil.return %0 : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}
func.func @as_many(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 2, 4], points = [1, 1, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %xw = stencil.window shared %x depth 2 lead 2 : !temp
    %t:2 = stencil.apply(%a = %xw : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.access %a[0, 1, 0] : !temp
      %1 = stencil.access %a[0, 0, 1] : !temp
      stencil.return %0, %1 : f64, f64
    }
    %s = stencil.accumulate %t#0, %t#1 at [0, 1] : !temp
    %w = stencil.window shared %s depth 3 lead 1 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %a offsets [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]] weights dense<0.5> : tensor<4xf64> : !temp
      stencil.return %0 : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}
