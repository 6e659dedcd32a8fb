// RUN: stencil-opt %s --split-input-file --verify-diagnostics

func.func @cast_rank(%f: !stencil.field<?x?xf64>) {
  // expected-error@+1 {{expected input and output to have the same rank, got 2 and 1}}
  %0 = stencil.cast %f : !stencil.field<?x?xf64> -> !stencil.field<[0,8]xf64>
  return
}

// -----

func.func @cast_element(%f: !stencil.field<?xf64>) {
  // expected-error@+1 {{expected input and output to have the same element type, got 'f64' and 'f32'}}
  %0 = stencil.cast %f : !stencil.field<?xf64> -> !stencil.field<[0,8]xf32>
  return
}

// -----

func.func @cast_bounds(%f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected the output to have the bounds of the input '!stencil.field<[0,8]xf64>', got '!stencil.field<[1,9]xf64>'}}
  %0 = stencil.cast %f : !stencil.field<[0,8]xf64> -> !stencil.field<[1,9]xf64>
  return
}

// -----

func.func @cast_forgets(%f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected the output to have the bounds of the input '!stencil.field<[0,8]xf64>', got '!stencil.field<?xf64>'}}
  %0 = stencil.cast %f : !stencil.field<[0,8]xf64> -> !stencil.field<?xf64>
  return
}

// -----

func.func @cast_temp(%t: !stencil.temp<?xf64>) {
  // expected-error@+1 {{'stencil.cast' op operand #0 must be stencil.field, but got '!stencil.temp<?xf64>'}}
  "stencil.cast"(%t) : (!stencil.temp<?xf64>) -> !stencil.field<[0,8]xf64>
  return
}

// -----

func.func @alloc_without_bounds() {
  // expected-error@+1 {{expected a field with bounds, got '!stencil.field<?xf64>'}}
  %0 = stencil.alloc : !stencil.field<?xf64>
  return
}

// -----

func.func @external_rank(%m: memref<8x8xf64>) {
  // expected-error@+1 {{expected one rank, got '!stencil.field<[0,8]xf64>' and 'memref<8x8xf64>'}}
  %0 = stencil.external_load %m : memref<8x8xf64> -> !stencil.field<[0,8]xf64>
  return
}

// -----

func.func @external_element(%m: memref<8xf32>) {
  // expected-error@+1 {{expected one element type, got 'f64' and 'f32'}}
  %0 = stencil.external_load %m : memref<8xf32> -> !stencil.field<[0,8]xf64>
  return
}

// -----

func.func @external_extent(%m: memref<8x8xf64>, %f: !stencil.field<[0,8]x[-1,8]xf64>) {
  // expected-error@+1 {{expected extent 9 on axis 1 of 'memref<8x8xf64>' to match '!stencil.field<[0,8]x[-1,8]xf64>', got 8}}
  stencil.external_store %f to %m : !stencil.field<[0,8]x[-1,8]xf64> to memref<8x8xf64>
  return
}

// -----

func.func @external_result(%m: memref<8xf64>) {
  // expected-error@+1 {{'stencil.external_load' op result #0 must be stencil.field or memref of any type values, but got '!stencil.temp<?xf64>'}}
  %0 = stencil.external_load %m : memref<8xf64> -> !stencil.temp<?xf64>
  return
}

// -----

func.func @load_without_bounds(%f: !stencil.field<?xf64>) {
  // expected-error@+1 {{expected a field with bounds, got '!stencil.field<?xf64>'; cast it first}}
  %0 = stencil.load %f : !stencil.field<?xf64> -> !stencil.temp<?xf64>
  return
}

// -----

func.func @load_rank(%f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected one rank, got '!stencil.field<[0,8]xf64>' and '!stencil.temp<?x?xf64>'}}
  %0 = stencil.load %f : !stencil.field<[0,8]xf64> -> !stencil.temp<?x?xf64>
  return
}

// -----

func.func @load_element(%f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected one element type, got 'f64' and 'i64'}}
  %0 = stencil.load %f : !stencil.field<[0,8]xf64> -> !stencil.temp<?xi64>
  return
}

