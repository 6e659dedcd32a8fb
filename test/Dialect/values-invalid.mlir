// RUN: stencil-opt %s --split-input-file --verify-diagnostics

func.func @combine_pairs(%a: !stencil.temp<?xf64>) {
  // expected-error@+1 {{expected as many lower as upper operands, got 2 and 1}}
  %0:2 = stencil.combine 0 at 4 lower = (%a, %a : !stencil.temp<?xf64>, !stencil.temp<?xf64>) upper = (%a : !stencil.temp<?xf64>) : !stencil.temp<?xf64>, !stencil.temp<?xf64>
  return
}

// -----

func.func @combine_nothing() {
  // expected-error@+1 {{expected at least one pair of operands}}
  "stencil.combine"() <{dim = 0 : index, index = 4 : index, operandSegmentSizes = array<i32: 0, 0, 0, 0>}> : () -> ()
  return
}

// -----

func.func @combine_results(%a: !stencil.temp<?xf64>) {
  // expected-error@+1 {{expected 2 results, one per pair and extra operand, got 1}}
  %0 = stencil.combine 0 at 4 lower = (%a : !stencil.temp<?xf64>) upper = (%a : !stencil.temp<?xf64>) lowerext = %a : !stencil.temp<?xf64> : !stencil.temp<?xf64>
  return
}

// -----

