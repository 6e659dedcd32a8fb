// v is u one point further, on the points of a line.
func.func @shift(%u: !stencil.field<[-1,?+1]xf32>, %v: !stencil.field<?xf32>) {
  %w = stencil.cast %v : !stencil.field<?xf32> -> !stencil.field<[0,?]xf32>
  %in = stencil.load %u : !stencil.field<[-1,?+1]xf32> -> !stencil.temp<?xf32>
  %out = stencil.apply(%x = %in : !stencil.temp<?xf32>) -> (!stencil.temp<?xf32>) {
    %0 = stencil.access %x[-1] : !stencil.temp<?xf32>
    stencil.return %0 : f32
  }
  stencil.store %out to %w(<[0], [?]>) : !stencil.temp<?xf32> to !stencil.field<[0,?]xf32>
  return
}
