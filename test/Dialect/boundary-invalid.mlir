// RUN: stencil-opt %s --split-input-file --verify-diagnostics

func.func @without_bounds(%f: !stencil.field<?xf64>) {
  // expected-error@+1 {{expected a field with bounds, got '!stencil.field<?xf64>'; cast it first}}
  stencil.boundary %f(<[0], [8]>) [#stencil.neumann] : !stencil.field<?xf64>
  return
}

// -----

func.func @rank(%f: !stencil.field<[-1,9]xf64>) {
  // expected-error@+1 {{expected bounds of rank 1, got #stencil.bounds<[0, 0], [8, 8]>}}
  stencil.boundary %f(<[0, 0], [8, 8]>) [#stencil.neumann] : !stencil.field<[-1,9]xf64>
  return
}

// -----

func.func @outside(%f: !stencil.field<[-1,9]xf64>) {
  // expected-error@+1 {{expected the box #stencil.bounds<[0], [10]> to lie in the field '!stencil.field<[-1,9]xf64>'}}
  stencil.boundary %f(<[0], [10]>) [#stencil.neumann] : !stencil.field<[-1,9]xf64>
  return
}

// -----

func.func @element(%f: !stencil.field<[-1,9]xtensor<4xf64>>) {
  // expected-error@+1 {{expected an integer or floating-point element type, got 'tensor<4xf64>'}}
  stencil.boundary %f(<[0], [8]>) [#stencil.neumann] : !stencil.field<[-1,9]xtensor<4xf64>>
  return
}

// -----

func.func @too_few(%f: !stencil.field<[-1,9]x[-1,9]xf64>) {
  // expected-error@+1 {{expected a lower and an upper condition for each of 2 axes, got 2 conditions}}
  stencil.boundary %f(<[0, 0], [8, 8]>) [#stencil.neumann] : !stencil.field<[-1,9]x[-1,9]xf64>
  return
}

// -----

func.func @odd(%f: !stencil.field<[-1,9]xf64>) {
  // expected-error@+1 {{expected a lower and an upper condition for each of 1 axes, got 3 conditions}}
  "stencil.boundary"(%f) {bounds = #stencil.bounds<[0], [8]>, conditions = [#stencil.keep, #stencil.keep, #stencil.keep]} : (!stencil.field<[-1,9]xf64>) -> ()
  return
}

// -----

func.func @no_list(%f: !stencil.field<[-1,9]xf64>) {
  // expected-error@+1 {{attribute 'conditions' failed to satisfy constraint: array attribute}}
  "stencil.boundary"(%f) {bounds = #stencil.bounds<[0], [8]>, conditions = #stencil.keep} : (!stencil.field<[-1,9]xf64>) -> ()
  return
}

// -----

func.func @no_condition(%f: !stencil.field<[-1,9]xf64>) {
  // expected-error@+1 {{expected a boundary condition, got 0 : i64}}
  stencil.boundary %f(<[0], [8]>) [#stencil.neumann | 0] : !stencil.field<[-1,9]xf64>
  return
}

// -----

func.func @half_periodic(%f: !stencil.field<[-1,9]x[-1,9]xf64>) {
  // expected-error@+1 {{expected a periodic condition on both sides of axis 1 or on none}}
  stencil.boundary %f(<[0, 0], [8, 8]>) [#stencil.periodic, #stencil.neumann | #stencil.periodic] : !stencil.field<[-1,9]x[-1,9]xf64>
  return
}

// -----

func.func @float_value(%f: !stencil.field<[-1,9]xi32>) {
  // expected-error@+1 {{expected an integer value for a field of 'i32', got #stencil.dirichlet<0.000000e+00 : f64>}}
  stencil.boundary %f(<[0], [8]>) [#stencil.dirichlet<0.0>] : !stencil.field<[-1,9]xi32>
  return
}

// -----

func.func @large_value(%f: !stencil.field<[-1,9]xi8>) {
  // expected-error@+1 {{expected a value that fits in 'i8', got #stencil.dirichlet<256 : i64>}}
  stencil.boundary %f(<[0], [8]>) [#stencil.dirichlet<256>] : !stencil.field<[-1,9]xi8>
  return
}

// -----

func.func @small_value(%f: !stencil.field<[-1,9]xi8>) {
  // expected-error@+1 {{expected a value that fits in 'i8', got #stencil.dirichlet<-129 : i64>}}
  stencil.boundary %f(<[0], [8]>) [#stencil.dirichlet<-129>] : !stencil.field<[-1,9]xi8>
  return
}

// -----

func.func @signed_value(%f: !stencil.field<[-1,9]xsi8>) {
  // expected-error@+1 {{expected a value that fits in 'si8', got #stencil.dirichlet<128 : i64>}}
  stencil.boundary %f(<[0], [8]>) [#stencil.dirichlet<128>] : !stencil.field<[-1,9]xsi8>
  return
}

// -----

func.func @unsigned_value(%f: !stencil.field<[-1,9]xui8>) {
  // expected-error@+1 {{expected a value that fits in 'ui8', got #stencil.dirichlet<-1 : i64>}}
  stencil.boundary %f(<[0], [8]>) [#stencil.dirichlet<-1>] : !stencil.field<[-1,9]xui8>
  return
}

// -----

func.func @half_value(%f: !stencil.field<[-1,9]xf16>) {
  // expected-error@+1 {{expected a value that fits in 'f16', got #stencil.dirichlet<1.000000e+05 : f64>}}
  stencil.boundary %f(<[0], [8]>) [#stencil.dirichlet<1.0e5>] : !stencil.field<[-1,9]xf16>
  return
}

// -----

func.func @half_integer(%f: !stencil.field<[-1,9]xf16>) {
  // expected-error@+1 {{expected a value that fits in 'f16', got #stencil.dirichlet<-100000 : i64>}}
  stencil.boundary %f(<[0], [8]>) [#stencil.dirichlet<-100000>] : !stencil.field<[-1,9]xf16>
  return
}

// -----

func.func @mixed_bounds(%f: !stencil.field<[-1,?+1]xf64>) {
  // expected-error@+1 {{expected a halo of constant width on axis 0}}
  stencil.boundary %f(<[0], [8]>) [#stencil.neumann] : !stencil.field<[-1,?+1]xf64>
  return
}

// -----

func.func @narrow_symmetric(%f: !stencil.field<[-3,6]xf64>) {
  // expected-error@+1 {{expected at least 4 interior points on axis 0 for #stencil.symmetric with a halo of 3, got 3}}
  stencil.boundary %f(<[0], [3]>) [#stencil.symmetric] : !stencil.field<[-3,6]xf64>
  return
}

// -----

func.func @narrow_antisymmetric(%f: !stencil.field<[0,6]xf64>) {
  // expected-error@+1 {{expected at least 4 interior points on axis 0 for #stencil.antisymmetric with a halo of 3, got 3}}
  stencil.boundary %f(<[0], [3]>) [#stencil.keep | #stencil.antisymmetric] : !stencil.field<[0,6]xf64>
  return
}

// -----

func.func @narrow_about_face(%f: !stencil.field<[-4,6]xf64>) {
  // expected-error@+1 {{expected at least 4 interior points on axis 0 for #stencil.symmetric_about_face with a halo of 4, got 3}}
  stencil.boundary %f(<[0], [3]>) [#stencil.symmetric_about_face] : !stencil.field<[-4,6]xf64>
  return
}

// -----

func.func @narrow_extrapolate(%f: !stencil.field<[-1,4]xf64>) {
  // expected-error@+1 {{expected at least 4 interior points on axis 0 for #stencil.extrapolate<3> with a halo of 1, got 3}}
  stencil.boundary %f(<[0], [3]>) [#stencil.extrapolate<3>] : !stencil.field<[-1,4]xf64>
  return
}

// -----

func.func @no_bar(%f: !stencil.field<[-1,4]xf64>) {
  // expected-error@+1 {{expected ']'}}
  stencil.boundary %f(<[0], [3]>) [#stencil.neumann #stencil.keep] : !stencil.field<[-1,4]xf64>
  return
}
