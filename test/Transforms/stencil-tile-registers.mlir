// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-tile-registers | FileCheck %s
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx942 --stencil-tile-registers | FileCheck %s --check-prefix=AMD
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-tile-registers --stencil-tile-registers | FileCheck %s
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-tile-registers --remarks-filter=Schedule 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

!field = !stencil.field<[-4,516]x[-4,516]x[-4,516]xf64>
!temp = !stencil.temp<?x?x?xf64>

// Gather, radius 1: 130 x 18 doubles in rows that begin 32 bytes before the
// tile and end 32 bytes behind it, of four planes.
// CHECK-LABEL: @star1
// CHECK: #stencil.schedule<block = [1, 16, 64], points = [1, 1, 2], stream = 0, segments = 64>
// REMARK: tiled as #stencil.schedule<block = [1, 16, 64], points = [1, 1, 2], stream = 0, segments = 64>: 78336 bytes of shared memory, 0 registers for windows and sums
// 64 KiB hold half of it.
// AMD-LABEL: @star1
// AMD: #stencil.schedule<block = [1, 8, 64], points = [1, 1, 2], stream = 0, segments = 64>
func.func @star1(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 4 lead 2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<1.0> : tensor<6xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !field
  }
  return
}

// What is given stays, and the rest goes with it.
// CHECK-LABEL: @given
// CHECK: #stencil.schedule<block = [1, 8, 32], points = [1, 1, 2], stream = 0, segments = 64, launch_bounds = 2>
// CHECK: #stencil.schedule<block = [1, 8, 128], points = [1, 1, 1], stream = 0, segments = 3>
func.func @given(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8, 32], launch_bounds = 2>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 4 lead 2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[1, 0, 1] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !field
  }
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<points = [1, 1, 1], stream = 0, segments = 3>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[1, 0, 1] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !field
  }
  return
}

// Sums over nine planes of four points are 72 registers. What TMA fetches stays in
// the second-level cache.
// CHECK-LABEL: @scatter
// CHECK: #stencil.schedule<block = [1, 8, 64], points = [1, 2, 2], stream = 0, segments = 2, eviction = last>
// REMARK: {{.*}} 72 registers for windows and sums
func.func @scatter(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 4 lead 7 prefetch tma : !temp
    %t:2 = stencil.apply(%a = %w : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 4>} {
      %s = stencil.access %a[0, 0, 0] : !temp
      %c = stencil.weighted_sum %a offsets [[0, -4, 0], [0, 0, -4], [0, 0, 4], [0, 4, 0]] weights dense<1.0> : tensor<4xf64> : !temp
      stencil.return %s, %c : f64, f64
    }
    %s = stencil.accumulate %t#0, %t#1 at [-4, 4] : !temp
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !field
  }
  return
}

// All neighbours in registers: fewer threads, with more registers each.
// CHECK-LABEL: @queue
// CHECK: #stencil.schedule<block = [1, 4, 64], points = [1, 2, 2], stream = 0, segments = 32>
func.func @queue(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %q = stencil.window registers %x depth 5 lead 2 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-2, 0, 0], [2, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !field
  }
  return
}

!float = !stencil.field<[-1,41]x[-1,31]x[-1,21]xf32>
!value = !stencil.temp<?x?x?xf32>

// A small box: rows of 32 points; segments for all multiprocessors.
// CHECK-LABEL: @small
// CHECK: #stencil.schedule<block = [1, 16, 8], points = [1, 1, 4], stream = 0, segments = 10>
// The last axis is walked along: no vectors. The axis before has the rows.
// CHECK: #stencil.schedule<block = [16, 16, 1], points = [1, 1, 1], stream = 2, segments = 4>
func.func @small(%u: !float, %v: !float) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !float -> !value
    %r = stencil.apply(%a = %x : !value) -> (!value) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[1, 0, 1] : !value
      stencil.return %s : f32
    }
    stencil.store %r to %v(<[0, 0, 0], [40, 30, 20]>) : !value to !float
  }
  stencil.pipeline axis 2 {
    %x = stencil.load %u : !float -> !value
    %r = stencil.apply(%a = %x : !value) -> (!value) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[1, 0, 1] : !value
      stencil.return %s : f32
    }
    stencil.store %r to %v(<[0, 0, 0], [40, 30, 20]>) : !value to !float
  }
  return
}

// What one segment stores, the next one would read ahead of its partial sums.
// CHECK-LABEL: @in_place
// CHECK: #stencil.schedule<block = [1, 8, 64], points = [1, 2, 2], stream = 0>
func.func @in_place(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %y = stencil.load %v : !field -> !temp
    %t:2 = stencil.apply(%a = %x : !temp, %b = %y : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[0, 0, 0] : !temp
      %c = stencil.access %b[0, 0, 0] : !temp
      stencil.return %s, %c : f64, f64
    }
    %s = stencil.accumulate %t#0, %t#1 at [-1, 0] : !temp
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !field
  }
  return
}

