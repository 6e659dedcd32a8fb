module {
  func.func @taps(%arg0: !stencil.field<[-2,66]xf64>, %arg1: !stencil.field<[-2,66]xf64>) {
    tile.kernel @k(%arg2 = %arg0 : !stencil.field<[-2,66]xf64>, %arg3 = %arg1 : !stencil.field<[-2,66]xf64>) grid <domain = <[0], [64]>, block = [16], points = [2]> {
      %0 = tile.ring : !tile.ring<1 x [-2,34]xf64>
      tile.copy %arg2 to %0 : !stencil.field<[-2,66]xf64>, !tile.ring<1 x [-2,34]xf64>
      tile.barrier
      %1 = tile.source %0 : !tile.ring<1 x [-2,34]xf64> -> !stencil.temp<[-2,34]xf64>
      %2 = stencil.apply(%arg4 = %1 : !stencil.temp<[-2,34]xf64>) -> (!stencil.temp<[0,32]xf64>) attributes {tile.engine = #tile.taps} {
        %4 = stencil.weighted_sum %arg4 offsets [[-2], [-1], [0], [1]] weights dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf64> : !stencil.temp<[-2,34]xf64>
        stencil.return %4 : f64
      }
      %3 = stencil.apply(%arg4 = %2 : !stencil.temp<[0,32]xf64>) -> (!stencil.temp<[0,32]xf64>) attributes {tile.engine = #tile.fma} {
        %4 = stencil.access %arg4[0] : !stencil.temp<[0,32]xf64>
        %5 = arith.addf %4, %4 : f64
        stencil.return %5 : f64
      }
      tile.store %3 to %arg3 : !stencil.temp<[0,32]xf64> to !stencil.field<[-2,66]xf64>
    }
    return
  }
  func.func @ahead(%arg0: !stencil.field<[-1,17]x[-1,65]xf64>, %arg1: !stencil.field<[-1,17]x[-1,65]xf64>) {
    tile.kernel @k(%arg2 = %arg0 : !stencil.field<[-1,17]x[-1,65]xf64>, %arg3 = %arg1 : !stencil.field<[-1,17]x[-1,65]xf64>) grid <domain = <[0, 0], [16, 64]>, block = [4, 32], points = [1, 1]> {
      %0 = tile.source %arg2 : !stencil.field<[-1,17]x[-1,65]xf64> -> !stencil.temp<?x?xf64>
      tile.where {
        tile.prefetch %arg2 at [1] along 0 : !stencil.field<[-1,17]x[-1,65]xf64>
        %1 = stencil.apply(%arg4 = %0 : !stencil.temp<?x?xf64>) -> (!stencil.temp<[0,4]x[0,32]xf64>) {
          %2 = stencil.access %arg4[1, 0] : !stencil.temp<?x?xf64>
          stencil.return %2 : f64
        }
        tile.store %1 to %arg3 images [0, 1] : !stencil.temp<[0,4]x[0,32]xf64> to !stencil.field<[-1,17]x[-1,65]xf64>
      }
    }
    return
  }
}

