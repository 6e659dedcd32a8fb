// RUN: stencil-opt %s --stencil-infer-shapes --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>
func.func @halo_too_small(%in: !field, %out: !field) {
  // expected-note @below {{the field is loaded here}}
  %l = stencil.load %in : !field -> !temp
  // expected-note @below {{evaluated on #stencil.bounds<[0], [64]> here}}
  %a = stencil.apply(%x = %l : !temp) -> (!temp) {
    %v = stencil.access %x[-1] : !temp
    // expected-error @below {{'stencil.access' op halo too small: needs [2,66) on axis 0, the field has [-1,65)}}
    %w = stencil.access %x[2] : !temp
    %s = arith.addf %v, %w : f64
    stencil.return %s : f64
  }
  stencil.store %a to %out(<[0], [64]>) : !temp to !field
  return
}

// -----

// The culprit is found through buffers and combines.
!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @through_combine(%in: !field, %out: !stencil.field<[0,70]xf64>) {
  // expected-note @below {{the field is loaded here}}
  %l = stencil.load %in : !field -> !temp
  %a = stencil.apply() -> (!temp) {
    %v = arith.constant 1.0 : f64
    stencil.return %v : f64
  }
  %c = stencil.combine 0 at 11 lower = (%a : !temp) upper = (%l : !temp) : !temp
  %b = stencil.buffer %c : !temp -> !temp
  stencil.store %b to %out(<[0], [11]>) : !temp to !stencil.field<[0,70]xf64>
  // expected-error @below {{'stencil.store' op halo too small: needs [11,70) on axis 0, the field has [0,64)}}
  stencil.store %b to %out(<[0], [70]>) : !temp to !stencil.field<[0,70]xf64>
  return
}

// -----

!field = !stencil.field<[0,?]xf64>
!temp = !stencil.temp<?xf64>
func.func @symbolic_halo(%in: !field, %out: !field) {
  // expected-note @below {{the field is loaded here}}
  %l = stencil.load %in : !field -> !temp
  // expected-note @below {{evaluated on}}
  %a = stencil.apply(%x = %l : !temp) -> (!temp) {
    // expected-error @below {{halo too small: needs [1,?+1) on axis 0, the field has [0,?)}}
    %v = stencil.access %x[1] : !temp
    stencil.return %v : f64
  }
  stencil.store %a to %out(<[0], [?]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @beyond_sized_value(%in: !field, %out: !field) {
  // expected-note @below {{its bounds are given here}}
  %l = stencil.load %in : !field -> !stencil.temp<[0,32]xf64>
  // expected-note @below {{evaluated on}}
  %a = stencil.apply(%x = %l : !stencil.temp<[0,32]xf64>) -> (!temp) {
    // expected-error @below {{'stencil.access' op needs [0,64) on axis 0, the value has [0,32)}}
    %v = stencil.access %x[0] : !stencil.temp<[0,32]xf64>
    stencil.return %v : f64
  }
  stencil.store %a to %out(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @field_input(%in: !field, %out: !field) {
  // expected-note @below {{evaluated on}}
  %a = stencil.apply(%x = %in : !field) -> (!temp) {
    // expected-error @below {{halo too small: needs [1,65) on axis 0, the field has [0,64)}}
    %v = stencil.access %x[1] : !field
    stencil.return %v : f64
  }
  stencil.store %a to %out(<[0], [64]>) : !temp to !field
  return
}

// -----

!temp = !stencil.temp<?xf64>
func.func @field_without_bounds(%in: !stencil.field<?xf64>, %out: !stencil.field<[0,64]xf64>) {
  %a = stencil.apply(%x = %in : !stencil.field<?xf64>) -> (!temp) {
    // expected-error @below {{expected a field with bounds, got '!stencil.field<?xf64>'; cast it first}}
    %v = stencil.access %x[1] : !stencil.field<?xf64>
    stencil.return %v : f64
  }
  stencil.store %a to %out(<[0], [64]>) : !temp to !stencil.field<[0,64]xf64>
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @lowerext(%out: !field) {
  %a = stencil.apply() -> (!temp) {
    %v = arith.constant 1.0 : f64
    stencil.return %v : f64
  }
  // expected-note @below {{defined below coordinate 11 of axis 0 only}}
  %c:2 = stencil.combine 0 at 11 lower = (%a : !temp) upper = (%a : !temp) lowerext = %a : !temp : !temp, !temp
  // expected-error @below {{'stencil.store' op needs [0,64) on axis 0, the value has [0,11)}}
  stencil.store %c#1 to %out(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @unroll(%out: !field) {
  // expected-note @below {{evaluated on #stencil.bounds<[0], [63]> here}}
  %a = stencil.apply() -> (!temp) {
    %v = arith.constant 1.0 : f64
    // expected-error @below {{expected the extent of axis 0 to be a multiple of the unroll factor 2, got 63}}
    stencil.return %v, %v unroll <[2]> : f64, f64
  }
  stencil.store %a to %out(<[0], [63]>) : !temp to !field
  return
}

// -----

!row = !stencil.field<[0,?]xf64>
!out = !stencil.field<[0,8]x[0,?]xf64>
func.func @renumbered_axis(%row: !row, %out: !out) {
  %r = stencil.load %row : !row -> !stencil.temp<?xf64>
  // expected-note @below {{evaluated on}}
  %a = stencil.apply(%x = %r : !stencil.temp<?xf64>) -> (!stencil.temp<?x?xf64>) {
    // expected-error @below {{needs [0,?) on axis 0 of its input, relative to the extent of axis 1 of the apply; expected static bounds}}
    %v = stencil.access %x[_, 0] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  stencil.store %a to %out(<[0, 0], [8, ?]>) : !stencil.temp<?x?xf64> to !out
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @huge_offset(%in: !field, %out: !field) {
  %l = stencil.load %in : !field -> !temp
  %a = stencil.apply(%x = %l : !temp) -> (!temp) {
    // expected-error @below {{needs coordinates beyond the limit of 1099511627776}}
    %v = stencil.access %x[1099511627776] : !temp
    stencil.return %v : f64
  }
  stencil.store %a to %out(<[0], [64]>) : !temp to !field
  return
}

// -----

// Bodies of modules have no order of definition.
!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
%f = stencil.alloc : !field
stencil.store %l to %f(<[0], [64]>) : !temp to !field
// expected-error @below {{'stencil.load' op has a result that is used before it is made}}
%l = stencil.load %f : !field -> !temp
