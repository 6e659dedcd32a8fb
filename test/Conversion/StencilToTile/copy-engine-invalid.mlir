// What the copy engine cannot do.
// RUN: stencil-opt %s --split-input-file --verify-diagnostics --stencil-attach-target=chip=sm_90 --stencil-map-stages

!field = !stencil.field<[-2,514]x[-2,514]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @wide(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 64], points = [1, 4]>} {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected at most 256 points of a tile and its halo along axis 1 for prefetch = tma, got 260}}
    %w = stencil.window shared %x depth 2 lead 1 prefetch tma : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [512, 512]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @along_rows(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1]>} {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected rows of a multiple of 16 bytes for prefetch = tma, got 8 bytes}}
    %w = stencil.window shared %x depth 2 lead 1 prefetch tma : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[0,66]x[0,70]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @stored(%u: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 7]>} {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected tiles of a multiple of 4 points along axis 1 for prefetch = tma of a field that is stored to, got 7}}
    %w = stencil.window shared %x depth 2 lead 1 prefetch tma : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %u(<[0, 0], [66, 70]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[0,8]x[0,8]x[0,8]x[0,8]x[0,8]x[0,8]xf64>
!temp = !stencil.temp<?x?x?x?x?x?xf64>
func.func @axes(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 1, 1, 1, 1, 8]>} {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected at most 5 axes for prefetch = tma, got 6}}
    %w = stencil.window shared %x depth 2 lead 1 prefetch tma : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0, 0, 0, 0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0, 0, 0, 0, 0], [8, 8, 8, 8, 8, 8]>) : !temp to !field
  }
  return
}
