// RUN: stencil-opt %s --split-input-file --verify-diagnostics

func.func @no_arrow(%t: !stencil.temp<?xf64>) {
  // expected-error@+1 {{expected 'outs' or '->' in stencil.apply}}
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) {
  }
}

// -----

func.func @repeated_name(%t: !stencil.temp<?xf64>) {
  // expected-error@+2 {{region entry argument '%x' is already in use}}
  // expected-note@+1 {{previously referenced here}}
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
  }
}

// -----

// expected-note@+1 {{prior use here}}
func.func @operand_type(%t: !stencil.temp<?xf64>) {
  // expected-error@+1 {{expects different type than prior uses: '!stencil.temp<?xf32>' vs '!stencil.temp<?xf64>'}}
  %r = stencil.apply(%x = %t : !stencil.temp<?xf32>) -> (!stencil.temp<?xf32>) {
    %v = stencil.access %x[0] : !stencil.temp<?xf32>
    stencil.return %v : f32
  }
}

// -----

func.func @bounds_twice(%f: !stencil.field<[0,8]xf64>, %c: f64) {
  // expected-error@+1 {{expected no attribute 'bounds': the syntax of stencil.apply gives it}}
  stencil.apply(%x = %c : f64) outs (%f : !stencil.field<[0,8]xf64>) attributes {bounds = #stencil.bounds<[0], [4]>} {
    stencil.return %x : f64
  } to <[0], [8]>
}

// -----

func.func @segments(%c: f64) {
  // expected-error@+1 {{expected no attribute 'operandSegmentSizes'}}
  %r = stencil.apply(%x = %c : f64) -> (!stencil.temp<?xf64>) attributes {operandSegmentSizes = array<i32: 0, 1>} {
    stencil.return %x : f64
  }
}

// -----

func.func @generic_segments(%c: f64) {
  // expected-error@+1 {{operand count (1) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
  %r = "stencil.apply"(%c) <{operandSegmentSizes = array<i32: 3, 0>}> ({
  ^bb0(%x: f64):
    stencil.return %x : f64
  }) : (f64) -> !stencil.temp<?xf64>
  return
}

// -----

func.func @negative_segments(%c: f64) {
  // expected-error@+1 {{'operandSegmentSizes' attribute cannot have negative elements}}
  %r = "stencil.apply"(%c) <{operandSegmentSizes = array<i32: 2, -1>}> ({
  ^bb0(%x: f64):
    stencil.return %x : f64
  }) : (f64) -> !stencil.temp<?xf64>
  return
}

// -----

func.func @no_region() {
  // expected-error@+1 {{'stencil.apply' op requires one region}}
  %r = "stencil.apply"() : () -> !stencil.temp<?xf64>
  return
}

// -----

func.func @no_block() {
  // expected-error@+1 {{region with 1 blocks}}
  %r = stencil.apply() -> (!stencil.temp<?xf64>) {
  }
  return
}

// -----

func.func @empty_block() {
  // expected-error@+1 {{expects a non-empty block}}
  %r = "stencil.apply"() ({
  ^bb0:
  }) : () -> !stencil.temp<?xf64>
  return
}

// -----

func.func @two_blocks() {
  // expected-error@+1 {{expects region #0 to have 0 or 1 blocks}}
  %r = "stencil.apply"() ({
    cf.br ^bb1
  ^bb1:
    %c = arith.constant 1.0 : f64
    stencil.return %c : f64
  }) : () -> !stencil.temp<?xf64>
  return
}

// -----

func.func @no_terminator() {
  %r = stencil.apply() -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{block with no terminator}}
    %c = arith.constant 1.0 : f64
  }
  return
}

// -----

func.func @other_terminator() {
  // expected-error@+1 {{expected the body to end with stencil.return}}
  %r = stencil.apply() -> (!stencil.temp<?xf64>) {
    llvm.unreachable
  }
  return
}

// -----

func.func @arguments(%c: f64) {
  // expected-error@+1 {{expected 1 block arguments to match the operands, got 2}}
  %r = "stencil.apply"(%c) <{operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%x: f64, %y: f64):
    stencil.return %x : f64
  }) : (f64) -> !stencil.temp<?xf64>
  return
}

// -----

