// RUN: stencil-opt %s --stencil-specialize-extents="extents=16,0" | FileCheck %s

// Axis 0 gets its extent everywhere: arguments, casts, boxes. Axis 1 stays open.

// CHECK-LABEL: func @copy
// CHECK-SAME: !stencil.field<[-1,17]x[0,?]xf64>
// CHECK: stencil.cast %{{.*}} : !stencil.field<?x?xf64> -> !stencil.field<[0,16]x[0,?]xf64>
// CHECK: stencil.store %{{.*}} to %{{.*}}(<[0, 0], [15, ?-2]>)
func.func @copy(%u: !stencil.field<[-1,?+1]x[0,?]xf64>, %w: !stencil.field<?x?xf64>) {
  %v = stencil.cast %w : !stencil.field<?x?xf64> -> !stencil.field<[0,?]x[0,?]xf64>
  %t = stencil.load %u : !stencil.field<[-1,?+1]x[0,?]xf64> -> !stencil.temp<?x?xf64>
  stencil.store %t to %v(<[0, 0], [?-1, ?-2]>) : !stencil.temp<?x?xf64> to !stencil.field<[0,?]x[0,?]xf64>
  return
}

// A cast of what comes from outside of the loops moves out of them; of what they carry, it stays.
// CHECK-LABEL: func @casts_in_loops
// CHECK: stencil.cast %arg0
// CHECK: scf.for
// CHECK-NOT: stencil.cast %arg0
// CHECK: scf.for
// CHECK: stencil.cast %arg{{[4-9]}}
func.func @casts_in_loops(%u: !stencil.field<?xf64>, %v: !stencil.field<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %w = scf.for %j = %c0 to %n step %c1 iter_args(%x = %v) -> (!stencil.field<?xf64>) {
      %a = stencil.cast %u : !stencil.field<?xf64> -> !stencil.field<[0,?]xf64>
      %b = stencil.cast %x : !stencil.field<?xf64> -> !stencil.field<[0,?]xf64>
      %t = stencil.load %a : !stencil.field<[0,?]xf64> -> !stencil.temp<?xf64>
      stencil.store %t to %b(<[0], [?]>) : !stencil.temp<?xf64> to !stencil.field<[0,?]xf64>
      scf.yield %x : !stencil.field<?xf64>
    }
  }
  return
}
