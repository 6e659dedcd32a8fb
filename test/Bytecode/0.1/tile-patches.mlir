#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.dirichlet<2.500000e-01 : f64> | #stencil.keep]>
#edge1 = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.neumann, #stencil.symmetric | #stencil.antisymmetric]>
module {
  func.func @async(%arg0: !stencil.field<[-1,14]x[-1,31]xf64>, %arg1: !stencil.field<[-1,14]x[-1,31]xf64>) {
    tile.kernel @async(%arg2 = %arg0 : !stencil.field<[-1,14]x[-1,31]xf64>, %arg3 = %arg1 : !stencil.field<[-1,14]x[-1,31]xf64>) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0, segments = 2> {
      %0 = tile.ring : !tile.ring<4 x [0,1]x[-1,17]xf64, fill = async>
      tile.walk lookback 2 plane %arg4 cursors(%arg5: !tile.cursor<4>) {
        tile.wait %0[%arg5] plane 1 : !tile.ring<4 x [0,1]x[-1,17]xf64, fill = async>
        tile.patch %0[%arg5] plane 1 from %arg2[%arg4] needs <[-1, -1], [2, 2]> boundary #edge : !stencil.field<[-1,14]x[-1,31]xf64>, !tile.ring<4 x [0,1]x[-1,17]xf64, fill = async>
        tile.copy %arg2[%arg4] to %0[%arg5] plane 2 needs <[-1, -1], [2, 2]> boundary #edge : !stencil.field<[-1,14]x[-1,31]xf64>, !tile.ring<4 x [0,1]x[-1,17]xf64, fill = async>
        tile.fringe %arg2[%arg4] for %0 plane 2 needs <[-1, -1], [2, 2]> boundary #edge : !stencil.field<[-1,14]x[-1,31]xf64>, !tile.ring<4 x [0,1]x[-1,17]xf64, fill = async>
        %1 = tile.source %0[%arg5] : !tile.ring<4 x [0,1]x[-1,17]xf64, fill = async> -> !stencil.temp<[-1,2]x[-1,17]xf64>
        tile.where {
          %2 = stencil.apply(%arg6 = %1 : !stencil.temp<[-1,2]x[-1,17]xf64>) -> (!stencil.temp<[0,1]x[0,16]xf64>) {
            %3 = stencil.weighted_sum %arg6 offsets [[-1, 0], [0, -1], [0, 1], [1, 1]] weights dense<5.000000e-01> : tensor<4xf64> : !stencil.temp<[-1,2]x[-1,17]xf64>
            stencil.return %3 : f64
          }
          tile.store %2 to %arg3[%arg4] : !stencil.temp<[0,1]x[0,16]xf64> to !stencil.field<[-1,14]x[-1,31]xf64>
        }
      }
    }
    return
  }
  func.func @tma(%arg0: !stencil.field<[-1,14]x[-1,31]xf64>, %arg1: !stencil.field<[-1,14]x[-1,31]xf64>) {
    tile.kernel @tma(%arg2 = %arg0 : !stencil.field<[-1,14]x[-1,31]xf64>, %arg3 = %arg1 : !stencil.field<[-1,14]x[-1,31]xf64>) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
      %0 = tile.ring : !tile.ring<4 x [0,1]x[-2,18]xf64, fill = tma>
      tile.walk lookback 2 plane %arg4 cursors(%arg5: !tile.cursor<4>) {
        tile.wait %0[%arg5] plane 1 : !tile.ring<4 x [0,1]x[-2,18]xf64, fill = tma>
        tile.patch %0[%arg5] plane 1 from %arg2[%arg4] needs <[-1, -1], [2, 2]> boundary #edge1 : !stencil.field<[-1,14]x[-1,31]xf64>, !tile.ring<4 x [0,1]x[-2,18]xf64, fill = tma>
        tile.copy %arg2[%arg4] to %0[%arg5] plane 2 needs <[-1, -1], [2, 2]> boundary #edge1 : !stencil.field<[-1,14]x[-1,31]xf64>, !tile.ring<4 x [0,1]x[-2,18]xf64, fill = tma>
        tile.fringe %arg2[%arg4] for %0 plane 2 needs <[-1, -1], [2, 2]> boundary #edge1 : !stencil.field<[-1,14]x[-1,31]xf64>, !tile.ring<4 x [0,1]x[-2,18]xf64, fill = tma>
        %1 = tile.source %0[%arg5] : !tile.ring<4 x [0,1]x[-2,18]xf64, fill = tma> -> !stencil.temp<[-1,2]x[-1,17]xf64>
        tile.where {
          %2 = stencil.apply(%arg6 = %1 : !stencil.temp<[-1,2]x[-1,17]xf64>) -> (!stencil.temp<[0,1]x[0,16]xf64>) {
            %3 = stencil.weighted_sum %arg6 offsets [[-1, 0], [0, -1], [0, 1], [1, 1]] weights dense<5.000000e-01> : tensor<4xf64> : !stencil.temp<[-1,2]x[-1,17]xf64>
            stencil.return %3 : f64
          }
          tile.store %2 to %arg3[%arg4] : !stencil.temp<[0,1]x[0,16]xf64> to !stencil.field<[-1,14]x[-1,31]xf64>
        }
      }
    }
    return
  }
  func.func @tile(%arg0: !stencil.field<[-1,14]x[-1,31]xf64>, %arg1: !stencil.field<[-1,14]x[-1,31]xf64>) {
    tile.kernel @tile(%arg2 = %arg0 : !stencil.field<[-1,14]x[-1,31]xf64>, %arg3 = %arg1 : !stencil.field<[-1,14]x[-1,31]xf64>) grid <domain = <[0, 0], [13, 30]>, block = [2, 16], points = [2, 1]> {
      %0 = tile.ring : !tile.ring<1 x [-1,5]x[-1,17]xf64>
      tile.copy %arg2 to %0 needs <[-1, -1], [2, 2]> boundary #edge : !stencil.field<[-1,14]x[-1,31]xf64>, !tile.ring<1 x [-1,5]x[-1,17]xf64>
      tile.fringe %arg2 for %0 needs <[-1, -1], [2, 2]> boundary #edge : !stencil.field<[-1,14]x[-1,31]xf64>, !tile.ring<1 x [-1,5]x[-1,17]xf64>
      tile.patch %0 from %arg2 needs <[-1, -1], [2, 2]> boundary #edge : !stencil.field<[-1,14]x[-1,31]xf64>, !tile.ring<1 x [-1,5]x[-1,17]xf64>
      %1 = tile.source %0 : !tile.ring<1 x [-1,5]x[-1,17]xf64> -> !stencil.temp<[-1,5]x[-1,17]xf64>
      tile.where {
        %2 = stencil.apply(%arg4 = %1 : !stencil.temp<[-1,5]x[-1,17]xf64>) -> (!stencil.temp<[0,4]x[0,16]xf64>) {
          %3 = stencil.weighted_sum %arg4 offsets [[-1, 0], [0, -1], [0, 1], [1, 1]] weights dense<5.000000e-01> : tensor<4xf64> : !stencil.temp<[-1,5]x[-1,17]xf64>
          stencil.return %3 : f64
        }
        tile.store %2 to %arg3 : !stencil.temp<[0,4]x[0,16]xf64> to !stencil.field<[-1,14]x[-1,31]xf64>
      }
    }
    return
  }
}