func.func @argument_type(%c: f64) {
  // expected-error@+1 {{expected block argument 0 to have the operand's type 'f64', got 'f32'}}
  %r = "stencil.apply"(%c) <{operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%x: f32):
    stencil.return %x : f32
  }) : (f64) -> !stencil.temp<?xf32>
  return
}

// -----

func.func @results_and_outs(%f: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected results or destination operands, got both}}
  %r = "stencil.apply"(%f) <{operandSegmentSizes = array<i32: 0, 1>}> ({
    %c = arith.constant 1.0 : f64
    stencil.return %c : f64
  }) : (!stencil.field<[0,8]xf64>) -> !stencil.temp<?xf64>
  return
}

// -----

func.func @no_result(%c: f64) {
  // expected-error@+1 {{expected at least 1 result, got 0}}
  stencil.apply(%x = %c : f64) -> () {
    stencil.return %x : f64
  }
  return
}

// -----

func.func @result_bounds(%c: f64) {
  // expected-error@+1 {{expected all results to have the bounds of '!stencil.temp<[0,8]xf64>', got '!stencil.temp<[0,9]xf64>'}}
  %r:2 = stencil.apply(%x = %c : f64) -> (!stencil.temp<[0,8]xf64>, !stencil.temp<[0,9]xf64>) {
    stencil.return %x, %x : f64, f64
  }
  return
}

// -----

func.func @result_ranks(%c: f64) {
  // expected-error@+1 {{expected all results to have the bounds of '!stencil.temp<?xf64>', got '!stencil.temp<?x?xf64>'}}
  %r:2 = stencil.apply(%x = %c : f64) -> (!stencil.temp<?xf64>, !stencil.temp<?x?xf64>) {
    stencil.return %x, %x : f64, f64
  }
  return
}

// -----

func.func @result_type(%c: f64) {
  // expected-error@+1 {{result #0 must be variadic of stencil.temp, but got 'f64'}}
  %r = stencil.apply(%x = %c : f64) -> (f64) {
    stencil.return %x : f64
  }
  return
}

// -----

func.func @bounds_of_value(%c: f64) {
  // expected-error@+1 {{expected 'to' bounds on a bufferised apply only}}
  %r = stencil.apply(%x = %c : f64) -> (!stencil.temp<?xf64>) {
    stencil.return %x : f64
  } to <[0], [8]>
  return
}

// -----

func.func @outs_without_bounds(%f: !stencil.field<[0,8]xf64>, %c: f64) {
  // expected-error@+1 {{expected bounds with destination operands}}
  stencil.apply(%x = %c : f64) outs (%f : !stencil.field<[0,8]xf64>) {
    stencil.return %x : f64
  }
  return
}

// -----

func.func @outs_rank(%f: !stencil.field<[0,8]xf64>, %c: f64) {
  // expected-error@+1 {{expected destinations of rank 2 to match the bounds, got '!stencil.field<[0,8]xf64>'}}
  stencil.apply(%x = %c : f64) outs (%f : !stencil.field<[0,8]xf64>) {
    stencil.return %x : f64
  } to <[0, 0], [8, 8]>
  return
}

// -----

func.func @outs_too_small(%f: !stencil.field<[0,8]xf64>, %c: f64) {
  // expected-error@+1 {{expected the bounds #stencil.bounds<[0], [9]> to lie in the destination, got '!stencil.field<[0,8]xf64>'}}
  stencil.apply(%x = %c : f64) outs (%f : !stencil.field<[0,8]xf64>) {
    stencil.return %x : f64
  } to <[0], [9]>
  return
}

// -----

func.func @outs_twice(%a: !stencil.field<?xf64>, %c: f64) {
  %f = stencil.cast %a : !stencil.field<?xf64> -> !stencil.field<[0,8]xf64>
  %g = stencil.cast %a : !stencil.field<?xf64> -> !stencil.field<[0,8]xf64>
  // expected-error@+1 {{expected destinations that are different fields}}
  stencil.apply(%x = %c : f64) outs (%f : !stencil.field<[0,8]xf64>, %g : !stencil.field<[0,8]xf64>) {
    stencil.return %x, %x : f64, f64
  } to <[0], [8]>
  return
}

// -----

