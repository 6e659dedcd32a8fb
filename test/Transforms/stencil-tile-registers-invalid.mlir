// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-tile-registers --split-input-file --verify-diagnostics
// RUN: not stencil-opt %s --stencil-tile-registers --split-input-file 2>&1 | FileCheck %s --check-prefix=NO-TARGET
// NO-TARGET: error: expected a module with the attribute stencil.target; stencil-attach-target="chip=sm_90" sets it

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @threads(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a block of at most 1024 threads, which sm_90 can run, got 2048}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32, 64]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-2, 0, 0], [2, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @points(%u: !field, %v: !field) {
  // expected-error@+1 {{expected at most 256 points per thread, got 512}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<points = [1, 256, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-2, 0, 0], [2, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @many(%u: !field, %v: !field) {
  // expected-error@+1 {{expected at most 256 points per thread, got 4294967296}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<points = [1, 1048576, 1048576]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-2, 0, 0], [2, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @shared(%u: !field, %v: !field) {
  // expected-error@+1 {{expected windows of at most 232448 bytes, the shared memory of a block on sm_90, got 327680}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16, 64], points = [1, 4, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 5 lead 2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-2, 0, 0], [2, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @registers(%u: !field, %v: !field) {
  // expected-error@+1 {{expected windows and sums of at most 255 registers, which a thread of sm_90 has, got 320 for 32 points}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 32], points = [1, 16, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window registers %x depth 5 lead 2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-2, 0, 0], [2, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @warp(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a multiple or a part of 32 threads, a warp of sm_90, along axis 2 for a window that is shuffled, got 24}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 24]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shuffle %x depth 5 lead 2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[0, 0, -1], [0, 0, 1]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @segments(%u: !field, %v: !field) {
  // expected-error@+1 {{expected segments of at least 2 planes, the halo along axis 0, got 1: 64 planes in 64 segments}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 0, segments = 64>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-2, 0, 0], [2, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @short_planes(%u: !field, %v: !field) {
  // expected-error@+1 {{expected 'planes' of at least 2, the halo along axis 0, got 1}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 0, planes = 1>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-2, 0, 0], [2, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @planes_in_place(%u: !field) {
  // expected-error@+1 {{expected no 'planes' for a field that is stored to and read on other planes: several segments would read what others store}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 0, planes = 16>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 5 lead 2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-2, 0, 0], [2, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %u(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @segments_in_place(%u: !field) {
  // expected-error@+1 {{expected no 'segments' for a field that is stored to and read on other planes: several segments would read what others store}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 5 lead 2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-2, 0, 0], [2, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %u(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}
