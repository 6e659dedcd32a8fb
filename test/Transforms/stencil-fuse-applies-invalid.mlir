// RUN: stencil-opt %s --stencil-fuse-applies='force=a' --split-input-file --verify-diagnostics
// RUN: not stencil-opt %s --stencil-fuse-applies='force=c' --split-input-file 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not stencil-opt %s --stencil-fuse-applies='balance=-1' --split-input-file 2>&1 | FileCheck %s --check-prefix=BALANCE

// NAME: error: expected the name of a stencil.apply (attribute stencil.name) that is not bufferised, got 'c'
// BALANCE: error: expected a positive balance, got -1

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @computed(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{cannot be fused into its consumers as asked: its result is read at computed coordinates}}
  %f = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %a = stencil.access %x[0] : !temp
    stencil.return %a : f64
  }
  %r = stencil.apply(%y = %f : !temp) -> (!temp) {
    %i = stencil.index 0 <[0]>
    // expected-note @below {{because of this}}
    %e = stencil.dyn_access %y[%i] in <[-1]> : <[1]> : !temp
    stencil.return %e : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @buffer(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{cannot be fused into its consumers as asked: a stencil.buffer is in between}}
  %f = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %a = stencil.access %x[0] : !temp
    stencil.return %a : f64
  }
  // expected-note @below {{because of this}}
  %b = stencil.buffer %f : !temp -> !temp
  %r = stencil.apply(%y = %b : !temp) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    stencil.return %e : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @no_reader(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{cannot be fused into its consumers as asked: no stencil.apply reads its results}}
  %f = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %a = stencil.access %x[0] : !temp
    stencil.return %a : f64
  }
  stencil.store %f to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @unrolled(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{cannot be fused into its consumers as asked: it returns several points at once (unroll)}}
  %f = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %a = stencil.access %x[0] : !temp
    %b = stencil.access %x[1] : !temp
    // expected-note @below {{because of this}}
    stencil.return %a, %b unroll <[2]> : f64, f64
  }
  %r = stencil.apply(%y = %f : !temp) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    stencil.return %e : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

// The producer would be read at neighbouring points of what is written where
// it is.
!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @in_place(%u: !field, %c: i1) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{cannot be fused into its consumers as asked: a result that is empty at some points is stored over a field that is read at neighbouring points}}
  %f = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %a = stencil.access %x[1] : !temp
    stencil.return %a : f64
  }
  %r = stencil.apply(%y = %f : !temp, %k = %c : i1) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    %s = scf.if %k -> (!stencil.result<f64>) {
      %w = stencil.store_result %e : !stencil.result<f64>
      scf.yield %w : !stencil.result<f64>
    } else {
      %w = stencil.store_result : !stencil.result<f64>
      scf.yield %w : !stencil.result<f64>
    }
    stencil.return %s : !stencil.result<f64>
  }
  // expected-note @below {{because of this}}
  stencil.store %r to %u(<[0], [64]>) : !temp to !field
  return
}

// -----

// A flag has no sum, and so cannot be moved.
!field = !stencil.field<[-2,66]xi1>
!temp = !stencil.temp<?xi1>
func.func @flags(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{cannot be fused into its consumers as asked: its result, read at several offsets, is neither a float nor an integer of more than one bit}}
  %f = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %a = stencil.access %x[0] : !temp
    %b = stencil.access %x[1] : !temp
    %s = arith.andi %a, %b : i1
    stencil.return %s : i1
  }
  %r = stencil.apply(%y = %f : !temp) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    // expected-note @below {{because of this}}
    %w = stencil.access %y[1] : !temp
    %s = arith.ori %e, %w : i1
    stencil.return %s : i1
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @both_sides(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{cannot be fused into its consumers as asked: it reads both sides of a combine at once}}
  %f = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %a = stencil.access %x[0] : !temp
    stencil.return %a : f64
  }
  %c = stencil.combine 0 at 11 lower = (%f : !temp) upper = (%t : !temp) : !temp
  %r = stencil.apply(%y = %c : !temp) -> (!temp) {
    // expected-note @below {{because of this}}
    %e = stencil.access %y[1] : !temp
    stencil.return %e : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

// expected-error @below {{expected 'stencil.name' on a stencil.apply only}}
func.func @name_of_function() attributes {stencil.name = "a"} {
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @name_is_number(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{expected a string as 'stencil.name', got 1 : i64}}
  %f = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = 1} {
    %a = stencil.access %x[0] : !temp
    stencil.return %a : f64
  }
  stencil.store %f to %v(<[0], [64]>) : !temp to !field
  return
}
