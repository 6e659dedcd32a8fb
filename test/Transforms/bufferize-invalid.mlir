// RUN: stencil-opt %s --stencil-bufferize --split-input-file --verify-diagnostics

!field = !stencil.field<[0,64]xf64>

func.func @not_inferred(%u: !field, %v: !field) {
  // expected-error @below {{'stencil.load' op expected values of known box, got '!stencil.temp<?xf64>'; run stencil-infer-shapes first}}
  %t = stencil.load %u : !field -> !stencil.temp<?xf64>
  stencil.store %t to %v(<[0], [64]>) : !stencil.temp<?xf64> to !field
  return
}

// -----

// expected-error @below {{'stencil.alloc' op expected to be in a function}}
%f = stencil.alloc : !stencil.field<[0,64]xf64>

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

func.func @combine_not_inferred(%u: !field, %v: !field) -> f64 {
  %t = stencil.load %u : !field -> !temp
  %s = stencil.load %v : !field -> !temp
  // expected-error @below {{expected values of known box, got '!stencil.temp<?xf64>'; run stencil-infer-shapes first}}
  %c = stencil.combine 0 at 8 lower = (%t : !temp) upper = (%s : !temp) : !temp
  %f = stencil.fold %c(<[0], [64]>) max : !temp
  return %f : f64
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<[0,64]xf64>

func.func @parallel(%u: !field, %v: !field) {
  // expected-note @below {{around it here}}
  scf.forall (%i) in (4) {
    // expected-error @below {{expected sequential control flow (scf.for, scf.while, scf.if) around it, got scf.forall}}
    %t = stencil.load %u : !field -> !temp
    stencil.store %t to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<[0,64]xf64>

func.func @blocks(%u: !field, %v: !field) {
  return
^unreachable:
  // expected-error @below {{expected structured control flow (scf) around it, got several blocks}}
  %t = stencil.load %u : !field -> !temp
  stencil.store %t to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<[0,64]xf64>

// A result that stores nothing somewhere has no copy.
func.func @nothing_in_part(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{result #0 stores nothing at some points: expected it to be stored on all of its box #stencil.bounds<[0], [64]>, to a field that is not touched in between nor read at an offset}}
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %r = stencil.store_result : !stencil.result<f64>
    stencil.return %r : !stencil.result<f64>
  }
  // expected-note @below {{this store would need a copy}}
  stencil.store %a to %v(<[0], [32]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!in = !stencil.temp<[0,64]xf64>
!temp = !stencil.temp<[0,63]xf64>

// What lies between has to see the field as it was.
func.func @nothing_in_place(%u: !field) -> f64 {
  %t = stencil.load %u : !field -> !in
  // expected-error @below {{result #1 stores nothing at some points}}
  %a:2 = stencil.apply(%x = %t : !in) -> (!temp, !temp) {
    %e = stencil.access %x[1] : !in
    %zero = arith.constant 0.0 : f64
    %c = arith.cmpf ogt, %e, %zero : f64
    %s = stencil.store_result %e : !stencil.result<f64>
    %n = stencil.store_result : !stencil.result<f64>
    %r = arith.select %c, %s, %n : !stencil.result<f64>
    stencil.return %e, %r : f64, !stencil.result<f64>
  }
  stencil.store %a#0 to %u(<[0], [63]>) : !temp to !field
  %m = stencil.fold %u(<[0], [64]>) max : !field
  // expected-note @below {{this store would need a copy}}
  stencil.store %a#1 to %u(<[0], [63]>) : !temp to !field
  return %m : f64
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<[0,64]xf64>
!low = !stencil.temp<[0,8]xf64>
!high = !stencil.temp<[8,64]xf64>

// What passes through a combine is there on its side only.
func.func @other_side(%u: !field, %v: !field) -> f64 {
  %a = stencil.load %u : !field -> !low
  %b = stencil.load %u : !field -> !high
  // expected-note @below {{it is defined here}}
  %c = stencil.load %u : !field -> !low
  %d:2 = stencil.combine 0 at 8 lower = (%a : !low) upper = (%b : !high) lowerext = %c : !low : !temp, !temp
  stencil.store %d#0 to %v(<[0], [64]>) : !temp to !field
  // expected-error @below {{'stencil.fold' op reads #stencil.bounds<[0], [64]> of a value that is known on #stencil.bounds<[0], [8]> only}}
  %s = stencil.fold %d#1(<[0], [64]>) max : !temp
  return %s : f64
}
