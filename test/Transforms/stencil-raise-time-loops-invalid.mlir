// RUN: stencil-opt %s --split-input-file --stencil-raise-time-loops --verify-diagnostics --remarks-filter=TimeLoops -o /dev/null

!field = !stencil.field<[-2,18]xf64>
!temp = !stencil.temp<?xf64>

func.func @no_fields(%a: !field, %b: !field, %c: !field, %s0: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-remark @+1 {{not a time loop: it carries no fields}}
  scf.for %i = %zero to %n step %one {
    %t = stencil.load %a : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %p = stencil.access %x[-1] : !temp
      stencil.return %p : f64
    }
    stencil.store %q to %b(<[0], [16]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-2,18]xf64>
!temp = !stencil.temp<?xf64>

func.func @scalar(%a: !field, %b: !field, %c: !field, %s0: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-remark @+1 {{not a time loop: it carries a value of type scalar besides fields}}
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b, %w = %s0) -> (!field, !field, f64) {
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %p = stencil.access %x[-1] : !temp
      stencil.return %p : f64
    }
    stencil.store %q to %v(<[0], [16]>) : !temp to !field
    scf.yield %v, %u, %w : !field, !field, f64
  }
  return
}

// -----

!field = !stencil.field<[-2,18]xf64>
!temp = !stencil.temp<?xf64>

func.func @fold(%a: !field, %b: !field, %c: !field, %s0: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %p = stencil.access %x[-1] : !temp
      stencil.return %p : f64
    }
    stencil.store %q to %v(<[0], [16]>) : !temp to !field
    // expected-remark @+1 {{not a time loop: a value is folded, on which others may depend}}
    %m = stencil.fold %q(<[0], [16]>) max : !temp
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-2,18]xf64>
!temp = !stencil.temp<?xf64>

func.func @interiors(%a: !field, %b: !field, %c: !field, %s0: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %p = stencil.access %x[-1] : !temp
      stencil.return %p : f64
    }
    stencil.store %q to %v(<[0], [16]>) : !temp to !field
    // expected-remark @+1 {{not a time loop: it is not on one interior: #stencil.bounds<[0], [15]>, and elsewhere #stencil.bounds<[0], [16]>}}
    stencil.boundary %v(<[0], [15]>) [#stencil.neumann] : !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-2,18]xf64>
!temp = !stencil.temp<?xf64>

func.func @late(%a: !field, %b: !field, %c: !field, %s0: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %p = stencil.access %x[-1] : !temp
      stencil.return %p : f64
    }
    // expected-remark @+1 {{not a time loop: the halo of a field is set after it was read}}
    stencil.boundary %u(<[0], [16]>) [#stencil.neumann] : !field
    stencil.store %q to %v(<[0], [16]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-2,18]xf64>
!temp = !stencil.temp<?xf64>

func.func @elsewhere(%a: !field, %b: !field, %c: !field, %s0: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %p = stencil.access %x[-1] : !temp
      stencil.return %p : f64
    }
    // expected-remark @+1 {{not a time loop: a field that it does not carry is stored to}}
    stencil.store %q to %c(<[0], [16]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-2,18]xf64>
!temp = !stencil.temp<?xf64>

func.func @alias(%a: !field, %b: !field, %c: !field, %s0: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-remark @+1 {{not a time loop: a field is read that may be one that is stored to}}
    %t2 = stencil.load %a : !field -> !temp
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t2 : !temp) -> (!temp) {
      %p = stencil.access %x[-1] : !temp
      stencil.return %p : f64
    }
    stencil.store %q to %v(<[0], [16]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-2,18]xf64>
!temp = !stencil.temp<?xf64>

func.func @branch(%a: !field, %b: !field, %c: !field, %s0: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %p = stencil.access %x[-1] : !temp
      stencil.return %p : f64
    }
    stencil.store %q to %v(<[0], [16]>) : !temp to !field
    %even = arith.cmpi eq, %i, %zero : index
    // expected-remark @+1 {{not a time loop: a branch or another loop is in it}}
    scf.if %even {
      stencil.boundary %v(<[0], [16]>) [#stencil.neumann] : !field
    }
    scf.yield %v, %u : !field, !field
  }
  return
}
