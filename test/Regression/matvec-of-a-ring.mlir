// A product by a matrix reads a field: which points it takes is computed, as for an access at computed coordinates.
// RUN: not stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=zeros 2>&1 | FileCheck %s
// CHECK: error: 'stencil.matvec' op has no distribution to threads: expected to read a tile.source of a field

!field = !stencil.field<[-4,68]xf64>
!ring = !tile.ring<1 x [-4,68]xf64>
!window = !stencil.temp<[-4,68]xf64>
!tile = !stencil.temp<[0,64]xf64>
func.func @f(%f: !field, %g: !field) {
  tile.kernel @k(%a = %f : !field, %b = %g : !field) grid <domain = <[0], [64]>, block = [32], points = [2]> {
    %ring = tile.ring : !ring
    tile.copy %a to %ring needs <[-2], [3]> : !field, !ring
    %window = tile.source %ring : !ring -> !window
    tile.where {
      %r = stencil.apply(%x = %window : !window) -> (!tile) {
        %i = stencil.index 0 <[0]>
        %v = stencil.matvec %x[%i] from -1 matrix dense<[[0.5, 0.25, 0.0], [0.25, 0.5, 0.25]]> : tensor<2x3xf64> : !window
        stencil.return %v : f64
      }
      tile.store %r to %b : !tile to !field
    }
  }
  return
}
