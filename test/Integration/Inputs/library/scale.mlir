// v = a u, on the points of a line.
func.func @scale(%u: !stencil.field<[-1,?+1]xf32>, %v: !stencil.field<?xf32>, %a: f32) {
  %w = stencil.cast %v : !stencil.field<?xf32> -> !stencil.field<[0,?]xf32>
  %in = stencil.load %u : !stencil.field<[-1,?+1]xf32> -> !stencil.temp<?xf32>
  %out = stencil.apply(%x = %in : !stencil.temp<?xf32>, %f = %a : f32) -> (!stencil.temp<?xf32>) {
    %0 = stencil.access %x[0] : !stencil.temp<?xf32>
    %1 = arith.mulf %0, %f : f32
    stencil.return %1 : f32
  }
  stencil.store %out to %w(<[0], [?]>) : !stencil.temp<?xf32> to !stencil.field<[0,?]xf32>
  return
}
