// Boundaries and folds are kernels over lists of points.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages --split-input-file -o %t && FileCheck %s < %t
// RUN: stencil-opt %t --split-input-file | FileCheck %s
// RUN: stencil-opt %t --split-input-file --mlir-print-op-generic | stencil-opt --split-input-file | FileCheck %s

// The halo of axis 0 over the interior of axis 1, slab by slab; then both sides of rows together, corners included.
// CHECK-LABEL: func.func @slabs
// CHECK-NEXT: tile.kernel @boundary(%[[A:.*]] = %arg0 : !stencil.field<[-1,3]x[-2,3]xf64>) grid <domain = <[-1, -2], [3, 3]>, block = [1, 128], points = [1, 1]> list <[<[-1, 0], [0, 2]>, <[2, 0], [3, 2]>, <[-1, -2], [3, 3]>] without <[-1, 0], [3, 2]>> {
// CHECK-NEXT: tile.where part 0 {
// CHECK-NEXT: %[[H:.*]] = tile.halo %[[A]] boundary(<[0, 0], [2, 2]>) [#stencil.dirichlet<3.500000e+00 : f64> | #stencil.neumann, #stencil.periodic] : !stencil.field<[-1,3]x[-2,3]xf64> -> !stencil.temp<[0,1]x[0,128]xf64>
// CHECK-NEXT: tile.store %[[H]] to %[[A]]
// CHECK-NEXT: }
// CHECK-NEXT: tile.where part 1 {
// CHECK: tile.where part 2 {
// CHECK-NOT: tile.where
// CHECK: return
func.func @slabs(%u: !stencil.field<[-1,3]x[-2,3]xf64>) {
  stencil.boundary %u(<[0, 0], [2, 2]>) [#stencil.dirichlet<3.5> | #stencil.neumann, #stencil.periodic] : !stencil.field<[-1,3]x[-2,3]xf64>
  return
}

// -----

// A kept side is not listed, and with a constant on one side of rows, the sides are apart. No slab has a gap.
// CHECK-LABEL: func.func @sides
// CHECK: list <[<[-1, 0], [0, ?]>, <[-1, -2], [?+1, 0]>, <[-1, ?], [?+1, ?+2]>]> {
func.func @sides(%u: !stencil.field<[-1,?+1]x[-2,?+2]xf32>) {
  stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.neumann | #stencil.keep, #stencil.dirichlet<0.0> | #stencil.symmetric] : !stencil.field<[-1,?+1]x[-2,?+2]xf32>
  return
}

// -----

// A polynomial combines values: axis after axis, and layer by layer, as each has weights of its own.
// CHECK-LABEL: func.func @layers
// CHECK: tile.kernel @boundary{{.*}} list <[<[-1, 0], [0, 4]>, <[-2, 0], [-1, 4]>, <[4, 0], [5, 4]>, <[5, 0], [6, 4]>]> {
// CHECK-COUNT-4: tile.halo %{{.*}} boundary(<[0, 0], [4, 4]>) [#stencil.extrapolate<1>, #stencil.neumann] :
// CHECK: tile.kernel @boundary{{.*}} list <[<[-2, -1], [6, 5]>] without <[-2, 0], [6, 4]>> {
// CHECK: tile.halo %{{.*}} [#stencil.extrapolate<1>, #stencil.neumann] filled 1 :
func.func @layers(%u: !stencil.field<[-2,6]x[-1,5]xf64>) {
  stencil.boundary %u(<[0, 0], [4, 4]>) [#stencil.extrapolate<1>, #stencil.neumann] : !stencil.field<[-2,6]x[-1,5]xf64>
  return
}

// -----

// Fields with one boundary take turns; another condition, and the same field again, have kernels of their own.
// CHECK-LABEL: func.func @fields
// CHECK: tile.kernel @boundary(%[[A:.*]] = %arg0 : !stencil.field<[-1,3]xf64>, %[[B:.*]] = %arg1 : !stencil.field<[-1,3]xf64>) {{.*}} turns 2> {
// CHECK-NEXT: %[[F:.*]] = tile.turn %[[A]], %[[B]] : !stencil.field<[-1,3]xf64>
// CHECK: tile.halo %[[F]]
// CHECK: tile.store %{{.*}} to %[[F]]
// CHECK: tile.kernel @boundary(%{{.*}} = %arg1 : !stencil.field<[-1,3]xf64>) grid
// CHECK: tile.kernel @boundary(%{{.*}} = %arg1 : !stencil.field<[-1,3]xf64>) grid
// CHECK-NOT: tile.kernel
func.func @fields(%a: !stencil.field<[-1,3]xf64>, %b: !stencil.field<[-1,3]xf64>) {
  stencil.boundary %a(<[0], [2]>) [#stencil.periodic] : !stencil.field<[-1,3]xf64>
  %one = arith.constant 1 : index
  stencil.boundary %b(<[0], [2]>) [#stencil.periodic] : !stencil.field<[-1,3]xf64>
  stencil.boundary %b(<[0], [2]>) [#stencil.neumann] : !stencil.field<[-1,3]xf64>
  stencil.boundary %b(<[0], [2]>) [#stencil.neumann] : !stencil.field<[-1,3]xf64>
  return
}

// -----

// Nothing to fill is no kernel.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return
func.func @nothing(%u: !stencil.field<[-1,5]x[0,4]xf64>) {
  stencil.boundary %u(<[0, 0], [4, 4]>) [#stencil.keep, #stencil.periodic] : !stencil.field<[-1,5]x[0,4]xf64>
  return
}

// -----

// Numbers are f64; the host divides the sum of the squares by the points, takes the root and rounds.
// CHECK-LABEL: func.func @rms
// CHECK-NEXT: %[[P:.*]] = stencil.scratch : memref<2048xf64>
// CHECK-NEXT: %[[R:.*]] = stencil.scratch : memref<1xf64>
// CHECK-NEXT: tile.kernel @fold(%[[A:.*]] = %arg0 : {{.*}}, %[[N:.*]] = %[[P]] : memref<2048xf64>, %[[O:.*]] = %[[R]] : memref<1xf64>) grid <domain = <[0, 0], [?, 30]>, block = [1, 256], points = [1, 1]> list <[<[0, 0], [?, 30]>] blocks 2048> {
// CHECK-NEXT: %[[X:.*]] = tile.source %[[A]] : {{.*}} -> !stencil.temp<?x?xf32>
// CHECK-NEXT: tile.fold rms %[[X]] to %[[O]] through %[[N]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[F:.*]] = stencil.fetch %[[R]]
// CHECK: stencil.extent 0
// CHECK: %[[D:.*]] = arith.divf %[[F]]
// CHECK: %[[S:.*]] = math.sqrt %[[D]]
// CHECK: %[[T:.*]] = arith.truncf %[[S]] : f64 to f32
// CHECK: return %[[T]]
func.func @rms(%u: !stencil.field<[-1,?]x[0,30]xf32>) -> f32 {
  %r = stencil.fold %u(<[0, 0], [?, 30]>) rms : !stencil.field<[-1,?]x[0,30]xf32>
  return %r : f32
}
