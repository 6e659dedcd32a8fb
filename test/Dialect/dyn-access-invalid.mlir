// RUN: stencil-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_outside(%t: !stencil.temp<?xf64>, %i: index) {
  // expected-error@+1 {{expects ancestor op 'stencil.apply'}}
  %v = stencil.dyn_access %t[%i] in <[0]> : <[0]> : !stencil.temp<?xf64>
  return
}

// -----

func.func @dynamic_out_of_bounds(%t: !stencil.temp<[0,8]xf64>) {
  // expected-note@+1 {{evaluated on #stencil.bounds<[0], [8]> here}}
  %r = stencil.apply(%x = %t : !stencil.temp<[0,8]xf64>) -> (!stencil.temp<[0,8]xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error@+1 {{accesses [-1,8) of axis 0, expected to stay in '!stencil.temp<[0,8]xf64>'}}
    %v = stencil.dyn_access %x[%i] in <[-1]> : <[0]> : !stencil.temp<[0,8]xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @dynamic_no_grid(%c: f64, %i: index) {
  %r = stencil.apply(%x = %c : f64, %j = %i : index) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{'temp' must be stencil.field or stencil.temp, but got 'f64'}}
    %v = stencil.dyn_access %x[%j] in <[0]> : <[0]> : f64
  }
}

// -----

func.func @dynamic_result_type(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf32>) {
    %i = stencil.index 0 <[0]>
    // expected-error@+1 {{failed to verify that type of res to be the element type of temp}}
    %v = "stencil.dyn_access"(%x, %i) {lb = #stencil.index<[0]>, ub = #stencil.index<[0]>} : (!stencil.temp<?xf64>, index) -> f32
    stencil.return %v : f32
  }
  return
}

// -----

func.func @dynamic_rank(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?x?xf64>) {
    %i = stencil.index 0 <[0, 0]>
    // expected-error@+1 {{expected an input of rank 2 to match its parent apply, got rank 1}}
    %v = stencil.dyn_access %x[%i] in <[0]> : <[0]> : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @dynamic_coordinates(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error@+1 {{expected 1 coordinates to match the input, got 2}}
    %v = stencil.dyn_access %x[%i, %i] in <[0]> : <[0]> : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @dynamic_range_rank(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error@+1 {{expected a range of rank 1, got 1 and 2}}
    %v = stencil.dyn_access %x[%i] in <[0]> : <[0, 0]> : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @dynamic_range_order(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error@+1 {{expected a range that is not empty, got 1 : -1 on axis 0}}
    %v = stencil.dyn_access %x[%i] in <[1]> : <[-1]> : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @dynamic_no_input(%t: !stencil.temp<?xf64>, %p: i1) {
  // expected-note@+1 {{the stencil.apply is here}}
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %q = %p : i1) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    %y = arith.select %q, %x, %x : !stencil.temp<?xf64>
    // expected-error@+1 {{expected an input of the enclosing stencil.apply}}
    %v = stencil.dyn_access %y[%i] in <[0]> : <[0]> : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}
