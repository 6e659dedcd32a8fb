// RUN: stencil-opt %s --split-input-file --verify-diagnostics

func.func @elsewhere() {
  // expected-error @+1 {{'func.call' op expected 'stencil.time_loop' on an scf.for only}}
  func.call @elsewhere() {stencil.time_loop = #stencil.time_loop<interior = <[0], [8]>, lower = <[0]>, upper = <[0]>, buffers = 1, levels = 1, stages = 1, period = 1>} : () -> ()
  return
}

// -----

func.func @other_attribute(%n: index) {
  // expected-error @+1 {{'scf.for' op expected a #stencil.time_loop as 'stencil.time_loop', got 3 : i64}}
  scf.for %i = %n to %n step %n {
  } {stencil.time_loop = 3}
  return
}

// -----

// expected-error @+1 {{expected an offset for each of 2 axes, got #stencil.index<[0]>}}
func.func private @rank() attributes {test = #stencil.time_loop<interior = <[0, 0], [8, 8]>, lower = <[0]>, upper = <[0, 0]>, buffers = 1, levels = 1, stages = 1, period = 1>}

// -----

// expected-error @+1 {{expected lower offsets up to the upper ones, got 1 and 0}}
func.func private @order() attributes {test = #stencil.time_loop<interior = <[0], [8]>, lower = <[1]>, upper = <[0]>, buffers = 1, levels = 1, stages = 1, period = 1>}

// -----

// expected-error @+1 {{expected positive numbers of buffers, stages and steps, got 1, 0 and 2}}
func.func private @none() attributes {test = #stencil.time_loop<interior = <[0], [8]>, lower = <[0]>, upper = <[0]>, buffers = 1, levels = 1, stages = 0, period = 2>}
