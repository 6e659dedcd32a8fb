// RUN: stencil-opt %s --stencil-specialize-extents="extents=4" --split-input-file --verify-diagnostics
// RUN: not stencil-opt %s --split-input-file --stencil-specialize-extents="extents=-1" 2>&1 | FileCheck %s
// CHECK: error: expected extents from 0 to 1099511627776, got -1

func.func @empty(%u: !stencil.field<[0,?]xf64>, %v: !stencil.field<[0,?]xf64>) {
  %t = stencil.load %u : !stencil.field<[0,?]xf64> -> !stencil.temp<?xf64>
  // expected-error@+1 {{the extent 4 leaves no points on axis 0 of #stencil.bounds<[2], [?-2]>}}
  stencil.store %t to %v(<[2], [?-2]>) : !stencil.temp<?xf64> to !stencil.field<[0,?]xf64>
  return
}
