// RUN: stencil-opt %s --split-input-file --verify-diagnostics

func.func @outside(%t: !stencil.temp<?xf64>) {
  // expected-error@+1 {{expects ancestor op 'stencil.apply'}}
  %v = stencil.access %t[0] : !stencil.temp<?xf64>
  return
}

// -----

func.func @index_outside() {
  // expected-error@+1 {{expects ancestor op 'stencil.apply'}}
  %v = stencil.index 0 <[0]>
  return
}

// -----

func.func @store_result_outside(%c: f64) {
  // expected-error@+1 {{expects ancestor op 'stencil.apply'}}
  %v = stencil.store_result %c : !stencil.result<f64>
  return
}

// -----

// A function within the body is not part of it.
func.func @isolated(%c: f64) {
  %r = stencil.apply(%x = %c : f64) -> (!stencil.temp<?xf64>) {
    builtin.module {
      func.func @inner() -> index {
        // expected-error@+1 {{expects ancestor op 'stencil.apply'}}
        %i = stencil.index 0 <[0]>
        return %i : index
      }
    }
    stencil.return %x : f64
  }
  return
}

// -----

func.func @type(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{expected a stencil.temp or stencil.field, got 'f64'}}
    %v = stencil.access %x[0] : f64
  }
}

// -----

func.func @no_offset(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{expected at least one axis}}
    %v = stencil.access %x[] : !stencil.temp<?xf64>
  }
}

// -----

func.func @only_gaps(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{expected at least one axis}}
    %v = stencil.access %x[_, _] : !stencil.temp<?xf64>
  }
}

// -----

func.func @no_number(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{expected '_' or an offset}}
    %v = stencil.access %x[i] : !stencil.temp<?xf64>
  }
}

// -----

func.func @huge_offset(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{index out of range: expected a magnitude of at most 1099511627776, got 1099511627777}}
    %v = stencil.access %x[1099511627777] : !stencil.temp<?xf64>
  }
}

// -----

func.func @offset_twice(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{expected attribute 'offset' to be given once}}
    %v = stencil.access %x[0] attributes {offset = #stencil.index<[5]>} : !stencil.temp<?xf64>
  }
}

// -----

func.func @mapping_twice(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?x?xf64>) {
    // expected-error@+1 {{expected attribute 'offset_mapping' to be given once}}
    %v = stencil.access %x[0, _] attributes {offset_mapping = #stencil.index<[1]>} : !stencil.temp<?xf64>
  }
}

// -----

func.func @offset_kind(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{attribute 'offset' failed to satisfy constraint: one integer per axis}}
    %v = "stencil.access"(%x) {offset = [0]} : (!stencil.temp<?xf64>) -> f64
    stencil.return %v : f64
  }
  return
}

// -----

func.func @missing_offset(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{requires attribute 'offset'}}
    %v = "stencil.access"(%x) : (!stencil.temp<?xf64>) -> f64
    stencil.return %v : f64
  }
  return
}

// -----

func.func @result_type(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf32>) {
    // expected-error@+1 {{expected result type to be the input's element type 'f64', got 'f32'}}
    %v = "stencil.access"(%x) {offset = #stencil.index<[0]>} : (!stencil.temp<?xf64>) -> f32
    stencil.return %v : f32
  }
  return
}

// -----

