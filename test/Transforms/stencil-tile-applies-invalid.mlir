// Tiles are for a GPU.
// RUN: not stencil-opt %s --stencil-tile-applies 2>&1 | FileCheck %s
// CHECK: error: expected a module with the attribute stencil.target

!field = !stencil.field<[-1,65]xf64>
func.func @copy(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    %a = stencil.access %x[1] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  return
}
