// RUN: stencil-opt %s --convert-stencil-to-cpu --split-input-file --verify-diagnostics

!u = !stencil.field<[0,8]xindex>
func.func @no_vectors(%u: !u) {
  // expected-error @+1 {{'stencil.apply' op expected a body that can be computed for vectors, as its loops have 4 lanes}}
  stencil.apply() outs (%u : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 4>} {
    %0 = stencil.index 0 <[0]>
    stencil.return %0 : index
  } to <[0], [8]>
  return
}

// -----

!u = !stencil.field<[0,8]xf64>
func.func @too_wide(%u: !u, %v: !u) -> f64 {
  // expected-error @+1 {{'stencil.apply' op expected vectors of at most 65536 bits, got 2048 lanes of 64}}
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 2048>} {
    %0 = stencil.access %x[0] : !u
    stencil.return %0 : f64
  } to <[0], [8]>
  %s = stencil.fold %u(<[0], [8]>) sum : !u
  return %s : f64
}

// -----

!u = !stencil.field<[0,8]xf32>
func.func @too_wide_sums(%u: !u) -> f32 {
  // expected-error @+1 {{'stencil.fold' op expected vectors of at most 65536 bits, got 2048 lanes of 64}}
  %s = stencil.fold %u(<[0], [8]>) sum attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 2048>} : !u
  return %s : f32
}

// -----

!u = !stencil.field<[0,8]xf64>
func.func @one_row(%u: !u, %v: !u) {
  // expected-error @+1 {{'stencil.apply' op expected several rows, and a body for one of them, as its loops compute 2 rows together}}
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<rows = 2>} {
    %0 = stencil.access %x[0] : !u
    stencil.return %0 : f64
  } to <[0], [8]>
  return
}

// -----

!u = !stencil.field<[0,8]xf64>
func.func @another_rank(%u: !u, %v: !u) {
  // expected-error @+1 {{'stencil.apply' op expected a tile of 1 sizes, got 2}}
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<tile = [4, 4]>} {
    %0 = stencil.access %x[0] : !u
    stencil.return %0 : f64
  } to <[0], [8]>
  return
}

// -----

!u = !stencil.field<[0,8]x[0,8]xf64>
func.func @half_groups(%u: !u, %v: !u) {
  // expected-error @+1 {{'stencil.apply' op expected tiles of whole groups of 2 points, got a size of 3}}
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<tile = [3, 0]>} {
    %0 = stencil.access %x[0, 0] : !u
    stencil.return %0, %0 unroll <[2, 1]> : f64, f64
  } to <[0, 0], [8, 8]>
  return
}

// -----

!u = !stencil.field<[0,8]x[0,8]xf64>
func.func @no_volume(%u: !u, %v: !u) {
  // expected-error @+1 {{'stencil.apply' op expected a volume, as its loops have blocks of rows, got 2 axes}}
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<blocks = <cache = 1024, row = 8, halo = 0, rows = 4, planes = [2, 16], tiles = 1>>} {
    %0 = stencil.access %x[0, 0] : !u
    stencil.return %0 : f64
  } to <[0, 0], [8, 8]>
  return
}

// -----

!u = !stencil.field<[0,8]xf64>
func.func @around_point_by_point(%u: !u, %v: !u) {
  // expected-error @+1 {{'stencil.apply' op expected vectors, and one result that has a value at each point, of a body for one point, to write it around the caches}}
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<around = 1024>} {
    %0 = stencil.access %x[0] : !u
    stencil.return %0 : f64
  } to <[0], [8]>
  return
}

// -----

!u = !stencil.field<[0,8]x[0,8]xf64>
func.func @tiled_fold(%u: !u) -> f64 {
  // expected-error @+1 {{'stencil.fold' op expected no tile: with several axes, what one index of the first has is folded first}}
  %s = stencil.fold %u(<[0, 0], [8, 8]>) sum attributes {stencil.cpu_loops = #stencil.cpu_loops<tile = [2, 0]>} : !u
  return %s : f64
}

// -----

!u = !stencil.field<[0,8]xi1>
func.func @fold_of_no_vectors(%u: !u) -> i1 {
  // expected-error @+1 {{'stencil.fold' op expected elements of which there are vectors, as its loops have 4 lanes, got 'i1'}}
  %s = stencil.fold %u(<[0], [8]>) max attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 4>} : !u
  return %s : i1
}

// -----

!u = !stencil.field<[-1,9]x[-1,9]xf64>
func.func @boundary_of_more(%u: !u) {
  // expected-error @+1 {{'stencil.boundary' op expected a tile of 1 sizes, got 2}}
  stencil.boundary %u(<[0, 0], [8, 8]>) [#stencil.neumann, #stencil.neumann] attributes {stencil.cpu_loops = [#stencil.cpu_loops<tile = [2, 2]>, #stencil.cpu_loops<>]} : !u
  return
}

// -----

!p = !stencil.field<[0,8]x[0,64]xf64>
func.func @planes_of_a_plane(%u: !p, %v: !p) {
  // expected-error @+1 {{expected a volume that is written around the caches, as its loops compute 2 planes together}}
  stencil.apply(%x = %u : !p) outs (%v : !p) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, planes = 2, around = 1>} {
    %0 = stencil.access %x[0, 0] : !p
    stencil.return %0 : f64
  } to <[0, 0], [8, 64]>
  return
}

// -----

!u = !stencil.field<[0,8]xf64>
func.func @around_what(%u: !u, %v: !u) {
  // expected-error @+1 {{'stencil.apply' op expected results that are written around the caches, as its loops have vectors for these}}
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 2, around_lanes = 8>} {
    %0 = stencil.access %x[0] : !u
    stencil.return %0 : f64
  } to <[0], [8]>
  return
}

// -----

!u = !stencil.field<[0,8]xf64>
func.func @too_wide_around(%u: !u, %v: !u) {
  // expected-error @+1 {{'stencil.apply' op expected vectors of at most 65536 bits, got 2048 lanes of 64}}
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 2, around = 1, around_lanes = 2048>} {
    %0 = stencil.access %x[0] : !u
    stencil.return %0 : f64
  } to <[0], [8]>
  return
}

// -----

!p = !stencil.field<[0,8]x[0,8]x[0,64]xf64>
func.func @planes_of_rows(%u: !p, %v: !p) {
  // expected-error @+1 {{expected a volume, and a body for one point, row by row, as its loops compute 2 planes together}}
  stencil.apply(%x = %u : !p) outs (%v : !p) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, rows = 2, plain_planes = 2>} {
    %0 = stencil.access %x[0, 0, 0] : !p
    stencil.return %0 : f64
  } to <[0, 0, 0], [8, 8, 64]>
  return
}
