// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{index out of range: expected a magnitude of at most 1099511627776, got 1099511627777}}
#a = #stencil.index<[0, 1099511627777]>

// -----

// expected-error@+1 {{expected integer value}}
#a = #stencil.index<[?]>

// -----

// expected-error@+1 {{integer value too large}}
#a = #stencil.index<[99999999999999999999]>

// -----

// expected-error@+1 {{expected lower and upper bounds of one rank, got 1 and 2}}
#a = #stencil.bounds<[0], [4, 4]>

// -----

// expected-error@+1 {{expected at least one axis}}
#a = #stencil.bounds<[], []>

// -----

// expected-error@+1 {{expected the upper bound of axis 1 to be greater than the lower bound 0, got 0}}
#a = #stencil.bounds<[0, 0], [4, 0]>

// -----

// expected-error@+1 {{expected the upper bound of axis 0 to be greater than the lower bound ?-1, got 5}}
#a = #stencil.bounds<[?-1], [5]>

// -----

// expected-error@+1 {{bound out of range: expected a magnitude of at most 1099511627776, got -1099511627777}}
#a = #stencil.bounds<[?-1099511627777], [?]>

// -----

// expected-error@+1 {{expected '['}}
#a = #stencil.bounds<0, 4>

// -----

// expected-error@+1 {{expected '+' or '-' after '?'}}
#a = #stencil.bounds<[0], [? 4]>

// -----

// expected-error@+1 {{expected a number as the value of a Dirichlet condition, got "warm"}}
#a = #stencil.dirichlet<"warm">

// -----

// expected-error@+1 {{expected a number as the value of a Dirichlet condition, got true}}
#a = #stencil.dirichlet<true>

// -----

// expected-error@+1 {{expected a number as the value of a Dirichlet condition, got dense<0> : tensor<2xi32>}}
#a = #stencil.dirichlet<dense<0> : tensor<2xi32>>

// -----

// expected-error@+1 {{expected an extrapolation order from 0 to 8, got 9}}
#a = #stencil.extrapolate<9>

// -----

// expected-error@+1 {{expected an extrapolation order from 0 to 8, got -1}}
#a = #stencil.extrapolate<-1>

// -----

// expected-error@+1 {{unknown attribute `robin` in dialect `stencil`}}
#a = #stencil.robin

// -----

// expected-error@+1 {{expected attribute value}}
#a = #stencil.dirichlet<>

// -----

// expected-error@+1 {{invalid kind of attribute specified}}
#a = #stencil.dirichlet<[1.0]>

// -----

// expected-error@+1 {{expected integer value}}
#a = #stencil.extrapolate<linear>

// -----

// expected-error@+1 {{expected at least one axis}}
#a = #stencil.index<[]>
