module {
  func.func @key(%arg0: !stencil.field<[-1,65]x[-1,65]xf64>, %arg1: !stencil.field<[-1,65]x[-1,65]xf64>) {
    stencil.apply(%arg2 = %arg0 : !stencil.field<[-1,65]x[-1,65]xf64>) outs (%arg1 : !stencil.field<[-1,65]x[-1,65]xf64>) attributes {stencil.schedule = #stencil.schedule<stream = 0, step = 2, unroll = 4>} {
      %0 = stencil.access %arg2[0, 0] : !stencil.field<[-1,65]x[-1,65]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [64, 64]>
    return
  }
  func.func @walk(%arg0: !stencil.field<[-1,65]x[-1,65]xf64>) {
    tile.kernel @k(%arg1 = %arg0 : !stencil.field<[-1,65]x[-1,65]xf64>) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
      tile.walk unroll 2 plane %arg2 attributes {stencil.unroll = 4 : i64} {
      }
    }
    return
  }
}