func.func @combine_axis(%a: !stencil.temp<?xf64>) {
  // expected-error@+1 {{expected an axis below the rank 1, got 1}}
  %0 = stencil.combine 1 at 4 lower = (%a : !stencil.temp<?xf64>) upper = (%a : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
  return
}

// -----

func.func @combine_axis_sign(%a: !stencil.temp<?xf64>) {
  // expected-error@+1 {{expected an axis below the rank 1, got -1}}
  %0 = stencil.combine -1 at 4 lower = (%a : !stencil.temp<?xf64>) upper = (%a : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
  return
}

// -----

func.func @combine_position(%a: !stencil.temp<?xf64>) {
  // expected-error@+1 {{expected a position of magnitude at most 1099511627776, got 9223372036854775807}}
  %0 = stencil.combine 0 at 9223372036854775807 lower = (%a : !stencil.temp<?xf64>) upper = (%a : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
  return
}

// -----

func.func @combine_ranks(%a: !stencil.temp<?xf64>, %b: !stencil.temp<?x?xf64>) {
  // expected-error@+1 {{expected one rank, got '!stencil.temp<?x?xf64>' and '!stencil.temp<?xf64>'}}
  %0 = stencil.combine 0 at 4 lower = (%a : !stencil.temp<?xf64>) upper = (%b : !stencil.temp<?x?xf64>) : !stencil.temp<?xf64>
  return
}

// -----

func.func @combine_result_ranks(%a: !stencil.temp<?xf64>, %b: !stencil.temp<?x?xf64>) {
  // expected-error@+1 {{expected all results to have rank 1}}
  %0:2 = stencil.combine 0 at 4 lower = (%a, %b : !stencil.temp<?xf64>, !stencil.temp<?x?xf64>) upper = (%a, %b : !stencil.temp<?xf64>, !stencil.temp<?x?xf64>) : !stencil.temp<?xf64>, !stencil.temp<?x?xf64>
  return
}

// -----

func.func @combine_elements(%a: !stencil.temp<?xf64>, %b: !stencil.temp<?xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %0 = stencil.combine 0 at 4 lower = (%b : !stencil.temp<?xf32>) upper = (%a : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
  return
}

// -----

func.func @combine_lower_box(%a: !stencil.temp<[0,3]xf64>, %b: !stencil.temp<[4,8]xf64>) {
  // expected-error@+1 {{expected the box #stencil.bounds<[0], [4]> of the lower side to lie in the operand '!stencil.temp<[0,3]xf64>'}}
  %0 = stencil.combine 0 at 4 lower = (%a : !stencil.temp<[0,3]xf64>) upper = (%b : !stencil.temp<[4,8]xf64>) : !stencil.temp<[0,8]xf64>
  return
}

// -----

func.func @combine_upper_box(%a: !stencil.temp<[0,4]x[0,9]xf64>, %b: !stencil.temp<[4,8]x[1,9]xf64>) {
  // expected-error@+1 {{expected the box #stencil.bounds<[4, 0], [8, 9]> of the upper side to lie in the operand '!stencil.temp<[4,8]x[1,9]xf64>'}}
  %0 = stencil.combine 0 at 4 lower = (%a : !stencil.temp<[0,4]x[0,9]xf64>) upper = (%b : !stencil.temp<[4,8]x[1,9]xf64>) : !stencil.temp<[0,8]x[0,9]xf64>
  return
}

// -----

func.func @combine_lowerext_box(%a: !stencil.temp<[0,8]xf64>, %b: !stencil.temp<[1,8]xf64>) {
  // expected-error@+1 {{expected the box #stencil.bounds<[0], [4]> of the lower side to lie in the operand '!stencil.temp<[1,8]xf64>'}}
  %0:2 = stencil.combine 0 at 4 lower = (%a : !stencil.temp<[0,8]xf64>) upper = (%a : !stencil.temp<[0,8]xf64>) lowerext = %b : !stencil.temp<[1,8]xf64> : !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>
  return
}

// -----

func.func @combine_upperext_box(%a: !stencil.temp<[0,8]xf64>, %b: !stencil.temp<[5,8]xf64>) {
  // expected-error@+1 {{expected the box #stencil.bounds<[4], [8]> of the upper side to lie in the operand '!stencil.temp<[5,8]xf64>'}}
  %0:3 = stencil.combine 0 at 4 lower = (%a : !stencil.temp<[0,8]xf64>) upper = (%a : !stencil.temp<[0,8]xf64>) lowerext = %a : !stencil.temp<[0,8]xf64> upperext = %b : !stencil.temp<[5,8]xf64> : !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>
  return
}

// -----

func.func @combine_field(%f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{operand #0 must be variadic of stencil.temp, but got '!stencil.field<[0,8]xf64>'}}
  %0 = stencil.combine 0 at 4 lower = (%f : !stencil.field<[0,8]xf64>) upper = (%f : !stencil.field<[0,8]xf64>) : !stencil.temp<[0,8]xf64>
  return
}

// -----

func.func @buffer_bounds() {
  %a = stencil.apply() -> (!stencil.temp<[0,8]xf64>) {
    %c = arith.constant 1.0 : f64
    stencil.return %c : f64
  }
  // expected-error@+1 {{expected input and output to have the same bounds, got '!stencil.temp<[0,8]xf64>' and '!stencil.temp<?xf64>'}}
  %b = stencil.buffer %a : !stencil.temp<[0,8]xf64> -> !stencil.temp<?xf64>
  return
}

// -----

func.func @buffer_element() {
  %a = stencil.apply() -> (!stencil.temp<?xf64>) {
    %c = arith.constant 1.0 : f64
    stencil.return %c : f64
  }
  // expected-error@+1 {{expected input and output to have the same element type, got '!stencil.temp<?xf64>' and '!stencil.temp<?xf32>'}}
  %b = stencil.buffer %a : !stencil.temp<?xf64> -> !stencil.temp<?xf32>
  return
}

// -----

func.func @buffer_argument(%a: !stencil.temp<?xf64>) {
  // expected-error@+1 {{expected the operand to be a result of stencil.apply or stencil.combine, got a block argument}}
  %b = stencil.buffer %a : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  return
}

// -----

func.func @buffer_load(%f: !stencil.field<[0,8]xf64>) {
  %a = stencil.load %f : !stencil.field<[0,8]xf64> -> !stencil.temp<?xf64>
  // expected-error@+1 {{expected the operand to be a result of stencil.apply or stencil.combine, got stencil.load}}
  %b = stencil.buffer %a : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  return
}

// -----

func.func @fold_nothing() {
  // expected-error@+1 {{expected at least one operand}}
  %0 = "stencil.fold"() {bounds = #stencil.bounds<[0], [8]>, kind = 0 : i32} : () -> f64
  return
}

// -----

func.func @fold_scalar(%c: f64) {
  // expected-error@+1 {{operand #0 must be variadic of stencil.field or stencil.temp, but got 'f64'}}
  %0 = "stencil.fold"(%c) {bounds = #stencil.bounds<[0], [8]>, kind = 0 : i32} : (f64) -> f64
  return
}

// -----

func.func @fold_kind(%t: !stencil.temp<?xf64>) {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'kind' [max, min, sum, rms]}}
  %0 = stencil.fold %t(<[0], [8]>) mean : !stencil.temp<?xf64>
  return
}

// -----

func.func @fold_element(%t: !stencil.temp<?xindex>) {
  // expected-error@+1 {{expected an integer or floating-point element type, got 'index'}}
  %0 = stencil.fold %t(<[0], [8]>) max : !stencil.temp<?xindex>
  return
}

// -----

func.func @fold_rms(%t: !stencil.temp<?xi32>) {
  // expected-error@+1 {{expected a floating-point element type for rms or the length of a vector, got 'i32'}}
  %0 = stencil.fold %t(<[0], [8]>) rms : !stencil.temp<?xi32>
  return
}

// -----

func.func @fold_length(%t: !stencil.temp<?xi32>) {
  // expected-error@+1 {{expected a floating-point element type for rms or the length of a vector, got 'i32'}}
  %0 = stencil.fold %t, %t(<[0], [8]>) max : !stencil.temp<?xi32>, !stencil.temp<?xi32>
  return
}

// -----

func.func @fold_ranks(%t: !stencil.temp<?xf32>, %u: !stencil.temp<?x?xf32>) {
  // expected-error@+1 {{expected one rank, got '!stencil.temp<?xf32>' and '!stencil.temp<?x?xf32>'}}
  %0 = stencil.fold %t, %u(<[0], [8]>) max : !stencil.temp<?xf32>, !stencil.temp<?x?xf32>
  return
}

// -----

func.func @fold_elements(%t: !stencil.temp<?xf32>, %u: !stencil.temp<?xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %0 = stencil.fold %t, %u(<[0], [8]>) max : !stencil.temp<?xf32>, !stencil.temp<?xf64>
  return
}

// -----

func.func @fold_box_rank(%t: !stencil.temp<?xf32>) {
  // expected-error@+1 {{expected bounds of rank 1, got #stencil.bounds<[0, 0], [8, 8]>}}
  %0 = stencil.fold %t(<[0, 0], [8, 8]>) max : !stencil.temp<?xf32>
  return
}

// -----

func.func @fold_box(%t: !stencil.temp<[0,7]xf32>) {
  // expected-error@+1 {{expected the box #stencil.bounds<[0], [8]> to lie in the value '!stencil.temp<[0,7]xf32>'}}
  %0 = stencil.fold %t(<[0], [8]>) max : !stencil.temp<[0,7]xf32>
  return
}

// -----

func.func @fold_result(%t: !stencil.temp<?xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'f32' are incompatible with return type(s) of operation 'f64'}}
  %0 = "stencil.fold"(%t) {bounds = #stencil.bounds<[0], [8]>, kind = 0 : i32} : (!stencil.temp<?xf32>) -> f64
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @reduce_types(%a: f64, %b: i32) {
  // expected-error@+1 {{expects different type than prior uses: 'f64' vs 'i32'}}
  stencil.reduce %a init %b {
  ^bb0(%x: f64, %y: f64):
    stencil.yield %x : f64
  } : f64
  return
}

// -----

func.func @reduce_generic_types(%a: f64, %b: i32) {
  // expected-error@+1 {{failed to verify that all of {acc, init} have same type}}
  "stencil.reduce"(%a, %b) ({
  ^bb0(%x: f64, %y: f64):
    stencil.yield %x : f64
  }) : (f64, i32) -> ()
  return
}

// -----

func.func @reduce_arguments(%a: f64) {
  // expected-error@+1 {{expected a body with 2 arguments, got 1}}
  stencil.reduce %a init %a {
  ^bb0(%x: f64):
    stencil.yield %x : f64
  } : f64
  return
}

// -----

func.func @reduce_argument_types(%a: f64) {
  // expected-error@+1 {{expected body arguments of type 'f64', got 'i32'}}
  stencil.reduce %a init %a {
  ^bb0(%x: f64, %y: i32):
    stencil.yield %x : f64
  } : f64
  return
}

// -----

func.func @reduce_terminator(%a: f64) {
  // expected-error@+1 {{expected the body to end with stencil.yield}}
  stencil.reduce %a init %a {
  ^bb0(%x: f64, %y: f64):
    llvm.unreachable
  } : f64
  return
}

// -----

func.func @reduce_no_terminator(%a: f64) {
  stencil.reduce %a init %a {
  ^bb0(%x: f64, %y: f64):
    // expected-error@+1 {{block with no terminator}}
    %0 = arith.addf %x, %y : f64
  } : f64
  return
}

// -----

func.func @reduce_no_block(%a: f64) {
  // expected-error@+1 {{expects a non-empty block}}
  stencil.reduce %a init %a {
  } : f64
  return
}

// -----

func.func @reduce_yield(%a: f64) {
  // expected-error@+1 {{expected the body to yield 'f64', got 'i32'}}
  stencil.reduce %a init %a {
  ^bb0(%x: f64, %y: f64):
    %0 = arith.constant 0 : i32
    stencil.yield %0 : i32
  } : f64
  return
}

// -----

func.func @yield_outside(%a: f64) {
  // expected-error@+1 {{'stencil.yield' op expects parent op 'stencil.reduce'}}
  stencil.yield %a : f64
}