// Regions of one launch have as many threads, whatever their windows take of
// shared memory: on a GPU with little of it they compute fewer points each.
// CHECK-LABEL: @joined
// CHECK: #stencil.schedule<block = [1, 8, 32], points = [1, 2, 2],
// CHECK: #stencil.schedule<block = [1, 8, 32], points = [1, 2, 2],
// AMD-LABEL: @joined
// AMD: #stencil.schedule<block = [1, 8, 32], points = [1, 1, 2],
// AMD: #stencil.schedule<block = [1, 8, 32], points = [1, 2, 2],
func.func @joined(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 0, regions = launch>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 10 lead 5 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-4, 0, 0], [0, 4, 4], [4, 0, 0]] weights dense<1.0> : tensor<3xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [256, 512, 512]>) : !temp to !field
  }
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 0, regions = launch>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 6 lead 3 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-2, 0, 0], [0, 2, 2], [2, 0, 0]] weights dense<1.0> : tensor<3xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[256, 0, 0], [512, 512, 512]>) : !temp to !field
  }
  return
}

// Tiles without a walk; lanes that shuffle are warps.
// CHECK-LABEL: @tile
// CHECK: #stencil.schedule<block = [8, 4, 16], points = [1, 2, 2]>
// CHECK: #stencil.schedule<block = [8, 4, 32], points = [1, 2, 2]>
// AMD-LABEL: @tile
// AMD: #stencil.schedule<block = [8, 4, 16], points = [1, 2, 2]>
// AMD: #stencil.schedule<block = [4, 4, 64], points = [1, 2, 2]>
func.func @tile(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.access %a[1, 0, 1] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !field
  }
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shuffle %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.access %a[0, 0, 1] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !field
  }
  return
}

!plane = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!row = !stencil.temp<?x?xf64>

// How many planes there are is not known: the launch counts segments.
// CHECK-LABEL: @rows
// CHECK: #stencil.schedule<block = [1, 128], points = [1, 2], stream = 0, planes = 64>
func.func @rows(%u: !plane, %v: !plane) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !plane -> !row
    %w = stencil.window shared %x depth 4 lead 2 : !row
    %r = stencil.apply(%a = %w : !row) -> (!row) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[1, 1] : !row
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [?, ?]>) : !row to !plane
  }
  return
}

!wide = !stencil.field<[-4,516]x[-4,1028]x[-4,1028]xf64>
!value3 = !stencil.temp<?x?x?xf64>

// Planes of 8 MiB: blocks stay within 256 rows of 8 KiB. Nine planes in a
// queue: two blocks per multiprocessor.
// CHECK-LABEL: @wide
// CHECK: #stencil.schedule<block = [1, 8, 32], points = [1, 2, 2], stream = 0, segments = 2, panel = [0, 16, 0], launch_bounds = 2>
// An order of its own.
// CHECK: #stencil.schedule<block = [1, 8, 32], points = [1, 2, 2], stream = 0, segments = 2, order = [1, 2, 0], launch_bounds = 2>
func.func @wide(%u: !wide, %v: !wide) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !wide -> !value3
    %q = stencil.window registers %x depth 9 lead 4 : !value3
    %r = stencil.apply(%a = %q : !value3) -> (!value3) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-4, 0, 0], [4, 0, 0]] weights dense<1.0> : tensor<2xf64> : !value3
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [512, 1024, 1024]>) : !value3 to !wide
  }
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<order = [1, 2, 0]>} {
    %x = stencil.load %u : !wide -> !value3
    %q = stencil.window registers %x depth 9 lead 4 : !value3
    %r = stencil.apply(%a = %q : !value3) -> (!value3) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-4, 0, 0], [4, 0, 0]] weights dense<1.0> : tensor<2xf64> : !value3
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [512, 1024, 1024]>) : !value3 to !wide
  }
  return
}

// A thread with one point cannot have fewer: what its registers do not hold is
// in local memory.
// CHECK-LABEL: @spilled
// REMARK: windows and sums of one point take 260 registers of the 255 that a thread of sm_90 has: the rest is in local memory
func.func @spilled(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 32], points = [1, 1, 1]>} {
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 129>} {
      %s = stencil.access %a[0, 0, 1] : !temp
      stencil.return %s : f64
    }
    %w = stencil.window registers %t depth 130 lead 129 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[0, 0, 0] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !field
  }
  return
}
