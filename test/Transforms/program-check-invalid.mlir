// The rules of a whole program, through a pass that checks them.
// RUN: stencil-opt %s --stencil-infer-shapes --split-input-file --verify-diagnostics --allow-unregistered-dialect

!field = !stencil.field<[0,64]xf64>
func.func @yields_twice(%a: !field, %b: !field, %n: index) {
  // expected-note @below {{the loop is here}}
  %r:2 = scf.for %i = %n to %n step %n iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-error @below {{'scf.yield' op expected a permutation of the fields that the loop carries, but operand 1 is yielded twice}}
    scf.yield %u, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
func.func @yields_another(%a: !field, %b: !field, %n: index) {
  // expected-note @below {{the loop is here}}
  %r:2 = scf.for %i = %n to %n step %n iter_args(%s = %n, %u = %a) -> (index, !field) {
    // expected-error @below {{but operand 1 is none of them}}
    scf.yield %s, %b : index, !field
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
func.func @yields_from_branches(%a: !field, %b: !field, %n: index, %p: i1) {
  // expected-note @below {{the loop is here}}
  %r:2 = scf.for %i = %n to %n step %n iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %s:2 = scf.if %p -> (!field, !field) {
      scf.yield %u, %v : !field, !field
    } else {
      scf.yield %u, %u : !field, !field
    }
    // expected-error @below {{expected a permutation of the fields that the loop carries}}
    scf.yield %s#0, %s#1 : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
func.func @while_drops_one(%a: !field, %b: !field, %p: i1) {
  // expected-note @below {{the loop is here}}
  %r = scf.while (%u = %a, %v = %b) : (!field, !field) -> !field {
    scf.condition(%p) %u : !field
  } do {
  ^bb0(%x: !field):
    // expected-error @below {{but operand 1 is yielded twice}}
    scf.yield %x, %x : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
func.func @starts_from_one_field(%arg: !stencil.field<?xf64>, %n: index) {
  %a = stencil.cast %arg : !stencil.field<?xf64> -> !field
  %b = stencil.cast %arg : !stencil.field<?xf64> -> !field
  // expected-error @below {{'scf.for' op expected distinct fields, but initial fields 0 and 1 are the same}}
  %r:2 = scf.for %i = %n to %n step %n iter_args(%u = %a, %v = %b) -> (!field, !field) {
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
func.func private @step(!field, index, !field)
func.func @call(%a: !field, %b: !field, %n: index) {
  call @step(%a, %n, %b) : (!field, index, !field) -> ()
  // expected-error @below {{'func.call' op expected distinct fields, but arguments 0 and 2 are the same}}
  call @step(%a, %n, %a) : (!field, index, !field) -> ()
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @carried_value(%a: !field, %n: index) {
  %l = stencil.load %a : !field -> !temp
  // expected-error @below {{'scf.for' op a value cannot be carried by a loop; store it to a field}}
  %r = scf.for %i = %n to %n step %n iter_args(%t = %l) -> (!temp) {
    scf.yield %t : !temp
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @branched_value(%a: !field, %b: !field, %p: i1) {
  // expected-error @below {{'scf.if' op a value cannot be returned by a branch; store it to a field}}
  %r = scf.if %p -> (!temp) {
    %l = stencil.load %a : !field -> !temp
    scf.yield %l : !temp
  } else {
    %l = stencil.load %b : !field -> !temp
    scf.yield %l : !temp
  }
  return
}

// -----

// expected-error @below {{'func.func' op a value cannot cross a function boundary; pass a field}}
func.func @value_argument(%t: !stencil.temp<?xf64>) {
  return
}

// -----

func.func @foreign_use(%f: !stencil.field<[0,64]xf64>) {
  %l = stencil.load %f : !stencil.field<[0,64]xf64> -> !stencil.temp<?xf64>
  // expected-error @below {{'test.use' op expected values of !stencil.temp to be made and used by stencil ops}}
  "test.use"(%l) : (!stencil.temp<?xf64>) -> ()
  return
}

// -----

func.func @buffer_to_field(%out: !stencil.field<[0,64]xf64>) {
  %a = stencil.apply() -> (!stencil.temp<[0,64]xf64>) {
    %v = arith.constant 1.0 : f64
    stencil.return %v : f64
  }
  // expected-error @below {{'stencil.buffer' op expected a value as the result, got '!stencil.field<[0,64]xf64>'}}
  %b = stencil.buffer %a : !stencil.temp<[0,64]xf64> -> !stencil.field<[0,64]xf64>
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
func.func @branch(%p: i1) {
  // expected-note @below {{a stencil op is here}}
  %f = stencil.alloc : !field
  // expected-error @below {{'cf.cond_br' op expected structured control flow (scf) in a stencil program}}
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @selected_input(%a: !field, %b: !field, %p: i1) {
  %l = stencil.load %a : !field -> !temp
  %m = stencil.load %b : !field -> !temp
  %r = stencil.apply(%x = %l : !temp, %y = %m : !temp, %q = %p : i1) -> (!temp) {
    // expected-error @below {{expected values of !stencil.temp to be made and used by stencil ops}}
    %z = arith.select %q, %x, %y : !temp
    %v = stencil.access %x[0] : !temp
    stencil.return %v : f64
  }
  return
}

// -----

!temp = !stencil.temp<?xf64>
func.func @reduce() {
  %r = stencil.apply() -> (!temp) {
    %v = arith.constant 1.0 : f64
    // expected-error @below {{'stencil.reduce' op has no result and cannot be run; use stencil.fold}}
    stencil.reduce %v init %v {
    ^bb0(%x: f64, %y: f64):
      stencil.yield %x : f64
    } : f64
    stencil.return %v : f64
  }
  return
}

// -----

func.func @unroll(%out: !stencil.field<[0,64]xf64>) {
  // expected-note @below {{evaluated on}}
  stencil.apply() outs (%out : !stencil.field<[0,64]xf64>) {
    %v = arith.constant 1.0 : f64
    // expected-error @below {{expected the extent of axis 0 to be a multiple of the unroll factor 3, got 64}}
    stencil.return %v, %v, %v unroll <[3]> : f64, f64, f64
  } to <[0], [64]>
  return
}

// -----

func.func @symbolic_unroll(%out: !stencil.field<[0,?]xf64>) {
  // expected-note @below {{evaluated on}}
  stencil.apply() outs (%out : !stencil.field<[0,?]xf64>) {
    %v = arith.constant 1.0 : f64
    // expected-error @below {{multiple of the unroll factor 2, but it is not known at compile time}}
    stencil.return %v, %v unroll <[2]> : f64, f64
  } to <[0], [?]>
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @reads_nothing(%out: !field, %p: i1) {
  %a = stencil.apply(%q = %p : i1) -> (!temp) {
    %r = scf.if %q -> (!stencil.result<f64>) {
      %c = arith.constant 1.0 : f64
      %v = stencil.store_result %c : !stencil.result<f64>
      scf.yield %v : !stencil.result<f64>
    } else {
      // expected-note @below {{no value may be returned here}}
      %v = stencil.store_result : !stencil.result<f64>
      scf.yield %v : !stencil.result<f64>
    }
    stencil.return %r : !stencil.result<f64>
  }
  stencil.store %a to %out(<[0], [64]>) : !temp to !field
  %b = stencil.combine 0 at 9 lower = (%a : !temp) upper = (%a : !temp) : !temp
  %c = stencil.apply(%x = %b : !temp) -> (!temp) {
    // expected-error @below {{'stencil.access' op reads a value that is not there at some points; expected it to be stored first}}
    %v = stencil.access %x[0] : !temp
    stencil.return %v : f64
  }
  stencil.store %c to %out(<[0], [64]>) : !temp to !field
  return
}

// -----

// expected-note @below {{expected an argument with such bounds on axis 0, or a stencil.cast of an argument to such bounds at the top level of this function}}
func.func @unbound_extent() {
  // expected-error @below {{'stencil.alloc' op has bounds relative to the extent of axis 0, which nothing binds}}
  %f = stencil.alloc : !stencil.field<[0,?]xf64>
  return
}

// -----

// A cast in a loop comes too late.
// expected-note @below {{expected an argument with such bounds on axis 0}}
func.func @bound_in_a_loop(%a: !stencil.field<?xf64>, %n: index) {
  scf.for %i = %n to %n step %n {
    // expected-error @below {{which nothing binds}}
    %f = stencil.cast %a : !stencil.field<?xf64> -> !stencil.field<[0,?]xf64>
  }
  return
}

// -----

!row = !stencil.field<[0,?]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @renumbered_axis(%row: !row) {
  %a = stencil.apply(%x = %row : !row) -> (!temp) {
    // expected-error @below {{expected static bounds on axis 0 of the input, which is axis 1 of the apply}}
    %v = stencil.access %x[_, 0] : !row
    stencil.return %v : f64
  }
  return
}
