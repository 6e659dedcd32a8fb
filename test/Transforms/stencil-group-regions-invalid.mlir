// RUN: stencil-opt %s --split-input-file --stencil-group-regions --verify-diagnostics

!field = !stencil.field<[-1,65]xf64>
#launch = #stencil.schedule<regions = launch>

// The second region reads a point that the first one has stored to: of w, to
// which both do not store.

func.func @reads(%u: !field, %v: !field, %w: !field) {
  // expected-note@+1 {{the other one is here}}
  stencil.apply(%x = %u : !field) outs (%v : !field, %w : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[0] : !field
    stencil.return %a, %a : f64, f64
  } to <[0], [32]>
  // expected-error@+1 {{expected regions that do not depend on each other for 'regions = launch', got one that reads [29,66) of a field of which another one stores to [0,32)}}
  stencil.apply(%x = %w : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[0] : !field
    %b = stencil.access %x[-1] : !field
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  } to <[32], [64]>
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,33]xf64>
#streams = #stencil.schedule<regions = streams>

// The second one overwrites what the first one reads, by another name.

func.func @overwrites(%u: !field, %v: !field, %w: !field) {
  %z = stencil.cast %w : !field -> !field
  // expected-note@+1 {{the other one is here}}
  stencil.apply(%x = %w : !field) outs (%v : !field) attributes {stencil.schedule = #streams} {
    %a = stencil.access %x[1, 0] : !field
    stencil.return %a : f64
  } to <[0, 0], [32, 32]>
  // expected-error@+1 {{expected regions that do not depend on each other for 'regions = streams', got one that stores to [32,64)x[0,32) of a field of which another one reads [1,33)x[-2,34)}}
  stencil.apply(%x = %u : !field) outs (%v : !field, %z : !field) attributes {stencil.schedule = #streams} {
    %a = stencil.access %x[0, 0] : !field
    stencil.return %a, %a : f64, f64
  } to <[32, 0], [64, 32]>
  return
}

// -----

!field = !stencil.field<[-1,?+1]xf64>
#launch = #stencil.schedule<regions = launch>

// Layers that meet if there are less than 16 points: nothing says that there
// are more.

func.func @small(%a: !stencil.field<?xf64>, %b: !stencil.field<?xf64>) {
  %u = stencil.cast %a : !stencil.field<?xf64> -> !field
  %v = stencil.cast %b : !stencil.field<?xf64> -> !field
  // expected-note@+1 {{the other one is here}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a0 = stencil.access %x[0] : !field
    stencil.return %a0 : f64
  } to <[0], [8]>
  // expected-error@+1 {{expected regions that do not depend on each other for 'regions = launch', got one that stores to [?-8,?) of a field of which another one stores to [0,8): they meet where extents are small}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a0 = stencil.access %x[1] : !field
    stencil.return %a0 : f64
  } to <[?-8], [?]>
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.field<[-1,65]xf64>
#launch = #stencil.schedule<regions = launch>

// Pipelines; of an input of lower rank, all is read.

func.func @pipeline(%u: !field, %v: !field, %c: !row) {
  // expected-note@+1 {{the other one is here}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[0, 0] : !field
    stencil.return %a : f64
  } to <[0, 0], [8, 64]>
  // expected-error@+1 {{got one that reads [7,63)x[-2,66) of a field of which another one stores to [0,8)x[0,64)}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #launch} {
    %t = stencil.load %v : !field -> !stencil.temp<?x?xf64>
    %w = stencil.window registers %t depth 2 lead 0 : !stencil.temp<?x?xf64>
    %r = stencil.apply(%x = %w : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %a = stencil.access %x[-1, 0] : !stencil.temp<?x?xf64>
      stencil.return %a : f64
    }
    stencil.store %r to %v(<[8, 0], [64, 64]>) : !stencil.temp<?x?xf64> to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
#launch = #stencil.schedule<regions = launch>

// In place, through shared windows: their tiles reach into the other region.

func.func @tiles(%u: !field, %v: !field) {
  // expected-note@+1 {{the other one is here}}
  stencil.apply(%x = %v : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[0, 0] : !field
    stencil.return %a : f64
  } to <[0, 0], [64, 8]>
  // expected-error@+1 {{got one that reads [0,64)x[-1,65) of a field of which another one stores to [0,64)x[0,8): a shared window is filled by whole tiles, 'window = cache' for this input would not be}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #launch} {
    %t = stencil.load %v : !field -> !temp
    %w = stencil.window shared %t depth 2 lead 0 : !temp
    %r = stencil.apply(%x = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %a = stencil.access %x[0, 0] : !temp
      stencil.return %a : f64
    }
    stencil.store %r to %v(<[0, 8], [64, 64]>) : !temp to !field
  }
  return
}