func.func @no_input(%t: !stencil.temp<?xf64>, %p: i1) {
  // expected-note@+1 {{the stencil.apply is here}}
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %q = %p : i1) -> (!stencil.temp<?xf64>) {
    %y = arith.select %q, %x, %x : !stencil.temp<?xf64>
    // expected-error@+1 {{expected an input of the enclosing stencil.apply}}
    %v = stencil.access %y[0] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @rank(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?x?xf64>) {
    // expected-error@+1 {{expected an input of rank 2 to match its parent apply, got rank 1 without offset mapping}}
    %v = stencil.access %x[0] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @offset_rank(%t: !stencil.temp<?x?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
    // expected-error@+1 {{expected an offset of rank 2 to match the input, got 1}}
    %v = stencil.access %x[0] : !stencil.temp<?x?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @mapped_offset_rank(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?x?x?xf64>) {
    // expected-error@+1 {{expected an offset of rank 1 to match the input, got 2}}
    %v = stencil.access %x[0, _, 0] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @mapping_length(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?x?xf64>) {
    // expected-error@+1 {{expected an offset mapping of length 1 to match the offset, got 2}}
    %v = "stencil.access"(%x) {offset = #stencil.index<[0]>, offset_mapping = #stencil.index<[0, 1]>} : (!stencil.temp<?xf64>) -> f64
    stencil.return %v : f64
  }
  return
}

// -----

func.func @mapping_order(%t: !stencil.temp<?x?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
    // expected-error@+1 {{expected a strictly increasing offset mapping}}
    %v = "stencil.access"(%x) {offset = #stencil.index<[0, 0]>, offset_mapping = #stencil.index<[1, 0]>} : (!stencil.temp<?x?xf64>) -> f64
    stencil.return %v : f64
  }
  return
}

// -----

func.func @mapping_range(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?x?xf64>) {
    // expected-error@+1 {{expected offset mappings within the rank 2 of the apply, got 2}}
    %v = stencil.access %x[_, _, 0] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @mapping_sign(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?x?xf64>) {
    // expected-error@+1 {{expected offset mappings within the rank 2 of the apply, got -1}}
    %v = "stencil.access"(%x) {offset = #stencil.index<[0]>, offset_mapping = #stencil.index<[-1]>} : (!stencil.temp<?xf64>) -> f64
    stencil.return %v : f64
  }
  return
}

// -----

func.func @out_of_bounds(%t: !stencil.temp<[0,64]x[0,64]xf64>) {
  // expected-note@+1 {{evaluated on #stencil.bounds<[0, 0], [64, 64]> here}}
  %r = stencil.apply(%x = %t : !stencil.temp<[0,64]x[0,64]xf64>) -> (!stencil.temp<[0,64]x[0,64]xf64>) {
    // expected-error@+1 {{accesses [1,65) of axis 1, expected to stay in '!stencil.temp<[0,64]x[0,64]xf64>'}}
    %v = stencil.access %x[0, 1] : !stencil.temp<[0,64]x[0,64]xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @symbolic_out_of_bounds(%t: !stencil.temp<[-1,?+1]xf64>) {
  // expected-note@+1 {{evaluated on #stencil.bounds<[0], [?]> here}}
  %r = stencil.apply(%x = %t : !stencil.temp<[-1,?+1]xf64>) -> (!stencil.temp<[0,?]xf64>) {
    %u = stencil.access %x[1] : !stencil.temp<[-1,?+1]xf64>
    // expected-error@+1 {{accesses [-2,?-2) of axis 0, expected to stay in '!stencil.temp<[-1,?+1]xf64>'}}
    %v = stencil.access %x[-2] : !stencil.temp<[-1,?+1]xf64>
    stencil.return %v : f64
  }
  return
}

// -----

// An access on one path only is an access.
func.func @conditional_out_of_bounds(%t: !stencil.temp<[0,8]xf64>, %p: i1) {
  // expected-note@+1 {{evaluated on #stencil.bounds<[0], [8]> here}}
  %r = stencil.apply(%x = %t : !stencil.temp<[0,8]xf64>, %q = %p : i1) -> (!stencil.temp<[0,8]xf64>) {
    %w = scf.if %q -> f64 {
      // expected-error@+1 {{accesses [-1,7) of axis 0, expected to stay in '!stencil.temp<[0,8]xf64>'}}
      %v = stencil.access %x[-1] : !stencil.temp<[0,8]xf64>
      scf.yield %v : f64
    } else {
      %v = stencil.access %x[0] : !stencil.temp<[0,8]xf64>
      scf.yield %v : f64
    }
    stencil.return %w : f64
  }
  return
}

// -----

func.func @mapped_out_of_bounds(%t: !stencil.temp<[0,8]xf64>) {
  // expected-note@+1 {{evaluated on #stencil.bounds<[0, 0], [4, 9]> here}}
  %r = stencil.apply(%x = %t : !stencil.temp<[0,8]xf64>) -> (!stencil.temp<[0,4]x[0,9]xf64>) {
    %u = stencil.access %x[4, _] : !stencil.temp<[0,8]xf64>
    // expected-error@+1 {{accesses [0,9) of axis 0, expected to stay in '!stencil.temp<[0,8]xf64>'}}
    %v = stencil.access %x[_, 0] : !stencil.temp<[0,8]xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @bufferised_out_of_bounds(%f: !stencil.field<[0,8]xf64>, %g: !stencil.field<[0,9]xf64>) {
  // expected-note@+1 {{evaluated on #stencil.bounds<[1], [9]> here}}
  stencil.apply(%x = %f : !stencil.field<[0,8]xf64>) outs (%g : !stencil.field<[0,9]xf64>) {
    // expected-error@+1 {{accesses [1,9) of axis 0, expected to stay in '!stencil.field<[0,8]xf64>'}}
    %v = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    stencil.return %v : f64
  } to <[1], [9]>
  return
}

// -----

func.func @index_axis() {
  %r = stencil.apply() -> (!stencil.temp<?x?xindex>) {
    // expected-error@+1 {{expected an axis below the rank 2 of the apply, got 2}}
    %i = stencil.index 2 <[0, 0]>
    stencil.return %i : index
  }
  return
}

// -----

func.func @index_sign() {
  %r = stencil.apply() -> (!stencil.temp<?x?xindex>) {
    // expected-error@+1 {{expected an axis below the rank 2 of the apply, got -1}}
    %i = stencil.index -1 <[0, 0]>
    stencil.return %i : index
  }
  return
}

// -----

func.func @index_offset() {
  %r = stencil.apply() -> (!stencil.temp<?x?xindex>) {
    // expected-error@+1 {{expected an offset of rank 2 to match the apply, got 1}}
    %i = stencil.index 1 <[0]>
    stencil.return %i : index
  }
  return
}

// -----

func.func @index_huge() {
  %r = stencil.apply() -> (!stencil.temp<?xindex>) {
    // expected-error@+1 {{integer constant out of range for attribute}}
    %i = stencil.index 99999999999999999999 <[0]>
  }
}

// -----

func.func @store_result_type(%c: f64) {
  %r = stencil.apply(%x = %c : f64) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{expected the operand to have the wrapped type 'f32', got 'f64'}}
    %v = "stencil.store_result"(%x) : (f64) -> !stencil.result<f32>
    stencil.return %x : f64
  }
  return
}

// -----

func.func @store_result_unwrapped(%c: f64) {
  %r = stencil.apply(%x = %c : f64) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{invalid kind of type specified: expected stencil.result, but found 'f64'}}
    %v = stencil.store_result %x : f64
  }
}