// -----

func.func @load_box(%f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected the box #stencil.bounds<[-1], [8]> to lie in the field '!stencil.field<[0,8]xf64>'}}
  %0 = stencil.load %f : !stencil.field<[0,8]xf64> -> !stencil.temp<[-1,8]xf64>
  return
}

// -----

func.func @load_symbolic_box(%f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected the box #stencil.bounds<[0], [?]> to lie in the field '!stencil.field<[0,8]xf64>'}}
  %0 = stencil.load %f : !stencil.field<[0,8]xf64> -> !stencil.temp<[0,?]xf64>
  return
}

// -----

func.func @load_temp(%t: !stencil.temp<?xf64>) {
  // expected-error@+1 {{'stencil.load' op operand #0 must be stencil.field, but got '!stencil.temp<?xf64>'}}
  %0 = stencil.load %t : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  return
}

// -----

func.func @store_without_bounds(%t: !stencil.temp<?xf64>, %f: !stencil.field<?xf64>) {
  // expected-error@+1 {{expected a field with bounds, got '!stencil.field<?xf64>'; cast it first}}
  stencil.store %t to %f(<[0], [8]>) : !stencil.temp<?xf64> to !stencil.field<?xf64>
  return
}

// -----

func.func @store_rank(%t: !stencil.temp<?xf64>, %f: !stencil.field<[0,8]x[0,8]xf64>) {
  // expected-error@+1 {{expected one rank, got '!stencil.temp<?xf64>' and '!stencil.field<[0,8]x[0,8]xf64>'}}
  stencil.store %t to %f(<[0], [8]>) : !stencil.temp<?xf64> to !stencil.field<[0,8]x[0,8]xf64>
  return
}

// -----

func.func @store_element(%t: !stencil.temp<?xf32>, %f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  stencil.store %t to %f(<[0], [8]>) : !stencil.temp<?xf32> to !stencil.field<[0,8]xf64>
  return
}

// -----

func.func @store_bounds_rank(%t: !stencil.temp<?xf64>, %f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected bounds of rank 1, got #stencil.bounds<[0, 0], [8, 8]>}}
  stencil.store %t to %f(<[0, 0], [8, 8]>) : !stencil.temp<?xf64> to !stencil.field<[0,8]xf64>
  return
}

// -----

func.func @store_outside(%t: !stencil.temp<?xf64>, %f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected the box #stencil.bounds<[0], [9]> to lie in the field '!stencil.field<[0,8]xf64>'}}
  stencil.store %t to %f(<[0], [9]>) : !stencil.temp<?xf64> to !stencil.field<[0,8]xf64>
  return
}

// -----

func.func @store_outside_symbolic(%t: !stencil.temp<?xf64>, %f: !stencil.field<[0,?]xf64>) {
  // expected-error@+1 {{expected the box #stencil.bounds<[0], [?+1]> to lie in the field '!stencil.field<[0,?]xf64>'}}
  stencil.store %t to %f(<[0], [?+1]>) : !stencil.temp<?xf64> to !stencil.field<[0,?]xf64>
  return
}

// -----

func.func @store_beyond_value(%t: !stencil.temp<[1,8]xf64>, %f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected the box #stencil.bounds<[0], [8]> to lie in the value '!stencil.temp<[1,8]xf64>'}}
  stencil.store %t to %f(<[0], [8]>) : !stencil.temp<[1,8]xf64> to !stencil.field<[0,8]xf64>
  return
}

// -----

func.func @store_without_box(%t: !stencil.temp<?xf64>, %f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{'stencil.store' op requires attribute 'bounds'}}
  "stencil.store"(%t, %f) : (!stencil.temp<?xf64>, !stencil.field<[0,8]xf64>) -> ()
  return
}

// -----

func.func @store_empty_box(%t: !stencil.temp<?xf64>, %f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected the upper bound of axis 0 to be greater than the lower bound 4, got 4}}
  stencil.store %t to %f(<[4], [4]>) : !stencil.temp<?xf64> to !stencil.field<[0,8]xf64>
  return
}
