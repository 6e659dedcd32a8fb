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