func.func @outs_of_one_memref(%m: memref<8xf64>, %c: f64) {
  %f = stencil.external_load %m : memref<8xf64> -> !stencil.field<[0,8]xf64>
  %g = stencil.external_load %m : memref<8xf64> -> !stencil.field<[0,8]xf64>
  // expected-error@+1 {{expected destinations that are different fields}}
  stencil.apply(%x = %c : f64) outs (%f : !stencil.field<[0,8]xf64>, %g : !stencil.field<[0,8]xf64>) {
    stencil.return %x, %x : f64, f64
  } to <[0], [8]>
  return
}

// -----

func.func @outs_temp(%t: !stencil.temp<?xf64>, %c: f64) {
  // expected-error@+1 {{operand #1 must be variadic of stencil.field, but got '!stencil.temp<?xf64>'}}
  stencil.apply(%x = %c : f64) outs (%t : !stencil.temp<?xf64>) {
    stencil.return %x : f64
  } to <[0], [8]>
  return
}

// -----

func.func @in_place_offset(%f: !stencil.field<[0,8]xf64>) {
  // expected-note@+1 {{the output is written here}}
  stencil.apply(%x = %f : !stencil.field<[0,8]xf64>) outs (%f : !stencil.field<[0,8]xf64>) {
    // expected-error@+1 {{reads an output of its bufferised apply at a non-zero offset}}
    %v = stencil.access %x[1] : !stencil.field<[0,8]xf64>
    stencil.return %v : f64
  } to <[0], [7]>
  return
}

// -----

func.func @in_place_dynamic(%a: !stencil.field<?xf64>) {
  %f = stencil.cast %a : !stencil.field<?xf64> -> !stencil.field<[0,8]xf64>
  // expected-note@+1 {{the output is written here}}
  stencil.apply(%x = %a : !stencil.field<?xf64>) outs (%f : !stencil.field<[0,8]xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error@+1 {{reads an output of its bufferised apply at a non-zero offset}}
    %v = stencil.dyn_access %x[%i] in <[0]> : <[0]> : !stencil.field<?xf64>
    stencil.return %v : f64
  } to <[0], [7]>
  return
}

// -----

// The same coordinates are different memory in the two fields.
func.func @in_place_shifted(%a: !stencil.field<?xf64>) {
  %f = stencil.cast %a : !stencil.field<?xf64> -> !stencil.field<[0,8]xf64>
  %g = stencil.cast %a : !stencil.field<?xf64> -> !stencil.field<[-1,7]xf64>
  // expected-note@+1 {{the output is written here}}
  stencil.apply(%x = %f : !stencil.field<[0,8]xf64>) outs (%g : !stencil.field<[-1,7]xf64>) {
    // expected-error@+1 {{reads an output of its bufferised apply at a non-zero offset}}
    %v = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    stencil.return %v : f64
  } to <[0], [7]>
  return
}

// -----

func.func @captured(%c: f64) {
  %r = stencil.apply() -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{use of undeclared SSA value name}}
    stencil.return %c : f64
  }
  return
}

// -----

func.func @nested(%t: !stencil.temp<[0,4]x[0,4]xf64>) {
  // expected-note@+1 {{the stencil.apply is here}}
  %r = stencil.apply(%x = %t : !stencil.temp<[0,4]x[0,4]xf64>) -> (!stencil.temp<[0,4]xf64>) {
    // expected-error@+1 {{'stencil.apply' op expected to be outside of the body of a stencil.apply}}
    %s = stencil.apply(%y = %x : !stencil.temp<[0,4]x[0,4]xf64>) -> (!stencil.temp<[0,4]x[0,4]xf64>) {
      %v = stencil.access %y[0, 0] : !stencil.temp<[0,4]x[0,4]xf64>
      stencil.return %v : f64
    }
    %c = arith.constant 1.0 : f64
    stencil.return %c : f64
  }
  return
}

// -----

func.func @load_inside(%f: !stencil.field<[0,8]xf64>) {
  // expected-note@+1 {{the stencil.apply is here}}
  %r = stencil.apply(%x = %f : !stencil.field<[0,8]xf64>) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{'stencil.load' op expected to be outside of the body of a stencil.apply}}
    %t = stencil.load %x : !stencil.field<[0,8]xf64> -> !stencil.temp<?xf64>
    %c = arith.constant 1.0 : f64
    stencil.return %c : f64
  }
  return
}
