// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{stencil types can only be fully dynamic or sized}}
func.func private @mixed(!stencil.field<?x[-4,68]xf64>)

// -----

// expected-error@+1 {{stencil types can only be fully dynamic or sized}}
func.func private @mixed(!stencil.temp<[-4,68]x?xf64>)

// -----

// expected-error@+1 {{expected '?' or '[' to start an axis}}
func.func private @no_axis(!stencil.field<f64>)

// -----

// expected-error@+1 {{expected '?' or '[' to start an axis}}
func.func private @extents(!stencil.field<72x72xf64>)

// -----

// expected-error@+1 {{expected '<'}}
func.func private @bare(!stencil.field)

// -----

// expected-error@+1 {{expected non-function type}}
func.func private @no_element(!stencil.field<?x>)

// -----

// expected-error@+1 {{expected 'x' in dimension list}}
func.func private @no_element(!stencil.field<[0,4]>)

// -----

// expected-error@+1 {{unbalanced '<' character in pretty dialect name}}
func.func private @open(!stencil.field<[0,4]xf64)

// -----

// expected-error@+1 {{expected ','}}
func.func private @one_bound(!stencil.field<[4]xf64>)

// -----

// expected-error@+1 {{expected ']'}}
func.func private @three_bounds(!stencil.field<[0,4,8]xf64>)

// -----

// expected-error@+1 {{expected integer value}}
func.func private @no_bound(!stencil.field<[0,n]xf64>)

// -----

// expected-error@+1 {{expected the upper bound of axis 1 to be greater than the lower bound 4, got 4}}
func.func private @empty(!stencil.field<[0,4]x[4,4]xf64>)

// -----

// expected-error@+1 {{expected the upper bound of axis 0 to be greater than the lower bound 3, got -3}}
func.func private @reversed(!stencil.temp<[3,-3]xf64>)

// -----

// expected-error@+1 {{expected the upper bound of axis 0 to be greater than the lower bound ?, got 64}}
func.func private @reversed(!stencil.temp<[?,64]xf64>)

// -----

// expected-error@+1 {{expected the upper bound of axis 0 to be greater than the lower bound ?+4, got ?-4}}
func.func private @reversed(!stencil.field<[?+4,?-4]xf64>)

// -----

// expected-error@+1 {{expected '+' or '-' after '?'}}
func.func private @no_sign(!stencil.field<[0,?4]xf64>)

// -----

// expected-error@+1 {{expected integer value}}
func.func private @no_offset(!stencil.field<[0,?+]xf64>)

// -----

// expected-error@+1 {{bound out of range: expected a magnitude of at most 1099511627776, got 1099511627777}}
func.func private @huge(!stencil.field<[0,1099511627777]xf64>)

// -----

// expected-error@+1 {{bound out of range: expected a magnitude of at most 1099511627776, got -1099511627777}}
func.func private @huge(!stencil.field<[-1099511627777,0]xf64>)

// -----

// expected-error@+1 {{bound out of range: expected a magnitude of at most 1099511627776, got 1099511627777}}
func.func private @huge(!stencil.field<[0,?+1099511627777]xf64>)

// -----

// expected-error@+1 {{bound out of range: expected a magnitude of at most 1099511627776, got 1152921504606846976}}
func.func private @looks_symbolic(!stencil.field<[0,1152921504606846976]xf64>)

// -----

// expected-error@+1 {{integer value too large}}
func.func private @huge(!stencil.field<[0,99999999999999999999]xf64>)

// -----

// expected-error@+1 {{expected an element type that is not a stencil type, got '!stencil.temp<?xf64>'}}
func.func private @nested(!stencil.field<?x!stencil.temp<?xf64>>)

// -----

// expected-error@+1 {{expected an element type that is not a stencil type, got '!stencil.result<f64>'}}
func.func private @nested(!stencil.temp<?x!stencil.result<f64>>)

// -----

// expected-error@+1 {{expected an element type that is not a stencil type, got '!stencil.result<f64>'}}
func.func private @nested(!stencil.result<!stencil.result<f64>>)

// -----

// expected-error@+1 {{expected an element type that is not a stencil type, got '!stencil.field<?xf64>'}}
func.func private @nested(!stencil.result<!stencil.field<?xf64>>)

// -----

// expected-error@+1 {{expected non-function type}}
func.func private @no_element(!stencil.result<>)
