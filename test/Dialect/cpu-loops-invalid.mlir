// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected 'lanes' to be a power of two up to 8192, got 3}}
module attributes {test.a = #stencil.cpu_loops<lanes = 3>} {}

// -----

// expected-error @+1 {{expected 'around_lanes' to be a power of two up to 8192, got 6}}
module attributes {test.a = #stencil.cpu_loops<around_lanes = 6>} {}

// -----

// expected-error @+1 {{expected 'line' to be a power of two up to 65536, got 0}}
module attributes {test.a = #stencil.cpu_loops<line = 0>} {}

// -----

// expected-error @+1 {{expected 'rows' to be a number from 1 to 64, got 65}}
module attributes {test.a = #stencil.cpu_loops<rows = 65>} {}

// -----

// expected-error @+1 {{expected 'tile' to be a number from 0 to 4398046511104, got -1}}
module attributes {test.a = #stencil.cpu_loops<tile = [8, -1]>} {}

// -----

// expected-error @+1 {{expected 'prefetch' to be a number from 0 to 1048576, got -8}}
module attributes {test.a = #stencil.cpu_loops<prefetch = -8>} {}

// -----

// expected-error @+1 {{expected 'planes' to be a number from 1 to 64, got 0}}
module attributes {test.a = #stencil.cpu_loops<planes = 0>} {}

// -----

// expected-error @+1 {{expected 'plain_planes' to be a number from 1 to 64, got 65}}
module attributes {test.a = #stencil.cpu_loops<plain_planes = 65>} {}

// -----

// expected-error @+1 {{expected 'deal' to be a number from 0 to 4398046511104, got -1}}
module attributes {test.a = #stencil.cpu_loops<deal = -1>} {}

// -----

// expected-error @+1 {{expected 'row' to be a number from 1 to 4398046511104, got 0}}
module attributes {test.a = #stencil.cpu_blocks<cache = 1, row = 0, halo = 0, rows = 4, planes = [2, 16], tiles = 1>} {}

// -----

// expected-error @+1 {{expected 'planes' to be two numbers, the smaller one first, got [16, 2]}}
module attributes {test.a = #stencil.cpu_blocks<cache = 1, row = 8, halo = 0, rows = 4, planes = [16, 2], tiles = 1>} {}

// -----

// expected-error @+1 {{op expected 'stencil.cpu_loops' on a stencil.apply, a stencil.pipeline, a stencil.fold, a stencil.boundary or a loop with 'stencil.diamonds' only}}
func.func @elsewhere() attributes {stencil.cpu_loops = #stencil.cpu_loops<>} {
  return
}

// -----

func.func @of_another_kind(%u: !stencil.field<[0,8]xf64>) -> f64 {
  // expected-error @+1 {{'stencil.fold' op expected a #stencil.cpu_loops as 'stencil.cpu_loops', got 4 : i64}}
  %s = stencil.fold %u(<[0], [8]>) sum attributes {stencil.cpu_loops = 4 : i64} : !stencil.field<[0,8]xf64>
  return %s : f64
}

// -----

func.func @one_for_two_axes(%u: !stencil.field<[-1,9]x[-1,9]xf64>) {
  // expected-error @+1 {{'stencil.boundary' op expected a list of one #stencil.cpu_loops for each of the 2 axes as 'stencil.cpu_loops', got [#stencil.cpu_loops<>]}}
  stencil.boundary %u(<[0, 0], [8, 8]>) [#stencil.neumann, #stencil.neumann] attributes {stencil.cpu_loops = [#stencil.cpu_loops<>]} : !stencil.field<[-1,9]x[-1,9]xf64>
  return
}

// -----

func.func @diamonds(%n: index) {
  // expected-error @+1 {{op expected 'stencil.diamonds' on an scf.for only}}
  %zero = arith.constant {stencil.diamonds = #stencil.diamonds<steps = 7>} 0 : index
  return
}

// -----

func.func @no_diamonds(%n: index) {
  %one = arith.constant 1 : index
  // expected-error @+1 {{op expected a #stencil.diamonds as 'stencil.diamonds', got 7 : i64}}
  scf.for %i = %n to %n step %one {
  } {stencil.diamonds = 7}
  return
}

// -----

// expected-error @+1 {{expected 'steps' to be an odd number from 1 to 1023, got 6}}
#even = #stencil.diamonds<steps = 6>

// -----

// expected-error @+1 {{expected 'tile' to be a number from 0 to 4398046511104, got -1}}
#negative = #stencil.diamonds<steps = 7, tile = -1>

// -----

func.func @dealt_elsewhere(%n: index) {
  %one = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op expected 'stencil.deal' on an scf.parallel only}}
  scf.for %i = %one to %n step %one {
  } {stencil.deal = 1 : i64}
  return
}

// -----

func.func @nothing_dealt(%n: index) {
  %one = arith.constant 1 : index
  // expected-error @+1 {{'scf.parallel' op expected an i64 from 1 as 'stencil.deal', got 0 : i64}}
  scf.parallel (%i) = (%one) to (%n) step (%one) {
  } {stencil.deal = 0 : i64}
  return
}
