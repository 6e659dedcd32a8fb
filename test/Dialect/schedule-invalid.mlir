// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected 'block', 'points', 'window', 'order', 'panel' or 'launch_bounds', got 'blocks'}}
#a = #stencil.schedule<blocks = [1]>

// -----

// expected-error@+1 {{expected 'block' once}}
#a = #stencil.schedule<block = [1], block = [1]>

// -----

// expected-error@+1 {{expected 'cache', got 'magic'}}
#a = #stencil.schedule<window = magic>

// -----

// expected-error@+1 {{expected a positive number of blocks per multiprocessor, got 0}}
#a = #stencil.schedule<launch_bounds = 0>

// -----

// expected-error@+1 {{expected numbers from 1 to 1048576 in 'points', got 0}}
#a = #stencil.schedule<points = [1, 0]>

// -----

// expected-error@+1 {{expected numbers from 1 to 1048576 in 'block', got 99999999}}
#a = #stencil.schedule<block = [99999999]>

// -----

// expected-error@+1 {{expected 'points' to have 2 entries as 'block' has, got 1}}
#a = #stencil.schedule<block = [1, 64], points = [2]>

// -----

// expected-error@+1 {{expected 'order' to be a permutation of the axes}}
#a = #stencil.schedule<order = [0, 0]>

// -----

// expected-error@+1 {{expected 'order' to be a permutation of the axes}}
#a = #stencil.schedule<order = [1, 2]>

// -----

func.func @rank(%u: !stencil.field<[0,8]xf64>, %v: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{'stencil.apply' op expected a schedule for 1 axes, got one for 2}}
  stencil.apply(%x = %u : !stencil.field<[0,8]xf64>) outs (%v : !stencil.field<[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<block = [1, 64]>} {
    %a = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    stencil.return %a : f64
  } to <[0], [8]>
  return
}

// -----

func.func @kind(%u: !stencil.field<[0,8]xf64>, %v: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{'stencil.apply' op expected a #stencil.schedule as 'stencil.schedule', got 3 : i64}}
  stencil.apply(%x = %u : !stencil.field<[0,8]xf64>) outs (%v : !stencil.field<[0,8]xf64>) attributes {stencil.schedule = 3} {
    %a = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    stencil.return %a : f64
  } to <[0], [8]>
  return
}

// -----

// expected-error@+1 {{expected 'stencil.schedule' on a stencil.apply only}}
func.func @place() attributes {stencil.schedule = #stencil.schedule<>} {
  return
}
